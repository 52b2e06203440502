//! A safe view of a table that a runtime hands over.

use std::any::TypeId;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::slot::{Slot, SlotError, SlotState};
use super::state::{MAX_INSTANCES, State, Wrapped};
use super::wrapper::{Observer, Replacement};
use crate::abi::ApiFn;
use crate::slots::{Header, Layout, SlotInfo};

/// A dispatch table of a runtime, while it is being handed over.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    layout: &'static Layout,
    base: NonNull<u8>,
    size: usize,
    instance: u64,
    handover: PhantomData<&'a ()>,
}

/// Why a function could not be wrapped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrapError {
    /// There is no function in the slot.
    #[error("cannot wrap: {0}")]
    Slot(#[from] SlotError),
    /// This wrapper is in this table's chain already; a second time it would call itself for ever.
    #[error("cannot wrap {slot}: this wrapper is in the chain of this table already")]
    AlreadyWrapped {
        /// The slot's name.
        slot: &'static str,
    },
    /// The runtime is in the process too many times.
    #[error(
        "cannot wrap {slot}: {MAX_INSTANCES} copies of its runtime are wrapped already, and a \
         wrapper has room for no more"
    )]
    TooManyInstances {
        /// The slot's name.
        slot: &'static str,
    },
    /// Two wrappers share one [`State`].
    #[error(
        "cannot wrap {slot}: its wrapper's state belongs to another wrapper; give each wrapper type \
         a static State of its own"
    )]
    SharedState {
        /// The slot's name.
        slot: &'static str,
    },
}

impl<'a> Table<'a> {
    /// # Safety
    /// `base` points to a table of this layout, as long as its header says, that stays there for
    /// `'a`; it is aligned for pointers.
    pub(super) unsafe fn new(layout: &'static Layout, base: NonNull<u8>, instance: u64) -> Self {
        let size = match layout.header {
            // SAFETY: the header is eight bytes of size, by the caller's promise.
            Header::Size => unsafe { base.cast::<u64>().read() },
            // SAFETY: the header is four u32, of which the second is the size.
            Header::Version => u64::from(unsafe { base.cast::<u32>().add(1).read() }),
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Self {
            layout,
            base,
            size,
            instance,
            handover: PhantomData,
        }
    }

    /// The layout it is read by.
    #[must_use]
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// Its size in bytes, as the runtime was built.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Major, minor and step of an HSA table's own version; `None` for a table that begins with its
    /// size.
    #[must_use]
    pub fn version(&self) -> Option<(u32, u32, u32)> {
        match self.layout.header {
            Header::Size => None,
            Header::Version => {
                // SAFETY: the header is four u32.
                let [major, minor, step, _reserved] =
                    unsafe { self.base.cast::<[u32; 4]>().read() };
                Some((major, minor, step))
            }
        }
    }

    /// The runtime's `lib_instance`: 0, and 1 for the second copy of it in the process.
    #[must_use]
    pub fn instance(&self) -> u64 {
        self.instance
    }

    /// How many slots the table has behind the last one known here: what a newer runtime added.
    #[must_use]
    pub fn unknown_slots(&self) -> usize {
        self.size.saturating_sub(self.layout.known_size()) / size_of::<*const ()>()
    }

    /// The known slots, and what this table has in them.
    pub fn slots(&self) -> impl Iterator<Item = (&'static SlotInfo, SlotState)> + use<'a> {
        let table = *self;
        self.layout.slots.iter().map(move |slot| {
            let state = match table.cell(slot) {
                None => SlotState::PastEnd,
                Some(cell) if cell.load(Ordering::Acquire).is_null() => SlotState::Null,
                Some(_) => SlotState::Present,
            };
            (slot, state)
        })
    }

    /// The function that is in the slot now.
    ///
    /// # Errors
    /// [`SlotError`]: NULL, past the end of the table, or a slot of another table.
    pub fn get<F: ApiFn>(&self, slot: &Slot<F>) -> Result<F, SlotError> {
        let (_cell, current) = self.filled(slot)?;
        // SAFETY: not NULL, and the slot's type is F by the promise made for the slot.
        Ok(unsafe { F::from_ptr(current) })
    }

    /// Saves the function in the slot as the next of `R`, and puts `R` there.
    ///
    /// # Errors
    /// [`WrapError`]; nothing is changed then.
    pub fn wrap<R: Replacement>(&self, slot: &Slot<R::Fn>) -> Result<Wrapped, WrapError> {
        let entries = [
            R::Fn::replaced::<R, 0>().as_ptr(),
            R::Fn::replaced::<R, 1>().as_ptr(),
            R::Fn::replaced::<R, 2>().as_ptr(),
            R::Fn::replaced::<R, 3>().as_ptr(),
        ];
        self.install(slot, R::state(), TypeId::of::<R>(), entries)
    }

    /// Saves the function in the slot as the next of `O`, and puts `O` there.
    ///
    /// # Errors
    /// [`WrapError`]; nothing is changed then.
    pub fn observe<O: Observer>(&self, slot: &Slot<O::Fn>) -> Result<Wrapped, WrapError> {
        let entries = [
            O::Fn::observed::<O, 0>().as_ptr(),
            O::Fn::observed::<O, 1>().as_ptr(),
            O::Fn::observed::<O, 2>().as_ptr(),
            O::Fn::observed::<O, 3>().as_ptr(),
        ];
        self.install(slot, O::state(), TypeId::of::<O>(), entries)
    }

    /// What a slot that holds a data pointer points to; `None` if NULL, or past the end.
    pub(super) fn pointer(&self, slot: &str) -> Option<NonNull<u8>> {
        let cell = self.cell(self.layout.slot(slot)?)?;
        NonNull::new(cell.load(Ordering::Acquire).cast())
    }

    fn install<F: ApiFn>(
        &self,
        slot: &Slot<F>,
        state: &'static State,
        owner: TypeId,
        entries: [*mut (); MAX_INSTANCES],
    ) -> Result<Wrapped, WrapError> {
        let (cell, _current) = self.filled(slot)?;
        state.install(slot.info().name, cell, self.instance, owner, entries)
    }

    /// The slot's cell and the function in it, which is not NULL.
    fn filled<F>(&self, slot: &Slot<F>) -> Result<(&'a AtomicPtr<()>, *mut ()), SlotError> {
        let (table, info) = (self.layout.name, slot.info());
        if !std::ptr::eq(slot.layout(), self.layout) {
            let expected = slot.layout().name;
            return Err(SlotError::OtherTable {
                slot: info.name,
                expected,
                found: table,
            });
        }
        let Some(cell) = self.cell(&info) else {
            let (offset, size) = (info.offset, self.size);
            return Err(SlotError::PastEnd {
                table,
                slot: info.name,
                offset,
                size,
            });
        };
        let current = cell.load(Ordering::Acquire);
        if current.is_null() {
            return Err(SlotError::Null {
                table,
                slot: info.name,
            });
        }
        Ok((cell, current))
    }

    /// The slot's cell, or `None` where the table ends before it.
    fn cell(&self, slot: &SlotInfo) -> Option<&'a AtomicPtr<()>> {
        let end = slot.offset.checked_add(size_of::<*mut ()>())?;
        if end > self.size {
            return None;
        }
        // SAFETY: within the table, which lives for 'a; slots are aligned as the table is, and
        // whoever else writes one writes a whole pointer.
        Some(unsafe { AtomicPtr::from_ptr(self.base.add(slot.offset).cast::<*mut ()>().as_ptr()) })
    }
}
