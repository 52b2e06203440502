//! What a wrapper keeps: the next function for each copy of the runtime, and its way back.

use std::any::TypeId;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::table::WrapError;
use crate::abi::ApiFn;
use crate::loader::library_of;

/// How many copies of a runtime a wrapper can be in at the same time.
pub const MAX_INSTANCES: usize = 4;

/// The state of one wrapper type. Every wrapper has a `static` of its own.
///
/// A wrapper has one entry function, and here one lane, for each copy of the runtime that it is in:
/// the entry is all that a C function has to tell the copies apart.
pub struct State {
    // What every call reads comes first, in one cache line.
    next: [AtomicPtr<()>; MAX_INSTANCES],
    out_of_service: AtomicBool,
    instances: [AtomicU64; MAX_INSTANCES],
    lanes: Mutex<Lanes>,
}

struct Lanes {
    owner: Option<TypeId>,
    used: [Option<Lane>; MAX_INSTANCES],
}

/// Where a lane's entry was put.
#[derive(Clone, Copy)]
struct Lane {
    /// Address of the slot.
    slot: usize,
    /// The library that the table lies in; `None` for a table on the heap.
    library: Option<usize>,
    instance: u64,
    /// False once it was taken out again.
    installed: bool,
}

impl Lane {
    /// Whether its table went away with its library.
    fn is_gone(&self) -> bool {
        self.library.is_some()
            && library_of(std::ptr::without_provenance(self.slot)) != self.library
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("out_of_service", &self.out_of_service())
            .finish_non_exhaustive()
    }
}

impl State {
    /// The state of a wrapper that is in no table yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            next: [const { AtomicPtr::new(std::ptr::null_mut()) }; MAX_INSTANCES],
            out_of_service: AtomicBool::new(false),
            instances: [const { AtomicU64::new(0) }; MAX_INSTANCES],
            lanes: Mutex::new(Lanes {
                owner: None,
                used: [None; MAX_INSTANCES],
            }),
        }
    }

    /// Whether the wrapper panicked once. It is passed by from then on.
    #[inline(always)]
    #[must_use]
    pub fn out_of_service(&self) -> bool {
        self.out_of_service.load(Ordering::Relaxed)
    }

    #[cold]
    pub(super) fn take_out_of_service(&self) {
        self.out_of_service.store(true, Ordering::Relaxed);
    }

    pub(super) fn instance(&self, lane: usize) -> u64 {
        self.instances[lane].load(Ordering::Relaxed)
    }

    /// The next function.
    ///
    /// # Safety
    /// The lane's entry has been put into a slot of type `F`.
    #[inline(always)]
    pub(super) unsafe fn next<F: ApiFn, const LANE: usize>(&self) -> F {
        // Whoever calls the entry has read it from the slot, where it was put after this had been
        // stored; and tables are handed over before the runtime lets the first call in.
        let next = self.next[LANE].load(Ordering::Relaxed);
        // SAFETY: not NULL, since only functions found in a slot are stored here; F by the caller's
        // promise.
        unsafe { F::from_ptr(next) }
    }

    /// Puts the entry of a free lane into the slot.
    pub(super) fn install(
        &'static self,
        slot: &'static str,
        cell: &AtomicPtr<()>,
        instance: u64,
        owner: TypeId,
        entries: [*mut (); MAX_INSTANCES],
    ) -> Result<Wrapped, WrapError> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if *lanes.owner.get_or_insert(owner) != owner {
            return Err(WrapError::SharedState { slot });
        }
        let address = std::ptr::from_ref(cell).addr();
        let lane = lanes.choose(address, instance, slot)?;
        let mut current = cell.load(Ordering::Acquire);
        loop {
            if entries.contains(&current) {
                return Err(WrapError::AlreadyWrapped { slot });
            }
            self.next[lane].store(current, Ordering::Relaxed);
            self.instances[lane].store(instance, Ordering::Relaxed);
            // The release is for `next`.
            match cell.compare_exchange(current, entries[lane], Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => break,
                Err(now) => current = now,
            }
        }
        let library = library_of(std::ptr::from_ref(cell).cast());
        lanes.used[lane] = Some(Lane {
            slot: address,
            library,
            instance,
            installed: true,
        });
        Ok(Wrapped {
            slot,
            state: self,
            lane,
            address: cell.as_ptr().expose_provenance(),
            instance,
            entry: Entry(entries[lane]),
        })
    }
}

impl Lanes {
    fn choose(
        &self,
        address: usize,
        instance: u64,
        slot: &'static str,
    ) -> Result<usize, WrapError> {
        let same = |lane: &Option<Lane>| lane.is_some_and(|lane| lane.slot == address);
        if let Some(index) = self.used.iter().position(same) {
            // The same address and another instance: the runtime was unloaded and is back.
            return match self.used[index] {
                Some(lane) if lane.installed && lane.instance == instance => {
                    Err(WrapError::AlreadyWrapped { slot })
                }
                _ => Ok(index),
            };
        }
        let free = |lane: &Option<Lane>| lane.is_none_or(|lane| lane.is_gone());
        self.used
            .iter()
            .position(free)
            .ok_or(WrapError::TooManyInstances { slot })
    }
}

/// A wrapper in a slot. Dropping it leaves the wrapper where it is.
#[derive(Debug)]
pub struct Wrapped {
    slot: &'static str,
    state: &'static State,
    lane: usize,
    address: usize,
    instance: u64,
    entry: Entry,
}

/// The entry function that was put into the slot.
#[derive(Debug)]
struct Entry(*mut ());

// SAFETY: the address of a function, which any thread can call and compare.
unsafe impl Send for Entry {}
// SAFETY: as above.
unsafe impl Sync for Entry {}

/// Why a wrapper could not be taken out of its slot again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoveError {
    /// Somebody wrapped on top and calls us as its next: taking us out would cut them off.
    #[error(
        "cannot unwrap {slot}: somebody wrapped it after us; it stays in the chain, remove the other \
         one first"
    )]
    NotOnTop {
        /// The slot's name.
        slot: &'static str,
    },
    /// The table is no longer there: its library was unloaded.
    #[error("cannot unwrap {slot}: its runtime has been unloaded, and the table with it")]
    Unloaded {
        /// The slot's name.
        slot: &'static str,
    },
    /// It was taken out before, or the runtime has been loaded again since.
    #[error("cannot unwrap {slot}: this wrapper is not in its slot any more")]
    NotInstalled {
        /// The slot's name.
        slot: &'static str,
    },
}

impl Wrapped {
    /// The slot's name.
    #[must_use]
    pub fn slot(&self) -> &'static str {
        self.slot
    }

    /// Puts the next function back into the slot, if the wrapper is still on top. Calls that are
    /// in the wrapper at that moment finish there.
    ///
    /// # Errors
    /// [`RemoveError`]; nothing is changed then.
    ///
    /// # Safety
    /// The runtime is not being unloaded by another thread meanwhile. A table that does not lie in
    /// a library (but on the heap) has not been freed; for one that does, it is looked up.
    pub unsafe fn remove(&self) -> Result<(), RemoveError> {
        let slot = self.slot;
        let mut lanes = self
            .state
            .lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let Some(lane) = &mut lanes.used[self.lane] else {
            return Err(RemoveError::NotInstalled { slot });
        };
        if !lane.installed || lane.slot != self.address || lane.instance != self.instance {
            return Err(RemoveError::NotInstalled { slot });
        }
        if lane.is_gone() {
            return Err(RemoveError::Unloaded { slot });
        }
        // SAFETY: the table is there still, by the above and the caller's promise.
        let cell = unsafe {
            AtomicPtr::<()>::from_ptr(std::ptr::with_exposed_provenance_mut(self.address))
        };
        let next = self.state.next[self.lane].load(Ordering::Relaxed);
        cell.compare_exchange(self.entry.0, next, Ordering::AcqRel, Ordering::Acquire)
            .map_err(|_| RemoveError::NotOnTop { slot })?;
        lane.installed = false;
        Ok(())
    }
}
