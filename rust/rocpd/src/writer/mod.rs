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
//! - A value that is NaN is NULL: there is none.
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

use rusqlite::Params;

use crate::{Error, Result};
use bulk::{Batch, EventRow, ValueRow};
use registry::Registry;
use statements::Statements;

/// Rows that wait in memory before they go to SQLite together.
const BATCH_ROWS: usize = 8192;

/// Fills a [`Storage`]. See the [module](self) for the rules.
#[derive(Debug)]
pub struct Writer {
    storage: Storage,
    statements: Statements,
    registry: Registry,
    events: Batch<EventRow>,
    values: Batch<ValueRow>,
    /// The id that SQLite gives to the first of `events`.
    next_event: i64,
    /// Whether a transaction was begun and neither committed nor seen to be gone.
    in_transaction: bool,
}

impl Writer {
    /// A writer that fills `storage`.
    ///
    /// # Errors
    /// [`Error::Write`] if SQLite has no memory left.
    pub fn new(storage: Storage) -> Result<Self> {
        let events = Batch::new(&storage.connection).map_err(storage.write_error())?;
        let values = Batch::new(&storage.connection).map_err(storage.write_error())?;
        Ok(Self {
            statements: Statements::new(storage.guid()),
            storage,
            registry: Registry::default(),
            events,
            values,
            next_event: 1,
            in_transaction: false,
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
    /// [`Error::Write`]; what was not committed before is lost then.
    pub fn commit(&mut self) -> Result<()> {
        self.flush()?;
        if !self.in_transaction {
            return Ok(());
        }
        self.execute("COMMIT", [])?;
        self.in_transaction = false;
        Ok(())
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
        self.commit()?;
        // Statements first: SQLite does not close under them.
        self.storage.connection.flush_prepared_statement_cache();
        self.storage.close()
    }

    /// Hands the rows that wait to SQLite. If that fails they are lost, all of them.
    fn flush(&mut self) -> Result<()> {
        if self.events.rows.is_empty() && self.values.rows.is_empty() {
            return Ok(());
        }
        self.atomically(|writer| {
            let connection = &writer.storage.connection;
            let mut next_event = writer.next_event;
            let events = writer.events.rows.len();
            let mut result = Ok(());
            if events > 0 {
                let insert = if writer.events.rows.iter().all(EventRow::is_plain) {
                    &writer.statements.bulk_plain_events
                } else {
                    &writer.statements.bulk_events
                };
                result = writer.events.insert(connection, insert);
                next_event = connection.last_insert_rowid() + 1;
            }
            match result {
                Ok(()) => {
                    result = writer
                        .values
                        .insert(connection, &writer.statements.bulk_values)
                }
                Err(_) => writer.values.rows.clear(),
            }
            result.map_err(writer.storage.write_error())?;
            writer.next_event = next_event;
            Ok(())
        })
    }

    /// Runs what writes several rows such that all of them are there or none.
    fn atomically<T>(&mut self, write: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.begin()?;
        self.execute("SAVEPOINT rows", [])?;
        let next_event = self.next_event;
        let result = write(self);
        if result.is_err() {
            self.next_event = next_event;
            // If this fails the whole transaction is gone, which the next call finds out.
            let _ = self.execute("ROLLBACK TO rows", []);
        }
        let released = self.execute("RELEASE rows", []);
        let value = result?;
        released.map(|_| value)
    }

    fn begin(&mut self) -> Result<()> {
        if self.storage.connection.is_autocommit() {
            if self.in_transaction {
                return Err(Error::RolledBack {
                    path: self.storage.path().into(),
                });
            }
            self.execute("BEGIN IMMEDIATE", [])?;
            self.in_transaction = true;
        }
        Ok(())
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
