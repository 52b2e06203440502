//! Handles: numbers that look like pointers, given out once and never followed.
//!
//! A handle that was freed, or that never was one of ours, is told from a living one without
//! touching the memory it seems to point to. A call that is under way keeps what it works on alive
//! when another thread frees the handle.
//!
//! A handle is good in the process that made it. In a forked child its object is the parent's: it
//! stays where it is, never given out and never dropped.

use std::collections::HashMap;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The living objects of one kind, by handle.
pub(crate) struct Registry<T> {
    living: OnceLock<RwLock<Living<T>>>,
    next: AtomicUsize,
}

/// Objects by handle, each with the pid of the process that made it.
type Living<T> = HashMap<usize, (u32, Arc<T>)>;

/// How far apart two handles of a kind are; the rest tells the kinds apart.
const STEP: usize = 16;

impl<T> Registry<T> {
    /// A registry whose handles are those of no other `kind` (1 to 15).
    pub(crate) const fn new(kind: usize) -> Self {
        assert!(kind > 0 && kind < STEP, "kinds are 1 to 15");
        Self {
            living: OnceLock::new(),
            next: AtomicUsize::new(STEP + kind),
        }
    }

    fn living(&self) -> &RwLock<Living<T>> {
        self.living.get_or_init(RwLock::default)
    }

    /// Takes an object in and gives its handle.
    pub(crate) fn insert<H>(&self, object: Arc<T>) -> *mut H {
        let number = self.next.fetch_add(STEP, Ordering::Relaxed);
        self.living()
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(number, (process::id(), object));
        std::ptr::without_provenance_mut(number)
    }

    fn find<H>(&self, handle: *mut H) -> Option<(u32, Arc<T>)> {
        self.living()
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&handle.addr())
            .cloned()
    }

    /// The object of a handle, if it lives and is this process's.
    pub(crate) fn get<H>(&self, handle: *mut H) -> Option<Arc<T>> {
        self.find(handle)
            .filter(|(pid, _)| *pid == process::id())
            .map(|(_, object)| object)
    }

    /// Whether the handle was made by the process that this one was forked from.
    pub(crate) fn is_inherited<H>(&self, handle: *mut H) -> bool {
        self.find(handle)
            .is_some_and(|(pid, _)| pid != process::id())
    }

    /// Ends the handles of all objects that do not pass.
    pub(crate) fn retain(&self, pass: impl Fn(&T) -> bool) {
        self.living()
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|_, (_, object)| pass(object));
    }

    /// Ends a handle and gives its object, if it lived. Not for one that is inherited.
    pub(crate) fn remove<H>(&self, handle: *mut H) -> Option<Arc<T>> {
        self.living()
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&handle.addr())
            .map(|(_, object)| object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_living_handles_are_known() {
        static REGISTRY: Registry<u8> = Registry::new(1);
        let (first, second) = (
            REGISTRY.insert::<()>(Arc::new(1)),
            REGISTRY.insert::<()>(Arc::new(2)),
        );
        assert_ne!(first, second);
        assert_eq!(REGISTRY.get(first).as_deref(), Some(&1));
        assert_eq!(REGISTRY.remove(first).as_deref(), Some(&1));
        assert_eq!(REGISTRY.get(first), None, "freed");
        assert_eq!(REGISTRY.remove(first), None, "freed twice");
        assert_eq!(REGISTRY.get::<()>(std::ptr::null_mut()), None, "NULL");
        let stranger = std::ptr::from_ref(&7_u64).cast_mut();
        assert_eq!(REGISTRY.get(stranger), None, "foreign");
        assert_ne!(REGISTRY.insert::<()>(Arc::new(3)), first, "never reused");
    }
}
