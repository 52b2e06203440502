//! Loading the events of tracks: a table, or the tables whose rows share tracks, in one scan.
//!
//! A rocpd file has no index by track, so one track cannot be read without a look at every row of
//! its table. The first call for any track of a group therefore loads the whole group.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::event::{Event, EventKind, TrackEvents};
use super::info::{GuidIndex, Info, RowId};
use super::lane::{
    ByLane, KERNEL_DISPATCH, Lane, Laned, MEMORY_ALLOCATE, MEMORY_COPY, REGION, SAMPLE,
};
use super::names::Name;
use super::pool::{Pool, Watch, lock};
use super::row::ScanRow;
use super::scan::{self, LaneColumns, Range};
use super::track::{Track, TrackId, TrackKind};
use crate::{Error, GuidTables, Result};

/// Tables that are loaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Regions,
    Samples,
    Device,
}

impl Group {
    pub(crate) const ALL: [Self; 3] = [Self::Regions, Self::Samples, Self::Device];

    /// The group of a kind; counters are in none.
    pub(crate) fn of(kind: TrackKind) -> Option<Self> {
        match kind {
            TrackKind::Regions => Some(Self::Regions),
            TrackKind::Samples => Some(Self::Samples),
            TrackKind::Counter => None,
            TrackKind::KernelDispatches
            | TrackKind::MemoryAllocations
            | TrackKind::MemoryCopies
            | TrackKind::Stream => Some(Self::Device),
        }
    }

    pub(crate) fn tables(self) -> &'static [Laned] {
        match self {
            Self::Regions => &[REGION],
            Self::Samples => &[SAMPLE],
            Self::Device => &[KERNEL_DISPATCH, MEMORY_COPY, MEMORY_ALLOCATE],
        }
    }
}

/// What loading has to know of the file.
pub(crate) struct Source<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) guids: &'a [GuidTables],
    pub(crate) info: &'a Info,
    pub(crate) allocation_names: &'a BTreeMap<String, Name<'static>>,
    pub(crate) lanes: &'a FxHashMap<(GuidIndex, Lane), TrackId>,
    pub(crate) tracks: &'a [Track],
}

/// Names by row id, as quick as the ids allow.
enum NameTable {
    Dense(Vec<Name<'static>>),
    Sparse(FxHashMap<i64, Name<'static>>),
}

impl NameTable {
    fn new(names: &BTreeMap<RowId, Name<'static>>) -> Self {
        let bounds = names.first_key_value().zip(names.last_key_value());
        let dense = bounds
            .filter(|((first, _), _)| first.0 >= 0)
            .and_then(|(_, (last, _))| usize::try_from(last.0).ok())
            .filter(|&last| last / 4 <= names.len());
        match dense {
            Some(last) => {
                let mut list = vec![Name::empty(); last + 1];
                for (row, name) in names {
                    if let Some(place) = usize::try_from(row.0).ok().and_then(|i| list.get_mut(i)) {
                        *place = *name;
                    }
                }
                Self::Dense(list)
            }
            None => Self::Sparse(names.iter().map(|(row, name)| (row.0, *name)).collect()),
        }
    }

    fn get(&self, id: Option<i64>) -> Name<'static> {
        let found = id.and_then(|id| match self {
            Self::Dense(list) => usize::try_from(id).ok().and_then(|id| list.get(id)),
            Self::Sparse(map) => map.get(&id),
        });
        found.copied().unwrap_or_else(Name::empty)
    }
}

/// What the events of a guid are called.
pub(crate) struct EventNames<'a> {
    strings: NameTable,
    kernels: NameTable,
    tracks: BTreeMap<i64, Name<'static>>,
    allocations: &'a BTreeMap<String, Name<'static>>,
}

/// The column that names an event of a table, after its id.
fn name_column(laned: &Laned) -> &'static [&'static str] {
    match laned.kind {
        TrackKind::Regions | TrackKind::MemoryCopies => &["id", "name_id"],
        TrackKind::KernelDispatches => &["id", "kernel_id", "region_name_id"],
        TrackKind::MemoryAllocations => &["id", "type"],
        TrackKind::Samples => &["id", "track_id"],
        TrackKind::Counter | TrackKind::Stream => &["id"],
    }
}

fn event_kind(laned: &Laned) -> EventKind {
    match laned.kind {
        TrackKind::KernelDispatches => EventKind::KernelDispatch,
        TrackKind::MemoryCopies => EventKind::MemoryCopy,
        TrackKind::MemoryAllocations => EventKind::MemoryAllocate,
        TrackKind::Regions | TrackKind::Samples | TrackKind::Counter | TrackKind::Stream => {
            EventKind::Region
        }
    }
}

impl<'a> EventNames<'a> {
    pub(crate) fn new(source: &Source<'a>, guid: GuidIndex) -> Self {
        let strings = source.info.string_map(guid);
        let tracks = source.info.named_tracks.iter();
        Self {
            strings: NameTable::new(strings),
            kernels: NameTable::new(source.info.kernel_map(guid)),
            tracks: tracks
                .filter(|track| track.guid == guid)
                .filter_map(|track| Some((track.row_id.0, *strings.get(&track.name?)?)))
                .collect(),
            allocations: source.allocation_names,
        }
    }

    fn of(&self, kind: TrackKind, row: &ScanRow<'_>) -> Name<'static> {
        let id = |column| row.integer(LaneColumns::MORE + column);
        match kind {
            TrackKind::Regions | TrackKind::MemoryCopies => self.strings.get(id(1)),
            TrackKind::KernelDispatches => {
                let name = self.kernels.get(id(1));
                if name.is_empty() {
                    self.strings.get(id(2))
                } else {
                    name
                }
            }
            TrackKind::MemoryAllocations => {
                let text = row.text(LaneColumns::MORE + 1);
                let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
                let name = text.and_then(|text| self.allocations.get(text).copied());
                name.unwrap_or_else(Name::empty)
            }
            TrackKind::Samples => {
                let name = id(1).and_then(|id| self.tracks.get(&id).copied());
                name.unwrap_or_else(Name::empty)
            }
            TrackKind::Counter | TrackKind::Stream => Name::empty(),
        }
    }
}

/// Loads the tracks of a group, all of them.
pub(crate) fn load(
    source: &Source<'_>,
    guid: GuidIndex,
    group: Group,
    watch: &Watch<'_>,
) -> Result<Vec<(TrackId, TrackEvents)>> {
    let pool = source.pool;
    let mut places: FxHashMap<Lane, usize> = FxHashMap::default();
    let mut filling: Vec<(TrackId, Parts)> = Vec::new();
    for (&(of, lane), &track) in source.lanes {
        if of == guid && Group::of(lane.kind) == Some(group) {
            places.insert(lane, filling.len());
            filling.push((track, Parts::default()));
        }
    }
    let names = EventNames::new(source, guid);
    let mut ranges = Vec::new();
    for &laned in group.tables() {
        if let Some(table) = source.guids[guid].table(laned.base) {
            ranges.extend(scan::ranges(pool, guid, table, laned)?);
        }
    }
    let ranges: Vec<_> = ranges.into_iter().enumerate().collect();
    // Most tracks have about as many events in each range; room for some more, so that few grow.
    let room = |lane: &Lane| {
        let track = source.lanes.get(&(guid, *lane));
        let count = track.map_or(0, |track| source.tracks[track.0 as usize].count);
        let share = usize::try_from(count).unwrap_or(0) / ranges.len().max(1);
        Vec::with_capacity(share + share / 4 + 16)
    };
    pool.spread(&ranges, watch, |connection, (number, range)| {
        let mut queues = ByLane::<Vec<Event<'static>>>::default();
        let mut streams = ByLane::<Vec<Event<'static>>>::default();
        read_events(
            source,
            connection,
            &names,
            range,
            watch,
            |lane, stream, event| {
                queues.entry_with(lane, || room(&lane)).push(event);
                if let Some(stream) = stream {
                    let events = streams.entry_with(stream, || room(&stream));
                    events.push(event);
                }
            },
        )?;
        for (lane, events) in queues.lanes.into_iter().chain(streams.lanes) {
            // A lane that opening has not seen: somebody wrote to the file since.
            let place = *places.get(&lane).ok_or_else(|| Error::Changed {
                path: pool.source().path().into(),
            })?;
            lock(&filling[place].1).insert(*number, events);
        }
        Ok(())
    })?;
    pool.source().verify_unchanged()?;
    pool.spread_in_memory(&filling, watch, |(track, parts)| {
        let parts = std::mem::take(&mut *lock(parts));
        let mut events = Vec::with_capacity(parts.values().map(Vec::len).sum());
        // In the order of the rows, which is nearly that of their starts.
        for mut part in parts.into_values() {
            events.append(&mut part);
        }
        Ok((*track, TrackEvents::new(events)))
    })
}

/// The events of a track as they come from ranges of rows, by the number of the range.
type Parts = Mutex<BTreeMap<usize, Vec<Event<'static>>>>;

/// Reads the events of a range: for each its lane, its stream's lane if it has one, and itself,
/// its depth unset.
pub(crate) fn read_events(
    source: &Source<'_>,
    connection: &rusqlite::Connection,
    names: &EventNames<'_>,
    range: &Range<Laned>,
    watch: &Watch<'_>,
    mut each: impl FnMut(Lane, Option<Lane>, Event<'static>),
) -> Result<()> {
    let Some(table) = source.guids[range.guid].table(range.what.base) else {
        return Ok(());
    };
    let columns = LaneColumns::new(range.what, name_column(&range.what));
    let kind = event_kind(&range.what);
    let each = |row: &ScanRow<'_>| {
        let (start, end) = columns.times(row);
        let lane = columns.lane(row);
        let event = Event {
            id: row.unsigned(LaneColumns::MORE).unwrap_or_default(),
            start,
            end,
            name: names.of(range.what.kind, row),
            kind,
            depth: 0,
        };
        each(lane, columns.stream(row, lane), event);
    };
    scan::read(
        source.pool,
        connection,
        table,
        &columns.columns,
        range,
        watch,
        each,
    )
}
