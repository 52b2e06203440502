//! Many rows in one statement: a batch of rows is a virtual table that an `INSERT … SELECT` reads.

use std::borrow::Cow;
use std::ffi::{CStr, c_int};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::ffi::sqlite3_vtab;
use rusqlite::vtab::{
    Context, Filters, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor,
};

/// A row of a batch: its columns as SQLite asks for them.
pub(super) trait Row: Send + 'static {
    /// Name of the virtual table.
    const NAME: &'static CStr;
    /// Its columns.
    const DECLARATION: &'static CStr;

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()>;
}

/// Rows that wait, and the virtual table that hands them over.
#[derive(Debug)]
pub(super) struct Batch<R> {
    pub(super) rows: Vec<R>,
    handed_over: Arc<Mutex<Vec<R>>>,
}

impl<R: Row> Batch<R> {
    /// Makes the virtual table of this kind of rows in a connection.
    pub(super) fn new(connection: &Connection) -> rusqlite::Result<Self> {
        let handed_over = Arc::<Mutex<Vec<R>>>::default();
        connection.create_module(
            R::NAME,
            const { &Module::<Table<R>>::eponymous_only_module() },
            Some(Arc::clone(&handed_over)),
        )?;
        Ok(Self {
            rows: Vec::new(),
            handed_over,
        })
    }

    /// Hands the rows to `insert`, a statement that reads the virtual table. They are gone then,
    /// also if it fails.
    pub(super) fn insert(&mut self, connection: &Connection, insert: &str) -> rusqlite::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        mem::swap(&mut self.rows, &mut *lock(&self.handed_over));
        let result = connection
            .prepare_cached(insert)
            .and_then(|mut statement| statement.execute([]));
        // Back with its memory, for the next batch.
        self.rows = mem::take(&mut *lock(&self.handed_over));
        self.rows.clear();
        result.map(|_| ())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The virtual table. SQLite takes the first field for its own.
#[repr(C)]
struct Table<R> {
    base: sqlite3_vtab,
    rows: Arc<Mutex<Vec<R>>>,
}

// SAFETY: the struct is `repr(C)` and begins with SQLite's part.
unsafe impl<R: Row> VTab<'_> for Table<R> {
    type Aux = Arc<Mutex<Vec<R>>>;
    type Cursor = Cursor<R>;

    fn connect(
        connection: &mut VTabConnection,
        rows: Option<&Self::Aux>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _args: &[&[u8]],
    ) -> rusqlite::Result<(Cow<'static, CStr>, Self)> {
        connection.config(VTabConfig::DirectOnly)?;
        let table = Self {
            base: sqlite3_vtab::default(),
            rows: rows.map(Arc::clone).unwrap_or_default(),
        };
        Ok((R::DECLARATION.into(), table))
    }

    fn best_index(&self, _info: &mut IndexInfo) -> rusqlite::Result<bool> {
        Ok(true)
    }

    fn open(&mut self) -> rusqlite::Result<Self::Cursor> {
        Ok(Cursor {
            base: rusqlite::ffi::sqlite3_vtab_cursor::default(),
            shared: Arc::clone(&self.rows),
            rows: Vec::new(),
            at: 0,
        })
    }
}

/// A walk through the rows, which it holds meanwhile. SQLite takes the first field for its own.
#[repr(C)]
struct Cursor<R> {
    base: rusqlite::ffi::sqlite3_vtab_cursor,
    shared: Arc<Mutex<Vec<R>>>,
    rows: Vec<R>,
    at: usize,
}

// SAFETY: the struct is `repr(C)` and begins with SQLite's part.
unsafe impl<R: Row> VTabCursor for Cursor<R> {
    fn filter(
        &mut self,
        _plan: c_int,
        _plan_text: Option<&str>,
        _args: &Filters<'_>,
    ) -> rusqlite::Result<()> {
        self.rows = mem::take(&mut *lock(&self.shared));
        self.at = 0;
        Ok(())
    }

    fn next(&mut self) -> rusqlite::Result<()> {
        self.at += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.at >= self.rows.len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> rusqlite::Result<()> {
        match self.rows.get(self.at) {
            Some(row) => row.column(column, context),
            None => Ok(()),
        }
    }

    fn rowid(&self) -> rusqlite::Result<i64> {
        Ok(i64::try_from(self.at).unwrap_or(i64::MAX))
    }
}

impl<R> Drop for Cursor<R> {
    fn drop(&mut self) {
        *lock(&self.shared) = mem::take(&mut self.rows);
    }
}
