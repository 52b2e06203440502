//! The limit: the rows of `limit.c`, put into the same schema by SQLite with options of choice.

use std::ffi::c_int;
use std::path::Path;

use rocpd::rusqlite::{Connection, ffi};
use rocpd::{Guid, schema};

use crate::Result;

/// Options of a database that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) page_size: u32,
    pub(crate) cache_kib: i32,
    pub(crate) journal: &'static str,
    pub(crate) synchronous: &'static str,
    pub(crate) foreign_keys: bool,
    /// Values between two commits.
    pub(crate) commit_every: u64,
}

impl Options {
    /// As the writer's fast mode.
    pub(crate) const FAST: Self = Self {
        page_size: 32 * 1024,
        cache_kib: 2 * 1024,
        journal: "DELETE",
        synchronous: "OFF",
        foreign_keys: false,
        commit_every: u64::MAX,
    };

    /// As the writer's durable mode.
    pub(crate) const DURABLE: Self = Self {
        journal: "WAL",
        synchronous: "NORMAL",
        commit_every: crate::ours::VALUES_PER_COMMIT,
        ..Self::FAST
    };
}

unsafe extern "C" {
    /// Makes the virtual tables of `limit.c` in a connection.
    fn rocpd_bench_limit(connection: *mut ffi::sqlite3) -> c_int;
}

/// Writes a file of so many values.
pub(crate) fn write(
    path: &Path,
    options: &Options,
    values_per_event: u64,
    values: u64,
) -> Result<()> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "page_size", options.page_size)?;
    connection.pragma_update(None, "foreign_keys", options.foreign_keys)?;
    connection.pragma_update(None, "cache_size", -options.cache_kib)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    if options.journal == "WAL" {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    }
    connection.pragma_update(None, "journal_mode", options.journal)?;
    connection.pragma_update(None, "synchronous", options.synchronous)?;
    // SAFETY: the connection is open, and the modules live as long as the program.
    if unsafe { rocpd_bench_limit(connection.handle()) } != ffi::SQLITE_OK {
        return Err("the limit's virtual tables could not be made".into());
    }
    let guid = Guid::new();
    let suffix = guid.table_suffix();
    connection.execute_batch("BEGIN")?;
    schema::create(&connection, &guid)?;
    connection.execute_batch(&format!(
        "INSERT INTO \"rocpd_info_node{suffix}\" (id, hash, machine_id) VALUES (1, 1, 'bench');
         INSERT INTO \"rocpd_info_process{suffix}\" (nid, pid) VALUES (1, 1);
         WITH n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 50)
         INSERT INTO \"rocpd_info_pmc{suffix}\" (nid, pid, name, symbol)
         SELECT 1, 1, 'COUNTER', 'COUNTER' FROM n;
         COMMIT",
    ))?;
    let mut events = connection.prepare(&format!(
        "INSERT INTO \"rocpd_event{suffix}\" (\"correlation_id\") \
         SELECT \"correlation_id\" FROM limit_events(?1, 1)"
    ))?;
    let mut rows = connection.prepare(&format!(
        "INSERT INTO \"rocpd_pmc_event{suffix}\" (\"event_id\", \"pmc_id\", \"value\") \
         SELECT \"event_id\", \"pmc_id\", \"value\" FROM limit_values(?1, ?2)"
    ))?;
    let batch = options.commit_every.min(values);
    for _ in 0..values / batch {
        connection.execute_batch("BEGIN")?;
        events.execute([(batch / values_per_event).cast_signed()])?;
        rows.execute([batch.cast_signed(), values_per_event.cast_signed()])?;
        connection.execute_batch("COMMIT")?;
    }
    drop((events, rows));
    connection.pragma_update(None, "journal_mode", "DELETE")?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}
