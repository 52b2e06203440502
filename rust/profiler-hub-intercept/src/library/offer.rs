//! The macro that declares what a library offers, and what its expansion needs.

use std::cell::UnsafeCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What an HSA-like table begins with.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableVersion {
    /// Changed when slots change their meaning.
    pub major: u32,
    /// Bytes of the table.
    pub minor: u32,
    /// Counted up with each slot that is appended.
    pub step: u32,
    /// 0.
    pub reserved: u32,
}

/// The table that is handed over, and called through after construction.
#[doc(hidden)]
#[derive(Debug)]
#[repr(transparent)]
pub struct Live<T>(UnsafeCell<T>);

// SAFETY: its slots are only read and written as whole pointers, see `read_slot`.
unsafe impl<T> Sync for Live<T> {}

impl<T> Live<T> {
    #[must_use]
    pub const fn new(table: T) -> Self {
        Self(UnsafeCell::new(table))
    }

    #[must_use]
    pub const fn as_ptr(&self) -> *mut T {
        self.0.get()
    }
}

/// Runs the body of a real function. A panic stays in it; the caller gets `otherwise` then.
#[doc(hidden)]
#[inline(always)]
pub fn guarded<R>(body: impl FnOnce() -> R, otherwise: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        // Dropping it could panic again.
        std::mem::forget(payload);
        otherwise()
    })
}

/// Reads a function pointer that a tool may be replacing at this moment.
///
/// # Safety
/// `slot` points to a function pointer in a table of [`Live`], or in a constant one.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn read_slot<F: Copy>(slot: *const F) -> F {
    const {
        assert!(
            size_of::<F>() == size_of::<*mut ()>(),
            "a slot holds a function pointer"
        )
    };
    // SAFETY: aligned and there, by the caller's promise; whoever writes it writes it whole.
    let function = unsafe { AtomicPtr::from_ptr(slot.cast_mut().cast::<*mut ()>()) };
    let function = function.load(Ordering::Relaxed);
    // SAFETY: as wide as F, by the assertion, and an F, by the caller's promise.
    unsafe { std::mem::transmute_copy::<*mut (), F>(&function) }
}

/// Declares a library's API: see [`library`](crate::library).
///
/// ```text
/// offer! {
///     /// Documentation.
///     pub library NAME = c"name of the library", version (MAJOR, MINOR, PATCH);
///
///     /// Documentation; as many tables as you like.
///     pub table TableType: size {                 // or: version(MAJOR, STEP)
///         /// Documentation.
///         fn exported_name(argument: Type, …) -> Type { body } or value_on_panic;
///         fn another(argument: Type, …) { body };
///     }
/// }
/// ```
/// `NAME` is a [`static Offer`](crate::Offer). Each table is a `#[repr(C)]` struct of function
/// pointers behind its size (`u64`) or version ([`TableVersion`]).
/// Each function is exported under its name; it is `unsafe extern "C-unwind"`. Types of arguments
/// and return values are plain C types (`Copy`).
#[macro_export]
macro_rules! offer {
    (
        $(#[$library_doc:meta])*
        $library_vis:vis library $LIBRARY:ident = $name:literal,
            version ($major:literal, $minor:literal, $patch:literal);
        $(
            $(#[$table_doc:meta])*
            $table_vis:vis table $Table:ident: $header:ident $(($($header_arg:literal),*))? {
                $(
                    $(#[$doc:meta])*
                    fn $function:ident($($arg:ident: $Arg:ty),* $(,)?) $(-> $Ret:ty)?
                        $body:block $(or $otherwise:expr)?;
                )*
            }
        )*
    ) => {
        $(#[$library_doc])*
        $library_vis static $LIBRARY: $crate::Offer = {
            const VERSION: u32 = 10_000 * $major + 100 * $minor + $patch;
            extern "C" fn import() -> u32 {
                VERSION
            }
            $crate::Offer::new($name, VERSION, import, &[$($Table::live),*], &[$($Table::publish),*])
        };
        $(
            $(#[$table_doc])*
            #[repr(C)]
            #[derive(Clone, Copy, Debug)]
            $table_vis struct $Table {
                /// What the table begins with: it says how many bytes the table has.
                pub $header: $crate::offer!(@type $header),
                $(
                    $(#[$doc])*
                    pub $function: unsafe extern "C-unwind" fn($($Arg),*) $(-> $Ret)?,
                )*
            }

            impl $Table {
                fn live() -> *mut ::core::ffi::c_void {
                    static LIVE: $crate::library::Live<$Table> =
                        $crate::library::Live::new($Table {
                            $header: $crate::offer!(@value $Table, $header $(($($header_arg),*))?),
                            $($function: $function::real,)*
                        });
                    LIVE.as_ptr().cast()
                }

                #[inline(always)]
                fn current() -> &'static ::core::sync::atomic::AtomicPtr<$Table> {
                    static STUBS: $Table = $Table {
                        $header: $crate::offer!(@value $Table, $header $(($($header_arg),*))?),
                        $($function: $function::stub,)*
                    };
                    static CURRENT: ::core::sync::atomic::AtomicPtr<$Table> =
                        ::core::sync::atomic::AtomicPtr::new((&raw const STUBS).cast_mut());
                    &CURRENT
                }

                fn publish() {
                    Self::current()
                        .store(Self::live().cast(), ::core::sync::atomic::Ordering::Release);
                }
            }

            $(
                $(#[$doc])*
                ///
                /// # Safety
                /// As for any C function: pointers are what the function expects.
                #[unsafe(no_mangle)]
                pub unsafe extern "C-unwind" fn $function($($arg: $Arg),*) $(-> $Ret)? {
                    let table = $Table::current().load(::core::sync::atomic::Ordering::Acquire);
                    // SAFETY: one of two tables that are never freed, with a function in each
                    // slot; the arguments are the caller's.
                    unsafe { $crate::library::read_slot(&raw const (*table).$function)($($arg),*) }
                }

                mod $function {
                    use super::*;

                    pub(super) unsafe extern "C-unwind" fn real($($arg: $Arg),*) $(-> $Ret)? {
                        $crate::library::guarded(move || $body, || { $($otherwise)? })
                    }

                    #[cold]
                    pub(super) unsafe extern "C-unwind" fn stub($($arg: $Arg),*) $(-> $Ret)? {
                        match $LIBRARY.construct() {
                            // SAFETY: the caller's arguments, passed on.
                            $crate::library::Constructed::Done => unsafe {
                                super::$function($($arg),*)
                            },
                            // SAFETY: the caller's arguments, passed on.
                            $crate::library::Constructed::UnderWay => unsafe { real($($arg),*) },
                        }
                    }
                }
            )*
        )*
    };
    (@type size) => { u64 };
    (@type version) => { $crate::library::TableVersion };
    (@value $Table:ident, size) => { ::core::mem::size_of::<$Table>() as u64 };
    (@value $Table:ident, version($major:literal, $step:literal)) => {
        $crate::library::TableVersion {
            major: $major,
            minor: {
                assert!(::core::mem::size_of::<$Table>() <= u32::MAX as usize);
                #[expect(clippy::cast_possible_truncation, reason = "asserted in the line above")]
                { ::core::mem::size_of::<$Table>() as u32 }
            },
            step: $step,
            reserved: 0,
        }
    };
}
