//! Tests of the C ABI from the outside: the header, the exported symbols, C and C++ programs.

#![expect(clippy::unwrap_used, reason = "tests")]

mod exercise;
mod exports;
mod fuzz;
mod header;
mod layout;
mod native;
