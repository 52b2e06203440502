//! The C ABI of profiler-hub: libprofiler-hub.so and libprofiler-hub.a.
//!
//! The header under `include/profiler-hub/c/` is generated from the comments and signatures here,
//! and is the contract; a test demands that it says what the code says.

#![expect(
    clippy::missing_safety_doc,
    reason = "the comments are the header's, whose preamble states what pointers must be"
)]

mod answer;
mod boundary;
mod context;
mod details;
mod futures;
mod handed;
mod handle;
mod info;
mod info_types;
mod library;
mod lists;
mod opening;
mod probe;
mod query_types;
mod tables;
mod tracks;
mod types;
mod writer;
mod writer_insert;
mod writer_types;

pub use context::*;
pub use details::*;
pub use futures::*;
pub use info::*;
pub use info_types::*;
pub use library::*;
pub use opening::*;
pub use probe::*;
pub use query_types::*;
pub use tables::*;
pub use tracks::*;
pub use types::*;
pub use writer::*;
pub use writer_insert::*;
pub use writer_types::*;
