//! Declarations of rocprofiler-sdk's C ABI and the run-time lookup of its functions.
//!
//! Names are the SDK's own. The types are declared by hand for x86-64 Linux, so that everything
//! builds without ROCm; `tests/it` compares each size, offset, field type and enum value with
//! `tests/abi/rocprofiler-sdk-1.0.json`, which a compiler read from the headers of SDK 1.0.0.
//!
//! Two rules hold for whatever comes from the SDK:
//! - An enum is an integer here, never a Rust enum: a newer SDK has values we do not know.
//! - A struct that begins with `size` may be longer, or shorter, than ours. Fields added after
//!   1.0.0 are read through [`sized_field!`], and nothing is copied by our own `size_of`.
//!
//! There is no logic in this crate, and nothing here links to the SDK: [`Functions::lookup`] finds
//! what the process has already loaded.

#![expect(
    non_camel_case_types,
    reason = "the names are the SDK's, so that its documentation can be used as it is"
)]

mod agent;
mod callbacks;
mod counter;
mod dispatch;
mod enums;
mod functions;
mod handles;
mod lookup;
mod sized;
mod tool;
mod tracing;

pub use agent::*;
pub use callbacks::*;
pub use counter::*;
pub use dispatch::*;
pub use enums::*;
pub use functions::Functions;
pub use handles::*;
pub use lookup::{Choice, SDK_SONAME, find_symbol, use_sdk_of};
pub use tool::*;
pub use tracing::*;
