//! The SDK's functions as this tool needs them: every status checked, every failure told with the
//! call, the agent and the SDK's own text.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;

use rocprofiler_sdk_sys::{
    Functions, ROCPROFILER_AGENT_INFO_VERSION_0, ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
    ROCPROFILER_COUNTER_INFO_VERSION_0, ROCPROFILER_STATUS_SUCCESS, rocprofiler_agent_id_t,
    rocprofiler_agent_v0_t, rocprofiler_agent_version_t, rocprofiler_callback_tracing_cb_t,
    rocprofiler_context_id_t, rocprofiler_counter_config_id_t, rocprofiler_counter_id_t,
    rocprofiler_counter_info_v0_t, rocprofiler_dispatch_counting_record_cb_t,
    rocprofiler_dispatch_counting_service_cb_t, rocprofiler_status_t,
};

/// A call of the SDK that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SdkError {
    /// The SDK has no such function.
    #[error("the rocprofiler-sdk of this process has no {0}; a rocprofiler-sdk 1.x is needed")]
    Missing(&'static str),
    /// The function answered an error.
    #[error("{call}{on} returned {status}")]
    Failed {
        /// The function.
        call: &'static str,
        /// ` on agent 1 (gfx942)`, or nothing.
        on: String,
        /// The status.
        status: Status,
    },
}

impl SdkError {
    /// The same error, with the agent that the call was for.
    #[must_use]
    pub fn on(self, agent: impl fmt::Display) -> Self {
        match self {
            Self::Failed { call, status, .. } => Self::Failed {
                call,
                on: format!(" on {agent}"),
                status,
            },
            missing => missing,
        }
    }
}

/// A status with the SDK's own words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The status itself.
    pub code: rocprofiler_status_t,
    name: String,
    text: String,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}: {})", self.code.0, self.name, self.text)
    }
}

/// Declares [`Sdk`] and its lookup from the functions that have to be there.
macro_rules! needed {
    ($($field:ident: $symbol:literal, fn($($arg:ty),*);)*) => {
        /// The functions without which nothing can be counted.
        #[derive(Clone, Copy)]
        pub struct Sdk {
            $($field: unsafe extern "C" fn($($arg),*) -> rocprofiler_status_t,)*
            optional: Functions,
        }

        impl Sdk {
            /// Looks the functions up in what the process has loaded.
            ///
            /// # Errors
            /// [`SdkError::Missing`] with the first that is not there.
            pub fn find() -> Result<Self, SdkError> {
                let functions = Functions::lookup();
                Ok(Self {
                    $($field: functions.$field.ok_or(SdkError::Missing($symbol))?,)*
                    optional: functions,
                })
            }
        }
    };
}

needed! {
    create_context: "rocprofiler_create_context", fn(*mut rocprofiler_context_id_t);
    start_context: "rocprofiler_start_context", fn(rocprofiler_context_id_t);
    query_available_agents: "rocprofiler_query_available_agents", fn(
        rocprofiler_agent_version_t,
        rocprofiler_sdk_sys::rocprofiler_query_available_agents_cb_t,
        usize,
        *mut c_void
    );
    iterate_agent_supported_counters: "rocprofiler_iterate_agent_supported_counters", fn(
        rocprofiler_agent_id_t,
        rocprofiler_sdk_sys::rocprofiler_available_counters_cb_t,
        *mut c_void
    );
    query_counter_info: "rocprofiler_query_counter_info", fn(
        rocprofiler_counter_id_t,
        rocprofiler_sdk_sys::rocprofiler_counter_info_version_id_t,
        *mut c_void
    );
    create_counter_config: "rocprofiler_create_counter_config", fn(
        rocprofiler_agent_id_t,
        *mut rocprofiler_counter_id_t,
        usize,
        *mut rocprofiler_counter_config_id_t
    );
    configure_callback_dispatch_counting_service:
        "rocprofiler_configure_callback_dispatch_counting_service", fn(
        rocprofiler_context_id_t,
        rocprofiler_dispatch_counting_service_cb_t,
        *mut c_void,
        rocprofiler_dispatch_counting_record_cb_t,
        *mut c_void
    );
    query_record_counter_id: "rocprofiler_query_record_counter_id", fn(u64, *mut rocprofiler_counter_id_t);
}

/// What the SDK tells of a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterInfo {
    /// The counter's handle on its agent.
    pub handle: u64,
    /// `SQ_WAVES`.
    pub name: String,
    /// A sentence.
    pub description: String,
    /// Hardware block.
    pub block: String,
    /// Formula of a derived counter.
    pub expression: String,
    /// A constant of the agent.
    pub is_constant: bool,
    /// Computed from others.
    pub is_derived: bool,
}

impl Sdk {
    fn check(&self, call: &'static str, code: rocprofiler_status_t) -> Result<(), SdkError> {
        if code == ROCPROFILER_STATUS_SUCCESS {
            return Ok(());
        }
        let words =
            |function: Option<unsafe extern "C" fn(rocprofiler_status_t) -> *const c_char>| {
                // SAFETY: the function takes any status, and gives NULL or a static string.
                function.and_then(|function| unsafe { text_of(function(code)) })
            };
        let known = || {
            let known = rocprofiler_status_t::KNOWN
                .iter()
                .find(|(_, value)| *value == code);
            known.map_or_else(
                || "unknown status".to_owned(),
                |(name, _)| (*name).to_owned(),
            )
        };
        let status = Status {
            code,
            name: words(self.optional.get_status_name).unwrap_or_else(known),
            text: words(self.optional.get_status_string).unwrap_or_else(|| "no text".to_owned()),
        };
        Err(SdkError::Failed {
            call,
            on: String::new(),
            status,
        })
    }

    /// Makes a context. Only in `initialize`.
    ///
    /// # Errors
    /// The SDK's.
    pub fn create_context(&self) -> Result<rocprofiler_context_id_t, SdkError> {
        let mut context = rocprofiler_context_id_t::default();
        // SAFETY: `context` is valid during the call.
        let status = unsafe { (self.create_context)(&raw mut context) };
        self.check("rocprofiler_create_context", status)
            .map(|()| context)
    }

    /// Starts a context.
    ///
    /// # Errors
    /// The SDK's.
    pub fn start_context(&self, context: rocprofiler_context_id_t) -> Result<(), SdkError> {
        // SAFETY: takes any context.
        self.check("rocprofiler_start_context", unsafe {
            (self.start_context)(context)
        })
    }

    /// Declares the dispatch counting service. Only in `initialize`.
    ///
    /// # Errors
    /// The SDK's.
    pub fn count_dispatches(
        &self,
        context: rocprofiler_context_id_t,
        dispatch: rocprofiler_dispatch_counting_service_cb_t,
        record: rocprofiler_dispatch_counting_record_cb_t,
    ) -> Result<(), SdkError> {
        let none = std::ptr::null_mut();
        // SAFETY: the callbacks have the SDK's signatures and live as long as the library.
        let status = unsafe {
            (self.configure_callback_dispatch_counting_service)(
                context, dispatch, none, record, none,
            )
        };
        self.check(
            "rocprofiler_configure_callback_dispatch_counting_service",
            status,
        )
    }

    /// Declares the tracing of code objects. Only in `initialize`.
    ///
    /// # Errors
    /// The SDK's, or that it cannot trace.
    pub fn trace_code_objects(
        &self,
        context: rocprofiler_context_id_t,
        callback: rocprofiler_callback_tracing_cb_t,
    ) -> Result<(), SdkError> {
        const CALL: &str = "rocprofiler_configure_callback_tracing_service";
        let configure = self
            .optional
            .configure_callback_tracing_service
            .ok_or(SdkError::Missing(CALL))?;
        // SAFETY: as above; NULL means all operations.
        let status = unsafe {
            configure(
                context,
                ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
                std::ptr::null(),
                0,
                callback,
                std::ptr::null_mut(),
            )
        };
        self.check(CALL, status)
    }

    /// Calls `read` with all agents. They live as long as the process, and may be shorter structs
    /// than ours where the SDK is older.
    ///
    /// # Errors
    /// The SDK's.
    pub fn agents(&self) -> Result<Vec<*const rocprofiler_agent_v0_t>, SdkError> {
        unsafe extern "C" fn collect(
            _: rocprofiler_agent_version_t,
            agents: *mut *const c_void,
            count: usize,
            user: *mut c_void,
        ) -> rocprofiler_status_t {
            if !agents.is_null() {
                // SAFETY: `user` is the vector below; the SDK gives `count` pointers.
                unsafe {
                    let all = std::slice::from_raw_parts(agents, count);
                    let found = &mut *user.cast::<Vec<*const rocprofiler_agent_v0_t>>();
                    found.extend(
                        all.iter()
                            .filter(|agent| !agent.is_null())
                            .map(|agent| agent.cast()),
                    );
                }
            }
            ROCPROFILER_STATUS_SUCCESS
        }
        let mut found: Vec<*const rocprofiler_agent_v0_t> = Vec::new();
        // SAFETY: `found` outlives the call.
        let status = unsafe {
            (self.query_available_agents)(
                ROCPROFILER_AGENT_INFO_VERSION_0,
                Some(collect),
                size_of::<rocprofiler_agent_v0_t>(),
                (&raw mut found).cast(),
            )
        };
        self.check("rocprofiler_query_available_agents", status)
            .map(|()| found)
    }

    /// The counters that an agent has.
    ///
    /// # Errors
    /// The SDK's.
    pub fn counters_of(
        &self,
        agent: rocprofiler_agent_id_t,
    ) -> Result<Vec<rocprofiler_counter_id_t>, SdkError> {
        unsafe extern "C" fn collect(
            _: rocprofiler_agent_id_t,
            counters: *mut rocprofiler_counter_id_t,
            count: usize,
            user: *mut c_void,
        ) -> rocprofiler_status_t {
            if !counters.is_null() {
                // SAFETY: `user` is the vector below; the SDK gives `count` handles.
                unsafe {
                    let all = std::slice::from_raw_parts(counters, count);
                    (*user.cast::<Vec<rocprofiler_counter_id_t>>()).extend_from_slice(all);
                }
            }
            ROCPROFILER_STATUS_SUCCESS
        }
        let mut found: Vec<rocprofiler_counter_id_t> = Vec::new();
        // SAFETY: `found` outlives the call.
        let status = unsafe {
            (self.iterate_agent_supported_counters)(agent, Some(collect), (&raw mut found).cast())
        };
        self.check("rocprofiler_iterate_agent_supported_counters", status)
            .map(|()| found)
    }

    /// What there is to know of a counter.
    ///
    /// # Errors
    /// The SDK's.
    pub fn counter_info(&self, counter: rocprofiler_counter_id_t) -> Result<CounterInfo, SdkError> {
        let nothing = std::ptr::null();
        let mut info = rocprofiler_counter_info_v0_t {
            id: counter,
            name: nothing,
            description: nothing,
            block: nothing,
            expression: nothing,
            flags: 0,
        };
        // SAFETY: `info` is the struct of the version that is asked for.
        let status = unsafe {
            (self.query_counter_info)(
                counter,
                ROCPROFILER_COUNTER_INFO_VERSION_0,
                (&raw mut info).cast(),
            )
        };
        self.check("rocprofiler_query_counter_info", status)?;
        // SAFETY: the SDK gives NULL or static strings.
        let text = |text| unsafe { text_of(text) }.unwrap_or_default();
        Ok(CounterInfo {
            handle: counter.handle,
            name: text(info.name),
            description: text(info.description),
            block: text(info.block),
            expression: text(info.expression),
            is_constant: info.flags & rocprofiler_sdk_sys::ROCPROFILER_COUNTER_INFO_IS_CONSTANT
                != 0,
            is_derived: info.flags & rocprofiler_sdk_sys::ROCPROFILER_COUNTER_INFO_IS_DERIVED != 0,
        })
    }

    /// Makes a set of counters that an agent collects together.
    ///
    /// # Errors
    /// The SDK's; `EXCEEDS_HW_LIMIT` where they do not fit one pass.
    pub fn counter_config(
        &self,
        agent: rocprofiler_agent_id_t,
        counters: &[rocprofiler_counter_id_t],
    ) -> Result<rocprofiler_counter_config_id_t, SdkError> {
        let mut counters = counters.to_vec();
        // In and out: 0 means a new one.
        let mut config = rocprofiler_counter_config_id_t::default();
        // SAFETY: both are valid during the call.
        let status = unsafe {
            (self.create_counter_config)(
                agent,
                counters.as_mut_ptr(),
                counters.len(),
                &raw mut config,
            )
        };
        self.check("rocprofiler_create_counter_config", status)
            .map(|()| config)
    }

    /// The counter that a record is of.
    ///
    /// # Errors
    /// The SDK's.
    pub fn counter_of_record(&self, record: u64) -> Result<rocprofiler_counter_id_t, SdkError> {
        let mut counter = rocprofiler_counter_id_t::default();
        // SAFETY: `counter` is valid during the call.
        let status = unsafe { (self.query_record_counter_id)(record, &raw mut counter) };
        self.check("rocprofiler_query_record_counter_id", status)
            .map(|()| counter)
    }
}

/// A C string's text; `None` for NULL.
///
/// # Safety
/// `text` is NULL or a C string.
#[must_use]
pub unsafe fn text_of(text: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    let text = unsafe { (!text.is_null()).then(|| CStr::from_ptr(text)) }?;
    Some(text.to_string_lossy().into_owned())
}
