//! The capture of one process: from its first record to its end. A forked child has another one.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::Duration;

use crossbeam_queue::ArrayQueue;
use rocprofiler_sdk_sys::rocprofiler_counter_record_t;

use super::buffer::{Buffer, Dispatch, Value};
use super::drain;
use super::sequence::{Resolve, Sequences, Token};
use super::slot::{NoSlot, Slot, Slots, State, with_slot};
use super::tally::{Reason, Tally};
use crate::writers::OpenWriter;

/// Bytes of full buffers that may wait for the writer.
const MOST_QUEUED_BYTES: usize = 32 << 20;
/// Full buffers that may wait for the writer.
const MOST_QUEUED: usize = 2048;
/// So many full buffers wake the writer before its time.
const WAKE_AT: usize = 32;
/// How long a callback waits for the disk, in steps of a millisecond.
const WAIT_STEPS: u32 = 100;

const RUNNING: u8 = 0;
const FINISHING: u8 = 1;
/// The writer is gone: nothing is stored any more.
const BROKEN: u8 = 2;

/// See the [module](super).
#[derive(Debug)]
pub struct Session {
    pid: u32,
    phase: AtomicU8,
    slots: Mutex<Slots>,
    /// For threads whose own slot is gone already.
    last_resort: Arc<Slot>,
    sequences: Sequences,
    pub(super) full: ArrayQueue<Buffer>,
    pub(super) empty: ArrayQueue<Buffer>,
    pub(super) queued_bytes: AtomicUsize,
    /// The disk was waited for in vain; nobody waits again before it has taken something.
    pub(super) stalled: AtomicBool,
    pub(super) tally: Tally,
    /// Counts what the writer has done.
    pub(super) progress: AtomicU64,
    writer: OnceLock<Thread>,
    pub(super) path: OnceLock<PathBuf>,
    done: Mutex<bool>,
    done_changed: Condvar,
}

/// How a capture ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Dispatches and values in the file.
    pub stored: (u64, u64),
    /// What is not in the file, in words.
    pub lost: String,
    /// Whether the writer came to its end.
    pub complete: bool,
}

impl Session {
    /// Begins a capture with a writer thread of its own. The session stays for good: callbacks may
    /// come at any time.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn begin(open: OpenWriter) -> std::io::Result<&'static Self> {
        let session: &'static Self = Box::leak(Box::new(Self {
            pid: std::process::id(),
            phase: AtomicU8::new(RUNNING),
            slots: Mutex::default(),
            last_resort: Arc::default(),
            sequences: Sequences::default(),
            full: ArrayQueue::new(MOST_QUEUED),
            empty: ArrayQueue::new(MOST_QUEUED),
            queued_bytes: AtomicUsize::new(0),
            stalled: AtomicBool::new(false),
            tally: Tally::new(),
            progress: AtomicU64::new(0),
            writer: OnceLock::new(),
            path: OnceLock::new(),
            done: Mutex::new(false),
            done_changed: Condvar::new(),
        }));
        session.slots().all.push(Arc::clone(&session.last_resort));
        let writer = drain::start(session, open)?;
        let _ = session.writer.set(writer);
        Ok(session)
    }

    /// Appends the values of a dispatch. From any thread, many at once; never fails, may wait for
    /// the disk for a tenth of a second.
    pub fn append(
        &'static self,
        dispatch: Dispatch,
        token: Token,
        records: &[rocprofiler_counter_record_t],
        resolver: &dyn Resolve,
    ) {
        let append = |slot: &Slot| self.append_to(slot, dispatch, token, records, resolver);
        let result = match with_slot(self, append) {
            Ok(result) => result,
            Err(NoSlot::Ending) => append(&self.last_resort),
            Err(NoSlot::Reentered) => Err(Reason::UnknownCounter),
        };
        if let Err(reason) = result {
            self.tally.lost(reason, (1, records.len() as u64));
        }
    }

    fn append_to(
        &self,
        slot: &Slot,
        dispatch: Dispatch,
        token: Token,
        records: &[rocprofiler_counter_record_t],
        resolver: &dyn Resolve,
    ) -> Result<(), Reason> {
        let mut found = None;
        loop {
            let mut state = slot.lock();
            // Under the lock: whoever ends the session takes it afterwards, and finds all of this.
            match self.phase.load(Ordering::Acquire) {
                RUNNING => {}
                BROKEN => return Err(Reason::NotWritten),
                _ => return Err(Reason::TooLate),
            }
            let State { buffer, sequences } = &mut *state;
            let known = sequences
                .get(token)
                .and_then(Option::as_ref)
                .or(found.as_ref());
            let Some(sequence) = known.filter(|known| known.matches(records)) else {
                drop(state);
                // The SDK may be asked: without a lock of ours.
                let sequence = self
                    .sequences
                    .find(token, dispatch.agent, records, resolver);
                let sequence = sequence.ok_or(Reason::UnknownCounter)?;
                slot.lock().set_sequence(token, Arc::clone(&sequence));
                found = Some(sequence);
                continue;
            };
            if buffer.has_room(records.len()) {
                let values = sequence.counters().zip(records);
                let value = |(counter, record): (_, &rocprofiler_counter_record_t)| Value {
                    counter,
                    value: record.counter_value,
                };
                buffer.push(dispatch, values.map(value));
                return Ok(());
            }
            if self.pass_on(buffer) {
                continue;
            }
            drop(state);
            if !self.wait_for_the_disk() {
                return Err(Reason::DiskTooSlow);
            }
        }
    }

    /// Puts a full buffer into the queue and an empty one in its place. Not if too much waits.
    fn pass_on(&self, buffer: &mut Buffer) -> bool {
        let bytes = buffer.bytes();
        // First, so that the writer never takes off what was not put on.
        let waiting = self.queued_bytes.fetch_add(bytes, Ordering::Relaxed);
        if waiting + bytes <= MOST_QUEUED_BYTES {
            let empty = self.empty.pop().unwrap_or_default();
            let full = std::mem::replace(buffer, empty);
            match self.full.push(full) {
                Ok(()) => {
                    if self.is_busy() {
                        self.wake();
                    }
                    return true;
                }
                Err(full) => {
                    let empty = std::mem::replace(buffer, full);
                    // If there are more than the queue holds, some are dropped.
                    let _ = self.empty.push(empty);
                }
            }
        }
        self.queued_bytes.fetch_sub(bytes, Ordering::Relaxed);
        false
    }

    /// Waits until there is room in the queue; `false`: there is none, and nobody should wait.
    fn wait_for_the_disk(&self) -> bool {
        // A child past the fork handlers has this session's memory and no writer.
        if self.stalled.load(Ordering::Relaxed) || !self.is_of_this_process() {
            return false;
        }
        for _ in 0..WAIT_STEPS {
            self.wake();
            std::thread::sleep(Duration::from_millis(1));
            if self.queued_bytes.load(Ordering::Relaxed) < MOST_QUEUED_BYTES / 8 * 7 {
                return true;
            }
        }
        self.stalled.store(true, Ordering::Relaxed);
        false
    }

    fn wake(&self) {
        if let Some(writer) = self.writer.get() {
            writer.unpark();
        }
    }

    /// Whether more waits for the writer than it should leave until its time has come.
    pub(super) fn is_busy(&self) -> bool {
        self.full.len() >= WAKE_AT
    }

    /// Whether [`Session::finish`] was called.
    pub(super) fn is_finishing(&self) -> bool {
        self.phase.load(Ordering::Acquire) == FINISHING
    }

    pub(crate) fn is_of_this_process(&self) -> bool {
        self.pid == std::process::id()
    }

    pub(super) fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The writer says that it has stopped before its time.
    pub(super) fn set_broken(&self) {
        // Where the end has begun, it stays the end.
        let _ = self
            .phase
            .compare_exchange(RUNNING, BROKEN, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// The writer says that it has come to its end.
    pub(super) fn set_done(&self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done_changed.notify_all();
    }

    /// The file, once the writer has made it.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.get().map(PathBuf::as_path)
    }

    /// Dispatches that came after the end so far.
    #[must_use]
    pub fn too_late(&self) -> u64 {
        self.tally.lost_so_far(Reason::TooLate).0
    }

    /// Ends the capture: what was appended before is stored, what comes after is counted. Waits for
    /// the writer as long as it gets on, and `patience` where it does not. Once; a second call gives
    /// `None`.
    pub fn finish(&self, patience: Duration) -> Option<Summary> {
        if self.phase.swap(FINISHING, Ordering::AcqRel) == FINISHING {
            return None;
        }
        self.wake();
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let mut progress = self.progress.load(Ordering::Relaxed);
        while !*done {
            let (guard, timeout) = self
                .done_changed
                .wait_timeout(done, patience)
                .unwrap_or_else(PoisonError::into_inner);
            done = guard;
            let now = self.progress.load(Ordering::Relaxed);
            if timeout.timed_out() && now == progress {
                break;
            }
            progress = now;
        }
        Some(Summary {
            stored: self.tally.stored_so_far(),
            lost: self.tally.lost_in_words(),
            complete: *done,
        })
    }
}
