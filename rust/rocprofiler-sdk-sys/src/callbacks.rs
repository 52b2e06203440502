//! Types of the functions that the SDK calls back.

use std::ffi::c_void;

use crate::{
    rocprofiler_agent_id_t, rocprofiler_agent_version_t, rocprofiler_callback_tracing_record_t,
    rocprofiler_counter_config_id_t, rocprofiler_counter_id_t, rocprofiler_counter_record_t,
    rocprofiler_dispatch_counting_service_data_t, rocprofiler_intercept_table_t,
    rocprofiler_status_t, rocprofiler_user_data_t,
};

/// Gets all agents at once: pointers to `rocprofiler_agent_v0_t`, which live for the whole run.
pub type rocprofiler_query_available_agents_cb_t = Option<
    unsafe extern "C" fn(
        version: rocprofiler_agent_version_t,
        agents: *mut *const c_void,
        count: usize,
        user: *mut c_void,
    ) -> rocprofiler_status_t,
>;

/// Gets the counters of one agent.
pub type rocprofiler_available_counters_cb_t = Option<
    unsafe extern "C" fn(
        agent: rocprofiler_agent_id_t,
        counters: *mut rocprofiler_counter_id_t,
        count: usize,
        user: *mut c_void,
    ) -> rocprofiler_status_t,
>;

/// Before a kernel is enqueued, from any thread, several at once. Leaving `config` alone means that
/// the dispatch is not counted.
pub type rocprofiler_dispatch_counting_service_cb_t = Option<
    unsafe extern "C" fn(
        dispatch: rocprofiler_dispatch_counting_service_data_t,
        config: *mut rocprofiler_counter_config_id_t,
        user: *mut rocprofiler_user_data_t,
        args: *mut c_void,
    ),
>;

/// When a counted kernel has ended. Only the first `count` records are valid.
pub type rocprofiler_dispatch_counting_record_cb_t = Option<
    unsafe extern "C" fn(
        dispatch: rocprofiler_dispatch_counting_service_data_t,
        records: *mut rocprofiler_counter_record_t,
        count: usize,
        user: rocprofiler_user_data_t,
        args: *mut c_void,
    ),
>;

/// Gets what is traced.
pub type rocprofiler_callback_tracing_cb_t = Option<
    unsafe extern "C" fn(
        record: rocprofiler_callback_tracing_record_t,
        user: *mut rocprofiler_user_data_t,
        args: *mut c_void,
    ),
>;

/// When a runtime library registers its dispatch tables, before the application's first call.
pub type rocprofiler_intercept_library_cb_t = Option<
    unsafe extern "C" fn(
        table: rocprofiler_intercept_table_t,
        lib_version: u64,
        lib_instance: u64,
        tables: *mut *mut c_void,
        num_tables: u64,
        user: *mut c_void,
    ),
>;
