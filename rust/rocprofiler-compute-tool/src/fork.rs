//! fork without exec: the child is a clean process with the parent's plan.
//!
//! Before the fork every lock that outlives it is taken, and given back on both sides, so that none
//! is held in the child by a thread that is not there, and what they guard is whole. The parent's
//! capture is forgotten in the child, never ended: its file is the parent's.

use std::cell::UnsafeCell;
use std::sync::{MutexGuard, RwLockWriteGuard, TryLockError};
use std::time::Duration;

use crate::capture::gate;
use crate::kernels;
use crate::selection::Launches;
use crate::tool::{START, StartGuard, TOOL, Tool};

/// How often, a millisecond apart, a lock is tried. Longer and the child counts nothing: the parent
/// has to go on.
const ATTEMPTS: u32 = 2000;

/// What `try_lock` gives, also after a panic of another thread.
pub fn guard_of<G>(result: Result<G, TryLockError<G>>) -> Option<G> {
    match result {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// The locks that are held over the fork, in the order they are taken.
struct Held {
    start: Option<StartGuard>,
    gate: Option<MutexGuard<'static, ()>>,
    kernels: Option<RwLockWriteGuard<'static, kernels::Table>>,
    selection: Option<MutexGuard<'static, Launches>>,
}

/// Filled by `prepare`, emptied by `parent` or `child`.
struct Handover(UnsafeCell<Option<Held>>);

// SAFETY: libc runs fork handlers under a lock of its own, all three on the forking thread.
unsafe impl Sync for Handover {}

static HANDOVER: Handover = Handover(UnsafeCell::new(None));

/// Has the handlers run at every fork from now on. Once.
pub(crate) fn watch() {
    // SAFETY: the handlers have the right signature, and the library is never unloaded.
    let status = unsafe { libc::pthread_atfork(Some(prepare), Some(parent), Some(child)) };
    if status != 0 {
        crate::log::say(format_args!(
            "cannot watch for forks: {}; a forked child has to exec before it uses a GPU",
            std::io::Error::from_raw_os_error(status)
        ));
    }
}

fn patiently<G>(mut attempt: impl FnMut() -> Option<G>) -> Option<G> {
    for _ in 0..ATTEMPTS {
        if let Some(guard) = attempt() {
            return Some(guard);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

unsafe extern "C" fn prepare() {
    let Some(tool) = TOOL.get() else { return };
    gate::announce_fork();
    let held = Held {
        start: patiently(|| START.try_lock()),
        gate: patiently(gate::try_close),
        kernels: patiently(|| tool.kernels.try_write()),
        selection: patiently(|| tool.selection.try_lock()),
    };
    // SAFETY: see `Handover`.
    unsafe { *HANDOVER.0.get() = Some(held) };
}

fn take() -> Option<Held> {
    // SAFETY: see `Handover`.
    unsafe { (*HANDOVER.0.get()).take() }
}

unsafe extern "C" fn parent() {
    if let Some(held) = take() {
        drop(held);
        gate::end_fork();
    }
}

unsafe extern "C" fn child() {
    let Some(mut held) = take() else { return };
    let whole = held.start.is_some()
        && held.gate.is_some()
        && held.kernels.is_some()
        && held.selection.is_some();
    Tool::become_child(whole);
    if let Some(selection) = &mut held.selection {
        selection.clear();
    }
    drop(held);
    gate::end_fork();
}
