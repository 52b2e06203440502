//! Layouts of dispatch tables: which slot is at which byte.
//!
//! [`hsa`] and [`hip`] are generated from `tests/abi/dispatch-tables.json`; a test of this crate
//! demands that generating them again gives no difference. The lists are those of one point in
//! time: a runtime's table may be shorter, or longer, and its own size decides.

mod layout;

#[rustfmt::skip]
pub mod hip;
#[rustfmt::skip]
pub mod hsa;
pub mod roctx;

pub use layout::{Header, Layout, SlotInfo};
