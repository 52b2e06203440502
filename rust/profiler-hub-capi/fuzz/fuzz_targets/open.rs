//! Probes and opens a file of any bytes through the C API and reads all that it gives.
//!
//! Nothing may panic (a panic becomes PH_RESULT_INTERNAL_ERROR, which is looked for), hang, or take
//! memory without bound (libFuzzer's -timeout and -rss_limit_mb).
#![no_main]

#[path = "../../tests/it/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    exercise::exercise(bytes);
});
