//! The door to rocprofiler-sdk: where a runtime hands its tables over.
//!
//! Runtimes call `rocprofiler_register_library_api_table` of librocprofiler-register, which numbers
//! the copies of a library and calls the SDK's `rocprofiler_set_api_table`. Where there is no such
//! library but the SDK is there, its function is called at once, with instance 0.

use std::ffi::{CStr, c_char, c_int, c_void};

use rocprofiler_sdk_sys::find_symbol;

/// Tells librocprofiler-register who is there: returns the library's version.
pub(super) type Import = extern "C" fn() -> u32;

type RegisterLibrary = unsafe extern "C-unwind" fn(
    name: *const c_char,
    import: Import,
    version: u32,
    tables: *mut *mut c_void,
    count: u64,
    identifier: *mut u64,
) -> c_int;

type SetApiTable = unsafe extern "C-unwind" fn(
    name: *const c_char,
    version: u64,
    instance: u64,
    tables: *mut *mut c_void,
    count: u64,
) -> c_int;

/// Hands the tables over, if there is somebody to take them. What comes back is of no concern to
/// the library: it works with and without tools.
pub(super) fn hand_over(name: &CStr, version: u32, import: Import, tables: &mut [*mut c_void]) {
    let count = u64::try_from(tables.len()).unwrap_or(0);
    let pointer = tables.as_mut_ptr();
    if let Some(symbol) = find_symbol(c"rocprofiler_register_library_api_table") {
        let mut identifier = 0;
        // SAFETY: the symbol of this name has this type, by librocprofiler-register's C ABI.
        unsafe {
            let register = std::mem::transmute::<*mut c_void, RegisterLibrary>(symbol.as_ptr());
            register(
                name.as_ptr(),
                import,
                version,
                pointer,
                count,
                &raw mut identifier,
            );
        }
    } else if let Some(symbol) = find_symbol(c"rocprofiler_set_api_table") {
        // SAFETY: the symbol of this name has this type, by the SDK's C ABI.
        unsafe {
            let set = std::mem::transmute::<*mut c_void, SetApiTable>(symbol.as_ptr());
            set(name.as_ptr(), u64::from(version), 0, pointer, count);
        }
    }
}
