//! What a context handed out and can be given back.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::boundary::Failure;

/// What was handed out, by its address; `None` for what belongs to the reader's memory.
type ByAddress = HashMap<usize, Option<Box<dyn Any + Send>>>;

/// What a context handed out.
#[derive(Default)]
pub(crate) struct Handed(Mutex<ByAddress>);

/// Whatever is kept is never looked at again.
struct Kept<T>(T);

// SAFETY: it is only kept and dropped, and dropping follows none of its pointers.
unsafe impl<T> Send for Kept<T> {}

impl Handed {
    fn lock(&self) -> MutexGuard<'_, ByAddress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what lies behind a pointer until it is given back or the context ends. NULL has
    /// nothing behind it.
    pub(crate) fn keep<P, T: 'static>(&self, pointer: *const P, behind: T) {
        if !pointer.is_null() {
            self.lock()
                .insert(pointer.addr(), Some(Box::new(Kept(behind))));
        }
    }

    /// Hands out what belongs to the reader and stays in its memory.
    pub(crate) fn lend<P>(&self, pointer: *const P) {
        if !pointer.is_null() {
            self.lock().insert(pointer.addr(), None);
        }
    }

    /// Drops what was kept; what was lent stays. NULL is nothing.
    pub(crate) fn drop_kept<P>(&self, pointer: *const P) -> Result<(), Failure> {
        if pointer.is_null() {
            return Ok(());
        }
        let mut handed = self.lock();
        let behind = match handed.get(&pointer.addr()) {
            Some(None) => return Ok(()),
            Some(Some(_)) => handed.remove(&pointer.addr()),
            None => {
                return Err(Failure::argument(
                    "this is none of what the context handed out, or was given back before",
                ));
            }
        };
        drop(handed);
        drop(behind);
        Ok(())
    }
}
