//! How busy tracks are over time: a window cut into buckets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use super::build::Share;
use super::chunks::Chunks;
use super::event::Window;
use super::lane::ByLane;
use super::load::Group;
use super::open::Reader;
use super::pool::lock;
use super::row::ScanRow;
use super::scan::{self, LaneColumns};
use super::sort::sort_nearly_sorted;
use super::track::{Track, TrackId, TrackKind};
use crate::{Error, Result};

/// A stretch of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Bucket {
    /// How many events are active in it, or values of counters lie in it; one that reaches over
    /// several buckets counts in each.
    pub events: u64,
    /// How long, in ns, at least one event of a track is active in it, added up over the tracks.
    pub busy: u64,
}

/// The most buckets that can be asked for.
const MOST_BUCKETS: usize = 1 << 24;

impl Reader {
    /// Cuts a window into `bucket_count` buckets of equal width (to the ns) and tells for each how
    /// many events of the tracks are active in it and for how long the tracks are busy.
    ///
    /// Tracks that are in memory are read there; the tables of the others are scanned once, and
    /// nothing of them is kept.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown track, no buckets or too many, or a window that ends
    /// before it starts; those of reading the file.
    pub fn intervals(
        &self,
        bucket_count: usize,
        window: Window,
        tracks: &[TrackId],
    ) -> Result<Vec<Bucket>> {
        if bucket_count == 0 || bucket_count > MOST_BUCKETS {
            let found = format!("{bucket_count} buckets; expected 1 to {MOST_BUCKETS}");
            return Err(Error::Argument { found });
        }
        if window.end < window.start {
            let found = format!("a window from {} to {}", window.start, window.end);
            return Err(Error::Argument { found });
        }
        let buckets = Buckets::new(bucket_count, window);
        let wanted: BTreeSet<TrackId> = tracks.iter().copied().collect();
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for &id in &wanted {
            let track = self.track(id)?;
            if self.is_loaded(track) {
                near.push(track)
            } else {
                far.push(track)
            }
        }
        let filled = Filling::new(&buckets);
        let watch = self.watch();
        self.pool.spread_in_memory(&near, &watch, |track| {
            filled.with(|filled| {
                let events = self.in_memory(track).unwrap_or(&[]);
                let times = events.iter().map(|event| (event.start, event.end));
                filled.fill(&buckets, times);
                for sample in self.samples_within(track.id, window)? {
                    filled.fill_point(&buckets, sample.timestamp);
                }
                Ok(())
            })
        })?;
        if !far.is_empty() {
            self.scan_intervals(&buckets, &far, &filled)?;
        }
        Ok(filled.finish())
    }

    /// The same for tracks that are not in memory.
    ///
    /// A range of rows counts its events, and joins them to the stretches in which a track is busy;
    /// those of all ranges are joined at the end.
    fn scan_intervals(
        &self,
        buckets: &Buckets,
        tracks: &[&Track],
        filled: &Filling<'_>,
    ) -> Result<()> {
        let watch = self.watch();
        let groups = self.groups_of(tracks);
        let holds = |Share { range, .. }: &&Share| {
            let mut groups = groups.iter().filter(|(guid, _)| *guid == range.guid);
            groups.any(|(_, group)| group.tables().contains(&range.what))
        };
        let shares: Vec<_> = self.shares.iter().filter(holds).collect();
        let wanted: BTreeSet<TrackId> = tracks.iter().map(|track| track.id).collect();
        let parts = self.pool.spread(&shares, &watch, |connection, share| {
            let range = &share.range;
            let mut lanes = ByLane::<Option<(TrackId, Vec<(u64, u64)>)>>::default();
            let mut streams = ByLane::<Option<(TrackId, Vec<(u64, u64)>)>>::default();
            let Some(table) = self.guids[range.guid].table(range.what.base) else {
                return Ok(Vec::new());
            };
            let columns = LaneColumns::new(range.what, &[]);
            for &(lane, count) in &share.lanes {
                let track = self.track_of(range.guid, lane);
                let track = track.filter(|track| wanted.contains(track));
                let lanes = match lane.kind {
                    TrackKind::Stream => &mut streams,
                    _ => &mut lanes,
                };
                *lanes.entry(lane) = track.map(|track| (track, Vec::with_capacity(count)));
            }
            let each = |row: &ScanRow<'_>| {
                let (start, end) = columns.times(row);
                let Some(stretch) = buckets.clip(start, end) else {
                    return;
                };
                let lane = columns.lane(row);
                if let Some((_, times)) = lanes.entry(lane) {
                    times.push(stretch);
                }
                if let Some(stream) = columns.stream(row, lane)
                    && let Some((_, times)) = streams.entry(stream)
                {
                    times.push(stretch);
                }
            };
            scan::read(
                &self.pool,
                connection,
                table,
                &columns.columns,
                range,
                &watch,
                each,
            )?;
            let lanes = lanes.lanes.into_iter().chain(streams.lanes);
            let busy = lanes.filter_map(|(_, found)| {
                let (track, mut times) = found?;
                sort_nearly_sorted(&mut times, Ord::cmp);
                Some((track, filled.with(|filled| filled.count(buckets, &times))))
            });
            Ok(busy.collect())
        })?;
        let mut by_track = BTreeMap::<TrackId, Stretches>::new();
        for (track, busy) in parts.into_iter().flatten() {
            by_track.entry(track).or_default().append(busy);
        }
        let by_track: Vec<_> = by_track.into_values().map(Mutex::new).collect();
        self.pool.spread_in_memory(&by_track, &watch, |busy| {
            let mut busy = std::mem::take(&mut *lock(busy)).into_vec();
            sort_nearly_sorted(&mut busy, Ord::cmp);
            filled.with(|filled| filled.cover(buckets, &busy));
            Ok(())
        })?;
        Ok(())
    }

    /// The groups of tables that hold these tracks.
    fn groups_of(&self, tracks: &[&Track]) -> BTreeSet<(usize, Group)> {
        let groups = tracks.iter();
        groups
            .filter_map(|track| Some((track.guid, Group::of(track.kind)?)))
            .collect()
    }
}

/// A window and how it is cut.
struct Buckets {
    window: Window,
    /// Where each bucket starts, and where the last one ends.
    edges: Vec<u64>,
}

impl Buckets {
    fn new(count: usize, window: Window) -> Self {
        let width = u128::from(window.end - window.start);
        let edges = (0..=count as u128).map(|i| {
            // Below the window's width, which has 64 bits.
            let offset = u64::try_from(width * i / count as u128).unwrap_or(u64::MAX);
            window.start.saturating_add(offset)
        });
        Self {
            window,
            edges: edges.collect(),
        }
    }

    fn count(&self) -> usize {
        self.edges.len() - 1
    }

    /// The part of an event in which it is active in the window, as its start and its end; the same
    /// instant twice for one that takes no time.
    fn clip(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let window = self.window;
        // An event is active until before its end.
        let is_over = end > start && end <= window.start;
        if is_over || !window.overlaps(start, end) {
            return None;
        }
        let from = start.max(window.start);
        Some((from, end.min(window.end).max(from)))
    }

    /// The bucket of an instant of the window, at or after bucket `from`, which starts no later.
    fn of(&self, instant: u64, from: usize) -> usize {
        let last = self.count() - 1;
        if from == last || instant < self.edges[from + 1] {
            return from;
        }
        let later = self.edges[from + 1..=last].partition_point(|&edge| edge <= instant);
        from + later
    }
}

/// Stretches of time of one track, as start and end.
type Stretches = Chunks<(u64, u64)>;

/// What threads fill: as many sets of buckets as are filled at once.
struct Filling<'b> {
    buckets: &'b Buckets,
    idle: Mutex<Vec<Filled>>,
}

impl<'b> Filling<'b> {
    fn new(buckets: &'b Buckets) -> Self {
        Self {
            buckets,
            idle: Mutex::default(),
        }
    }

    fn with<T>(&self, fill: impl FnOnce(&mut Filled) -> T) -> T {
        let idle = lock(&self.idle).pop();
        let mut filled = idle.unwrap_or_else(|| Filled::new(self.buckets));
        let result = fill(&mut filled);
        lock(&self.idle).push(filled);
        result
    }

    fn finish(self) -> Vec<Bucket> {
        let mut all = self
            .idle
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut total = all.pop().unwrap_or_else(|| Filled::new(self.buckets));
        for filled in &all {
            total.add(filled);
        }
        total.finish(self.buckets)
    }
}

/// Buckets being filled. What holds from one bucket to another is kept as its changes.
struct Filled {
    /// By how much the number of events changes from the bucket before.
    events: Vec<i64>,
    /// By how much the number of tracks changes that are busy all through the bucket.
    full: Vec<i64>,
    /// Busy time in buckets that are not filled whole.
    partial: Vec<u64>,
}

impl Filled {
    fn new(buckets: &Buckets) -> Self {
        let count = buckets.count();
        Self {
            events: vec![0; count + 1],
            full: vec![0; count + 1],
            partial: vec![0; count],
        }
    }

    /// Adds the events of one track, ordered by start.
    fn fill(&mut self, buckets: &Buckets, times: impl Iterator<Item = (u64, u64)>) {
        let mut at = 0;
        let mut covered = buckets.window.start;
        for (start, end) in times {
            if start > buckets.window.end {
                break;
            }
            let Some((from, to)) = buckets.clip(start, end) else {
                continue;
            };
            let last;
            (at, last) = self.event(buckets, from, to, at);
            self.busy(buckets, from.max(covered), to, at, last);
            covered = covered.max(to);
        }
    }

    /// Counts events of one track, ordered by start, and gives the stretches in which it is busy with them.
    fn count(&mut self, buckets: &Buckets, events: &[(u64, u64)]) -> Stretches {
        let mut at = 0;
        let mut busy = Stretches::default();
        let mut open: Option<(u64, u64)> = None;
        for &(from, to) in events {
            (at, _) = self.event(buckets, from, to, at);
            match &mut open {
                Some((_, until)) if from <= *until => *until = to.max(*until),
                _ => {
                    if let Some(stretch) = open.replace((from, to)) {
                        busy.push(stretch);
                    }
                }
            }
        }
        if let Some(stretch) = open {
            busy.push(stretch);
        }
        busy
    }

    /// Adds the stretches in which one track is busy, ordered by start.
    fn cover(&mut self, buckets: &Buckets, stretches: &[(u64, u64)]) {
        let mut at = 0;
        let mut covered = buckets.window.start;
        for &(from, to) in stretches {
            let from = from.max(covered);
            if to > from {
                at = buckets.of(from, at);
                self.busy(buckets, from, to, at, buckets.of(to - 1, at));
                covered = to;
            }
        }
    }

    /// Counts an event, which starts no earlier than bucket `at`; gives its first and last bucket.
    fn event(&mut self, buckets: &Buckets, from: u64, to: u64, at: usize) -> (usize, usize) {
        let first = buckets.of(from, at);
        let last = match to > from {
            true => buckets.of(to - 1, first),
            false => first,
        };
        self.events[first] += 1;
        self.events[last + 1] -= 1;
        (first, last)
    }

    /// Adds an instant that takes no time.
    fn fill_point(&mut self, buckets: &Buckets, instant: u64) {
        let bucket = buckets.of(instant, 0);
        self.events[bucket] += 1;
        self.events[bucket + 1] -= 1;
    }

    /// Adds busy time from `from` until before `to`, which lies in bucket `last`.
    fn busy(&mut self, buckets: &Buckets, from: u64, to: u64, at: usize, last: usize) {
        if to <= from {
            return;
        }
        let first = buckets.of(from, at);
        if first == last {
            self.partial[first] += to - from;
            return;
        }
        self.partial[first] += buckets.edges[first + 1] - from;
        self.partial[last] += to - buckets.edges[last];
        self.full[first + 1] += 1;
        self.full[last] -= 1;
    }

    fn add(&mut self, other: &Self) {
        for (mine, more) in self.events.iter_mut().zip(&other.events) {
            *mine += more;
        }
        for (mine, more) in self.full.iter_mut().zip(&other.full) {
            *mine += more;
        }
        for (mine, more) in self.partial.iter_mut().zip(&other.partial) {
            *mine = mine.saturating_add(*more);
        }
    }

    fn finish(self, buckets: &Buckets) -> Vec<Bucket> {
        let (mut events, mut full) = (0_i64, 0_i64);
        let mut list = Vec::with_capacity(buckets.count());
        for (i, partial) in self.partial.iter().enumerate() {
            events += self.events[i];
            full += self.full[i];
            let width = buckets.edges[i + 1] - buckets.edges[i];
            list.push(Bucket {
                events: events.unsigned_abs(),
                busy: width
                    .saturating_mul(full.unsigned_abs())
                    .saturating_add(*partial),
            });
        }
        list
    }
}
