//! What rocprofiler-sdk calls: the tool introduces itself, and is told when the end has come.

#![expect(unreachable_pub, reason = "the way in is the C symbol")]

use std::ffi::{c_char, c_int, c_void};

use profiler_hub_intercept::register;
use profiler_hub_intercept::sdk::{
    rocprofiler_client_finalize_t, rocprofiler_client_id_t, rocprofiler_tool_configure_result_t,
};

use crate::settings::{TABLES, settings};
use crate::{functions, report, session};

struct Constant(rocprofiler_tool_configure_result_t);

// SAFETY: constant, and what it points to are functions.
unsafe impl Sync for Constant {}

static RESULT: Constant = Constant(rocprofiler_tool_configure_result_t {
    size: size_of::<rocprofiler_tool_configure_result_t>(),
    initialize: Some(initialize),
    finalize: Some(finalize),
    tool_data: std::ptr::null_mut(),
});

/// The symbol that makes this library a tool. Registers for the tables that the environment names;
/// NULL, to take no part, if there is none of them or the SDK refuses.
///
/// # Safety
/// Called by the SDK: `client` is NULL or points to its struct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_configure(
    _version: u32,
    _runtime_version: *const c_char,
    _priority: u32,
    client: *mut rocprofiler_client_id_t,
) -> *mut rocprofiler_tool_configure_result_t {
    std::panic::catch_unwind(|| {
        // SAFETY: the SDK's promise; the name lives as long as the process.
        if let Some(client) = unsafe { client.as_mut() } {
            client.name = c"profiler-hub-api-trace".as_ptr();
        }
        configure()
    })
    .unwrap_or_else(|payload| {
        // Dropping it could panic again.
        std::mem::forget(payload);
        std::ptr::null_mut()
    })
}

fn configure() -> *mut rocprofiler_tool_configure_result_t {
    report::remember_stderr();
    let settings = settings();
    for name in &settings.unknown {
        report::say(&format!(
            "cannot record '{name}', which {TABLES} names: known tables are roctx, hsa, hip"
        ));
    }
    if settings.tables.is_empty() {
        return std::ptr::null_mut();
    }
    match register(settings.tables, functions::wrap) {
        Ok(()) => (&raw const RESULT.0).cast_mut(),
        Err(error) => {
            report::say(&error.to_string());
            std::ptr::null_mut()
        }
    }
}

extern "C" fn initialize(_: rocprofiler_client_finalize_t, _: *mut c_void) -> c_int {
    // Nothing to declare: the tables come by themselves.
    0
}

/// Late, from the SDK's exit handler, and perhaps twice.
extern "C" fn finalize(_: *mut c_void) {
    end();
}

/// The last chance, where no SDK finalises: after all exit handlers.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = end;

extern "C" fn end() {
    let ended = std::panic::catch_unwind(|| {
        session::end();
        report::say_what_was_kept();
    });
    if let Err(payload) = ended {
        std::mem::forget(payload);
    }
}
