//! Events and samples as they are kept in memory.

use super::depth::set_depths;
use super::names::Name;
use super::sort::sort_nearly_sorted;

/// An event of a track: 40 bytes, in the layout that C would give it, so that a foreign interface
/// can hand out a track's events without copying them.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'r> {
    /// Its row id in its table; a negative one as two's complement.
    pub id: u64,
    /// When it starts, in ns, as stored.
    pub start: u64,
    /// When it ends, in ns, as stored: it may lie before the start, or both may be 0.
    pub end: u64,
    /// What it is called; empty if the file does not tell.
    pub name: Name<'r>,
    /// Which table it comes from.
    pub kind: EventKind,
    /// How many events of its track, itself included, are active when it starts.
    pub depth: u32,
}

/// Which table an event of a track comes from.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A region; on a track of samples, a sample.
    Region = 0,
    /// A kernel dispatch.
    KernelDispatch = 1,
    /// A memory copy.
    MemoryCopy = 2,
    /// A memory allocation, release or the like.
    MemoryAllocate = 3,
}

/// A value of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// When, in ns; 0 if the file tells no time for it.
    pub timestamp: u64,
    /// The value; NaN where the file has NULL.
    pub value: f64,
}

/// A stretch of time, both ends included, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its first instant.
    pub start: u64,
    /// Its last instant.
    pub end: u64,
}

impl Window {
    /// All of time.
    pub const ALL: Self = Self {
        start: 0,
        end: u64::MAX,
    };

    /// Whether an interval shares an instant with the window; one that ends before its start is
    /// taken as its start alone.
    #[must_use]
    pub fn overlaps(self, start: u64, end: u64) -> bool {
        start <= self.end && start.max(end) >= self.start
    }
}

impl Event<'_> {
    /// How long it takes, in ns; 0 if it does not end after its start.
    #[must_use]
    pub fn duration(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// How many events share one entry of the index by end.
const BLOCK: usize = 64;

/// The events of one track, ordered by start, then from the latest end, then by kind and id.
#[derive(Debug)]
pub(crate) struct TrackEvents {
    pub(crate) events: Box<[Event<'static>]>,
    /// The latest end (or start, if that is later) in each block of events.
    latest: Box<[u64]>,
}

impl TrackEvents {
    pub(crate) fn new(mut events: Vec<Event<'static>>) -> Self {
        sort_nearly_sorted(&mut events, |a, b| {
            (a.start.cmp(&b.start))
                .then(b.end.cmp(&a.end))
                .then(a.kind.cmp(&b.kind))
                .then(a.id.cmp(&b.id))
        });
        set_depths(&mut events);
        let latest = events
            .chunks(BLOCK)
            .map(|block| block.iter().map(|e| e.start.max(e.end)).max().unwrap_or(0))
            .collect();
        Self {
            events: events.into(),
            latest,
        }
    }

    /// The events that overlap a window, in order.
    pub(crate) fn within(&self, window: Window) -> Vec<Event<'static>> {
        let until = self
            .events
            .partition_point(|event| event.start <= window.end);
        let mut found = Vec::new();
        for (block, &latest) in self.events[..until].chunks(BLOCK).zip(&self.latest) {
            if latest >= window.start {
                let overlapping = block.iter().filter(|e| e.start.max(e.end) >= window.start);
                found.extend(overlapping.copied());
            }
        }
        found
    }
}

/// The samples of a window; they are ordered by time.
pub(crate) fn samples_within(samples: &[Sample], window: Window) -> &[Sample] {
    let from = samples.partition_point(|sample| sample.timestamp < window.start);
    let until = samples.partition_point(|sample| sample.timestamp <= window.end);
    samples.get(from..until).unwrap_or(&[])
}
