//! The demo API: one function for each way in which C passes values.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::layer::layer;

/// Passed and returned in memory: larger than two registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Coordinate.
    pub x: f64,
    /// Coordinate.
    pub y: f64,
    /// Coordinate.
    pub z: f64,
    /// A number.
    pub id: i32,
}

/// Passed and returned in registers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// First.
    pub low: i32,
    /// Second.
    pub high: i32,
}

/// What [`demo_each`] calls.
type Callback = Option<unsafe extern "C-unwind" fn(*mut c_void) -> c_int>;

static TICKS: AtomicU64 = AtomicU64::new(0);

profiler_hub_intercept::offer! {
    /// The demo runtime.
    pub library DEMO = c"demo", version (1, 2, 3);

    /// Its table.
    pub table DemoTable: size {
        /// 2 · value + 1; -1 for a value that is too large, by way of a panic.
        fn demo_foo(value: c_int) -> c_int {
            layer(c"real");
            value.checked_mul(2).expect("the value is small") + 1
        } or -1;
        /// Every coordinate times `scale`, the id plus one.
        fn demo_point(point: Point, scale: f64) -> Point {
            layer(c"real");
            Point { x: point.x * scale, y: point.y * scale, z: point.z * scale, id: point.id + 1 }
        } or Point { x: 0.0, y: 0.0, z: 0.0, id: 0 };
        /// Low and high swapped.
        fn demo_swap(pair: Pair) -> Pair {
            layer(c"real");
            Pair { low: pair.high, high: pair.low }
        } or Pair { low: 0, high: 0 };
        /// Copies at most `size - 1` bytes and ends them with NUL; `to`, or NULL.
        fn demo_copy(to: *mut c_char, from: *const c_char, size: usize) -> *mut c_char {
            layer(c"real");
            if to.is_null() || from.is_null() || size == 0 {
                return std::ptr::null_mut();
            }
            // SAFETY: `to` has `size` bytes, `from` is a C string, by the caller's promise.
            unsafe {
                libc::strncpy(to, from, size - 1);
                to.add(size - 1).write(0);
            }
            to
        } or std::ptr::null_mut();
        /// Counts up.
        fn demo_tick() {
            layer(c"real");
            TICKS.fetch_add(1, Ordering::Relaxed);
        };
        /// How often [`demo_tick`] reached the runtime.
        fn demo_ticks() -> u64 { TICKS.load(Ordering::Relaxed) } or 0;
        /// Calls [`demo_foo`] through the public function, as HIP calls HSA.
        fn demo_nested(value: c_int) -> c_int {
            layer(c"real");
            // SAFETY: takes any value.
            unsafe { demo_foo(value) + 1 }
        } or -1;
        /// Calls `callback(argument)`.
        fn demo_each(callback: Callback, argument: *mut c_void) -> c_int {
            layer(c"real");
            // SAFETY: the caller's promise.
            callback.map_or(-1, |callback| unsafe { callback(argument) })
        } or -1;
    }
}
