//! A preloaded recorder of runtime API calls: intercept tables in, regions of a rocpd out.
//!
//! ```text
//! LD_PRELOAD=libprofiler_hub_api_trace.so ROCPROF_OUTPUT_PATH=out PROFILER_HUB_API_TABLES=roctx,hip ./app
//! ```
//! writes `out/<pid>_api_trace.db`: ROCTx ranges and marks, and each call of a wrapped function, as
//! regions with their thread and nesting, on the SDK's clock (`CLOCK_BOOTTIME`, ns). At the end of
//! the process the number of calls of each function goes to stderr. A process that makes no such
//! call leaves no file and prints nothing.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `ROCPROF_OUTPUT_PATH` | folder for the file; made if it is not there | the current folder, and a line that says so |
//! | `PROFILER_HUB_API_TABLES` | `roctx`, `hsa`, `hip`, separated by commas | `roctx` |
//!
//! # What is recorded
//! - A region's name is the function's, its category that of the SDK (`MARKER_CORE_API`,
//!   `HIP_RUNTIME_API`, `HSA_CORE_API`, …), its `stack_id` a number of the call and its
//!   `parent_stack_id` that of the call or range around it on the same thread, 0 for none.
//! - A ROCTx range is one region from push to pop, or from start to stop, named after the function
//!   that opened it; its message is in the event's extdata, `{"message": …}`. A range that is open
//!   at the end of the process ends there, with `"unfinished": true`.
//! - Slots whose signature is not built in (`src/functions`) are left alone, and named at the end.
//!
//! # How
//! Each thread appends to memory of its own (`lane`); a writer thread, started with the first
//! record, stores it in batches and commits at least twice a second, so that a crash of the
//! application loses at most that. At most 64 MiB wait to be written: then callers wait for
//! the writer, and where it makes no progress for a second records are dropped and counted. A forked child starts afresh, with a
//! file of its own.

mod clock;
mod configure;
mod functions;
mod lane;
mod process;
mod record;
mod report;
mod session;
mod settings;
mod store;
mod thread;
mod writer;
