//! ROCTx: its three tables, complete with their signatures.

use std::ffi::{c_char, c_int, c_void};

use crate::slots::{Layout, roctx as layouts};
use crate::tool::Slot;

macro_rules! slots {
    ($($(#[$doc:meta])* $name:ident: $layout:ident $slot:literal fn($($arg:ty),*) $(-> $ret:ty)?;)*) => {$(
        $(#[$doc])*
        pub const $name: Slot<unsafe extern "C-unwind" fn($($arg),*) $(-> $ret)?> =
            // SAFETY: the signature is ROCTx's.
            match unsafe { Slot::new(&layouts::$layout, $slot) } {
                Some(slot) => slot,
                None => unreachable!(),
            };
    )*};
}

/// The three tables.
pub const TABLES: [&Layout; 3] = [&layouts::CORE, &layouts::CONTROL, &layouts::NAME];

slots! {
    /// `void roctxMarkA(const char* message)`: an instant.
    MARK: CORE "roctxMarkA" fn(*const c_char);
    /// `int roctxRangePushA(const char* message)`: opens a range on this thread; its level, from 0.
    RANGE_PUSH: CORE "roctxRangePushA" fn(*const c_char) -> c_int;
    /// `int roctxRangePop()`: closes the thread's innermost range; its level, or negative.
    RANGE_POP: CORE "roctxRangePop" fn() -> c_int;
    /// `uint64_t roctxRangeStartA(const char* message)`: opens a range of the process; its id.
    RANGE_START: CORE "roctxRangeStartA" fn(*const c_char) -> u64;
    /// `void roctxRangeStop(uint64_t id)`: closes a range of the process, from any thread.
    RANGE_STOP: CORE "roctxRangeStop" fn(u64);
    /// `int roctxGetThreadId(uint64_t* id)`.
    GET_THREAD_ID: CORE "roctxGetThreadId" fn(*mut u64) -> c_int;
    /// `int roctxProfilerPause(uint64_t thread)`; 0 is all threads.
    PROFILER_PAUSE: CONTROL "roctxProfilerPause" fn(u64) -> c_int;
    /// `int roctxProfilerResume(uint64_t thread)`; 0 is all threads.
    PROFILER_RESUME: CONTROL "roctxProfilerResume" fn(u64) -> c_int;
    /// `int roctxNameOsThread(const char* name)`: names the calling thread.
    NAME_OS_THREAD: NAME "roctxNameOsThread" fn(*const c_char) -> c_int;
    /// `int roctxNameHsaAgent(const char* name, const hsa_agent_s* agent)`.
    NAME_HSA_AGENT: NAME "roctxNameHsaAgent" fn(*const c_char, *const c_void) -> c_int;
    /// `int roctxNameHipDevice(const char* name, int device)`.
    NAME_HIP_DEVICE: NAME "roctxNameHipDevice" fn(*const c_char, c_int) -> c_int;
    /// `int roctxNameHipStream(const char* name, const ihipStream_t* stream)`.
    NAME_HIP_STREAM: NAME "roctxNameHipStream" fn(*const c_char, *const c_void) -> c_int;
}
