//! Tests of the command as a user runs it.

#[expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]
mod analyze;
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops where something is missing"
)]
mod native_tool;
mod probe;

use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// The command, to be given arguments.
fn profiler_hub() -> Command {
    Command::new(env!("CARGO_BIN_EXE_profiler-hub"))
}

/// A file of the golden data.
fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden")
        .join(name)
}
