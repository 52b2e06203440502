//! Writes a rocpd file of schema 3.0.0.
//!
//! [`Storage::create`] makes the file; a [`Writer`] on it takes what is registered first (node,
//! process, thread, agent, …) and then what happened (regions, dispatches, counter values, …).
//! Nothing is in the file for good before [`Writer::commit`] or [`Writer::close`]; a writer that is
//! dropped without either leaves what was committed.
//!
//! What a row refers to has to be registered: else the call is an error that names it, and leaves
//! no row. Registering the same thing twice gives the id of the first time.
//!
//! How values get into the file:
//! - Unsigned numbers of 64 bits keep their bits: from 2^63 on they are negative in the file, and
//!   [`i64::cast_unsigned`] makes them what they were.
//! - A value that is NaN is NULL: there is none. SQLite stores -0.0 as 0.0; all others keep their
//!   bits, infinities too.
//! - Text is as it was given, byte for byte, also with an embedded NUL. Bytes that are no UTF-8
//!   become text by [`text_from_bytes`].
//! - JSON columns take any text by the rule of [`stored_json`].
//!
//! A writer can be moved between threads and is for one at a time. In a forked child, where the
//! file is the parent's, [`std::mem::forget`] it: dropping it there would write to the file.

mod bulk;
mod ids;
mod info;
mod insert;
mod json;
mod pending;
mod records;
mod register;
mod registry;
mod statements;
mod storage;
mod text;

pub use ids::{
    AgentId, CodeObjectId, KernelSymbolId, NodeId, PmcId, ProcessId, QueueId, StreamId, StringId,
    ThreadId, TrackId,
};
pub use info::{
    Agent, AgentType, CodeObject, KernelSymbol, Node, Pmc, Process, Queue, StorageType, Stream,
    Thread, Track, ValueType,
};
pub use json::stored_json;
pub use records::{
    AllocationLevel, AllocationType, Arg, Event, KernelDispatch, MemoryAllocation, MemoryCopy,
    PmcEvent, PmcSample, Region, Sample,
};
pub use storage::{Mode, Storage};
pub use text::text_from_bytes;

use rusqlite::{ErrorCode, Params};

use crate::{Error, Result};
use pending::Pending;
use registry::Registry;
use statements::Statements;

/// Fills a [`Storage`]. See the [module](self) for the rules.
#[derive(Debug)]
pub struct Writer {
    storage: Storage,
    statements: Statements,
    registry: Registry,
    pending: Pending,
    /// The id of the first event that is not committed.
    uncommitted_event: i64,
    transaction: Transaction,
}

/// What would be lost if a write failed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transaction {
    /// Nothing.
    None,
    /// Rows of what happened.
    Open,
    /// Rows that others refer to, too.
    OpenWithRegistrations,
    /// They were lost: nothing can be written any more.
    Lost,
}

impl Writer {
    /// A writer that fills `storage`.
    ///
    /// # Errors
    /// [`Error::Write`] if SQLite has no memory left.
    pub fn new(storage: Storage) -> Result<Self> {
        let pending =
            Pending::new(&storage.connection, storage.guid()).map_err(storage.write_error())?;
        Ok(Self {
            statements: Statements::new(storage.guid()),
            storage,
            registry: Registry::default(),
            pending,
            uncommitted_event: 1,
            transaction: Transaction::None,
        })
    }

    /// The file that is filled.
    #[must_use]
    pub const fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Puts everything so far into the file for good, in one step: after a crash all of it is
    /// there or none.
    ///
    /// # Errors
    /// [`Error::Write`], then everything since the last commit is undone; [`Error::Gone`] if the
    /// file is no longer at its path; [`Error::RolledBack`] if an earlier failure undid things
    /// that were registered: nothing can be written any more then.
    pub fn commit(&mut self) -> Result<()> {
        self.flush()?;
        if matches!(self.transaction, Transaction::None) {
            return Ok(());
        }
        let committed = self.execute("COMMIT", []);
        self.or_undo(committed)?;
        self.transaction = Transaction::None;
        self.uncommitted_event = self.pending.next_event();
        self.storage.check_place()
    }

    /// Commits, and in [`Mode::Durable`] moves everything from the write-ahead log into the file
    /// itself: who then reads the file without the log sees it.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn checkpoint(&mut self) -> Result<()> {
        self.commit()?;
        self.storage.checkpoint()
    }

    /// Commits and closes. The file is then a single one, with nothing beside it.
    ///
    /// # Errors
    /// As [`Writer::commit`]. What was committed before stays, in [`Mode::Durable`] perhaps in a
    /// `-wal` beside the file.
    pub fn close(mut self) -> Result<()> {
        let committed = self.commit();
        // Statements first: SQLite does not close under them.
        self.storage.connection.flush_prepared_statement_cache();
        let closed = self.storage.close();
        committed.and(closed)
    }

    /// Writes the rows that wait.
    fn flush(&mut self) -> Result<()> {
        if self.pending.is_empty() {
            return self.check();
        }
        self.begin()?;
        let flushed = self
            .pending
            .flush(&self.storage.connection)
            .map_err(self.storage.write_error());
        self.or_undo(flushed)
    }

    /// Writes a single row and gives its id. Rows that it belongs to may wait.
    fn write(&mut self, sql: impl FnOnce(&Statements) -> &str, params: impl Params) -> Result<i64> {
        self.begin()?;
        let written = self.execute(sql(&self.statements), params);
        match &written {
            // The row broke a rule of the schema; SQLite took back this row only.
            Err(Error::Write { source, .. })
                if source.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) =>
            {
                written
            }
            _ => self.or_undo(written),
        }
    }

    /// Begins a transaction if there is none.
    fn begin(&mut self) -> Result<()> {
        self.check()?;
        if self.transaction == Transaction::None {
            self.execute("BEGIN IMMEDIATE", [])?;
            self.transaction = Transaction::Open;
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        if self.transaction == Transaction::Lost {
            return Err(Error::RolledBack {
                path: self.storage.path().into(),
            });
        }
        Ok(())
    }

    /// After a failed write, undoes everything since the last commit: part of it waits in memory,
    /// part of it is written, and neither means anything without the other.
    fn or_undo<T>(&mut self, result: Result<T>) -> Result<T> {
        if result.is_err() {
            // Fails only if SQLite has rolled back by itself.
            let _ = self.execute("ROLLBACK", []);
            self.pending.clear(self.uncommitted_event);
            self.transaction = match self.transaction {
                Transaction::None | Transaction::Open => Transaction::None,
                Transaction::OpenWithRegistrations | Transaction::Lost => Transaction::Lost,
            };
        }
        result
    }

    /// Runs a statement and gives the id of the row that it inserted, if it did.
    fn execute(&self, sql: &str, params: impl Params) -> Result<i64> {
        let connection = &self.storage.connection;
        connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map_err(self.storage.write_error())?;
        Ok(connection.last_insert_rowid())
    }
}
