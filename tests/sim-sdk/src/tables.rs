//! Takes the tables of runtimes, wraps a few functions as the SDK does, and tells the tools.
//!
//! What librocprofiler-register does is here too: it numbers the copies of a runtime.

#![expect(unreachable_pub, reason = "the way in is the C symbol")]

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, OnceLock};

use rocprofiler_sdk_sys::*;

use crate::sdk::lock;
use crate::{calls, intercept, tools};

/// A kind that no SDK has: for runtimes that only tests have.
const SIMULATED_TABLE: rocprofiler_intercept_table_t = rocprofiler_intercept_table_t(1 << 16);

/// Another one, for the benchmarks: the simulation itself does not wrap its function.
const PLAIN_TABLE: rocprofiler_intercept_table_t = rocprofiler_intercept_table_t(1 << 17);

/// The kinds of the tables that a runtime of this name hands over, in order.
fn kinds(name: &CStr) -> &'static [rocprofiler_intercept_table_t] {
    match name.to_bytes() {
        b"hsa" => &[ROCPROFILER_HSA_TABLE],
        b"hip" => &[ROCPROFILER_HIP_RUNTIME_TABLE],
        b"hip_compiler" => &[ROCPROFILER_HIP_COMPILER_TABLE],
        b"roctx" => &[
            ROCPROFILER_MARKER_CORE_TABLE,
            ROCPROFILER_MARKER_CONTROL_TABLE,
            ROCPROFILER_MARKER_NAME_TABLE,
        ],
        b"demo" => &[SIMULATED_TABLE],
        b"plain" => &[PLAIN_TABLE],
        _ => &[],
    }
}

/// librocprofiler-register's function: numbers the copies, then as [`rocprofiler_set_api_table`].
///
/// # Safety
/// As librocprofiler-register's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_register_library_api_table(
    name: *const c_char,
    _import: Option<unsafe extern "C" fn() -> u32>,
    version: u32,
    tables: *mut *mut c_void,
    count: u64,
    identifier: *mut u64,
) -> c_int {
    static INSTANCES: Mutex<Option<HashMap<Vec<u8>, u64>>> = Mutex::new(None);
    // SAFETY: the caller's promise.
    let common_name = unsafe { CStr::from_ptr(name) }.to_bytes().to_vec();
    let instance = {
        let mut instances = lock(&INSTANCES);
        let next = instances
            .get_or_insert_default()
            .entry(common_name)
            .or_insert(0);
        let instance = *next;
        *next += 1;
        instance
    };
    // SAFETY: the caller's promise.
    unsafe {
        if !identifier.is_null() {
            *identifier = instance + 1;
        }
        rocprofiler_set_api_table(name, u64::from(version), instance, tables, count)
    }
}

/// Configures the tools, wraps, and calls whoever registered for these tables.
///
/// # Safety
/// As the SDK's function of this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rocprofiler_set_api_table(
    name: *const c_char,
    version: u64,
    instance: u64,
    tables: *mut *mut c_void,
    count: u64,
) -> c_int {
    // SAFETY: the caller's promise.
    let name = unsafe { CStr::from_ptr(name) };
    calls::note(&format!(
        "rocprofiler_set_api_table {} {instance}",
        name.to_string_lossy()
    ));
    tools::configure();
    for (index, kind) in (0..count).zip(kinds(name)) {
        let index = usize::try_from(index).unwrap_or(0);
        // SAFETY: one of `count` tables of that kind, by the caller's promise.
        unsafe {
            let table = *tables.add(index);
            if instance == 0 {
                wrap(*kind, table);
            }
            intercept::announce(*kind, version, instance, &mut [table]);
        }
    }
    0
}

/// The program's `demo_layer`, if it has one.
fn layer() {
    type Tell = unsafe extern "C" fn(*const c_char);
    static TELL: OnceLock<Option<Tell>> = OnceLock::new();
    let tell = TELL.get_or_init(|| {
        // SAFETY: the name ends in NUL.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"demo_layer".as_ptr()) };
        // SAFETY: a program that exports it gives it this type; NULL is None.
        unsafe { std::mem::transmute::<*mut c_void, Option<Tell>>(symbol) }
    });
    if let Some(tell) = tell {
        // SAFETY: a C string.
        unsafe { tell(c"sdk".as_ptr()) };
    }
}

/// A struct that C passes in memory.
#[repr(C)]
#[derive(Clone, Copy)]
struct Point {
    coordinates: [f64; 3],
    id: i32,
}

/// Declares the SDK's own wrappers: each tells its layer and calls what was in the slot before.
macro_rules! wrappers {
    ($($kind:ident at $offset:literal: fn $name:ident($($arg:ident: $Arg:ty),*) $(-> $Ret:ty)?;)*) => {
        $(unsafe extern "C-unwind" fn $name($($arg: $Arg),*) $(-> $Ret)? {
            layer();
            let next = next::$name.load(Ordering::Relaxed);
            // SAFETY: what was in a slot of this type.
            unsafe {
                std::mem::transmute::<*mut (), unsafe extern "C-unwind" fn($($Arg),*) $(-> $Ret)?>(next)($($arg),*)
            }
        })*

        #[expect(non_upper_case_globals, reason = "named like the function each belongs to")]
        mod next {
            use super::*;
            $(pub(super) static $name: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());)*
        }

        /// Puts the SDK's own wrappers into a table that begins with its size.
        ///
        /// # Safety
        /// `table` is a table of that kind.
        unsafe fn wrap(kind: rocprofiler_intercept_table_t, table: *mut c_void) {
            $(if kind == $kind {
                // SAFETY: the table begins with its size, by the caller's promise.
                let size = unsafe { table.cast::<u64>().read() };
                if $offset + 8 <= size {
                    // SAFETY: within the table.
                    unsafe {
                        let slot = table.byte_add($offset).cast::<*mut ()>();
                        if !slot.read().is_null() {
                            next::$name.store(slot.read(), Ordering::Relaxed);
                            slot.write($name as *mut ());
                        }
                    }
                }
            })*
        }
    };
}

wrappers! {
    ROCPROFILER_MARKER_CORE_TABLE at 8: fn mark(message: *const c_char);
    ROCPROFILER_MARKER_CORE_TABLE at 16: fn range_push(message: *const c_char) -> c_int;
    ROCPROFILER_MARKER_CORE_TABLE at 24: fn range_pop() -> c_int;
    ROCPROFILER_MARKER_CORE_TABLE at 32: fn range_start(message: *const c_char) -> u64;
    ROCPROFILER_MARKER_CORE_TABLE at 40: fn range_stop(id: u64);
    SIMULATED_TABLE at 8: fn demo_foo(value: c_int) -> c_int;
    SIMULATED_TABLE at 16: fn demo_point(point: Point, scale: f64) -> Point;
    SIMULATED_TABLE at 24: fn demo_swap(pair: u64) -> u64;
    SIMULATED_TABLE at 32: fn demo_copy(to: *mut c_char, from: *const c_char, size: usize) -> *mut c_char;
    SIMULATED_TABLE at 40: fn demo_tick();
}
