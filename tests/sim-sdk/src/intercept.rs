//! Registration for dispatch tables, and the registration of the runtimes' tables with the tools.

use std::ffi::{CStr, c_int, c_void};

use rocprofiler_sdk_sys::*;

use crate::calls::note;
use crate::sdk::{Phase, lock, sdk};
use crate::services::Args;

/// Who wants to hear of which tables.
#[derive(Default)]
pub(crate) struct Registrations(Vec<Registration>);

#[derive(Clone, Copy)]
struct Registration {
    callback: rocprofiler_intercept_library_cb_t,
    tables: u32,
    user: Args,
}

/// What `rocprofiler_at_intercept_table_registration` does.
pub(crate) fn register(
    callback: rocprofiler_intercept_library_cb_t,
    tables: c_int,
    user: *mut c_void,
) -> Result<(), rocprofiler_status_t> {
    if sdk().phase() > Phase::Configuring {
        return Err(ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
    }
    let tables = u32::try_from(tables).map_err(|_| ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT)?;
    let registration = Registration {
        callback,
        tables,
        user: Args(user),
    };
    lock(&sdk().registrations).0.push(registration);
    Ok(())
}

/// Tells whoever asked that a runtime has registered its tables. They may change the slots.
pub(crate) fn announce(
    table: rocprofiler_intercept_table_t,
    lib_version: u64,
    lib_instance: u64,
    tables: &mut [*mut c_void],
) {
    let registrations = lock(&sdk().registrations).0.clone();
    for registration in registrations
        .iter()
        .filter(|asked| asked.tables & table.0 != 0)
    {
        note(&format!("table {}", table.0));
        let callback = registration
            .callback
            .unwrap_or_else(|| panic!("a NULL intercept callback"));
        // SAFETY: the callback has the SDK's signature, and the tables outlive the process.
        unsafe {
            callback(
                table,
                lib_version,
                lib_instance,
                tables.as_mut_ptr(),
                tables.len() as u64,
                registration.user.0,
            );
        }
    }
}

/// `HsaApiTable` with its version and no slots: enough for tools that only wait for the runtime.
#[repr(C)]
struct HsaApiTable {
    version: [u32; 4],
    tables: [*mut c_void; 6],
}

/// What the HSA runtime does when it is loaded.
pub(crate) fn register_hsa() {
    let size = u32::try_from(size_of::<HsaApiTable>()).unwrap_or(0);
    let table = Box::leak(Box::new(HsaApiTable {
        version: [2, size, 0, 0],
        tables: [std::ptr::null_mut(); 6],
    }));
    announce(
        ROCPROFILER_HSA_TABLE,
        11_500,
        0,
        &mut [std::ptr::from_mut(table).cast()],
    );
}

/// What `rocprofiler_query_intercept_table_name` answers.
pub(crate) fn name(table: rocprofiler_intercept_table_t) -> Option<&'static CStr> {
    Some(match table {
        ROCPROFILER_HSA_TABLE => c"HSA",
        ROCPROFILER_HIP_RUNTIME_TABLE => c"HIP_RUNTIME",
        ROCPROFILER_HIP_COMPILER_TABLE => c"HIP_COMPILER",
        ROCPROFILER_MARKER_CORE_TABLE => c"MARKER_CORE",
        ROCPROFILER_MARKER_CONTROL_TABLE => c"MARKER_CONTROL",
        ROCPROFILER_MARKER_NAME_TABLE => c"MARKER_NAME",
        _ => return None,
    })
}
