//! The tool's side: wrapping the functions of a runtime that hands its tables over.
//!
//! ```no_run
//! use std::ffi::c_char;
//! use profiler_hub_intercept::{Next, Replacement, State, TableSet, register, roctx};
//!
//! /// Counts marks and passes them on.
//! struct Marks;
//!
//! impl Replacement for Marks {
//!     type Fn = unsafe extern "C-unwind" fn(*const c_char);
//!
//!     fn state() -> &'static State {
//!         static STATE: State = State::new();
//!         &STATE
//!     }
//!
//!     fn call(next: &Next<'_, Self::Fn>, args: (*const c_char,)) {
//!         // count it here …
//!         // SAFETY: the arguments are the caller's own.
//!         unsafe { next.call(args) }
//!     }
//! }
//!
//! // In `rocprofiler_configure`, where it is always in time:
//! register(TableSet::MARKER_CORE, |handover| {
//!     for table in handover.tables() {
//!         if let Err(error) = table.wrap::<Marks>(&roctx::MARK) {
//!             // NULL in this runtime, or not in a table of its age: `error` says which.
//!             let _ = error;
//!         }
//!     }
//! })?;
//! # Ok::<(), profiler_hub_intercept::RegisterError>(())
//! ```

mod guard;
mod handover;
mod register;
mod slot;
mod state;
mod table;
mod wrapper;

#[cfg(test)]
mod tests;

pub use guard::inside;
pub use handover::{Handover, TableError};
pub use register::{RegisterError, TableSet, register};
pub use slot::{Slot, SlotError, SlotState};
pub use state::{MAX_INSTANCES, RemoveError, State, Wrapped};
pub use table::{Table, WrapError};
pub use wrapper::{Call, Next, Observer, Replacement};
pub(crate) use wrapper::{observe, replace};
