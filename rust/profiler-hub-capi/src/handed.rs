//! What was handed out and can be given back.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::boundary::Failure;

/// What kind of thing was handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Events,
}

/// What was handed out, by its address; `None` for what belongs to the reader's memory.
type ByAddress = HashMap<usize, (Given, Option<Box<dyn Any + Send>>)>;

/// What a context handed out.
#[derive(Default)]
pub(crate) struct Handed(Mutex<ByAddress>);

/// A list for C. Whoever holds it never follows its pointers.
struct List<T>(Box<[T]>);

// SAFETY: the list is only kept and dropped; what its pointers lead to belongs to the context.
unsafe impl<T> Send for List<T> {}

impl Handed {
    fn lock(&self) -> MutexGuard<'_, ByAddress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a list until it is given back or the context ends. An empty one is NULL.
    pub(crate) fn give<T: 'static>(&self, list: Vec<T>, what: Given) -> *mut T {
        if list.is_empty() {
            return std::ptr::null_mut();
        }
        let mut list = List(list.into_boxed_slice());
        let pointer = list.0.as_mut_ptr();
        self.lock()
            .insert(pointer.addr(), (what, Some(Box::new(list))));
        pointer
    }

    /// Hands out what belongs to the reader. An empty list is NULL.
    pub(crate) fn lend<T>(&self, list: *const T, count: usize) -> *mut T {
        if count == 0 {
            return std::ptr::null_mut();
        }
        self.lock().insert(list.addr(), (Given::Events, None));
        list.cast_mut()
    }

    /// Drops what was given; what was lent stays. NULL is the empty list.
    pub(crate) fn take_back(&self, list: *const (), what: Given) -> Result<(), Failure> {
        if list.is_null() {
            return Ok(());
        }
        let mut handed = self.lock();
        match handed.get(&list.addr()) {
            Some((kind, list_or_lent)) if *kind == what => {
                if list_or_lent.is_some() {
                    handed.remove(&list.addr());
                }
                Ok(())
            }
            _ => Err(Failure::argument(
                "this is none of what the context handed out, or was given back before",
            )),
        }
    }
}
