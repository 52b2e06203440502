//! ROCTx, as far as a program can see it without a profiler.

#![expect(non_snake_case, reason = "the names are ROCTx's")]

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::layer::layer;

static RANGES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static LEVEL: Cell<c_int> = const { Cell::new(0) };
}

profiler_hub_intercept::offer! {
    /// ROCTx.
    pub library ROCTX = c"roctx", version (4, 1, 0);

    /// Marks and ranges.
    pub table RoctxCore: size {
        /// An instant.
        fn roctxMarkA(_message: *const c_char) { layer(c"real") };
        /// Opens a range of this thread; its level, from 0.
        fn roctxRangePushA(_message: *const c_char) -> c_int {
            layer(c"real");
            LEVEL.replace(LEVEL.get() + 1)
        } or -1;
        /// Closes the thread's innermost range; its level, or -1.
        fn roctxRangePop() -> c_int {
            layer(c"real");
            if LEVEL.get() == 0 {
                return -1;
            }
            LEVEL.set(LEVEL.get() - 1);
            LEVEL.get()
        } or -1;
        /// Opens a range of the process; its id, from 1.
        fn roctxRangeStartA(_message: *const c_char) -> u64 {
            layer(c"real");
            RANGES.fetch_add(1, Ordering::Relaxed) + 1
        } or 0;
        /// Closes a range of the process.
        fn roctxRangeStop(_id: u64) { layer(c"real") };
        /// The caller's OS thread id.
        fn roctxGetThreadId(id: *mut u64) -> c_int {
            layer(c"real");
            if id.is_null() {
                return -1;
            }
            // SAFETY: the caller's promise; gettid cannot fail.
            unsafe { id.write(u64::from(libc::gettid().cast_unsigned())) };
            0
        } or -1;
    }

    /// Pause and resume.
    pub table RoctxControl: size {
        /// Pauses the profiler.
        fn roctxProfilerPause(_thread: u64) -> c_int { layer(c"real"); 0 } or -1;
        /// Resumes the profiler.
        fn roctxProfilerResume(_thread: u64) -> c_int { layer(c"real"); 0 } or -1;
    }

    /// Names.
    pub table RoctxName: size {
        /// Names the calling thread.
        fn roctxNameOsThread(_name: *const c_char) -> c_int { layer(c"real"); 0 } or -1;
        /// Names an agent.
        fn roctxNameHsaAgent(_name: *const c_char, _agent: *const c_void) -> c_int { layer(c"real"); 0 } or -1;
        /// Names a device.
        fn roctxNameHipDevice(_name: *const c_char, _device: c_int) -> c_int { layer(c"real"); 0 } or -1;
        /// Names a stream.
        fn roctxNameHipStream(_name: *const c_char, _stream: *const c_void) -> c_int { layer(c"real"); 0 } or -1;
    }
}
