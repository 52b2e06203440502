//! Visiting all rows of a query with as few calls into SQLite for each as can be.
//!
//! A scan looks at tens of millions of values. Stepping through a statement asks SQLite for each
//! row, and for the type and the value of each column. Here an aggregate function is the visitor:
//! SQLite hands it a row's values as it goes, and only a value of 0 is asked for its type.

use std::ffi::{CStr, c_int};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

use rusqlite::{Connection, ffi};

/// The aggregate function: its first argument is the visitor, the others are columns.
const VISIT: &CStr = c"rocpd_visit";

/// What the visitor's pointer is called; SQLite gives it to nobody who asks for another.
const POINTER: &CStr = c"rocpd_visitor";

/// Bytes that SQLite keeps for a run of the function: a pointer's place.
const POINTER_SIZE: c_int = 8;
const _: () = assert!(size_of::<*mut Visitor<'_>>() <= 8);

/// The values of a row.
pub(crate) struct ScanRow<'s> {
    values: &'s [*mut ffi::sqlite3_value],
}

struct Visitor<'v> {
    visit: &'v mut dyn FnMut(&ScanRow<'_>) -> ControlFlow<()>,
    panic: Option<Box<dyn std::any::Any + Send>>,
    stopped: bool,
}

/// Makes the function on a connection.
pub(crate) fn add_function(connection: &Connection) -> rusqlite::Result<()> {
    // SAFETY: the handle is the open connection's; the name and the functions live for ever.
    unsafe {
        let database = connection.handle();
        let code = ffi::sqlite3_create_function_v2(
            database,
            VISIT.as_ptr(),
            -1,
            ffi::SQLITE_UTF8 | ffi::SQLITE_DIRECTONLY,
            ptr::null_mut(),
            None,
            Some(step),
            Some(finish),
            None,
        );
        check(database, code)
    }
}

/// Calls `visit` with each row of `SELECT {columns} {from}` until it breaks.
pub(crate) fn for_each_row(
    connection: &Connection,
    columns: &str,
    from: &str,
    parameters: &[i64],
    mut visit: impl FnMut(&ScanRow<'_>) -> ControlFlow<()>,
) -> rusqlite::Result<()> {
    let sql = format!("SELECT rocpd_visit(?1, {columns}) {from}");
    let length = c_int::try_from(sql.len()).map_err(|_| rusqlite::Error::InvalidQuery)?;
    let mut visitor = Visitor {
        visit: &mut visit,
        panic: None,
        stopped: false,
    };
    // SAFETY: the handle is the open connection's, which no other thread uses meanwhile (it is not
    // Sync); the text has `length` bytes; the statement is finalized once, before the visitor that
    // it points to goes out of scope.
    let result = unsafe {
        let database = connection.handle();
        let mut statement = ptr::null_mut();
        let text = sql.as_ptr().cast();
        let code =
            ffi::sqlite3_prepare_v2(database, text, length, &raw mut statement, ptr::null_mut());
        let prepared = check(database, code).and_then(|()| {
            let pointer = (&raw mut visitor).cast();
            let code = ffi::sqlite3_bind_pointer(statement, 1, pointer, POINTER.as_ptr(), None);
            check(database, code)?;
            for (place, &value) in (2..).zip(parameters) {
                check(database, ffi::sqlite3_bind_int64(statement, place, value))?;
            }
            match ffi::sqlite3_step(statement) {
                ffi::SQLITE_ROW | ffi::SQLITE_DONE => Ok(()),
                code => Err(error(database, code)),
            }
        });
        ffi::sqlite3_finalize(statement);
        prepared
    };
    if let Some(panic) = visitor.panic {
        resume_unwind(panic);
    }
    if visitor.stopped { Ok(()) } else { result }
}

/// # Safety
/// The connection is open.
unsafe fn check(database: *mut ffi::sqlite3, code: c_int) -> rusqlite::Result<()> {
    match code {
        ffi::SQLITE_OK => Ok(()),
        // SAFETY: as the caller promises.
        code => Err(unsafe { error(database, code) }),
    }
}

/// # Safety
/// The connection is open.
unsafe fn error(database: *mut ffi::sqlite3, code: c_int) -> rusqlite::Error {
    // SAFETY: the message is NULL, or a text that stays until the next call.
    let message = unsafe {
        let message = ffi::sqlite3_errmsg(database);
        (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
    };
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), message)
}

/// SQLite calls this with each row.
unsafe extern "C" fn step(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    let Ok(count @ 1..) = usize::try_from(count) else {
        return;
    };
    // SAFETY: SQLite gives `count` values, which stay for the call.
    let values = unsafe { std::slice::from_raw_parts(values, count) };
    // SAFETY: SQLite keeps a pointer's place for each run of the function, zeroed at first, so the
    // type of the pointer is asked for with the first row only. That row's first value is the
    // pointer that was bound, or NULL if somebody else wrote the query; nothing else refers to the
    // visitor while SQLite runs the statement.
    let visitor = unsafe {
        let place = ffi::sqlite3_aggregate_context(context, POINTER_SIZE);
        let Some(place) = place.cast::<*mut Visitor<'_>>().as_mut() else {
            ffi::sqlite3_result_error_nomem(context);
            return;
        };
        if place.is_null() {
            *place = ffi::sqlite3_value_pointer(values[0], POINTER.as_ptr()).cast();
        }
        place.as_mut()
    };
    let Some(visitor) = visitor else { return };
    if visitor.stopped {
        return;
    }
    let row = ScanRow {
        values: &values[1..],
    };
    // A panic must not run through SQLite.
    match catch_unwind(AssertUnwindSafe(|| (visitor.visit)(&row))) {
        Ok(ControlFlow::Continue(())) => return,
        Ok(ControlFlow::Break(())) => {}
        Err(panic) => visitor.panic = Some(panic),
    }
    visitor.stopped = true;
    // SAFETY: the context is SQLite's for this call. The error ends the statement.
    unsafe { ffi::sqlite3_result_error_code(context, ffi::SQLITE_ABORT) };
}

/// SQLite calls this at the end; the result is NULL.
unsafe extern "C" fn finish(_: *mut ffi::sqlite3_context) {}

impl<'s> ScanRow<'s> {
    /// The value of a column; NULL for one that is not there is SQLite's own rule.
    fn value(&self, column: usize) -> *mut ffi::sqlite3_value {
        self.values.get(column).copied().unwrap_or(ptr::null_mut())
    }

    fn kind(&self, column: usize) -> c_int {
        let value = self.value(column);
        if value.is_null() {
            return ffi::SQLITE_NULL;
        }
        // SAFETY: the value stays for the call that the row is given to.
        unsafe { ffi::sqlite3_value_type(value) }
    }

    fn is_number(&self, column: usize) -> bool {
        matches!(self.kind(column), ffi::SQLITE_INTEGER | ffi::SQLITE_FLOAT)
    }

    /// A whole number, converted as SQLite does; NULL and what is no number are none.
    pub(crate) fn integer(&self, column: usize) -> Option<i64> {
        let value = *self.values.get(column)?;
        // SAFETY: as for `kind`.
        let number = unsafe { ffi::sqlite3_value_int64(value) };
        (number != 0 || self.is_number(column)).then_some(number)
    }

    /// A time in ns: 64 bits without sign, kept by SQLite as two's complement.
    pub(crate) fn unsigned(&self, column: usize) -> Option<u64> {
        self.integer(column).map(i64::cast_unsigned)
    }

    /// A number; NULL and what is no number are none.
    pub(crate) fn real(&self, column: usize) -> Option<f64> {
        // SAFETY: as for `kind`; the column is there if it is a number.
        self.is_number(column)
            .then(|| unsafe { ffi::sqlite3_value_double(self.value(column)) })
    }

    /// The bytes of a text.
    pub(crate) fn text(&self, column: usize) -> Option<&'s [u8]> {
        if self.kind(column) != ffi::SQLITE_TEXT {
            return None;
        }
        // SAFETY: as for `kind`; the text has so many bytes and stays as long as the value.
        unsafe {
            let text = ffi::sqlite3_value_text(self.value(column));
            let length = usize::try_from(ffi::sqlite3_value_bytes(self.value(column))).ok()?;
            (!text.is_null()).then(|| std::slice::from_raw_parts(text, length))
        }
    }
}
