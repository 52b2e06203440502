//! The SDK's functions, each as an optional pointer.

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::{
    lookup::find_sdk_symbol, rocprofiler_agent_id_t, rocprofiler_agent_version_t,
    rocprofiler_available_counters_cb_t, rocprofiler_callback_tracing_cb_t,
    rocprofiler_callback_tracing_kind_t, rocprofiler_configure_func_t, rocprofiler_context_id_t,
    rocprofiler_counter_config_id_t, rocprofiler_counter_dimension_id_t, rocprofiler_counter_id_t,
    rocprofiler_counter_info_version_id_t, rocprofiler_counter_instance_id_t,
    rocprofiler_dispatch_counting_record_cb_t, rocprofiler_dispatch_counting_service_cb_t,
    rocprofiler_intercept_library_cb_t, rocprofiler_intercept_table_t,
    rocprofiler_query_available_agents_cb_t, rocprofiler_status_t, rocprofiler_tracing_operation_t,
};

macro_rules! functions {
    ($($(#[$doc:meta])* fn $field:ident = $symbol:literal ($($arg:ident: $type:ty),*) -> $ret:ty;)*) => {
        /// The SDK's functions as found in this process. A field is `None` where the SDK has no
        /// such function; what that means is for the caller to decide.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Functions {
            $(
                #[doc = concat!("`", $symbol, "`.")]
                $(#[$doc])*
                pub $field: Option<unsafe extern "C" fn($($arg: $type),*) -> $ret>,
            )*
        }

        impl Functions {
            /// The names of all functions, as exported by the SDK.
            pub const SYMBOLS: &[&CStr] = &[$(functions!(@name $symbol),)*];

            /// Looks up every function in the SDK of [`use_sdk_of`](crate::use_sdk_of), and with
            /// [`find_symbol`](crate::find_symbol) where there is none.
            #[must_use]
            pub fn lookup() -> Self {
                Self::from_lookup(find_sdk_symbol)
            }

            fn from_lookup(find: impl Fn(&CStr) -> Option<std::ptr::NonNull<c_void>>) -> Self {
                Self {
                    // SAFETY: the symbol of this name has this type, by the SDK's C ABI.
                    $($field: find(functions!(@name $symbol)).map(|symbol| unsafe {
                        std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($type),*) -> $ret>(symbol.as_ptr())
                    }),)*
                }
            }
        }
    };
    (@name $symbol:literal) => {
        match CStr::from_bytes_with_nul(concat!($symbol, "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    };
}

functions! {
    fn create_context = "rocprofiler_create_context" (
        context: *mut rocprofiler_context_id_t
    ) -> rocprofiler_status_t;
    fn start_context = "rocprofiler_start_context" (
        context: rocprofiler_context_id_t
    ) -> rocprofiler_status_t;
    fn stop_context = "rocprofiler_stop_context" (
        context: rocprofiler_context_id_t
    ) -> rocprofiler_status_t;
    fn context_is_active = "rocprofiler_context_is_active" (
        context: rocprofiler_context_id_t, active: *mut c_int
    ) -> rocprofiler_status_t;
    fn context_is_valid = "rocprofiler_context_is_valid" (
        context: rocprofiler_context_id_t, valid: *mut c_int
    ) -> rocprofiler_status_t;
    /// 0 no, 1 yes, -1 under way.
    fn is_initialized = "rocprofiler_is_initialized" (status: *mut c_int) -> rocprofiler_status_t;
    /// 0 no, 1 yes, -1 under way.
    fn is_finalized = "rocprofiler_is_finalized" (status: *mut c_int) -> rocprofiler_status_t;
    fn force_configure = "rocprofiler_force_configure" (
        configure: rocprofiler_configure_func_t
    ) -> rocprofiler_status_t;
    fn query_available_agents = "rocprofiler_query_available_agents" (
        version: rocprofiler_agent_version_t,
        callback: rocprofiler_query_available_agents_cb_t,
        agent_size: usize,
        user: *mut c_void
    ) -> rocprofiler_status_t;
    fn iterate_agent_supported_counters = "rocprofiler_iterate_agent_supported_counters" (
        agent: rocprofiler_agent_id_t,
        callback: rocprofiler_available_counters_cb_t,
        user: *mut c_void
    ) -> rocprofiler_status_t;
    /// `info` is a `rocprofiler_counter_info_v0_t` or `…_v1_t`, as `version` says.
    fn query_counter_info = "rocprofiler_query_counter_info" (
        counter: rocprofiler_counter_id_t,
        version: rocprofiler_counter_info_version_id_t,
        info: *mut c_void
    ) -> rocprofiler_status_t;
    /// `ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT` where the counters do not fit one pass.
    fn create_counter_config = "rocprofiler_create_counter_config" (
        agent: rocprofiler_agent_id_t,
        counters: *mut rocprofiler_counter_id_t,
        count: usize,
        config: *mut rocprofiler_counter_config_id_t
    ) -> rocprofiler_status_t;
    fn destroy_counter_config = "rocprofiler_destroy_counter_config" (
        config: rocprofiler_counter_config_id_t
    ) -> rocprofiler_status_t;
    fn configure_callback_dispatch_counting_service =
        "rocprofiler_configure_callback_dispatch_counting_service" (
        context: rocprofiler_context_id_t,
        dispatch: rocprofiler_dispatch_counting_service_cb_t,
        dispatch_args: *mut c_void,
        record: rocprofiler_dispatch_counting_record_cb_t,
        record_args: *mut c_void
    ) -> rocprofiler_status_t;
    /// NULL `operations` means all.
    fn configure_callback_tracing_service = "rocprofiler_configure_callback_tracing_service" (
        context: rocprofiler_context_id_t,
        kind: rocprofiler_callback_tracing_kind_t,
        operations: *const rocprofiler_tracing_operation_t,
        operations_count: usize,
        callback: rocprofiler_callback_tracing_cb_t,
        args: *mut c_void
    ) -> rocprofiler_status_t;
    fn query_record_counter_id = "rocprofiler_query_record_counter_id" (
        instance: rocprofiler_counter_instance_id_t, counter: *mut rocprofiler_counter_id_t
    ) -> rocprofiler_status_t;
    fn query_record_dimension_position = "rocprofiler_query_record_dimension_position" (
        instance: rocprofiler_counter_instance_id_t,
        dimension: rocprofiler_counter_dimension_id_t,
        position: *mut usize
    ) -> rocprofiler_status_t;
    /// `libs` is an OR of `rocprofiler_intercept_table_t`. After the tools were configured it is
    /// `ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED`; inside `rocprofiler_configure` it is in time.
    fn at_intercept_table_registration = "rocprofiler_at_intercept_table_registration" (
        callback: rocprofiler_intercept_library_cb_t, libs: c_int, user: *mut c_void
    ) -> rocprofiler_status_t;
    fn query_intercept_table_name = "rocprofiler_query_intercept_table_name" (
        table: rocprofiler_intercept_table_t, name: *mut *const c_char, length: *mut u64
    ) -> rocprofiler_status_t;
    /// `ROCPROFILER_STATUS_…`; static, or NULL for an unknown status.
    fn get_status_name = "rocprofiler_get_status_name" (
        status: rocprofiler_status_t
    ) -> *const c_char;
    /// A sentence; static, or NULL for an unknown status.
    fn get_status_string = "rocprofiler_get_status_string" (
        status: rocprofiler_status_t
    ) -> *const c_char;
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::ptr::NonNull;

    use super::*;

    #[test]
    fn each_field_is_looked_up_once_by_its_symbol() {
        let asked = RefCell::new(Vec::new());
        let functions = Functions::from_lookup(|name| {
            asked.borrow_mut().push(name.to_owned());
            (name == c"rocprofiler_start_context").then(NonNull::dangling)
        });
        assert!(functions.start_context.is_some());
        assert!(functions.stop_context.is_none());
        let expected: Vec<_> = Functions::SYMBOLS
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        assert_eq!(*asked.borrow(), expected);
    }
}
