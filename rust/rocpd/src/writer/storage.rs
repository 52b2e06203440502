//! The file that is written: its making, its options, its closing.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, ffi};

use crate::open::LOCK_WAIT;
use crate::{Error, Guid, Result, SchemaVersion, schema};

/// Bytes in a page. Source: the bench command `writing`; larger pages are not faster.
const PAGE_SIZE: u32 = 32 * 1024;

/// KiB of pages that SQLite may hold in memory.
const CACHE_KIB: i32 = 2 * 1024;

/// Prepared statements that are kept.
const STATEMENTS: usize = 64;

/// What the options of the database are chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Conversion: rollback journal, nothing waits for the disk. A killed process leaves what was
    /// committed; a failing machine may leave a broken file. Others can read between commits.
    Fast,
    /// Capture: write-ahead log without shared memory, so also on network file systems. What was
    /// committed survives the process, and the file survives the machine. Nobody else can open the
    /// file before it is closed; of a killed process a `-wal` stays beside it, which readers need.
    Durable,
}

/// A rocpd file of schema 3.0.0 that holds one guid, made by this process.
#[derive(Debug)]
pub struct Storage {
    path: PathBuf,
    guid: Guid,
    mode: Mode,
    /// Device and inode.
    identity: (u64, u64),
    pub(super) connection: Connection,
}

impl Storage {
    /// Makes the file with its tables, views and metadata. A path is a path, never a URI.
    ///
    /// # Errors
    /// [`Error::Exists`] if there is anything at the path: no file is overwritten. [`Error::Io`]
    /// if the file cannot be made, [`Error::Write`] if it cannot be filled; then it is removed.
    pub fn create(path: &Path, guid: Guid, mode: Mode) -> Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|source| match source.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists { path: path.into() },
                std::io::ErrorKind::NotFound => Error::Io {
                    path: path.into(),
                    action: "create the file; make its folder first",
                    source,
                },
                _ => Error::Io {
                    path: path.into(),
                    action: "create the file",
                    source,
                },
            })?;
        let identity = file.metadata().map_err(|source| Error::Io {
            path: path.into(),
            action: "look at the new file",
            source,
        })?;
        // Before SQLite takes its locks: closing any descriptor of a file drops all of the process's.
        drop(file);
        match open(path, &guid, mode) {
            Ok(connection) => Ok(Self {
                path: path.into(),
                guid,
                mode,
                identity: (identity.dev(), identity.ino()),
                connection,
            }),
            Err(source) => {
                for suffix in ["", "-journal", "-wal"] {
                    // What cannot be removed was not made, or stays for the user to see.
                    let _ = fs::remove_file(with_suffix(path, suffix));
                }
                Err(Error::Write {
                    path: path.into(),
                    source,
                })
            }
        }
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The guid whose tables the file has.
    #[must_use]
    pub fn guid(&self) -> &Guid {
        &self.guid
    }

    /// The version of the schema.
    #[must_use]
    pub const fn schema_version(&self) -> SchemaVersion {
        schema::VERSION
    }

    /// Moves what is committed from the write-ahead log into the file; nothing in [`Mode::Fast`].
    pub(super) fn checkpoint(&self) -> Result<()> {
        if self.mode == Mode::Durable {
            self.pragma_row("PRAGMA wal_checkpoint(TRUNCATE)")?;
        }
        Ok(())
    }

    /// Says whether what was written can still be found where it was meant to be.
    pub(super) fn check_place(&self) -> Result<()> {
        match fs::metadata(&self.path) {
            Ok(found) if (found.dev(), found.ino()) == self.identity => Ok(()),
            _ => Err(Error::Gone {
                path: self.path.clone(),
            }),
        }
    }

    /// Closes the file such that nothing is left beside it.
    pub(super) fn close(self) -> Result<()> {
        if self.mode == Mode::Durable {
            // Also checkpoints; a reader of the file then needs no -wal and no shared memory.
            self.pragma_row("PRAGMA journal_mode = DELETE")?;
        }
        let path = self.path;
        self.connection
            .close()
            .map_err(|(_, source)| Error::Write { path, source })
    }

    /// Names the file that SQLite's error is about.
    pub(super) fn write_error(&self) -> impl FnOnce(rusqlite::Error) -> Error {
        let path = self.path.clone();
        move |source| match &source {
            rusqlite::Error::SqliteFailure(failure, _)
                if failure.extended_code == ffi::SQLITE_READONLY_DBMOVED =>
            {
                Error::Gone { path }
            }
            _ => Error::Write { path, source },
        }
    }

    /// Runs a PRAGMA that answers with a row, which tells nothing new.
    fn pragma_row(&self, sql: &str) -> Result<()> {
        self.connection
            .query_row(sql, [], |_| Ok(()))
            .map_err(self.write_error())
    }
}

fn open(path: &Path, guid: &Guid, mode: Mode) -> rusqlite::Result<Connection> {
    // `:memory:` and the empty name mean something else to SQLite.
    let path = if path.is_absolute() {
        path.to_owned()
    } else {
        Path::new(".").join(path)
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(LOCK_WAIT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A typo in a column's name is then an error, not a text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    // References are checked before a row is written; checking again costs half the speed.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "page_size", PAGE_SIZE)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    match mode {
        Mode::Fast => {
            connection.pragma_update(None, "journal_mode", "DELETE")?;
            connection.pragma_update(None, "synchronous", "OFF")?;
        }
        Mode::Durable => {
            // Exclusive before WAL: then the log's index is in this process's memory.
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
        }
    }
    connection.execute_batch("BEGIN IMMEDIATE")?;
    schema::create(&connection, guid)?;
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
