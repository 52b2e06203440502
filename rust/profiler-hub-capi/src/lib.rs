//! The C ABI of profiler-hub: libprofiler-hub.so and libprofiler-hub.a.
//!
//! The header under `include/profiler-hub/c/` is generated from the comments and signatures here,
//! and is the contract; a test demands that it says what the code says.

#![expect(
    clippy::missing_safety_doc,
    reason = "the comments are the header's, whose preamble states what pointers must be"
)]

#[allow(dead_code, clippy::allow_attributes, reason = "queries come next")]
mod boundary;
mod context;
mod futures;
mod handed;
mod handle;
mod library;
mod lists;
mod probe;
mod tracks;
mod types;

pub use context::*;
pub use futures::*;
pub use library::*;
pub use probe::*;
pub use tracks::*;
pub use types::*;
