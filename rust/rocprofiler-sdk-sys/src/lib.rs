//! Declarations of rocprofiler-sdk's C ABI and the run-time lookup of its functions.
