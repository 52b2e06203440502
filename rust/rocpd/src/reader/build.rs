//! Finding the tracks of a file: one scan over the event tables, which keeps nothing but the counts.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::counters::{Needed, Times as EventTimes};
use super::depth::Times;
use super::info::GuidIndex;
use super::lane::{ByLane, LANED, Lane, Laned};
use super::options::Stage;
use super::pool::{Pool, Watch, lock};
use super::row::ScanRow;
use super::scan::{self, LaneColumns, Range};
use super::track::Summary;
use crate::{GuidTables, Result};

/// What one range gives.
#[derive(Default)]
struct Part {
    guid: GuidIndex,
    queues: ByLane<Times>,
    streams: ByLane<Times>,
    event_times: EventTimes,
}

/// A range of an event table, and how many of its rows belong to each lane: with it a load knows
/// the place of each event before it reads one.
pub(crate) struct Share {
    pub(crate) range: Range<Laned>,
    pub(crate) lanes: Vec<(Lane, usize)>,
}

/// Lanes with what is known of them, and the times of the events that counters need.
pub(crate) struct Found {
    pub(crate) lanes: Vec<(GuidIndex, Lane, Summary)>,
    pub(crate) shares: Vec<Share>,
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
    let mut gathered: FxHashMap<(GuidIndex, Lane), Times> = FxHashMap::default();
    let mut shares = Vec::with_capacity(ranges.len());
    for (range, part) in ranges.into_iter().zip(parts) {
        event_times[part.guid].append(part.event_times);
        let mut lanes = Vec::new();
        for (lane, more) in part.queues.lanes.into_iter().chain(part.streams.lanes) {
            lanes.push((lane, more.len()));
            let times = gathered.entry((part.guid, lane)).or_default();
            times.append(more);
        }
        shares.push(Share { range, lanes });
    }
    let gathered: Vec<_> = gathered
        .into_iter()
        .map(|(key, times)| (key, Mutex::new(times)))
        .collect();
    watch.begin(Stage::Tracks, gathered.len())?;
    let lanes = pool.spread_in_memory(&gathered, watch, |((guid, lane), times)| {
        let times = std::mem::take(&mut *lock(times));
        Ok((*guid, *lane, Summary::of(times.extent())))
    })?;
    Ok(Found {
        lanes,
        shares,
        event_times,
    })
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
    let each = |row: &ScanRow<'_>| {
        let (start, end) = columns.times(row);
        let lane = columns.lane(row);
        part.queues.entry(lane).add(start, end);
        if let Some(stream) = columns.stream(row, lane) {
            part.streams.entry(stream).add(start, end);
        }
        if more.is_empty() {
            return;
        }
        let event = row.integer(LaneColumns::MORE);
        if let Some(event) = event.filter(|&event| needed.event(event)) {
            part.event_times.add_event(event, priority, start);
        }
        if is_sample {
            let id = row.integer(LaneColumns::MORE + 1);
            if let Some(id) = id.filter(|&id| needed.sample(id)) {
                part.event_times.add_sample(id, start);
            }
        }
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
