//! Integration tests of the intercept crate.
//!
//! Most of them run a C program (`tests/demo-runtime-c/driver.c`) with the simulated SDK and tools
//! preloaded; the program checks results and the order of the layers itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chain;
mod exceptions;
mod generated;
mod library;
mod lifecycle;
mod process;
