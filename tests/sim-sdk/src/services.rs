//! Contexts, the services declared in them, and counter configs.

use std::ffi::c_void;
use std::sync::RwLock;

use rocprofiler_sdk_sys::*;

/// Arguments that a tool wants back. It says itself from which threads it may be called.
#[derive(Clone, Copy)]
pub(crate) struct Args(pub(crate) *mut c_void);

// SAFETY: the simulation only hands the pointer back to the tool.
unsafe impl Send for Args {}
// SAFETY: as above.
unsafe impl Sync for Args {}

#[derive(Clone, Copy)]
pub(crate) struct Counting {
    pub(crate) dispatch: rocprofiler_dispatch_counting_service_cb_t,
    pub(crate) dispatch_args: Args,
    pub(crate) record: rocprofiler_dispatch_counting_record_cb_t,
    pub(crate) record_args: Args,
}

#[derive(Clone, Copy)]
pub(crate) struct Tracing {
    pub(crate) kind: rocprofiler_callback_tracing_kind_t,
    pub(crate) callback: rocprofiler_callback_tracing_cb_t,
    pub(crate) args: Args,
}

#[derive(Clone, Default)]
pub(crate) struct Context {
    pub(crate) active: bool,
    pub(crate) counting: Option<Counting>,
    pub(crate) tracing: Vec<Tracing>,
}

/// A set of counters for one agent.
#[derive(Clone)]
pub(crate) struct Config {
    /// Index of the agent.
    pub(crate) agent: usize,
    pub(crate) counters: Vec<rocprofiler_counter_id_t>,
}

/// Handles are indices plus one.
#[derive(Default)]
pub(crate) struct Services {
    pub(crate) contexts: RwLock<Vec<Context>>,
    pub(crate) configs: RwLock<Vec<Config>>,
}

impl Services {
    /// The active contexts, each with its handle.
    pub(crate) fn active(&self) -> Vec<(rocprofiler_context_id_t, Context)> {
        let contexts = self.contexts.read().unwrap_or_else(|e| e.into_inner());
        let numbered = contexts.iter().enumerate();
        let active = numbered.filter(|(_, context)| context.active);
        active
            .map(|(index, context)| (context_id(index), context.clone()))
            .collect()
    }

    /// Changes a context.
    pub(crate) fn with_context<T>(
        &self,
        id: rocprofiler_context_id_t,
        change: impl FnOnce(&mut Context) -> Result<T, rocprofiler_status_t>,
    ) -> Result<T, rocprofiler_status_t> {
        let mut contexts = self.contexts.write().unwrap_or_else(|e| e.into_inner());
        let index = usize::try_from(id.handle.wrapping_sub(1)).unwrap_or(usize::MAX);
        change(
            contexts
                .get_mut(index)
                .ok_or(ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND)?,
        )
    }

    pub(crate) fn config(&self, id: rocprofiler_counter_config_id_t) -> Option<Config> {
        let index = usize::try_from(id.handle.checked_sub(1)?).ok()?;
        self.configs
            .read()
            .unwrap_or_else(|e| e.into_inner())
            .get(index)
            .cloned()
    }
}

fn context_id(index: usize) -> rocprofiler_context_id_t {
    rocprofiler_context_id_t {
        handle: index as u64 + 1,
    }
}
