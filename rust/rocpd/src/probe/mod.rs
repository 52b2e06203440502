//! Says what a file is before anybody reads it: whether it is a rocpd that can be read here, and if
//! not, why. Nothing is written, not even beside the file.
//!
//! Formats are known by their first bytes: each has a [`Detector`]. What the rocpd detector accepts
//! is a list of [`AcceptedVersions`]. Another format or another schema is one registration:
//!
//! ```
//! use rocpd::SchemaVersion;
//! use rocpd::probe::{AcceptedVersions, Prober, RocpdDetector};
//!
//! let four = AcceptedVersions::new(SchemaVersion::new(4, 0, 0), SchemaVersion::new(4, 1, 0));
//! let prober = Prober::new().with(RocpdDetector::default().accepting(four));
//! # let _ = prober;
//! ```

mod detector;
mod rocpd_detector;

use std::fmt;
use std::path::Path;

pub use detector::{Detector, Prober};
pub use rocpd_detector::{AcceptedVersions, RocpdDetector};

use crate::{Guid, SchemaVersion};

/// What a file is found to be, in the order of the checks; the first that fails decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// There is no such file.
    FileNotFound,
    /// It cannot be read: no permission, a directory, damaged, locked for too long.
    Unreadable,
    /// No detector knows its first bytes.
    NotSqlite,
    /// A SQLite database without a metadata table.
    MetadataMissing,
    /// Several metadata tables: a merged file, with a guid for each.
    MetadataAmbiguous,
    /// The metadata table gives no version.
    MetadataMalformed,
    /// The version is one that nothing here reads.
    UnsupportedSchemaVersion,
    /// It can be read.
    Supported,
}

impl Status {
    /// The status as it is written, as in `metadata_missing`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FileNotFound => "file_not_found",
            Self::Unreadable => "unreadable",
            Self::NotSqlite => "not_sqlite",
            Self::MetadataMissing => "metadata_missing",
            Self::MetadataAmbiguous => "metadata_ambiguous",
            Self::MetadataMalformed => "metadata_malformed",
            Self::UnsupportedSchemaVersion => "unsupported_schema_version",
            Self::Supported => "supported",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What was found out about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub status: Status,
    /// The schema's version, if the metadata gives one.
    pub version: Option<SchemaVersion>,
    /// The guids that it holds, as far as it could be read.
    pub guids: Vec<Guid>,
    /// What was found and what is accepted, for a person.
    pub message: String,
}

impl Finding {
    /// A finding that has nothing but a reason.
    #[must_use]
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Self {
            status,
            version: None,
            guids: Vec::new(),
            message: message.into(),
        }
    }
}

/// Probes a file with the formats and schemas that this library reads.
#[must_use]
pub fn probe(path: &Path) -> Finding {
    Prober::default().probe(path)
}
