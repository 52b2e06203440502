//! What a rocpd file holds: its guids, each with its version and its tables.

use std::collections::{BTreeMap, HashMap};

use rusqlite::Connection;

use crate::open::quote_identifier;
use crate::{Guid, MalformedVersion, Result, SchemaVersion};

/// The base name of the metadata tables.
const METADATA: &str = "rocpd_metadata";

/// How the name of a metadata table begins; what follows is the rest of the table suffix.
pub const METADATA_PREFIX: &str = "rocpd_metadata_";

/// The guids of a file, in the order of their metadata tables in `sqlite_master`.
#[derive(Debug)]
pub struct Catalog {
    /// One entry for each metadata table.
    pub guids: Vec<GuidTables>,
}

/// One capture inside a file: the tables that share a suffix.
#[derive(Debug)]
pub struct GuidTables {
    /// The guid: the metadata row `guid`, or where there is none, read off the table names.
    pub guid: Guid,
    /// What follows the base name in this guid's table names, with its leading `_`.
    pub table_suffix: String,
    /// The schema's version as the metadata tells it.
    pub version: Result<SchemaVersion, MalformedMetadata>,
    /// The metadata rows, tag and value, in the order of their ids. NULL is an empty text.
    pub metadata: Vec<(String, String)>,
    /// Base name (`rocpd_event`) to physical table.
    pub tables: BTreeMap<String, Table>,
}

/// A physical table.
#[derive(Debug)]
pub struct Table {
    /// Its name, as in `sqlite_master`.
    pub name: String,
    /// Its columns in order. They sit in different places in different versions.
    pub columns: Vec<String>,
}

/// Why a metadata table gives no version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MalformedMetadata {
    /// A column is missing.
    #[error("the metadata table {table} has no column '{column}'; expected 'tag' and 'value'")]
    Column {
        /// The table's name.
        table: String,
        /// The column that is not there.
        column: &'static str,
    },
    /// There is no version row.
    #[error("the metadata table {table} has no row with the tag 'schema_version'")]
    NoVersion {
        /// The table's name.
        table: String,
    },
    /// The version row's text is none.
    #[error("the metadata table {table} has a malformed schema version: {source}")]
    Version {
        /// The table's name.
        table: String,
        /// What was found.
        source: MalformedVersion,
    },
}

impl Table {
    /// Whether the table has this column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|c| c == column)
    }
}

impl GuidTables {
    /// The physical table of a base name, if the file has it.
    #[must_use]
    pub fn table(&self, base: &str) -> Option<&Table> {
        self.tables.get(base)
    }
}

impl Catalog {
    /// Reads the catalog of the database that is attached as `schema` (`main`, …).
    ///
    /// Only tables count, not views, and names are compared byte by byte: `rocpdXmetadata_…` is
    /// not a metadata table.
    ///
    /// # Errors
    /// SQLite's errors, as they are; the caller names the file. A guid that cannot stand in a
    /// table name is [`crate::Error::Guid`].
    pub fn read(connection: &Connection, schema: &str) -> Result<Self, CatalogError> {
        let tables = table_names(connection, schema)?;
        let mut guids = Vec::new();
        for name in &tables {
            let Some(suffix) = name.strip_prefix(METADATA).filter(|s| s.starts_with('_')) else {
                continue;
            };
            guids.push(read_guid(connection, schema, suffix, &tables)?);
        }
        Ok(Self { guids })
    }
}

/// Why a catalog could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// SQLite refused: the file is no database, is damaged, or is locked.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// A metadata table is named or filled such that its guid is none.
    #[error(transparent)]
    Guid(#[from] crate::Error),
}

fn table_names(connection: &Connection, schema: &str) -> rusqlite::Result<Vec<String>> {
    let sql = format!(
        "SELECT name FROM {}.sqlite_master WHERE type = 'table' ORDER BY rowid",
        quote_identifier(schema)
    );
    connection
        .prepare(&sql)?
        .query_map([], |row| row.get(0))?
        .collect()
}

fn read_guid(
    connection: &Connection,
    schema: &str,
    suffix: &str,
    all_tables: &[String],
) -> Result<GuidTables, CatalogError> {
    let mut tables = BTreeMap::new();
    for name in all_tables {
        let Some(base) = name
            .strip_suffix(suffix)
            .filter(|b| b.starts_with("rocpd_"))
        else {
            continue;
        };
        let columns = connection
            .prepare("SELECT name FROM pragma_table_info(?1, ?2) ORDER BY cid")?
            .query_map([name.as_str(), schema], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        tables.insert(
            base.to_owned(),
            Table {
                name: name.clone(),
                columns,
            },
        );
    }
    let metadata_table = &tables[METADATA];
    let missing = ["tag", "value"]
        .into_iter()
        .find(|column| !metadata_table.has(column));
    let (metadata, version) = match missing {
        Some(column) => {
            let table = metadata_table.name.clone();
            (Vec::new(), Err(MalformedMetadata::Column { table, column }))
        }
        None => {
            let rows = metadata_rows(connection, schema, metadata_table)?;
            let version = schema_version(&metadata_table.name, &rows);
            (rows, version)
        }
    };
    let named = metadata
        .iter()
        .find(|(tag, _)| tag == "guid")
        .map(|(_, value)| value.as_str());
    let guid = match named.map(Guid::parse) {
        Some(Ok(guid)) => guid,
        _ => Guid::parse(&suffix[1..].replace('_', "-"))?,
    };
    Ok(GuidTables {
        guid,
        table_suffix: suffix.to_owned(),
        version,
        metadata,
        tables,
    })
}

fn metadata_rows(
    connection: &Connection,
    schema: &str,
    table: &Table,
) -> rusqlite::Result<Vec<(String, String)>> {
    let order = if table.has("id") {
        " ORDER BY \"id\""
    } else {
        "" // as they lie; there may be no rowid
    };
    let sql = format!(
        "SELECT CAST(coalesce(\"tag\", '') AS TEXT), CAST(coalesce(\"value\", '') AS TEXT) \
         FROM {}.{}{order}",
        quote_identifier(schema),
        quote_identifier(&table.name)
    );
    let text = |row: &rusqlite::Row<'_>, column| {
        Ok::<_, rusqlite::Error>(
            String::from_utf8_lossy(row.get_ref(column)?.as_bytes()?).into_owned(),
        )
    };
    connection
        .prepare(&sql)?
        .query_map([], |row| Ok((text(row, 0)?, text(row, 1)?)))?
        .collect()
}

/// The three tags count when all three are there, else `schema_version`.
fn schema_version(
    table: &str,
    rows: &[(String, String)],
) -> Result<SchemaVersion, MalformedMetadata> {
    let mut values = HashMap::new();
    for (tag, value) in rows {
        values.entry(tag.as_str()).or_insert(value.as_str());
    }
    let value = |tag| values.get(tag).copied();
    let triplet = (
        value("schema_version_major"),
        value("schema_version_minor"),
        value("schema_version_patch"),
    );
    let version = match (triplet, value("schema_version")) {
        ((Some(major), Some(minor), Some(patch)), _) => {
            SchemaVersion::from_parts(major, minor, patch)
        }
        (_, Some(text)) => text.parse(),
        _ => {
            return Err(MalformedMetadata::NoVersion {
                table: table.to_owned(),
            });
        }
    };
    version.map_err(|source| MalformedMetadata::Version {
        table: table.to_owned(),
        source,
    })
}
