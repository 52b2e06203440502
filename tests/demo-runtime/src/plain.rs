//! A function that does next to nothing: what remains of a call is the way there.

use std::ffi::c_int;

profiler_hub_intercept::offer! {
    /// A library with one function.
    pub library PLAIN = c"plain", version (1, 0, 0);

    /// Its table.
    pub table PlainTable: size {
        /// value + 1.
        fn plain_next(value: c_int) -> c_int { value.wrapping_add(1) } or 0;
    }
}
