//! Integration tests of the intercept crate.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod generated;
