//! A slot of a table, by name and with its type.

use std::marker::PhantomData;

use crate::abi::ApiFn;
use crate::slots::{Layout, SlotInfo};

/// A slot together with the type of the function in it.
#[derive(Debug)]
pub struct Slot<F> {
    layout: &'static Layout,
    info: SlotInfo,
    function: PhantomData<F>,
}

impl<F: ApiFn> Slot<F> {
    /// The slot `name` of `layout`, or `None` if the layout has no such slot.
    ///
    /// # Safety
    /// The function in the slot has the type `F`.
    #[must_use]
    pub const unsafe fn new(layout: &'static Layout, name: &str) -> Option<Self> {
        match layout.slot(name) {
            Some(info) => Some(Self {
                layout,
                info: *info,
                function: PhantomData,
            }),
            None => None,
        }
    }
}

impl<F> Slot<F> {
    /// The layout of its table.
    #[must_use]
    pub const fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// Name and offset.
    #[must_use]
    pub const fn info(&self) -> SlotInfo {
        self.info
    }
}

impl<F> Clone for Slot<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Slot<F> {}

/// What a runtime's table has in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotState {
    /// A function.
    Present,
    /// NULL: the runtime was built without it.
    Null,
    /// Nothing: the table ends before it, the runtime is older than the slot.
    PastEnd,
}

/// Why a slot has no function to wrap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlotError {
    /// The slot holds NULL.
    #[error("the slot {slot} of {table} holds NULL: this runtime has no such function")]
    Null {
        /// The table's type.
        table: &'static str,
        /// The slot's name.
        slot: &'static str,
    },
    /// The table ends before the slot.
    #[error(
        "the slot {slot} of {table} is at byte {offset}, but the runtime's table has {size} bytes: \
         this runtime is older than the slot"
    )]
    PastEnd {
        /// The table's type.
        table: &'static str,
        /// The slot's name.
        slot: &'static str,
        /// Bytes from the start of the table.
        offset: usize,
        /// The table's size in bytes, as it says itself.
        size: usize,
    },
    /// The slot belongs to another table.
    #[error("the slot {slot} is one of {expected}, but this table is a {found}")]
    OtherTable {
        /// The slot's name.
        slot: &'static str,
        /// The table the slot belongs to.
        expected: &'static str,
        /// The table it was looked for in.
        found: &'static str,
    },
}
