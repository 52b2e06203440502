//! Finding the tracks of a file: one scan over the event tables, which keeps nothing but the counts.

use rusqlite::Row;
use rustc_hash::FxHashMap;

use super::cell;
use super::counters::{Needed, Times as EventTimes};
use super::depth::Times;
use super::info::GuidIndex;
use super::lane::{LANED, Lane, Laned};
use super::options::Stage;
use super::pool::{Pool, Watch};
use super::scan::{self, LaneColumns, Range};
use super::track::{Span, Summary, is_odd};
use crate::{GuidTables, Result};

/// What the scan keeps of a lane until the depth is known.
#[derive(Default)]
struct Gathered {
    count: u64,
    odd_times: u64,
    span: Span,
    times: Times,
}

impl Gathered {
    fn add(&mut self, start: u64, end: u64) {
        self.count += 1;
        self.odd_times += u64::from(is_odd(start, end));
        self.span.add(start, end);
        self.times.add(start, end);
    }

    fn append(&mut self, mut other: Self) {
        self.count += other.count;
        self.odd_times += other.odd_times;
        self.span.merge(other.span);
        self.times.append(&mut other.times);
    }
}

/// The lanes of one range. Neighbouring rows are mostly of one lane, so the last is remembered.
#[derive(Default)]
pub(crate) struct ByLane<T> {
    places: FxHashMap<Lane, usize>,
    pub(crate) lanes: Vec<(Lane, T)>,
    last: usize,
}

impl<T: Default> ByLane<T> {
    pub(crate) fn entry(&mut self, lane: Lane) -> &mut T {
        self.entry_with(lane, T::default)
    }
}

impl<T> ByLane<T> {
    pub(crate) fn entry_with(&mut self, lane: Lane, begin: impl FnOnce() -> T) -> &mut T {
        let last = self.lanes.get(self.last);
        if last.is_none_or(|(last, _)| *last != lane) {
            self.last = *self.places.entry(lane).or_insert_with(|| {
                self.lanes.push((lane, begin()));
                self.lanes.len() - 1
            });
        }
        &mut self.lanes[self.last].1
    }
}

/// What one range gives.
#[derive(Default)]
struct Part {
    guid: GuidIndex,
    queues: ByLane<Gathered>,
    streams: ByLane<Gathered>,
    event_times: EventTimes,
}

/// Lanes with what is known of them, and the times of the events that counters need.
pub(crate) struct Found {
    pub(crate) lanes: Vec<(GuidIndex, Lane, Summary)>,
    pub(crate) event_times: Vec<EventTimes>,
}

/// Scans the event tables of all guids once.
pub(crate) fn find_lanes(
    pool: &Pool,
    guids: &[GuidTables],
    needed: &[Needed],
    watch: &Watch<'_>,
) -> Result<Found> {
    let ranges = scan::lane_ranges(pool, guids, &LANED)?;
    watch.begin(Stage::Events, ranges.len())?;
    let parts = pool.spread(&ranges, watch, |connection, range| {
        read_range(pool, connection, guids, &needed[range.guid], range, watch)
    })?;

    let mut event_times: Vec<EventTimes> = guids.iter().map(|_| EventTimes::default()).collect();
    let mut gathered: FxHashMap<(GuidIndex, Lane), Gathered> = FxHashMap::default();
    for part in parts {
        event_times[part.guid].append(part.event_times);
        for (lane, more) in part.queues.lanes.into_iter().chain(part.streams.lanes) {
            gathered.entry((part.guid, lane)).or_default().append(more);
        }
    }
    let gathered: Vec<_> = gathered
        .into_iter()
        .map(|(key, gathered)| (key, std::sync::Mutex::new(gathered)))
        .collect();
    watch.begin(Stage::Tracks, gathered.len())?;
    let lanes = pool.spread_in_memory(&gathered, watch, |((guid, lane), gathered)| {
        let gathered = std::mem::take(&mut *super::pool::lock(gathered));
        let summary = Summary {
            count: gathered.count,
            odd_times: gathered.odd_times,
            span: gathered.span,
            depth: gathered.times.deepest(),
            values: None,
        };
        Ok((*guid, *lane, summary))
    })?;
    Ok(Found { lanes, event_times })
}

fn read_range(
    pool: &Pool,
    connection: &rusqlite::Connection,
    guids: &[GuidTables],
    needed: &Needed,
    range: &Range<Laned>,
    watch: &Watch<'_>,
) -> Result<Part> {
    let mut part = Part {
        guid: range.guid,
        ..Part::default()
    };
    let Some(table) = guids[range.guid].table(range.what.base) else {
        return Ok(part);
    };
    let is_sample = range.what.kind == super::track::TrackKind::Samples;
    let more: &[&str] = match (needed.is_empty(), is_sample) {
        (true, _) => &[],
        (false, true) => &["event_id", "id"],
        (false, false) => &["event_id"],
    };
    let columns = LaneColumns::new(range.what, more);
    let priority = EventTimes::priority(range.what.kind);
    let each = |row: &Row<'_>| {
        let (start, end) = columns.times(row)?;
        part.queues.entry(columns.lane(row)?).add(start, end);
        if let Some(stream) = columns.stream(row)? {
            part.streams.entry(stream).add(start, end);
        }
        if !more.is_empty() {
            let event = cell::integer(row.get_ref(LaneColumns::MORE)?);
            if let Some(event) = event.filter(|&event| needed.event(event)) {
                part.event_times.add_event(event, priority, start);
            }
            if is_sample {
                let id = cell::integer(row.get_ref(LaneColumns::MORE + 1)?);
                if let Some(id) = id.filter(|&id| needed.sample(id)) {
                    part.event_times.add_sample(id, start);
                }
            }
        }
        Ok(())
    };
    scan::read(
        pool,
        connection,
        table,
        &columns.columns,
        range,
        watch,
        each,
    )?;
    Ok(part)
}
