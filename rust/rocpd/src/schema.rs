//! The schema of the files that we write, as SQL that can be read without Rust.
//!
//! A released version's folder is frozen: the next version gets a folder of its own.

use rusqlite::Connection;

use crate::{Guid, SchemaVersion};

/// The version of the schema that [`create`] makes.
pub const VERSION: SchemaVersion = SchemaVersion::new(3, 0, 0);

const TABLES: &str = include_str!("schema/3.0.0/tables.sql");
const BASE_VIEWS: &str = include_str!("schema/3.0.0/base_views.sql");
const DATA_VIEWS: &str = include_str!("schema/3.0.0/data_views.sql");

/// Makes the tables of `guid`, the views and the metadata rows in an empty database.
///
/// # Errors
/// SQLite's, as they are; one transaction of the caller's keeps a half-made schema out of the file.
pub fn create(connection: &Connection, guid: &Guid) -> rusqlite::Result<()> {
    let suffix = guid.table_suffix();
    for template in [TABLES, BASE_VIEWS, DATA_VIEWS] {
        // Neither can break out of its quotes: both hold letters, digits, `-` and `_` only.
        let sql = template
            .replace("{{uuid}}", &suffix)
            .replace("{{guid}}", guid.as_str());
        connection.execute_batch(&sql)?;
    }
    let mut insert = connection.prepare(&format!(
        "INSERT INTO \"rocpd_metadata{suffix}\" (\"tag\", \"value\") VALUES (?1, ?2)"
    ))?;
    // As the format's writers of 3.0.0 say it: the major number alone.
    for (tag, value) in [
        ("schema_version", "3"),
        ("uuid", suffix.as_str()),
        ("guid", guid.as_str()),
    ] {
        insert.execute([tag, value])?;
    }
    Ok(())
}
