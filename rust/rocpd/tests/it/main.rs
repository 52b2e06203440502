//! Tests of the library from the outside, on real SQLite files.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod open;
