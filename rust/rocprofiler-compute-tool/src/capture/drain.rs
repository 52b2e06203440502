//! The writer thread: takes the buffers and stores them, a transaction each time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use super::buffer::Buffer;
use super::session::Session;
use super::tally::Reason;
use crate::log;
use crate::writers::{CountersWriter, OpenWriter, WriterError};

/// What is in the file is never older than this plus the time of a transaction.
const INTERVAL: Duration = Duration::from_millis(250);

/// Full buffers in a transaction.
const MOST_BUFFERS: usize = 64;

static GATE: Mutex<()> = Mutex::new(());
static FORKS_WAITING: AtomicU32 = AtomicU32::new(0);

/// Keeps the writer out of SQLite while the process forks: a lock of SQLite that the writer held
/// would stay locked in the child for ever.
pub mod gate {
    use super::{FORKS_WAITING, GATE, MutexGuard, Ordering, PoisonError};

    /// Asks the writer to make way.
    pub fn announce_fork() {
        FORKS_WAITING.fetch_add(1, Ordering::SeqCst);
    }

    /// The fork is over, also in the child.
    pub fn end_fork() {
        FORKS_WAITING.fetch_sub(1, Ordering::SeqCst);
    }

    /// Closes the gate if the writer is not inside.
    #[must_use]
    pub fn try_close() -> Option<MutexGuard<'static, ()>> {
        crate::fork::guard_of(GATE.try_lock())
    }

    /// Goes in, as the writer, for a short piece of work.
    pub(super) fn enter() -> MutexGuard<'static, ()> {
        // The mutex is not fair: a fork would wait for long while the writer comes and goes.
        for _ in 0..100 {
            if FORKS_WAITING.load(Ordering::SeqCst) == 0 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_micros(100));
        }
        GATE.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts the writer of a session.
pub(super) fn start(session: &'static Session, open: OpenWriter) -> std::io::Result<Thread> {
    let handle = without_signals(|| {
        std::thread::Builder::new()
            .name("rocprof-compute".to_owned())
            .spawn(move || {
                let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    Drain::new(session, open).run();
                }));
                if let Err(payload) = stopped {
                    // Dropping it could panic again.
                    std::mem::forget(payload);
                    session.set_broken();
                    log::say(format_args!(
                        "the writer has stopped, nothing more is stored"
                    ));
                }
                session.set_done();
            })
    })?;
    Ok(handle.thread().clone())
}

/// Runs `start` such that a thread it starts gets none of the application's signals: its handlers
/// run on its own threads, and a file size limit is an error for us and no SIGXFSZ.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let mut all = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are filled before they are read.
    let blocked = unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) == 0
    };
    let result = start();
    if blocked {
        // SAFETY: `before` was filled by the call above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    }
    result
}

struct Drain {
    session: &'static Session,
    /// `None` after a failure: what comes is thrown away, and counted.
    writer: Option<Box<dyn CountersWriter>>,
    /// Written since the last commit.
    uncommitted: (u64, u64),
    /// Swapped with the buffers of threads that are not full.
    spare: Buffer,
}

impl Drain {
    fn new(session: &'static Session, open: OpenWriter) -> Self {
        let _gate = gate::enter();
        let writer = open().map_err(|error| report(&error)).ok();
        if let Some(writer) = &writer {
            log::detail(format_args!("writing {}", writer.path().display()));
            let _ = session.path.set(writer.path().to_owned());
        }
        Self {
            session,
            writer,
            uncommitted: (0, 0),
            spare: Buffer::new(),
        }
    }

    fn run(&mut self) {
        loop {
            let finishing = self.session.is_finishing();
            self.store_full();
            self.store_partial(finishing);
            self.commit();
            // Nothing is passed on any more once the partial ones were taken at the end.
            if finishing && self.session.full.is_empty() {
                break;
            }
            if !self.session.is_busy() && !self.session.is_finishing() {
                std::thread::park_timeout(INTERVAL);
            }
        }
        let _gate = gate::enter();
        if let Some(writer) = self.writer.take()
            && let Err(error) = writer.finish()
        {
            report(&error);
        }
    }

    /// Stores buffers that threads have filled; not more than a transaction should have, or under a
    /// load that never ends nothing would ever be committed.
    fn store_full(&mut self) {
        for _ in 0..MOST_BUFFERS {
            let Some(mut buffer) = self.session.full.pop() else {
                break;
            };
            let bytes = buffer.bytes();
            self.store(&buffer);
            buffer.clear();
            // If there are more than the queue holds, some are dropped.
            let _ = self.session.empty.push(buffer);
            self.session
                .queued_bytes
                .fetch_sub(bytes, Ordering::Relaxed);
            self.session.stalled.store(false, Ordering::Relaxed);
        }
    }

    /// Stores what is in the buffers that are not full. At the end, `all` of them: a callback that
    /// is inside has come in time.
    fn store_partial(&mut self, all: bool) {
        let slots: Vec<_> = self.session.slots().all.iter().map(Arc::clone).collect();
        for slot in slots {
            {
                let mut state = if all {
                    slot.lock()
                } else {
                    match slot.try_lock() {
                        Some(state) => state,
                        None => continue,
                    }
                };
                if state.buffer.is_empty() {
                    continue;
                }
                std::mem::swap(&mut state.buffer, &mut self.spare);
            }
            let mut buffer = std::mem::replace(&mut self.spare, Buffer::none());
            self.store(&buffer);
            buffer.clear();
            self.spare = buffer;
        }
    }

    fn store(&mut self, buffer: &Buffer) {
        self.session.progress.fetch_add(1, Ordering::Relaxed);
        let (dispatches, values) = buffer.len();
        let Some(writer) = &mut self.writer else {
            self.session
                .tally
                .lost(Reason::NotWritten, (dispatches, values));
            return;
        };
        let gate = gate::enter();
        let result = buffer
            .iter()
            .try_for_each(|(dispatch, values)| writer.dispatch(dispatch, values));
        drop(gate);
        self.uncommitted = (self.uncommitted.0 + dispatches, self.uncommitted.1 + values);
        if let Err(error) = result {
            self.give_up(&error);
        }
    }

    fn commit(&mut self) {
        self.session.progress.fetch_add(1, Ordering::Relaxed);
        let Some(writer) = &mut self.writer else {
            return;
        };
        if self.uncommitted.0 == 0 {
            return;
        }
        let gate = gate::enter();
        let result = writer.commit();
        drop(gate);
        match result {
            Ok(()) => self
                .session
                .tally
                .stored(std::mem::take(&mut self.uncommitted)),
            Err(error) => self.give_up(&error),
        }
    }

    /// Says why, once. What was committed stays.
    fn give_up(&mut self, error: &WriterError) {
        report(error);
        self.session
            .tally
            .lost(Reason::NotWritten, std::mem::take(&mut self.uncommitted));
        let _gate = gate::enter();
        self.writer = None;
    }
}

fn report(error: &WriterError) {
    log::say(format_args!(
        "{error}; the application goes on, its counters are not stored any more"
    ));
}
