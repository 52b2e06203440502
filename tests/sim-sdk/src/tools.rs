//! Finds tools in the process, configures, initialises and finalises them.

use std::ffi::{CStr, c_char, c_int, c_void};

use rocprofiler_sdk_sys::*;

use crate::calls::note;
use crate::sdk::{Phase, lock, sdk};
use crate::services::Args;

/// What a tool's `rocprofiler_configure` gave.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    initialize: rocprofiler_tool_initialize_t,
    finalize: rocprofiler_tool_finalize_t,
    data: Args,
    client: Client,
}

#[derive(Clone, Copy)]
struct Client(rocprofiler_client_id_t);

// SAFETY: the name is the tool's, and has to live as long as the process.
unsafe impl Send for Client {}

type Configure = unsafe extern "C" fn(
    u32,
    *const c_char,
    u32,
    *mut rocprofiler_client_id_t,
) -> *mut rocprofiler_tool_configure_result_t;

/// Every `rocprofiler_configure` in the process, each once.
fn configure_functions() -> Vec<Configure> {
    unsafe extern "C" fn collect(
        info: *mut libc::dl_phdr_info,
        _: usize,
        paths: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader gives a valid struct, and `paths` is the Vec below.
        unsafe {
            let name = (*info).dlpi_name;
            if !name.is_null() {
                (*paths.cast::<Vec<Vec<u8>>>())
                    .push(CStr::from_ptr(name).to_bytes_with_nul().to_vec());
            }
        }
        0
    }
    let mut paths: Vec<Vec<u8>> = Vec::new();
    // SAFETY: `collect` has the right signature, and `paths` outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut paths).cast()) };
    if let Ok(extra) = std::env::var("ROCP_TOOL_LIBRARIES") {
        paths.extend(
            extra
                .split(':')
                .filter(|path| !path.is_empty())
                .map(|path| format!("{path}\0").into_bytes()),
        );
    }

    let mut found: Vec<*mut c_void> = Vec::new();
    for path in &paths {
        // The first entry is the program itself, with an empty name.
        let name = if path.len() > 1 {
            path.as_ptr().cast()
        } else {
            std::ptr::null()
        };
        // SAFETY: names end in NUL. The handle of a tool is kept: it stays. Others may go.
        let symbol = unsafe {
            let library = libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_LOCAL);
            if library.is_null() {
                continue;
            }
            let symbol = libc::dlsym(library, c"rocprofiler_configure".as_ptr());
            if symbol.is_null() {
                libc::dlclose(library);
            }
            symbol
        };
        if !symbol.is_null() && !found.contains(&symbol) {
            found.push(symbol);
        }
    }
    // SAFETY: a symbol of that name has that type, by the SDK's ABI.
    found
        .into_iter()
        .map(|symbol| unsafe { std::mem::transmute::<*mut c_void, Configure>(symbol) })
        .collect()
}

/// Configures and initialises every tool; what the SDK does when the first runtime registers.
pub(crate) fn configure() {
    let sdk = sdk();
    if sdk.phase() != Phase::Idle {
        return;
    }
    sdk.set_phase(Phase::Configuring);
    // SAFETY: the handler has the right signature, and the library is never unloaded.
    unsafe { libc::atexit(at_exit) };
    let mut tools = Vec::new();
    for (handle, configure) in (1..).zip(configure_functions()) {
        let mut client = rocprofiler_client_id_t {
            size: size_of::<rocprofiler_client_id_t>(),
            name: std::ptr::null(),
            handle,
        };
        note("configure");
        // SAFETY: the arguments are those of the SDK.
        let result = unsafe {
            configure(
                sdk.scenario.sdk_version,
                c"1.0.0".as_ptr(),
                handle - 1,
                &raw mut client,
            )
        };
        if result.is_null() {
            continue;
        }
        // SAFETY: the tool promises a valid struct.
        let result = unsafe { *result };
        tools.push(Tool {
            initialize: result.initialize,
            finalize: result.finalize,
            data: Args(result.tool_data),
            client: Client(client),
        });
    }
    lock(&sdk.tools).clone_from(&tools);

    sdk.set_phase(Phase::Initializing);
    for tool in &tools {
        let Some(initialize) = tool.initialize else {
            continue;
        };
        note("initialize");
        // SAFETY: the tool gave the function for that.
        let status = unsafe { initialize(None, tool.data.0) };
        if status != 0 {
            // SAFETY: a name, where it is set, is a C string.
            let name = unsafe { tool.client.0.name.as_ref().map(|name| CStr::from_ptr(name)) };
            note(&format!("initialize of {name:?} failed with {status}"));
        }
    }
    sdk.set_phase(Phase::Running);
}

extern "C" fn at_exit() {
    crate::runtime::finalize();
}

/// Calls every tool's `finalize`.
pub(crate) fn finalize() {
    let tools = lock(&sdk().tools).clone();
    for tool in tools.iter().rev() {
        let Some(finalize) = tool.finalize else {
            continue;
        };
        note("finalize");
        // SAFETY: the tool gave the function for that.
        unsafe { finalize(tool.data.0) };
        note("finalize-done");
    }
}
