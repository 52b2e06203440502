//! A tool for tests: it wraps the demo runtimes and ROCTx.
//!
//! Its name is the stem of its file, so that copies of the file are different tools. What it does is
//! said by `DEMO_TOOL_MODE` (see [`Mode`]); what it finds it appends to the file `DEMO_TOOL_LOG`.

#![expect(
    clippy::panic,
    reason = "a wrapper that panics is one of the things to test"
)]

mod exports;
mod mode;
mod plain;
mod wrappers;

pub use mode::Mode;
