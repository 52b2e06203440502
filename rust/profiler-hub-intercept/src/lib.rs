//! Runtime API dispatch tables: offering one, and wrapping those of HSA, HIP and ROCTx.
//!
//! A runtime that lets tools wrap its public API keeps the real functions in a table and calls
//! through it. Before the first call it hands the table over; whoever gets it may replace
//! pointers, keeping the one that was there as the next to call. With rocprofiler-sdk in the
//! process the chain is: application → public function → last tool … first tool → SDK → real
//! function, and the return value comes back the same way.
//!
//! Both sides are here:
//! - [`offer!`] is for a library that has an API to offer ([`library`]);
//! - [`register`], [`Handover`], [`Replacement`] and [`Observer`] are for a tool that wraps
//!   ([`tool`]). The tables' layouts are in [`slots`], ROCTx's with their signatures in [`roctx`].
//!
//! # In somebody else's process
//! - A panic in a wrapper goes no further than the wrapper: the call goes on to the next function,
//!   and the wrapper is out of service from then on. A C++ exception of the runtime passes through
//!   an [`Observer`] as if it were not there.
//! - Nothing here prints, starts a thread or loads a library.
//! - Slots are read and written only where the table's own size says that they are.
//!
//! # Loading and unloading
//! | what happens | what it means |
//! |---|---|
//! | the runtime is loaded later, by `dlopen` | it is handed over then; a registration covers the whole run |
//! | the runtime is loaded twice | two handovers with instance 0 and 1; a wrapper keeps a next function for each, up to [`MAX_INSTANCES`] |
//! | the runtime is unloaded by `dlclose` | its table goes with it, nothing calls the wrapper any more; [`Wrapped::remove`] says so |
//! | the runtime is loaded again | a handover with a new instance; room taken by a table that is gone is used again |
//! | the tool is unloaded by `dlclose` | it is not: [`register`] pins the library it is in, since tables point into it |
//! | registered too late | [`RegisterError::Refused`] with the status and the SDK's own text for it |

mod abi;
pub mod library;
mod loader;
pub mod roctx;
pub mod slots;
pub mod tool;

/// The declarations of the SDK that a tool needs to introduce itself.
pub use rocprofiler_sdk_sys as sdk;

pub use abi::ApiFn;
pub use library::Offer;
pub use tool::{
    Call, Handover, MAX_INSTANCES, Next, Observer, RegisterError, RemoveError, Replacement, Slot,
    SlotError, SlotState, State, Table, TableError, TableSet, WrapError, Wrapped, inside, register,
};
