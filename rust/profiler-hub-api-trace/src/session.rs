//! One recording: the lanes of a process's threads, and the writer that empties them.
//!
//! It begins with the first record and ends with the process. A forked child begins its own: its
//! parent's is left as it is, since no thread of the parent is in the child.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{Builder, Thread};
use std::time::{Duration, Instant};

use crate::lane::{Budget, Lane};
use crate::{report, thread, writer};

static CURRENT: AtomicPtr<Session> = AtomicPtr::new(ptr::null_mut());
/// Once the process is at its end, no session begins any more.
static OVER: AtomicBool = AtomicBool::new(false);
/// Who is in SQLite: nobody, the writer, or a fork that keeps the writer out.
static STORE: AtomicU8 = AtomicU8::new(FREE);

/// Threads that want to fork: the writer lets them.
static FORKS: AtomicU32 = AtomicU32::new(0);

const FREE: u8 = 0;
const WRITING: u8 = 1;
const FORKING: u8 = 2;

/// How long a fork waits for the writer to be out of SQLite.
const FORK_PATIENCE: Duration = Duration::from_secs(2);
/// How long the end of the process waits for a writer that makes no progress.
const END_PATIENCE: Duration = Duration::from_secs(10);

/// One recording.
#[derive(Debug)]
pub(crate) struct Session {
    lanes: Mutex<Vec<Arc<Lane>>>,
    next_lane: AtomicU32,
    budget: OnceLock<Arc<Budget>>,
    writer: OnceLock<Thread>,
    /// Nothing is to be recorded any more: the file cannot be written, or the end has come.
    pub(crate) closed: AtomicBool,
    /// The writer has come to its end.
    pub(crate) written: AtomicBool,
    /// Counts up while the writer makes progress.
    pub(crate) progress: AtomicU64,
    lost: AtomicU64,
}

/// The session to record to, which begins here if need be. `None`: nothing is recorded.
pub(crate) fn current() -> Option<&'static Session> {
    let current = CURRENT.load(Ordering::Acquire);
    // SAFETY: sessions are never freed.
    let session = match unsafe { current.as_ref() } {
        Some(session) => session,
        None => begin()?,
    };
    (!session.closed.load(Ordering::Relaxed)).then_some(session)
}

#[cold]
fn begin() -> Option<&'static Session> {
    if OVER.load(Ordering::Acquire) {
        return None;
    }
    // Before there is a session: a fork right after must know of it.
    static AT_FORK: AtomicBool = AtomicBool::new(false);
    if !AT_FORK.swap(true, Ordering::AcqRel) {
        // SAFETY: the handlers take and return nothing, and stay loaded.
        unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
    }
    let new = Box::into_raw(Box::new(Session {
        lanes: Mutex::default(),
        next_lane: AtomicU32::new(1),
        budget: OnceLock::new(),
        writer: OnceLock::new(),
        closed: AtomicBool::new(false),
        written: AtomicBool::new(false),
        progress: AtomicU64::new(0),
        lost: AtomicU64::new(0),
    }));
    let begun = CURRENT.compare_exchange(ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire);
    match begun {
        Ok(_) => {
            // SAFETY: just made, and never freed from now on.
            let session = unsafe { &*new };
            session.start();
            Some(session)
        }
        Err(other) => {
            // SAFETY: just made, and nobody has seen it.
            drop(unsafe { Box::from_raw(new) });
            // SAFETY: sessions are never freed.
            unsafe { other.as_ref() }
        }
    }
}

impl Session {
    /// Starts the writer.
    fn start(&'static self) {
        let started = without_signals(|| {
            Builder::new()
                .name("ph-api-trace".to_owned())
                .spawn(move || {
                    // A panic of ours is not the application's business.
                    if catch_unwind(AssertUnwindSafe(|| writer::run(self))).is_err() {
                        report::say("stopped recording: an error in the recorder, see above");
                    }
                    self.closed.store(true, Ordering::Release);
                    self.written.store(true, Ordering::Release);
                })
        });
        match started {
            Ok(handle) => {
                // Both are set once, here.
                let _ = self
                    .budget
                    .set(Arc::new(Budget::new(handle.thread().clone())));
                let _ = self.writer.set(handle.thread().clone());
            }
            Err(error) => {
                self.closed.store(true, Ordering::Release);
                self.written.store(true, Ordering::Release);
                report::say(&format!(
                    "cannot start a thread to write, nothing is recorded: {error}"
                ));
            }
        }
    }

    /// A lane for the calling thread.
    pub(crate) fn lane(&self) -> Option<Arc<Lane>> {
        // Another thread may be in `start` still.
        while self.budget.get().is_none() {
            if self.closed.load(Ordering::Acquire) {
                return None;
            }
            std::thread::yield_now();
        }
        // SAFETY: takes nothing, cannot fail.
        let tid = unsafe { libc::gettid() }.cast_unsigned();
        let number = self.next_lane.fetch_add(1, Ordering::Relaxed);
        let lane = Arc::new(Lane::new(tid, number, Arc::clone(self.budget.get()?)));
        self.lanes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Arc::clone(&lane));
        Some(lane)
    }

    /// The lanes that were made since this was asked last.
    pub(crate) fn new_lanes(&self) -> Vec<Arc<Lane>> {
        std::mem::take(&mut *self.lanes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A record of a thread that has no lane.
    pub(crate) fn lose(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// Records of threads that had no lane.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Runs what is in SQLite, in which a fork must not find it.
    pub(crate) fn storing<R>(&self, store: impl FnOnce() -> R) -> R {
        while FORKS.load(Ordering::Acquire) > 0 {
            std::thread::sleep(Duration::from_micros(50));
        }
        while STORE
            .compare_exchange(FREE, WRITING, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            std::thread::sleep(Duration::from_micros(50));
        }
        let result = store();
        STORE.store(FREE, Ordering::Release);
        result
    }

    /// Writes the rest and closes the file.
    fn end(&self) {
        self.closed.store(true, Ordering::Release);
        let Some(writer) = self.writer.get() else {
            return;
        };
        let mut progress = self.progress.load(Ordering::Relaxed);
        let mut since = Instant::now();
        writer.unpark();
        while !self.written.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_micros(200));
            let now = self.progress.load(Ordering::Relaxed);
            if now != progress {
                progress = now;
                since = Instant::now();
            } else if since.elapsed() > END_PATIENCE {
                report::say("gave up writing the rest: the file takes nothing");
                return;
            }
        }
    }
}

/// The end of the process: writes the rest, once. Calls after this are not recorded.
pub(crate) fn end() {
    OVER.store(true, Ordering::Release);
    let current = CURRENT.load(Ordering::Acquire);
    // SAFETY: sessions are never freed.
    if let Some(session) = unsafe { current.as_ref() } {
        session.end();
    }
}

/// Starts a thread that gets none of the application's signals.
fn without_signals<R>(start: impl FnOnce() -> R) -> R {
    // SAFETY: all zeroes are valid for the sets; the calls fill and read them.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let result = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        result
    }
}

thread_local! {
    /// Whether this thread keeps the writer out.
    static HOLDS: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the writer out of SQLite, so that the child finds its memory in order.
extern "C" fn before_fork() {
    FORKS.fetch_add(1, Ordering::AcqRel);
    let begun = Instant::now();
    while begun.elapsed() < FORK_PATIENCE {
        let taken = STORE.compare_exchange(FREE, FORKING, Ordering::Acquire, Ordering::Relaxed);
        if taken.is_ok() {
            HOLDS.set(true);
            break;
        }
        // The writer, or another thread that forks: both give it back.
        std::thread::sleep(Duration::from_micros(50));
    }
}

extern "C" fn in_parent() {
    if HOLDS.replace(false) {
        STORE.store(FREE, Ordering::Release);
    }
    FORKS.fetch_sub(1, Ordering::AcqRel);
}

extern "C" fn in_child() {
    thread::forget();
    // If the writer is in SQLite still, at a disk that takes nothing, the child must not go there.
    let in_order = HOLDS.replace(false);
    // The threads that wait to fork, and the writer, are the parent's.
    FORKS.store(0, Ordering::Release);
    STORE.store(FREE, Ordering::Release);
    CURRENT.store(ptr::null_mut(), Ordering::Release);
    if !in_order {
        OVER.store(true, Ordering::Release);
    }
}
