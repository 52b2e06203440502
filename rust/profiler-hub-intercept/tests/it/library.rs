//! The library's side in one process: construction, interceptors, threads.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::Barrier;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use profiler_hub_intercept::library::Constructed;

/// A table with a size, and one with a version.
mod two_tables {
    use super::*;

    profiler_hub_intercept::offer! {
        /// A library.
        pub library TWO = c"two", version (12, 3, 4);

        /// The first.
        pub table First: size {
            /// Twice.
            fn two_double(value: c_int) -> c_int { value * 2 } or -1;
        }

        /// The second.
        pub table Second: version(7, 9) {
            /// The sum.
            fn two_add(left: c_int, right: c_int) -> c_int { left + right } or -1;
            /// Nothing.
            fn two_nothing() {};
        }
    }
}

static NEXT: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());
static SEEN: AtomicU64 = AtomicU64::new(0);

unsafe extern "C-unwind" fn plus_one(value: c_int) -> c_int {
    SEEN.fetch_add(1, Ordering::Relaxed);
    // SAFETY: what was in the slot.
    let next: unsafe extern "C-unwind" fn(c_int) -> c_int =
        unsafe { std::mem::transmute(NEXT.load(Ordering::Relaxed)) };
    // SAFETY: takes any value.
    unsafe { next(value) + 1 }
}

unsafe extern "C-unwind" fn times_hundred(value: c_int) -> c_int {
    value * 100
}

#[test]
fn interceptors_get_the_tables_once_in_order_before_the_first_call() {
    use two_tables::{First, Second, TWO, two_add, two_double, two_nothing};
    fn first(tables: &[*mut c_void]) {
        let [first, second] = *tables else {
            panic!("{} tables", tables.len())
        };
        // SAFETY: the tables in the order of their declaration.
        unsafe {
            let first = &mut *first.cast::<First>();
            assert_eq!(first.size, 16);
            assert_eq!((first.two_double)(4), 8, "the real function");
            let second = &*second.cast::<Second>();
            let version = second.version;
            assert_eq!((version.major, version.minor, version.step), (7, 32, 9));
            first.two_double = times_hundred;
        }
    }
    fn second(tables: &[*mut c_void]) {
        // SAFETY: as above.
        unsafe {
            let first = &mut *tables[0].cast::<First>();
            NEXT.store(first.two_double as *mut (), Ordering::Relaxed);
            first.two_double = plus_one;
            // The API, in the middle of its construction: the real functions.
            assert_eq!(two_double(3), 6);
            assert_eq!(TWO.construct(), Constructed::UnderWay);
        }
    }
    fn third(_tables: &[*mut c_void]) {
        panic!("in an interceptor, as the test wants it");
    }
    TWO.at_construction(first).unwrap();
    TWO.at_construction(second).unwrap();
    TWO.at_construction(third).unwrap();
    // SAFETY: take any values.
    unsafe {
        assert_eq!(two_add(2, 3), 5, "any function constructs");
        assert_eq!(two_double(3), 301, "the last interceptor is on top");
        two_nothing();
    }
    assert_eq!(TWO.construct(), Constructed::Done);
    assert!(TWO.at_construction(first).is_err());
    assert_eq!(SEEN.load(Ordering::Relaxed), 1);
}

mod threads {
    profiler_hub_intercept::offer! {
        /// A library.
        pub library THREADS = c"threads", version (1, 0, 0);

        /// Its table.
        pub table Table: size {
            /// One more.
            fn threads_next(value: u64) -> u64 { value + 1 } or 0;
        }
    }
}

static CONSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static WRAPPED: AtomicU64 = AtomicU64::new(0);
static REAL: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

unsafe extern "C-unwind" fn counting(value: u64) -> u64 {
    WRAPPED.fetch_add(1, Ordering::Relaxed);
    CALLS.set(CALLS.get() + 1);
    // SAFETY: what was in the slot.
    let next: unsafe extern "C-unwind" fn(u64) -> u64 =
        unsafe { std::mem::transmute(REAL.load(Ordering::Relaxed)) };
    // SAFETY: takes any value.
    unsafe { next(value) }
}

#[test]
fn eight_threads_before_during_and_after_construction_all_pass_the_interceptor() {
    const CALLS_EACH: u64 = if cfg!(miri) { 20 } else { 1_000_000 };
    fn intercept(tables: &[*mut c_void]) {
        CONSTRUCTIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the only table.
        let table = unsafe { &mut *tables[0].cast::<threads::Table>() };
        // Long enough for the others to be here.
        for _ in 0..100 {
            std::thread::yield_now();
        }
        REAL.store(table.threads_next as *mut (), Ordering::Relaxed);
        table.threads_next = counting;
    }
    threads::THREADS.at_construction(intercept).unwrap();
    let barrier = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                barrier.wait();
                let mut value = 0;
                for _ in 0..CALLS_EACH {
                    // SAFETY: takes any value.
                    value = unsafe { threads::threads_next(value) };
                }
                assert_eq!((value, CALLS.get()), (CALLS_EACH, CALLS_EACH));
            });
        }
    });
    assert_eq!(CONSTRUCTIONS.load(Ordering::Relaxed), 1);
    assert_eq!(WRAPPED.load(Ordering::Relaxed), 8 * CALLS_EACH);
}

mod panics {
    use super::*;

    profiler_hub_intercept::offer! {
        /// A library whose function panics.
        pub library PANICS = c"panics", version (1, 0, 0);

        /// Its table.
        pub table Table: size {
            /// Panics for 0.
            fn panics_for_zero(value: c_int) -> c_int {
                assert!(value != 0, "as the test wants it");
                value
            } or -7;
        }
    }
}

#[test]
fn a_panic_in_a_real_function_becomes_the_value_it_names() {
    // SAFETY: takes any value.
    unsafe {
        assert_eq!(panics::panics_for_zero(5), 5);
        assert_eq!(panics::panics_for_zero(0), -7);
        assert_eq!(panics::panics_for_zero(6), 6);
    }
}

mod forks {
    use std::ffi::c_int;

    profiler_hub_intercept::offer! {
        /// A library.
        pub library FORKS = c"forks", version (1, 0, 0);

        /// Its table.
        pub table Table: size {
            /// One more.
            fn forks_next(value: c_int) -> c_int { value + 1 } or -1;
        }
    }
}

#[test]
fn a_child_forked_in_the_middle_of_construction_does_not_wait_for_its_parents_thread() {
    fn intercept(tables: &[*mut c_void]) {
        // SAFETY: the only table.
        let table = unsafe { &mut *tables[0].cast::<forks::Table>() };
        table.forks_next = times_hundred;
        // SAFETY: the child makes calls of the library alone, and leaves by _exit.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: take any values. In the child nobody constructs any more: the table is open.
            unsafe {
                let value = forks::forks_next(4);
                libc::_exit(if value == 400 { 0 } else { 1 });
            }
        }
        let mut status = -1;
        // SAFETY: the child, and a place for its status.
        unsafe {
            assert_eq!(
                forks::forks_next(4),
                5,
                "the parent is in its construction still"
            );
            assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        }
        FORKED.store(u64::from(status == 0), Ordering::Relaxed);
    }
    static FORKED: AtomicU64 = AtomicU64::new(0);
    forks::FORKS.at_construction(intercept).unwrap();
    // SAFETY: takes any value.
    assert_eq!(unsafe { forks::forks_next(4) }, 400);
    assert_eq!(
        FORKED.load(Ordering::Relaxed),
        1,
        "the child was wrong, or hung"
    );
}
