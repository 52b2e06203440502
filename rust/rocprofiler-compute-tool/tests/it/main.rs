//! The capture with writers that are slow, fail, panic or hang, and the two writers that there are.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod session;
mod writers;
