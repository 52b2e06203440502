//! The merge: native values into the SDK's file, once, in one transaction, with a mark.

use std::path::Path;
use std::time::Duration;

use rocpd::open::{LOCK_WAIT, file_uri, quote_identifier, who_uses};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};

use crate::error::reading;
use crate::inventory::{FileFacts, GuidFacts};
use crate::mark::Mark;
use crate::matching::Matching;
use crate::pairing::{At, Native};
use crate::places::Places;
use crate::report::Unmerged;
use crate::watch::{Watch, stop_when_asked};
use crate::{Error, Result};

/// Memory for pages, in KiB. What does not fit is written early and taken back on failure.
const CACHE_KIB: i64 = 2 * 1024;

/// What is known of a native guid's values before anything is inserted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Census {
    pub(crate) native_values: u64,
    pub(crate) last_id: Option<i64>,
    /// By reason; nothing yet where a single target makes it known after the insertion.
    pub(crate) unmerged: Option<Unmerged>,
}

/// Merges a native guid into the guids of one SDK file, all or nothing. Returns what it
/// counted, for each of them.
///
/// A guid that another run has marked meanwhile is an [`rocpd::Error::Changed`], as is any other
/// change of the file since it was looked at.
pub(crate) fn merge_into(
    files: &[FileFacts],
    native: &Native,
    places: &Places,
    targets: &[At],
    census: Census,
    watch: &dyn Watch,
) -> Result<Vec<(At, Mark)>> {
    let sdk_file = &files[targets[0].file];
    let native_file = &files[native.at.file];
    let path = sdk_file.path();
    let failed = |error| writing(path, native_file.path(), error);
    let mut connection = open(path).map_err(failed)?;
    let schema = if targets[0].file == native.at.file {
        "main"
    } else {
        native_file.source.attach(&connection, "native")?;
        "native"
    };
    stop_when_asked(&mut connection, watch).map_err(failed)?;
    let done = {
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        // From here on nobody else writes. What was read before has to be true still.
        sdk_file.source.verify_unchanged()?;
        let done = insert(files, native, places, targets, census, schema, &transaction)
            .map_err(|error| error.unwrap_or_else(failed))?;
        native_file.source.verify_unchanged()?;
        if done.changed {
            transaction.commit().map_err(failed)?;
        } else {
            transaction.rollback().map_err(failed)?;
        }
        done.marks
    };
    connection.close().map_err(|(_, error)| failed(error))?;
    Ok(done)
}

/// What a transaction did.
#[derive(Default)]
struct Done {
    marks: Vec<(At, Mark)>,
    /// A merge of nothing leaves no mark: the next run may find more.
    changed: bool,
}

/// What goes wrong inside the transaction: SQLite, or something of our own.
enum Trouble {
    Sqlite(rusqlite::Error),
    Ours(Error),
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Trouble {
    fn unwrap_or_else(self, sqlite: impl FnOnce(rusqlite::Error) -> Error) -> Error {
        match self {
            Self::Sqlite(error) => sqlite(error),
            Self::Ours(error) => error,
        }
    }
}

fn insert(
    files: &[FileFacts],
    native: &Native,
    places: &Places,
    targets: &[At],
    mut census: Census,
    schema: &str,
    connection: &Connection,
) -> Result<Done, Trouble> {
    let native_guid = native.at.of(files);
    let matching = Matching::load(connection, schema, native_guid, places)?;
    let mut done = Done::default();
    for &at in targets {
        let sdk = at.of(files);
        if let Some(mark) = sdk.mark(&native_guid.tables.guid) {
            take_out(files, at, sdk, mark, native_guid, connection)?;
            done.changed = true;
        }
        let number = places.targets.iter().position(|&target| target == at);
        let number = number.and_then(|number| i64::try_from(number).ok());
        let sql = matching.insert_sql(sdk);
        let merged = connection
            .execute(&sql, params![native_guid.guid(), number, sdk.guid()])
            .map(|merged| i64::try_from(merged).unwrap_or(i64::MAX))?;
        let ids = (merged > 0).then(|| {
            let last = connection.last_insert_rowid();
            (last - merged + 1, last)
        });
        let merged_values = merged.unsigned_abs();
        if census.unmerged.is_none() && merged_values == census.native_values {
            census.unmerged = Some(Unmerged::default());
        }
        let unmerged = match census.unmerged {
            Some(unmerged) => unmerged,
            None => {
                let (countable, unmerged) = matching.count()?;
                if countable != merged_values
                    || countable + unmerged.total() != census.native_values
                {
                    return Err(Trouble::Ours(Error::Inconsistent {
                        path: files[at.file].path().into(),
                        message: format!(
                            "{merged_values} values were inserted, {countable} counted as \
                             mergeable and {} as not, of {}",
                            unmerged.total(),
                            census.native_values
                        ),
                    }));
                }
                unmerged
            }
        };
        let candidates = native.slots.iter().flat_map(|slot| &slot.candidates);
        let mark = Mark {
            ids,
            processes: candidates
                .filter(|process| process.at == at)
                .map(|process| process.row)
                .collect(),
            native_values: census.native_values,
            merged_values,
            unmerged_values: unmerged,
            last_native_id: census.last_id,
        };
        if merged > 0 {
            leave_mark(sdk, native_guid, &mark, connection)?;
            done.changed = true;
        }
        done.marks.push((at, mark));
    }
    matching.unload()?;
    Ok(done)
}

fn leave_mark(
    sdk: &GuidFacts,
    native: &GuidFacts,
    mark: &Mark,
    connection: &Connection,
) -> rusqlite::Result<()> {
    let table = sdk.from("main", "rocpd_metadata", &[]);
    connection.execute(
        &format!("INSERT INTO {table} (tag, value) VALUES (?1, ?2)"),
        (Mark::tag(&native.tables.guid), mark.value()),
    )?;
    Ok(())
}

/// Takes the rows of an earlier merge out again, and its mark.
fn take_out(
    files: &[FileFacts],
    at: At,
    sdk: &GuidFacts,
    mark: &Mark,
    native: &GuidFacts,
    connection: &Connection,
) -> Result<(), Trouble> {
    if let Some((first, last)) = mark.ids {
        let table = sdk.from("main", "rocpd_pmc_event", &[]);
        let taken = connection.execute(
            &format!("DELETE FROM {table} WHERE id BETWEEN ?1 AND ?2"),
            (first, last),
        )?;
        if u64::try_from(taken).ok() != Some(mark.merged_values) {
            return Err(Trouble::Ours(Error::Unusable {
                path: files[at.file].path().into(),
                found: format!(
                    "{taken} rows where an earlier merge put {}",
                    mark.merged_values
                ),
                expected: "its rows as it left them; restore the SDK's file from a copy".into(),
            }));
        }
    }
    let table = sdk.from("main", "rocpd_metadata", &[]);
    connection.execute(
        &format!("DELETE FROM {table} WHERE tag = ?1"),
        [Mark::tag(&native.tables.guid)],
    )?;
    Ok(())
}

/// Opens the SDK's file for writing. Its journal mode stays what it is.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let uri = format!("{}?mode=rw", file_uri(path));
    let connection = Connection::open_with_flags(uri, flags)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.busy_timeout(Duration::from_secs(LOCK_WAIT.as_secs()))?;
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(Some("main"), "cache_size", -CACHE_KIB)?;
    Ok(connection)
}

/// Says what an error while writing is: a lock, an output that cannot be written, or an input.
fn writing(path: &Path, native: &Path, error: rusqlite::Error) -> Error {
    let output = |action, advice: &str| Error::Output {
        path: path.into(),
        action,
        reason: format!("{error}{advice}"),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Error::Input(rocpd::Error::Locked {
                path: path.into(),
                holder: who_uses(path).unwrap_or_else(|| "another process".into()),
                waited_s: LOCK_WAIT.as_secs(),
            })
        }
        Some(ErrorCode::DiskFull) => output("merge into it", "; make room and run it again"),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => output(
            "merge into it",
            "; make the file and its folder writable, or use --read-only",
        ),
        Some(ErrorCode::SystemIoFailure) => output("merge into it", ""),
        Some(ErrorCode::DatabaseCorrupt) => {
            // Which of the two is damaged shows when the native one is read alone.
            let damaged = if is_readable(native) { path } else { native };
            reading(damaged)(error)
        }
        _ => reading(path)(error),
    }
}

fn is_readable(path: &Path) -> bool {
    let read_all = || -> rusqlite::Result<bool> {
        let uri = format!("{}?mode=ro&immutable=1", file_uri(path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(uri, flags)?;
        let tables: Vec<String> = connection
            .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd%'")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for table in tables {
            let sql = format!(
                "SELECT count(*) FROM {} NOT INDEXED",
                quote_identifier(&table)
            );
            connection.query_row(&sql, [], |_| Ok(()))?;
        }
        Ok(true)
    };
    read_all().unwrap_or(false)
}
