//! Reads the databases that a run left, also those of killed processes.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;

/// Values by (dispatch id, absolute index of the agent, counter), sorted.
pub type Values = BTreeMap<(u64, u32, String), Vec<f64>>;

/// A copy of a database, with its `-wal`, that is opened; the file itself stays untouched.
///
/// # Errors
/// SQLite's, where the copy was taken in the middle of a write.
pub fn open_copy(path: &Path) -> rusqlite::Result<(tempfile::TempDir, Connection)> {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    std::fs::copy(path, &copy).unwrap();
    let wal = path.with_extension("db-wal");
    if wal.exists() {
        std::fs::copy(wal, copy.with_extension("db-wal")).unwrap();
    }
    let connection = Connection::open(&copy)?;
    Ok((folder, connection))
}

/// All values of a database.
///
/// # Errors
/// As [`open_copy`].
pub fn try_values(path: &Path) -> rusqlite::Result<Values> {
    let (_folder, connection) = open_copy(path)?;
    let mut statement = connection.prepare(
        "SELECT \"event\".\"correlation_id\", \"agent\".\"absolute_index\", \"pmc\".\"symbol\", \"value\".\"value\"
         FROM \"rocpd_pmc_event\" AS \"value\"
         JOIN \"rocpd_event\" AS \"event\" ON \"event\".\"id\" = \"value\".\"event_id\" AND \"event\".\"guid\" = \"value\".\"guid\"
         JOIN \"rocpd_info_pmc\" AS \"pmc\" ON \"pmc\".\"id\" = \"value\".\"pmc_id\" AND \"pmc\".\"guid\" = \"value\".\"guid\"
         JOIN \"rocpd_info_agent\" AS \"agent\" ON \"agent\".\"id\" = \"pmc\".\"agent_id\" AND \"agent\".\"guid\" = \"pmc\".\"guid\"",
    )?;
    let mut values = Values::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let dispatch: i64 = row.get(0)?;
        values
            .entry((dispatch.cast_unsigned(), row.get(1)?, row.get(2)?))
            .or_default()
            .push(row.get(3)?);
    }
    values
        .values_mut()
        .for_each(|instances| instances.sort_by(f64::total_cmp));
    Ok(values)
}

/// All values of a database that nobody writes.
#[must_use]
pub fn values(path: &Path) -> Values {
    try_values(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One number that a query gives.
#[must_use]
pub fn number(path: &Path, sql: &str) -> i64 {
    let (_folder, connection) = open_copy(path).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The texts in the first column of a query.
#[must_use]
pub fn texts(path: &Path, sql: &str) -> Vec<String> {
    let (_folder, connection) = open_copy(path).unwrap();
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(|row| row.unwrap()).collect()
}
