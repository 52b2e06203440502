//! Writes, reads and probes rocpd databases, the SQLite files of ROCm's profilers.
//!
//! The crate knows no GPU, no C and no environment. Times are nanoseconds, sizes are bytes.

pub mod catalog;
mod error;
mod guid;
pub mod open;
pub mod probe;
pub mod reader;
pub mod schema;
mod version;
mod wal;
pub mod writer;

pub use catalog::{Catalog, GuidTables};
pub use error::{Error, Result};
pub use guid::Guid;
pub use open::Source;
pub use version::{MalformedVersion, SchemaVersion};
pub use writer::{Mode, Storage, Writer};

/// The SQLite bindings this crate is built with, so that users of a [`rusqlite::Connection`] that
/// comes from here have the same version.
pub use rusqlite;
