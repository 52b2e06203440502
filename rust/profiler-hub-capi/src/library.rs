//! What can be asked without a file: the library's version, the names of codes, the last error.

use std::ffi::c_char;

use crate::boundary::{ResultCode, guard, last_error, set};
use crate::types::{ph_library_version_t, ph_result_t};

const fn number(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut value, mut i) = (0, 0);
    while i < bytes.len() {
        value = value * 10 + (bytes[i] - b'0') as u32;
        i += 1;
    }
    value
}

const VERSION: ph_library_version_t = ph_library_version_t {
    major: number(env!("CARGO_PKG_VERSION_MAJOR")),
    minor: number(env!("CARGO_PKG_VERSION_MINOR")),
    patch: number(env!("CARGO_PKG_VERSION_PATCH")),
};

/// Tells the version of this library.
///
/// @param version  Where to write it.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if version is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_library_version(version: *mut ph_library_version_t) -> ph_result_t {
    // SAFETY: the header asks for NULL or a pointer that can be written.
    guard(|| unsafe { set(version, VERSION, "version") })
}

/// Names a result code, as "PH_RESULT_SUCCESS".
///
/// @param result  Any number.
/// @return A text that stays for ever; for a number that is no code, "unknown ph_result_t".
#[unsafe(no_mangle)]
pub extern "C" fn ph_result_string(result: ResultCode) -> *const c_char {
    let name = match result {
        0 => c"PH_RESULT_SUCCESS",
        1 => c"PH_RESULT_CONTEXT_ALLOCATION_FAILED",
        2 => c"PH_RESULT_INVALID_CONTEXT",
        3 => c"PH_RESULT_INVALID_ARGUMENT",
        4 => c"PH_RESULT_INTERNAL_ERROR",
        5 => c"PH_RESULT_FUTURE_ALLOCATION_FAILED",
        6 => c"PH_RESULT_UNSUPPORTED_DATABASE",
        7 => c"PH_RESULT_INVALID_DATABASE",
        8 => c"PH_RESULT_METADATA_MISSING",
        9 => c"PH_RESULT_UNSUPPORTED_SCHEMA_VERSION",
        _ => c"unknown ph_result_t",
    };
    name.as_ptr()
}

/// Tells why the last call of this thread that failed did so.
///
/// Calls that succeed leave the text as it is. For the reason of a failed ph_ctx_create, this is
/// the place to ask.
///
/// @return A text in UTF-8 for a person; empty if no call of this thread has failed yet. It stays
///         until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn ph_last_error_message() -> *const c_char {
    last_error()
}
