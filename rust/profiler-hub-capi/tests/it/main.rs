//! Tests of the C ABI from the outside: the header, the exported symbols, C and C++ programs.

#![expect(clippy::unwrap_used, reason = "tests")]

mod exports;
mod header;
mod layout;
mod native;
