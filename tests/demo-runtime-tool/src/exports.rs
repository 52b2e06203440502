//! What the SDK, and the test's program, call.

#![expect(unreachable_pub, reason = "the way in is the C symbol")]

use std::ffi::{c_char, c_int, c_void};

use profiler_hub_intercept::{TableSet, register};
use rocprofiler_sdk_sys::{
    rocprofiler_client_finalize_t, rocprofiler_client_id_t, rocprofiler_tool_configure_result_t,
};

use crate::mode::{log, name};
use crate::wrappers::{DEMO, handed_over, remove};

struct Shared(rocprofiler_tool_configure_result_t);

// SAFETY: constant, and its pointers are to functions.
unsafe impl Sync for Shared {}

static RESULT: Shared = Shared(rocprofiler_tool_configure_result_t {
    size: size_of::<rocprofiler_tool_configure_result_t>(),
    initialize: Some(initialize),
    finalize: None,
    tool_data: std::ptr::null_mut(),
});

fn tables() -> TableSet {
    DEMO | crate::plain::PLAIN | TableSet::MARKER_CORE
}

/// # Safety
/// As the SDK's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_configure(
    _version: u32,
    _runtime_version: *const c_char,
    _priority: u32,
    client: *mut rocprofiler_client_id_t,
) -> *mut rocprofiler_tool_configure_result_t {
    // SAFETY: the SDK's promise.
    unsafe { (*client).name = name().as_ptr() };
    match register(tables(), handed_over) {
        Ok(()) => log("registered"),
        Err(error) => log(&error.to_string()),
    }
    (&raw const RESULT.0).cast_mut()
}

unsafe extern "C" fn initialize(_: rocprofiler_client_finalize_t, _: *mut c_void) -> c_int {
    // Too late by now.
    match register(tables(), handed_over) {
        Ok(()) => log("registered late"),
        Err(error) => log(&error.to_string()),
    }
    0
}

/// For the program: registers outside of any SDK call; 0 if that worked.
#[unsafe(no_mangle)]
pub extern "C" fn demo_tool_register() -> c_int {
    match register(tables(), handed_over) {
        Ok(()) => 0,
        Err(error) => {
            log(&error.to_string());
            1
        }
    }
}

/// For the program: takes all wrappers out again; how many could not be.
#[unsafe(no_mangle)]
pub extern "C" fn demo_tool_remove() -> c_int {
    remove()
}
