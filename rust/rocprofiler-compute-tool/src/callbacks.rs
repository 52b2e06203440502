//! The C functions that the SDK calls. A panic goes no further: the tool is then off.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use profiler_hub_intercept::{RegisterError, TableSet, register};
use rocprofiler_sdk_sys::{
    Choice, ROCPROFILER_CALLBACK_PHASE_LOAD, ROCPROFILER_CALLBACK_PHASE_UNLOAD,
    ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
    ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER,
    rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t,
    rocprofiler_callback_tracing_record_t, rocprofiler_client_finalize_t, rocprofiler_client_id_t,
    rocprofiler_counter_config_id_t, rocprofiler_counter_record_t,
    rocprofiler_dispatch_counting_service_data_t, rocprofiler_tool_configure_result_t,
    rocprofiler_user_data_t, sized_field, use_sdk_of,
};

use crate::log;
use crate::settings::{Settings, counters_asked_for};
use crate::tool::{OK, TOOL, Tool};

/// After a panic.
static OFF: AtomicBool = AtomicBool::new(false);
/// The HSA table was registered before `initialize`: too early to start.
static HSA_WAS_EARLY: AtomicBool = AtomicBool::new(false);
/// How the registration for the HSA table went; set where counters are asked for.
static HSA: OnceLock<Result<(), RegisterError>> = OnceLock::new();

fn guarded(what: &str, body: impl FnOnce()) {
    if OFF.load(Ordering::Relaxed) {
        return;
    }
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        OFF.store(true, Ordering::Relaxed);
        // Dropping it could panic again.
        std::mem::forget(payload);
        log::say(format_args!(
            "a bug in {what}: nothing is counted any more; please report it"
        ));
    }
}

struct ConfigureResult(rocprofiler_tool_configure_result_t);

// SAFETY: nobody writes it, and its data pointer is NULL.
unsafe impl Sync for ConfigureResult {}

static RESULT: ConfigureResult = ConfigureResult(rocprofiler_tool_configure_result_t {
    size: size_of::<rocprofiler_tool_configure_result_t>(),
    initialize: Some(initialize),
    finalize: Some(finalize),
    tool_data: std::ptr::null_mut(),
});

/// What makes this library a tool: the SDK calls it while it looks for tools. Does next to nothing.
///
/// Hands the address that it returns to on to [`configure`] as a fifth argument: it lies in the
/// library that calls.
///
/// # Safety
/// Called by the SDK: `client_id` is NULL or valid.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn rocprofiler_configure(
    version: u32,
    runtime_version: *const c_char,
    priority: u32,
    client_id: *mut rocprofiler_client_id_t,
) -> *mut rocprofiler_tool_configure_result_t {
    std::arch::naked_asm!("mov r8, [rsp]", "jmp {configure}", configure = sym configure)
}

unsafe extern "C" fn configure(
    version: u32,
    _runtime_version: *const c_char,
    _priority: u32,
    client_id: *mut rocprofiler_client_id_t,
    caller: usize,
) -> *mut rocprofiler_tool_configure_result_t {
    const MAJOR: u32 = 1;
    let asked = counters_asked_for();
    if version / 10000 != MAJOR {
        if asked {
            log::say(format_args!(
                "cannot work with rocprofiler-sdk {}.{}.{}: built for {MAJOR}.x; nothing is counted",
                version / 10000,
                version / 100 % 100,
                version % 100
            ));
        }
        return std::ptr::null_mut();
    }
    if asked && use_sdk_of(caller) == Choice::AnotherBefore {
        log::say(format_args!(
            "a second rocprofiler-sdk is in the process; only what the first one sees is counted"
        ));
        return std::ptr::null_mut();
    }
    if !client_id.is_null() {
        // SAFETY: the caller's promise.
        unsafe { (*client_id).name = c"rocprofiler-compute-tool".as_ptr() };
    }
    if asked {
        guarded("rocprofiler_configure", || {
            log::remember_stderr();
            HSA.get_or_init(|| register(TableSet::HSA, |_| start()));
        });
    }
    (&raw const RESULT.0).cast_mut()
}

unsafe extern "C" fn initialize(_: rocprofiler_client_finalize_t, _: *mut c_void) -> c_int {
    if counters_asked_for() {
        guarded("initialize", || {
            let Some(settings) =
                Settings::from_environment(&mut |problem| log::say(format_args!("{problem}")))
            else {
                return;
            };
            match Tool::declare(settings) {
                Ok(tool) => {
                    if TOOL.set(tool).is_ok() {
                        start_if_hsa_does_not();
                    }
                }
                Err(error) => log::say(format_args!("{error}; nothing is counted")),
            }
        });
    }
    OK
}

fn start_if_hsa_does_not() {
    match HSA.get() {
        Some(Ok(())) if HSA_WAS_EARLY.load(Ordering::Acquire) => start(),
        Some(Ok(())) => {}
        Some(Err(error)) => {
            log::detail(format_args!("{error}; counting starts now"));
            start();
        }
        None => start(),
    }
}

fn start() {
    guarded("the start", || match TOOL.get() {
        Some(tool) => tool.start(),
        None => HSA_WAS_EARLY.store(true, Ordering::Release),
    });
}

pub(crate) unsafe extern "C" fn dispatch(
    data: rocprofiler_dispatch_counting_service_data_t,
    config: *mut rocprofiler_counter_config_id_t,
    user: *mut rocprofiler_user_data_t,
    _: *mut c_void,
) {
    guarded("the dispatch callback", || {
        let Some((chosen, set)) = TOOL.get().and_then(|tool| tool.choose(&data)) else {
            return;
        };
        if config.is_null() || user.is_null() {
            return;
        }
        // SAFETY: the SDK gives both for that.
        unsafe {
            (*user).value = set;
            *config = chosen;
        }
    });
}

pub(crate) unsafe extern "C" fn record(
    data: rocprofiler_dispatch_counting_service_data_t,
    records: *mut rocprofiler_counter_record_t,
    count: usize,
    user: rocprofiler_user_data_t,
    _: *mut c_void,
) {
    guarded("the record callback", || {
        let Some(tool) = TOOL.get() else { return };
        if records.is_null() || count == 0 {
            return;
        }
        // SAFETY: the SDK gives `count` valid records.
        let records = unsafe { std::slice::from_raw_parts(records, count) };
        // SAFETY: eight bytes, of which any value is valid.
        tool.record(&data, records, unsafe { user.value });
    });
}

pub(crate) unsafe extern "C" fn code_object(
    record: rocprofiler_callback_tracing_record_t,
    _: *mut rocprofiler_user_data_t,
    _: *mut c_void,
) {
    type Symbol = rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t;
    if record.kind != ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT
        || record.operation
            != ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER
                .0
                .cast_signed()
        || record.payload.is_null()
    {
        return;
    }
    guarded("the code object callback", || {
        let Some(tool) = TOOL.get() else { return };
        let symbol: *const Symbol = record.payload.cast();
        // SAFETY: kind and operation say that the payload is that struct.
        let (id, name) = unsafe {
            (
                sized_field!(symbol, Symbol, kernel_id),
                sized_field!(symbol, Symbol, kernel_name),
            )
        };
        match (id, name, record.phase) {
            (Some(id), Some(name), ROCPROFILER_CALLBACK_PHASE_LOAD) if !name.is_null() => {
                // SAFETY: a C string that lives during the callback.
                tool.kernel_loaded(id, unsafe { CStr::from_ptr(name) }.to_bytes());
            }
            (Some(id), _, ROCPROFILER_CALLBACK_PHASE_UNLOAD) => tool.kernel_unloaded(id),
            _ => {}
        }
    });
}

unsafe extern "C" fn finalize(_: *mut c_void) {
    guarded("finalize", || {
        if TOOL.get().is_some() {
            Tool::finish();
        }
    });
}
