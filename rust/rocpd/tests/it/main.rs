//! Tests of the library from the outside, on real SQLite files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod open;
mod probe;
mod reader;
mod schema;
mod writer;

use std::path::{Path, PathBuf};

/// A file of the golden data.
fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden")
        .join(name)
}
