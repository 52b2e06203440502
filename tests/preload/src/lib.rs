//! Application, simulated SDK and native tool together: preloaded, killed, forked, analysed.
//!
//! What the tests and the bench share: [`Run`] is an application in a folder of its own, with the
//! simulation as its GPU runtime and the tool preloaded; [`files`] reads what it left.
//!
//! `PRELOAD_TESTS_WRAPPER` is put before each application's command line, but Python's; with
//! `valgrind -q --fair-sched=yes --error-exitcode=99` the tests are valgrind's.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

pub mod files;
mod run;

pub use run::{Ended, Run, app, library_folder, profiler_hub, python, tool_library};
