//! The library's side: offering an API whose functions tools can wrap.
//!
//! [`offer!`](crate::offer) declares the tables, the real functions, the public C functions that
//! call through the tables, and the once-only construction: the first call hands the tables to the
//! interceptors that were registered with [`Offer::at_construction`], then to rocprofiler-sdk where
//! it is in the process, and opens them for calls after that. Who calls meanwhile waits, except the
//! thread that is constructing: its calls go to the real functions. After construction a call is
//! one load of the table's address and one indirect call.
//!
//! ```
//! use std::ffi::c_int;
//!
//! profiler_hub_intercept::offer! {
//!     /// A library with a function.
//!     pub library DOUBLER = c"doubler", version (1, 2, 3);
//!
//!     /// Its table.
//!     pub table DoublerTable: size {
//!         /// Twice the value.
//!         fn doubler_double(value: c_int) -> c_int { value * 2 } or -1;
//!     }
//! }
//!
//! fn main() {
//!     // SAFETY: takes any value.
//!     assert_eq!(unsafe { doubler_double(21) }, 42);
//! }
//! ```
//! The value behind `or` is what the function returns should its body panic.

mod construction;
mod door;
mod offer;

pub use construction::{AlreadyConstructed, Constructed, Interceptor, Offer};
pub use offer::TableVersion;
#[doc(hidden)]
pub use offer::{Live, guarded, read_slot};
