//! The SDK's functions, with C linkage. Each notes its call and fails where the scenario says so.

#![expect(unreachable_pub, reason = "the way in is the C symbol")]

use std::ffi::{c_char, c_int, c_void};

use rocprofiler_sdk_sys::*;

use crate::agents::{counter_of, counter_of_record, counters_of, instance_of};
use crate::calls::enter;
use crate::intercept;
use crate::sdk::{Phase, sdk};
use crate::services::{Args, Config, Context, Counting, Tracing};

fn answer(result: Result<(), rocprofiler_status_t>) -> rocprofiler_status_t {
    result.err().unwrap_or(ROCPROFILER_STATUS_SUCCESS)
}

/// Contexts and services can only be declared while tools are initialised.
fn still_open() -> Result<(), rocprofiler_status_t> {
    if sdk().phase() > Phase::Initializing {
        return Err(ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED);
    }
    Ok(())
}

fn node_of(agent: rocprofiler_agent_id_t) -> Option<u32> {
    sdk()
        .agents
        .index_of(agent)
        .map(|index| sdk().agents.structs[index].node_id)
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_create_context(
    context: *mut rocprofiler_context_id_t,
) -> rocprofiler_status_t {
    answer(enter("rocprofiler_create_context", None).and_then(|()| {
        still_open()?;
        let mut contexts = sdk()
            .services
            .contexts
            .write()
            .unwrap_or_else(|e| e.into_inner());
        contexts.push(Context::default());
        // SAFETY: the caller's promise.
        unsafe { (*context).handle = contexts.len() as u64 };
        Ok(())
    }))
}

fn set_active(call: &str, context: rocprofiler_context_id_t, active: bool) -> rocprofiler_status_t {
    answer(enter(call, None).and_then(|()| {
        sdk().services.with_context(context, |context| {
            context.active = active;
            Ok(())
        })
    }))
}

#[unsafe(no_mangle)]
pub extern "C" fn rocprofiler_start_context(
    context: rocprofiler_context_id_t,
) -> rocprofiler_status_t {
    set_active("rocprofiler_start_context", context, true)
}

#[unsafe(no_mangle)]
pub extern "C" fn rocprofiler_stop_context(
    context: rocprofiler_context_id_t,
) -> rocprofiler_status_t {
    set_active("rocprofiler_stop_context", context, false)
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_context_is_active(
    context: rocprofiler_context_id_t,
    active: *mut c_int,
) -> rocprofiler_status_t {
    answer(enter("rocprofiler_context_is_active", None).and_then(|()| {
        // SAFETY: the caller's promise.
        sdk().services.with_context(context, |context| unsafe {
            *active = c_int::from(context.active);
            Ok(())
        })
    }))
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_context_is_valid(
    context: rocprofiler_context_id_t,
    valid: *mut c_int,
) -> rocprofiler_status_t {
    answer(enter("rocprofiler_context_is_valid", None).map(|()| {
        let known = sdk().services.with_context(context, |_| Ok(())).is_ok();
        // SAFETY: the caller's promise.
        unsafe { *valid = c_int::from(known) };
    }))
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_is_initialized(status: *mut c_int) -> rocprofiler_status_t {
    answer(enter("rocprofiler_is_initialized", None).map(|()| {
        let value = match sdk().phase() {
            Phase::Idle => 0,
            Phase::Configuring | Phase::Initializing => -1,
            _ => 1,
        };
        // SAFETY: the caller's promise.
        unsafe { *status = value };
    }))
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_is_finalized(status: *mut c_int) -> rocprofiler_status_t {
    answer(enter("rocprofiler_is_finalized", None).map(|()| {
        let value = match sdk().phase() {
            Phase::Finalized => 1,
            Phase::Finalizing => -1,
            _ => 0,
        };
        // SAFETY: the caller's promise.
        unsafe { *status = value };
    }))
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_query_available_agents(
    version: rocprofiler_agent_version_t,
    callback: rocprofiler_query_available_agents_cb_t,
    agent_size: usize,
    user: *mut c_void,
) -> rocprofiler_status_t {
    let entered = enter("rocprofiler_query_available_agents", None);
    if let Err(status) = entered {
        return status;
    }
    let (ROCPROFILER_AGENT_INFO_VERSION_0, Some(callback)) = (version, callback) else {
        return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
    };
    if agent_size > size_of::<rocprofiler_agent_v0_t>() {
        return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
    }
    let mut agents: Vec<*const c_void> = sdk()
        .agents
        .structs
        .iter()
        .map(|agent| std::ptr::from_ref(agent).cast())
        .collect();
    // SAFETY: the caller's promise; the structs live as long as the process.
    unsafe { callback(version, agents.as_mut_ptr(), agents.len(), user) }
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_iterate_agent_supported_counters(
    agent: rocprofiler_agent_id_t,
    callback: rocprofiler_available_counters_cb_t,
    user: *mut c_void,
) -> rocprofiler_status_t {
    if let Err(status) = enter(
        "rocprofiler_iterate_agent_supported_counters",
        node_of(agent),
    ) {
        return status;
    }
    let (Some(index), Some(callback)) = (sdk().agents.index_of(agent), callback) else {
        return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
    };
    let mut counters = counters_of(&sdk().scenario, index);
    // SAFETY: the caller's promise.
    unsafe { callback(agent, counters.as_mut_ptr(), counters.len(), user) }
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_query_counter_info(
    counter: rocprofiler_counter_id_t,
    version: rocprofiler_counter_info_version_id_t,
    info: *mut c_void,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_query_counter_info", None).and_then(|()| {
            if version != ROCPROFILER_COUNTER_INFO_VERSION_0 {
                return Err(ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
            }
            let found = sdk()
                .agents
                .info(&sdk().scenario, counter)
                .ok_or(ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND)?;
            // SAFETY: the caller's promise: `info` is a struct of the version.
            unsafe { info.cast::<rocprofiler_counter_info_v0_t>().write(found) };
            Ok(())
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_create_counter_config(
    agent: rocprofiler_agent_id_t,
    counters: *mut rocprofiler_counter_id_t,
    count: usize,
    config: *mut rocprofiler_counter_config_id_t,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_create_counter_config", node_of(agent)).and_then(|()| {
            let agent = sdk()
                .agents
                .index_of(agent)
                .ok_or(ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND)?;
            // SAFETY: the caller's promise.
            let (asked, base) = unsafe {
                (
                    std::slice::from_raw_parts(counters, count).to_vec(),
                    *config,
                )
            };
            let mut all = sdk()
                .services
                .config(base)
                .map(|base| base.counters)
                .unwrap_or_default();
            all.extend(asked);
            let available = counters_of(&sdk().scenario, agent);
            if all.iter().any(|counter| !available.contains(counter)) {
                return Err(ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT);
            }
            if all.len() > sdk().scenario.max_counters_per_pass {
                return Err(ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT);
            }
            let mut configs = sdk()
                .services
                .configs
                .write()
                .unwrap_or_else(|e| e.into_inner());
            configs.push(Config {
                agent,
                counters: all,
            });
            // SAFETY: the caller's promise.
            unsafe { (*config).handle = configs.len() as u64 };
            Ok(())
        }),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn rocprofiler_destroy_counter_config(
    config: rocprofiler_counter_config_id_t,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_destroy_counter_config", None).and_then(|()| {
            sdk()
                .services
                .config(config)
                .map(|_| ())
                .ok_or(ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND)
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_configure_callback_dispatch_counting_service(
    context: rocprofiler_context_id_t,
    dispatch: rocprofiler_dispatch_counting_service_cb_t,
    dispatch_args: *mut c_void,
    record: rocprofiler_dispatch_counting_record_cb_t,
    record_args: *mut c_void,
) -> rocprofiler_status_t {
    answer(
        enter(
            "rocprofiler_configure_callback_dispatch_counting_service",
            None,
        )
        .and_then(|()| {
            still_open()?;
            let counting = Counting {
                dispatch,
                dispatch_args: Args(dispatch_args),
                record,
                record_args: Args(record_args),
            };
            sdk().services.with_context(context, |context| {
                match context.counting.replace(counting) {
                    None => Ok(()),
                    Some(_) => Err(ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED),
                }
            })
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_configure_callback_tracing_service(
    context: rocprofiler_context_id_t,
    kind: rocprofiler_callback_tracing_kind_t,
    _operations: *const rocprofiler_tracing_operation_t,
    _operations_count: usize,
    callback: rocprofiler_callback_tracing_cb_t,
    args: *mut c_void,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_configure_callback_tracing_service", None).and_then(|()| {
            still_open()?;
            sdk().services.with_context(context, |context| {
                context.tracing.push(Tracing {
                    kind,
                    callback,
                    args: Args(args),
                });
                Ok(())
            })
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_query_record_counter_id(
    instance: rocprofiler_counter_instance_id_t,
    counter: *mut rocprofiler_counter_id_t,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_query_record_counter_id", None).and_then(|()| {
            let found = counter_of_record(instance);
            if counter_of(found).is_none_or(|index| index >= sdk().scenario.counters.len()) {
                return Err(ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND);
            }
            // SAFETY: the caller's promise.
            unsafe { *counter = found };
            Ok(())
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_at_intercept_table_registration(
    callback: rocprofiler_intercept_library_cb_t,
    libs: c_int,
    user: *mut c_void,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_at_intercept_table_registration", None)
            .and_then(|()| intercept::register(callback, libs, user)),
    )
}

#[unsafe(no_mangle)]
pub extern "C" fn rocprofiler_get_status_name(status: rocprofiler_status_t) -> *const c_char {
    match status {
        ROCPROFILER_STATUS_SUCCESS => c"ROCPROFILER_STATUS_SUCCESS",
        ROCPROFILER_STATUS_ERROR => c"ROCPROFILER_STATUS_ERROR",
        ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED => {
            c"ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED"
        }
        ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT => c"ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT",
        ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED => {
            c"ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED"
        }
        _ => return std::ptr::null(),
    }
    .as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn rocprofiler_get_status_string(status: rocprofiler_status_t) -> *const c_char {
    match status {
        ROCPROFILER_STATUS_SUCCESS => c"Success",
        ROCPROFILER_STATUS_ERROR => c"General error",
        ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED => {
            c"Configuration request occurred outside of valid configuration period"
        }
        ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT => c"Exceeds hardware limits for collection",
        ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED => {
            c"Agent HW architecture is not supported"
        }
        _ => return std::ptr::null(),
    }
    .as_ptr()
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_force_configure(
    _configure: rocprofiler_configure_func_t,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_force_configure", None)
            .and(Err(ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED)),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_query_record_dimension_position(
    instance: rocprofiler_counter_instance_id_t,
    _dimension: rocprofiler_counter_dimension_id_t,
    position: *mut usize,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_query_record_dimension_position", None).map(|()| {
            // SAFETY: the caller's promise.
            unsafe { *position = instance_of(instance) };
        }),
    )
}

/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_query_intercept_table_name(
    table: rocprofiler_intercept_table_t,
    name: *mut *const c_char,
    length: *mut u64,
) -> rocprofiler_status_t {
    answer(
        enter("rocprofiler_query_intercept_table_name", None).and_then(|()| {
            let found = intercept::name(table).ok_or(ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT)?;
            // SAFETY: the caller's promise; either may be NULL.
            unsafe {
                if !name.is_null() {
                    *name = found.as_ptr();
                }
                if !length.is_null() {
                    *length = found.count_bytes() as u64;
                }
            }
            Ok(())
        }),
    )
}
