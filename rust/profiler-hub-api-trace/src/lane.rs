//! A queue from one thread to the writer: chunks of memory in a list, without a lock.
//!
//! The thread writes words behind those it has published and then publishes them; when a chunk is
//! full it hangs the next one on it. The writer reads what is published and frees chunks that it has
//! read to the end. Neither ever waits for the other, except where the [`Budget`] of all lanes is
//! spent.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use crossbeam_queue::ArrayQueue;

use crate::functions::FUNCTIONS;
use crate::record::{HEADER, Record};

/// Bytes in a word.
const WORD: usize = size_of::<u64>();
/// Words in a chunk: 32 KiB, some 680 calls.
const CHUNK: usize = 4096;
/// Bytes that may wait for the writer, of all lanes together; each lane's first chunk is apart.
const BUDGET: usize = 64 * 1024 * 1024;
/// Chunks that are kept for reuse.
const KEPT: usize = 256;
/// How long a thread waits for a writer that makes no progress before it drops records.
const PATIENCE: Duration = Duration::from_secs(1);

struct Chunk {
    words: Box<[UnsafeCell<u64>]>,
    /// Words that the reader may read.
    published: AtomicUsize,
    next: AtomicPtr<Chunk>,
}

impl Chunk {
    fn new(words: usize) -> Box<Self> {
        Box::new(Self {
            words: (0..words).map(|_| UnsafeCell::new(0)).collect(),
            published: AtomicUsize::new(0),
            next: AtomicPtr::new(std::ptr::null_mut()),
        })
    }
}

/// Memory of all lanes of a session.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: AtomicUsize,
    kept: ArrayQueue<Box<Chunk>>,
    /// Counts up with each chunk that the writer has read to its end.
    progress: AtomicU64,
    writer: Thread,
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunk({} words)", self.words.len())
    }
}

// SAFETY: words are written by the lane's thread before it publishes them, and only read after.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

impl Budget {
    /// Nothing spent. `writer` is woken when there is something to read.
    #[must_use]
    pub(crate) fn new(writer: Thread) -> Self {
        Self {
            bytes: AtomicUsize::new(0),
            kept: ArrayQueue::new(KEPT),
            progress: AtomicU64::new(0),
            writer,
        }
    }

    /// A chunk with room for so many words; `None` if the budget is spent.
    fn chunk(&self, words: usize) -> Option<Box<Chunk>> {
        if words <= CHUNK
            && let Some(chunk) = self.kept.pop()
        {
            return Some(chunk);
        }
        let words = words.max(CHUNK);
        let bytes = words * WORD;
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > BUDGET {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            return None;
        }
        Some(Chunk::new(words))
    }

    /// The chunk that a lane begins with, however many lanes there are.
    fn first_chunk(&self) -> Box<Chunk> {
        match self.kept.pop() {
            Some(chunk) => {
                self.bytes.fetch_sub(CHUNK * WORD, Ordering::Relaxed);
                chunk
            }
            None => Chunk::new(CHUNK),
        }
    }

    fn give_back(&self, chunk: Box<Chunk>) {
        self.progress.fetch_add(1, Ordering::Relaxed);
        let bytes = chunk.words.len() * WORD;
        if chunk.words.len() == CHUNK {
            chunk.published.store(0, Ordering::Relaxed);
            chunk.next.store(std::ptr::null_mut(), Ordering::Relaxed);
            if self.kept.push(chunk).is_ok() {
                return;
            }
        }
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The queue of one thread.
#[derive(Debug)]
pub(crate) struct Lane {
    /// The OS thread id.
    pub tid: u32,
    /// The lane's number in its session, from 1.
    pub number: u32,
    budget: Arc<Budget>,
    producer: UnsafeCell<Producer>,
    consumer: UnsafeCell<Consumer>,
    ended: AtomicBool,
    lost: AtomicU64,
    counts: Box<[AtomicU64]>,
}

#[derive(Debug)]
struct Producer {
    chunk: *mut Chunk,
    used: usize,
    /// The writer made no progress for a while: drop without waiting until it does.
    stalled: bool,
}

#[derive(Debug)]
struct Consumer {
    chunk: *mut Chunk,
    read: usize,
}

// SAFETY: the producer's part is used by the lane's thread alone, the consumer's by the writer
// alone, as `push` and `drain` ask for; the rest is atomic.
unsafe impl Send for Lane {}
// SAFETY: as above.
unsafe impl Sync for Lane {}

impl Lane {
    /// A lane with its first chunk.
    #[must_use]
    pub(crate) fn new(tid: u32, number: u32, budget: Arc<Budget>) -> Self {
        let chunk = Box::into_raw(budget.first_chunk());
        Self {
            tid,
            number,
            budget,
            producer: UnsafeCell::new(Producer {
                chunk,
                used: 0,
                stalled: false,
            }),
            consumer: UnsafeCell::new(Consumer { chunk, read: 0 }),
            ended: AtomicBool::new(false),
            lost: AtomicU64::new(0),
            counts: (0..FUNCTIONS.len()).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Appends a record, and counts its call.
    ///
    /// # Safety
    /// On the lane's thread only.
    #[inline]
    pub(crate) unsafe fn push(&self, record: &Record, message: &[u8]) {
        let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
        let message = &message[..usize::try_from(length).unwrap_or(0)];
        let words = HEADER + message.len().div_ceil(WORD);
        // SAFETY: this thread's own, by the caller's promise.
        let producer = unsafe { &mut *self.producer.get() };
        // SAFETY: the producer's chunk is freed by nobody before the next one hangs on it.
        let mut chunk = unsafe { &*producer.chunk };
        if chunk.words.len() - producer.used < words {
            if !self.turn(producer, words) {
                self.lose();
                return;
            }
            // SAFETY: as above.
            chunk = unsafe { &*producer.chunk };
        }
        let target = chunk.words[producer.used..]
            .as_ptr()
            .cast::<u64>()
            .cast_mut();
        // SAFETY: `words` words from `used` on are within the chunk, and not published.
        unsafe {
            target.cast::<[u64; HEADER]>().write(record.encode(length));
            std::ptr::copy_nonoverlapping(
                message.as_ptr(),
                target.add(HEADER).cast::<u8>(),
                message.len(),
            );
        }
        producer.used += words;
        chunk.published.store(producer.used, Ordering::Release);
    }

    /// Counts a call.
    ///
    /// # Safety
    /// On the lane's thread only.
    #[inline]
    pub(crate) unsafe fn count(&self, function: u16) {
        // Nobody else writes it, so that it needs no locked instruction.
        if let Some(count) = self.counts.get(usize::from(function)) {
            count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        }
    }

    /// Hangs a new chunk on the full one; waits for the writer if need be.
    #[cold]
    fn turn(&self, producer: &mut Producer, words: usize) -> bool {
        let mut next = self.budget.chunk(words);
        if next.is_none() && !producer.stalled {
            let mut progress = self.budget.progress.load(Ordering::Relaxed);
            let mut since = Instant::now();
            while next.is_none() && since.elapsed() < PATIENCE {
                self.budget.writer.unpark();
                std::thread::sleep(Duration::from_micros(100));
                next = self.budget.chunk(words);
                let now = self.budget.progress.load(Ordering::Relaxed);
                if now != progress {
                    progress = now;
                    since = Instant::now();
                }
            }
        }
        producer.stalled = next.is_none();
        let Some(next) = next else { return false };
        let next = Box::into_raw(next);
        // SAFETY: as in `push`. The reader may free the old chunk from here on.
        unsafe { (*producer.chunk).next.store(next, Ordering::Release) };
        producer.chunk = next;
        producer.used = 0;
        self.budget.writer.unpark();
        true
    }

    #[cold]
    fn lose(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// The thread will push no more.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Release);
        self.budget.writer.unpark();
    }

    /// Whether the thread pushes no more. If so before a [`Lane::drain`], that is the last one.
    #[must_use]
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Records that were dropped.
    #[must_use]
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Calls of each function, by their index.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
    }

    /// Reads at most `limit` records that are published; how many there were.
    ///
    /// # Safety
    /// On one thread at a time.
    pub(crate) unsafe fn drain(&self, limit: usize, mut each: impl FnMut(&Record, &[u8])) -> usize {
        // SAFETY: the reader's own, by the caller's promise.
        let consumer = unsafe { &mut *self.consumer.get() };
        let mut count = 0;
        while count < limit {
            // SAFETY: the reader's chunk is freed by nobody but the reader.
            let chunk = unsafe { &*consumer.chunk };
            // In this order: what is published before the next chunk hangs is all there will be.
            let next = chunk.next.load(Ordering::Acquire);
            let published = chunk.published.load(Ordering::Acquire);
            while consumer.read < published && count < limit {
                let source = chunk.words[consumer.read..].as_ptr().cast::<u64>();
                // SAFETY: published words of this chunk are written and written no more; a record
                // is published whole.
                let (record, message) = unsafe {
                    let (record, length) = Record::decode(source.cast::<[u64; HEADER]>().read());
                    let message = source.add(HEADER).cast::<u8>();
                    (record, std::slice::from_raw_parts(message, length))
                };
                each(&record, message);
                consumer.read += HEADER + message.len().div_ceil(WORD);
                count += 1;
            }
            if consumer.read < published || next.is_null() {
                break;
            }
            // SAFETY: read to the end, and the thread has gone on to the next one.
            let read = unsafe { Box::from_raw(consumer.chunk) };
            consumer.chunk = next;
            consumer.read = 0;
            self.budget.give_back(read);
        }
        count
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let mut chunk = self.consumer.get_mut().chunk;
        // The first chunk was apart; what is given back counts.
        self.budget.bytes.fetch_add(CHUNK * WORD, Ordering::Relaxed);
        while !chunk.is_null() {
            // SAFETY: nobody else has the lane; each chunk of the list is owned by it.
            let owned = unsafe { Box::from_raw(chunk) };
            chunk = owned.next.load(Ordering::Relaxed);
            self.budget.give_back(owned);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Kind;

    fn record(number: u64) -> Record {
        Record {
            kind: Kind::Call,
            function: 1,
            instance: 0,
            stack_id: number,
            parent_stack_id: 0,
            start: number * 3,
            end: number * 5,
            range: 0,
        }
    }

    fn message(number: u64) -> Vec<u8> {
        // Of all lengths around a word, sometimes longer than a chunk.
        let length = if number.is_multiple_of(1001) {
            40_000
        } else {
            number % 19
        };
        (0..length)
            .map(|index| ((number + index) % 251).to_le_bytes()[0])
            .collect()
    }

    #[test]
    fn what_a_thread_pushes_is_drained_in_order_while_it_pushes() {
        const COUNT: u64 = if cfg!(miri) { 300 } else { 300_000 };
        let budget = Arc::new(Budget::new(std::thread::current()));
        let lane = Arc::new(Lane::new(7, 1, Arc::clone(&budget)));
        let producer = std::thread::spawn({
            let lane = Arc::clone(&lane);
            move || {
                for number in 0..COUNT {
                    // SAFETY: the only thread that pushes.
                    unsafe {
                        lane.count(1);
                        lane.push(&record(number), &message(number));
                    }
                }
                lane.end();
            }
        });
        let mut expected = 0;
        loop {
            let last = lane.has_ended();
            // SAFETY: the only thread that drains.
            let drained = unsafe {
                lane.drain(1000, |got, text| {
                    assert_eq!((*got, text), (record(expected), &*message(expected)));
                    expected += 1;
                })
            };
            if last && drained == 0 {
                break;
            }
        }
        producer.join().unwrap();
        assert_eq!((expected, lane.lost()), (COUNT, 0));
        assert_eq!(lane.counts().nth(1), Some(COUNT));
        drop(lane);
        let kept = budget.kept.len() * CHUNK * WORD;
        assert_eq!(
            budget.bytes.load(Ordering::Relaxed),
            kept,
            "all memory is accounted for"
        );
    }

    #[test]
    fn thousands_of_threads_that_record_little_do_not_spend_the_budget() {
        let budget = Arc::new(Budget::new(std::thread::current()));
        let lanes: Vec<Lane> = (1..=3000)
            .map(|number| Lane::new(7, number, Arc::clone(&budget)))
            .collect();
        for lane in &lanes {
            // SAFETY: the only thread that pushes.
            unsafe { lane.push(&record(1), b"") };
            assert_eq!(lane.lost(), 0);
        }
        assert_eq!(budget.bytes.load(Ordering::Relaxed), 0);
        drop(lanes);
        let kept = budget.kept.len() * CHUNK * WORD;
        assert_eq!(budget.bytes.load(Ordering::Relaxed), kept);
    }

    #[test]
    fn a_spent_budget_drops_and_counts_and_recovers() {
        let budget = Arc::new(Budget::new(std::thread::current()));
        let lane = Lane::new(7, 1, Arc::clone(&budget));
        let most = u64::try_from(BUDGET / (HEADER * WORD)).unwrap() + 1000;
        let push = |number: u64| {
            // SAFETY: the only thread that pushes.
            unsafe { lane.push(&record(number), b"") };
        };
        (0..most + 10).for_each(push);
        let lost = lane.lost();
        assert!(lost > 0, "the budget is too large");
        push(0);
        assert_eq!(lane.lost(), lost + 1, "without waiting again");
        let mut count = 0;
        // SAFETY: the only thread that drains.
        unsafe { lane.drain(usize::MAX, |_, _| count += 1) };
        assert_eq!(count + lost, most + 10);
        push(1);
        assert_eq!(lane.lost(), lost + 1);
    }
}
