//! The values of counters, and when they were taken.
//!
//! A PMC event row tells no time. It is that of, in this order: the sample that its `sample_id`
//! names; a sample of its event; the start of a dispatch, copy, allocation or region of its event.
//! Where there is none of these, the time is 0, and the value is kept.

use rustc_hash::{FxHashMap, FxHashSet};

use super::depth::Extent;
use super::event::Sample;
use super::info::GuidIndex;
use super::lane::{ByLane, Lane};
use super::options::Stage;
use super::pool::{Pool, Watch};
use super::row::ScanRow;
use super::scan;
use super::track::{Summary, TrackKind};
use crate::{GuidTables, Result};

/// A value before its time is known.
struct Value {
    row: i64,
    event: Option<i64>,
    sample: Option<i64>,
    value: f64,
}

/// The values of each counter of a guid.
pub(crate) struct Values {
    lanes: Vec<(Lane, Vec<Value>)>,
}

/// Which events and samples the values take their times from.
#[derive(Default)]
pub(crate) struct Needed {
    events: FxHashSet<i64>,
    samples: FxHashSet<i64>,
}

impl Needed {
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.samples.is_empty()
    }

    pub(crate) fn event(&self, id: i64) -> bool {
        self.events.contains(&id)
    }

    pub(crate) fn sample(&self, id: i64) -> bool {
        self.samples.contains(&id)
    }
}

/// The times of events and samples, by row id.
#[derive(Default)]
pub(crate) struct Times {
    /// The least pair of priority and time.
    events: FxHashMap<i64, (u8, u64)>,
    samples: FxHashMap<i64, u64>,
}

impl Times {
    /// Which rows of an event tell its time first; the least counts.
    pub(crate) fn priority(kind: TrackKind) -> u8 {
        match kind {
            TrackKind::Samples => 0,
            TrackKind::KernelDispatches => 1,
            TrackKind::MemoryCopies => 2,
            TrackKind::MemoryAllocations => 3,
            TrackKind::Regions | TrackKind::Counter | TrackKind::Stream => 4,
        }
    }

    pub(crate) fn add_event(&mut self, id: i64, priority: u8, time: u64) {
        let entry = self.events.entry(id).or_insert((priority, time));
        *entry = (*entry).min((priority, time));
    }

    pub(crate) fn add_sample(&mut self, id: i64, time: u64) {
        self.samples.insert(id, time);
    }

    pub(crate) fn append(&mut self, other: Self) {
        if self.events.is_empty() {
            self.events = other.events;
        } else {
            for (id, (priority, time)) in other.events {
                self.add_event(id, priority, time);
            }
        }
        self.samples.extend(other.samples);
    }

    fn of(&self, value: &Value) -> Option<u64> {
        let sample = value.sample.and_then(|id| self.samples.get(&id).copied());
        let event = || self.events.get(&value.event?).map(|&(_, time)| time);
        sample.or_else(event)
    }
}

const COLUMNS: &[&str] = &["id", "pmc_id", "event_id", "sample_id", "value"];

/// Reads the values of all guids.
pub(crate) fn read(pool: &Pool, guids: &[GuidTables], watch: &Watch<'_>) -> Result<Vec<Values>> {
    let mut ranges = Vec::new();
    for (guid, tables) in guids.iter().enumerate() {
        if let Some(table) = tables.table("rocpd_pmc_event") {
            ranges.extend(scan::ranges(pool, guid, table, ())?);
        }
    }
    watch.begin(Stage::Counters, ranges.len())?;
    let parts = pool.spread(&ranges, watch, |connection, range| {
        let mut lanes = ByLane::<Vec<Value>>::default();
        let Some(table) = guids[range.guid].table("rocpd_pmc_event") else {
            return Ok((range.guid, lanes));
        };
        let each = |row: &ScanRow<'_>| {
            let lane = Lane::new(TrackKind::Counter, [row.integer(1), None, None]);
            lanes.entry(lane).push(Value {
                row: row.integer(0).unwrap_or_default(),
                event: row.integer(2),
                sample: row.integer(3),
                value: row.real(4).unwrap_or(f64::NAN),
            });
        };
        scan::read(pool, connection, table, COLUMNS, range, watch, each)?;
        Ok((range.guid, lanes))
    })?;
    let mut all: Vec<ByLane<Vec<Value>>> = guids.iter().map(|_| ByLane::default()).collect();
    for (guid, lanes) in parts {
        for (lane, mut values) in lanes.lanes {
            all[guid].entry(lane).append(&mut values);
        }
    }
    Ok(all
        .into_iter()
        .map(|by_lane| Values {
            lanes: by_lane.lanes,
        })
        .collect())
}

impl Values {
    pub(crate) fn needed(&self) -> Needed {
        let values = || self.lanes.iter().flat_map(|(_, values)| values);
        Needed {
            events: values().filter_map(|value| value.event).collect(),
            samples: values().filter_map(|value| value.sample).collect(),
        }
    }

    /// Puts each value at its time.
    pub(crate) fn timed(
        self,
        guid: GuidIndex,
        times: &Times,
    ) -> impl Iterator<Item = (GuidIndex, Lane, Summary, Box<[Sample]>)> {
        self.lanes.into_iter().map(move |(lane, values)| {
            let mut summary = Summary::of(Extent {
                count: values.len() as u64,
                odd_times: 0,
                span: None,
                depth: 0,
            });
            let mut timed: Vec<(u64, i64, f64)> = Vec::with_capacity(values.len());
            for value in values {
                let time = times.of(&value);
                if let Some(time) = time {
                    let (first, last) = summary.extent.span.unwrap_or((time, time));
                    summary.extent.span = Some((first.min(time), last.max(time)));
                }
                if !value.value.is_nan() {
                    let (min, max) = summary.values.unwrap_or((value.value, value.value));
                    summary.values = Some((value.value.min(min), value.value.max(max)));
                }
                timed.push((time.unwrap_or(0), value.row, value.value));
            }
            timed.sort_unstable_by_key(|&(time, row, _)| (time, row));
            let samples = timed
                .into_iter()
                .map(|(timestamp, _, value)| Sample { timestamp, value })
                .collect();
            (guid, lane, summary, samples)
        })
    }
}
