//! How busy tracks are over time: a window cut into buckets.

use std::collections::BTreeSet;

use super::event::Window;
use super::lane::{ByLane, Lane};
use super::load::Group;
use super::open::Reader;
use super::row::ScanRow;
use super::scan::{self, LaneColumns};
use super::sort::sort_nearly_sorted;
use super::track::{Track, TrackId};
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
        let mut total = Filled::new(&buckets);
        let watch = self.watch();
        let filled = self.pool.spread_in_memory(&near, &watch, |track| {
            let mut filled = Filled::new(&buckets);
            let events = self.in_memory(track).unwrap_or(&[]);
            filled.fill(
                &buckets,
                events.iter().map(|event| (event.start, event.end)),
            );
            for sample in self.samples_within(track.id, window)? {
                filled.fill_point(&buckets, sample.timestamp);
            }
            Ok(filled)
        })?;
        for filled in filled {
            total.add(&filled);
        }
        if !far.is_empty() {
            total.add(&self.scan_intervals(&buckets, &far)?);
        }
        Ok(total.finish(&buckets))
    }

    /// The same for tracks that are not in memory.
    fn scan_intervals(&self, buckets: &Buckets, tracks: &[&Track]) -> Result<Filled> {
        let watch = self.watch();
        let mut ranges = Vec::new();
        for (guid, group) in self.groups_of(tracks) {
            for &laned in group.tables() {
                if let Some(table) = self.guids[guid].table(laned.base) {
                    ranges.extend(scan::ranges(&self.pool, guid, table, laned)?);
                }
            }
        }
        let wanted: BTreeSet<TrackId> = tracks.iter().map(|track| track.id).collect();
        let parts = self.pool.spread(&ranges, &watch, |connection, range| {
            let mut lanes = ByLane::<Option<Vec<(u64, u64)>>>::default();
            let mut streams = ByLane::<Option<Vec<(u64, u64)>>>::default();
            let Some(table) = self.guids[range.guid].table(range.what.base) else {
                return Ok((range.guid, lanes.lanes));
            };
            let columns = LaneColumns::new(range.what, &[]);
            let is_wanted = |lane: Lane| {
                let track = self.track_of(range.guid, lane);
                track
                    .filter(|track| wanted.contains(track))
                    .map(|_| Vec::new())
            };
            let each = |row: &ScanRow<'_>| {
                let (start, end) = columns.times(row);
                if !buckets.window.overlaps(start, end) {
                    return;
                }
                let lane = columns.lane(row);
                if let Some(times) = lanes.entry_with(lane, || is_wanted(lane)) {
                    times.push((start, end));
                }
                if let Some(stream) = columns.stream(row, lane)
                    && let Some(times) = streams.entry_with(stream, || is_wanted(stream))
                {
                    times.push((start, end));
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
            lanes.lanes.append(&mut streams.lanes);
            Ok((range.guid, lanes.lanes))
        })?;
        let mut by_track = std::collections::BTreeMap::<TrackId, Vec<(u64, u64)>>::new();
        for (guid, lanes) in parts {
            for (lane, times) in lanes {
                if let Some((track, mut times)) = self.track_of(guid, lane).zip(times) {
                    by_track.entry(track).or_default().append(&mut times);
                }
            }
        }
        let by_track: Vec<_> = by_track.into_values().map(std::sync::Mutex::new).collect();
        let filled = self.pool.spread_in_memory(&by_track, &watch, |times| {
            let mut times = super::pool::lock(times);
            sort_nearly_sorted(&mut times, Ord::cmp);
            let mut filled = Filled::new(buckets);
            filled.fill(buckets, times.iter().copied());
            Ok(filled)
        })?;
        let mut total = Filled::new(buckets);
        for filled in filled {
            total.add(&filled);
        }
        Ok(total)
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
        let window = buckets.window;
        let mut at = 0;
        let mut covered = window.start;
        for (start, end) in times {
            if start > window.end {
                break;
            }
            // An event is active until before its end.
            let is_over = end > start && end <= window.start;
            if is_over || !window.overlaps(start, end) {
                continue;
            }
            let from = start.max(window.start);
            let to = end.min(window.end);
            at = buckets.of(from, at);
            let last = if to > from {
                buckets.of(to - 1, at)
            } else {
                at
            };
            self.events[at] += 1;
            self.events[last + 1] -= 1;
            let from = from.max(covered);
            if to > from {
                covered = to;
                self.busy(buckets, from, to, at, last);
            }
        }
    }

    /// Adds an instant that takes no time.
    fn fill_point(&mut self, buckets: &Buckets, instant: u64) {
        let bucket = buckets.of(instant, 0);
        self.events[bucket] += 1;
        self.events[bucket + 1] -= 1;
    }

    /// Adds busy time from `from` until before `to`, which lies in bucket `last`.
    fn busy(&mut self, buckets: &Buckets, from: u64, to: u64, at: usize, last: usize) {
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
