//! A thread's own buffer, and how a thread finds it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::buffer::Buffer;
use super::sequence::{Sequence, Token};
use super::session::Session;

/// What belongs to one thread.
#[derive(Debug, Default)]
pub(super) struct Slot(Mutex<State>);

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) buffer: Buffer,
    /// The last sequence of each config.
    pub(super) sequences: Vec<Option<Arc<Sequence>>>,
}

impl State {
    pub(super) fn set_sequence(&mut self, token: Token, sequence: Arc<Sequence>) {
        if self.sequences.len() <= token {
            self.sequences.resize(token + 1, None);
        }
        if let Some(place) = self.sequences.get_mut(token) {
            *place = Some(sequence);
        }
    }
}

impl Slot {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, State>> {
        crate::fork::guard_of(self.0.try_lock())
    }
}

/// The slots of a session: one for each thread that lives and has recorded.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) all: Vec<Arc<Slot>>,
    /// Those whose thread has ended. What is in their buffers is still to be stored.
    free: Vec<Arc<Slot>>,
}

impl Slots {
    fn take(&mut self) -> Arc<Slot> {
        self.free.pop().unwrap_or_else(|| {
            let slot = Arc::new(Slot::default());
            self.all.push(Arc::clone(&slot));
            slot
        })
    }
}

/// A thread's slot. In a forked child it may still be one of the parent's session.
struct Local(Option<(&'static Session, Arc<Slot>)>);

thread_local! {
    static LOCAL: RefCell<Local> = const { RefCell::new(Local(None)) };
}

impl Drop for Local {
    fn drop(&mut self) {
        let Some((session, slot)) = self.0.take() else {
            return;
        };
        if session.is_of_this_process() {
            session.slots().free.push(slot);
        } else {
            std::mem::forget(slot);
        }
    }
}

/// Why a thread has no slot now.
pub(super) enum NoSlot {
    /// The thread is ending: its thread-locals are gone.
    Ending,
    /// The callback was called from within itself.
    Reentered,
}

/// Calls `body` with the calling thread's slot.
pub(super) fn with_slot<T>(
    session: &'static Session,
    body: impl FnOnce(&Slot) -> T,
) -> Result<T, NoSlot> {
    LOCAL
        .try_with(|local| {
            let mut local = local.try_borrow_mut().map_err(|_| NoSlot::Reentered)?;
            let slot = match &local.0 {
                Some((owner, slot)) if std::ptr::eq(*owner, session) => slot,
                _ => {
                    let slot = session.slots().take();
                    if let Some((_, parents)) = local.0.replace((session, slot)) {
                        // Its lock may be held by a thread that this process does not have.
                        std::mem::forget(parents);
                    }
                    match &local.0 {
                        Some((_, slot)) => slot,
                        None => return Err(NoSlot::Ending),
                    }
                }
            };
            Ok(body(slot))
        })
        .unwrap_or(Err(NoSlot::Ending))
}
