//! The detector of rocpd files: which SQLite databases they are, and of which versions.

use std::path::Path;

use rusqlite::Connection;

use super::{Detector, Finding, Status};
use crate::catalog::{CatalogError, METADATA_PREFIX};
use crate::{Catalog, GuidTables, SchemaVersion, Source};

/// How every SQLite database begins. Source: SQLite's file format, "The Database Header".
const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// A range of versions that a reader takes: from the oldest on, and every later one of the same
/// major number, of which it reads what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedVersions {
    oldest: SchemaVersion,
    newest_known: SchemaVersion,
}

impl AcceptedVersions {
    /// The versions of the published rocpd schema that this library reads.
    pub const ROCPD_3: Self = Self::new(SchemaVersion::new(3, 0, 0), SchemaVersion::new(3, 0, 5));

    /// From `oldest` on; what is later than `newest_known` is accepted with a warning.
    #[must_use]
    pub const fn new(oldest: SchemaVersion, newest_known: SchemaVersion) -> Self {
        Self {
            oldest,
            newest_known,
        }
    }

    /// Whether a reader of these takes that version.
    #[must_use]
    pub fn accepts(self, version: SchemaVersion) -> bool {
        version.major == self.oldest.major && version >= self.oldest
    }

    /// Whether a version is later than all that are known.
    #[must_use]
    pub fn is_newer(self, version: SchemaVersion) -> bool {
        version > self.newest_known
    }
}

/// Knows SQLite databases, and looks whether they are rocpd files of an accepted version.
pub struct RocpdDetector {
    accepted: Vec<AcceptedVersions>,
}

impl RocpdDetector {
    /// The same with more versions accepted.
    #[must_use]
    pub fn accepting(mut self, versions: AcceptedVersions) -> Self {
        self.accepted.push(versions);
        self
    }

    fn judge(&self, path: &Path, connection: &Connection) -> Result<Finding, CatalogError> {
        let path = path.display();
        let catalog = match Catalog::read(connection, "main") {
            Ok(catalog) => catalog,
            Err(CatalogError::Guid(error)) => {
                let (status, message) = match metadata_tables(connection)? {
                    1 => (
                        Status::MetadataMalformed,
                        format!("the metadata table has no usable guid: {error}"),
                    ),
                    several => (Status::MetadataAmbiguous, ambiguous(several)),
                };
                return Ok(Finding::new(status, format!("{path}: {message}")));
            }
            Err(error) => return Err(error),
        };
        let guids = catalog.guids.iter().map(|g| g.guid.clone()).collect();
        let (status, version, message) = match catalog.guids.as_slice() {
            [] => (
                Status::MetadataMissing,
                None,
                format!(
                    "found a SQLite database without a table named {METADATA_PREFIX}…, \
                     expected exactly one"
                ),
            ),
            [one] => self.judge_version(one),
            several => (Status::MetadataAmbiguous, None, ambiguous(several.len())),
        };
        Ok(Finding {
            status,
            version,
            guids,
            message: format!("{path}: {message}"),
        })
    }

    fn judge_version(&self, tables: &GuidTables) -> (Status, Option<SchemaVersion>, String) {
        let version = match &tables.version {
            Ok(version) => *version,
            Err(error) => return (Status::MetadataMalformed, None, error.to_string()),
        };
        let (status, message) = match self.accepted.iter().find(|a| a.accepts(version)) {
            Some(range) if version <= range.newest_known => (
                Status::Supported,
                format!("a rocpd file of schema {version}"),
            ),
            Some(range) => (
                Status::Supported,
                format!(
                    "a rocpd file of schema {version}; warning: newer than {}, the newest that \
                     is known here: only what is known is read",
                    range.newest_known
                ),
            ),
            None => (
                Status::UnsupportedSchemaVersion,
                format!(
                    "found a rocpd file of schema {version}, accepted is {}",
                    self.accepted_majors()
                ),
            ),
        };
        (status, Some(version), message)
    }

    fn accepted_majors(&self) -> String {
        let ranges: Vec<_> = self
            .accepted
            .iter()
            .map(|range| format!("{}.x from {} on", range.oldest.major, range.oldest))
            .collect();
        ranges.join(", ")
    }
}

fn ambiguous(tables: impl std::fmt::Display) -> String {
    format!(
        "found {tables} tables named {METADATA_PREFIX}…, expected exactly one; this is a merged \
         file of that many guids"
    )
}

/// How many metadata tables there are, whatever follows in their names.
fn metadata_tables(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(
        "SELECT count(*) FROM sqlite_master
         WHERE type = 'table' AND substr(name, 1, length(?1)) = ?1",
        [METADATA_PREFIX],
        |row| row.get(0),
    )
}

impl Default for RocpdDetector {
    /// Accepts what this library reads.
    fn default() -> Self {
        Self {
            accepted: vec![AcceptedVersions::ROCPD_3],
        }
    }
}

impl Detector for RocpdDetector {
    fn knows(&self, head: &[u8]) -> bool {
        head.starts_with(SQLITE_MAGIC)
    }

    fn examine(&self, source: &Source) -> Finding {
        let finding = source
            .connect()
            .map_err(|error| error.to_string())
            .and_then(|connection| {
                self.judge(source.path(), &connection).map_err(|error| {
                    format!(
                        "{}: found a SQLite database that cannot be read ({error}), expected a \
                         sound one; copy the file again",
                        source.path().display()
                    )
                })
            });
        finding.unwrap_or_else(|message| Finding::new(Status::Unreadable, message))
    }
}
