//! Answers a query with a SQLite of its own, as another Rust library in the same program would.

use std::ffi::{c_char, c_int};
use std::ptr;

use libsqlite3_sys as ffi;

/// The version number of this library's SQLite, if a query of it answers 42; else -1.
#[unsafe(no_mangle)]
pub extern "C" fn other_rust_sqlite_version() -> c_int {
    let sum: i32 = format!("{},{}", 40, 2).split(',').filter_map(|part| part.parse::<i32>().ok()).sum();
    // SAFETY: the handles live until they are closed below, the strings are NUL-terminated.
    unsafe {
        let mut db = ptr::null_mut();
        let mut statement = ptr::null_mut();
        let mut answer = -1;
        if ffi::sqlite3_open(c":memory:".as_ptr(), &mut db) == ffi::SQLITE_OK {
            let sql: *const c_char = c"SELECT 40 + 2".as_ptr();
            if ffi::sqlite3_prepare_v2(db, sql, -1, &mut statement, ptr::null_mut()) == ffi::SQLITE_OK
                && ffi::sqlite3_step(statement) == ffi::SQLITE_ROW
                && ffi::sqlite3_column_int(statement, 0) == sum
            {
                answer = ffi::sqlite3_libversion_number();
            }
            ffi::sqlite3_finalize(statement);
        }
        ffi::sqlite3_close(db);
        answer
    }
}
