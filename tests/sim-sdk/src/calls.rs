//! What each exported function does first: write down the call, and fail where the scenario says so.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rocprofiler_sdk_sys::{ROCPROFILER_STATUS_SUCCESS, rocprofiler_status_t};

use crate::scenario::{CALLS_VARIABLE, Fault};
use crate::sdk::sdk;

/// Faults with the number of calls that they have still to fail.
pub(crate) struct Faults(Vec<(Fault, AtomicU64)>);

impl Faults {
    pub(crate) fn new(faults: &[Fault]) -> Self {
        let left = |fault: &Fault| AtomicU64::new(fault.times.unwrap_or(u64::MAX));
        Self(
            faults
                .iter()
                .map(|fault| (fault.clone(), left(fault)))
                .collect(),
        )
    }

    fn status(&self, call: &str, node_id: Option<u32>) -> rocprofiler_status_t {
        for (fault, left) in &self.0 {
            let same_agent = fault.node_id.is_none() || fault.node_id == node_id;
            let one_less = |left: u64| left.checked_sub(1);
            if fault.call == call
                && same_agent
                && left
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less)
                    .is_ok()
            {
                return rocprofiler_status_t(fault.status);
            }
        }
        ROCPROFILER_STATUS_SUCCESS
    }
}

/// Notes the call of an SDK function. An error is what the function has to return.
pub(crate) fn enter(call: &str, node_id: Option<u32>) -> Result<(), rocprofiler_status_t> {
    note(&format!("{call} {}", sdk().phase().name()));
    match sdk().faults.status(call, node_id) {
        ROCPROFILER_STATUS_SUCCESS => Ok(()),
        status => Err(status),
    }
}

/// Appends a line, with the OS pid before it, to the list of calls.
pub(crate) fn note(line: &str) {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let path = std::env::var_os(CALLS_VARIABLE)?;
        OpenOptions::new().create(true).append(true).open(path).ok()
    });
    if let Some(mut file) = file.as_ref() {
        let _ = file.write_all(format!("{} {line}\n", std::process::id()).as_bytes());
    }
}
