//! Loading the events of tracks: a table, or the tables whose rows share tracks, in one scan.
//!
//! A rocpd file has no index by track, so one track cannot be read without a look at every row of
//! its table. The first call for any track of a group therefore loads the whole group.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::sync::Mutex;

use rustc_hash::FxHashMap;

use super::build::Share;
use super::event::{Event, EventKind, TrackEvents};
use super::info::{GuidIndex, Info, RowId};
use super::lane::{
    ByLane, KERNEL_DISPATCH, Lane, Laned, MEMORY_ALLOCATE, MEMORY_COPY, REGION, SAMPLE,
};
use super::names::Name;
use super::pool::{Pool, Watch, lock};
use super::row::ScanRow;
use super::scan::{self, LaneColumns, Range};
use super::track::{TrackId, TrackKind};
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
    pub(crate) shares: &'a [Share],
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

/// Where the events of one lane in one range go.
type Places<'e> = std::slice::IterMut<'e, MaybeUninit<Event<'static>>>;

/// Loads the tracks of a group, all of them.
///
/// Opening has counted the rows of each lane in each range, so each event is written straight to
/// its place, in the order of the rows, which is nearly that of their starts.
pub(crate) fn load(
    source: &Source<'_>,
    guid: GuidIndex,
    group: Group,
    watch: &Watch<'_>,
) -> Result<Vec<(TrackId, TrackEvents)>> {
    let pool = source.pool;
    let changed = || Error::Changed {
        path: pool.source().path().into(),
    };
    let shares: Vec<&Share> = (source.shares.iter())
        .filter(|Share { range, .. }| range.guid == guid)
        .filter(|Share { range, .. }| group.tables().contains(&range.what))
        .collect();
    let mut counts: FxHashMap<Lane, usize> = FxHashMap::default();
    for &(lane, count) in shares.iter().flat_map(|share| &share.lanes) {
        *counts.entry(lane).or_default() += count;
    }
    let mut filling: FxHashMap<Lane, Vec<Event<'static>>> = (counts.iter())
        .map(|(&lane, &count)| (lane, Vec::with_capacity(count)))
        .collect();
    let mut free: FxHashMap<Lane, &mut [MaybeUninit<Event<'static>>]> = (filling.iter_mut())
        .map(|(&lane, events)| (lane, events.spare_capacity_mut()))
        .collect();
    let mut tasks = Vec::with_capacity(shares.len());
    for share in shares {
        let (mut queues, mut streams) = (ByLane::default(), ByLane::default());
        for &(lane, count) in &share.lanes {
            let places = free.get_mut(&lane);
            let places = places.and_then(|free| free.split_off_mut(..count));
            let lanes: &mut ByLane<Places<'_>> = match lane.kind {
                TrackKind::Stream => &mut streams,
                _ => &mut queues,
            };
            *lanes.entry(lane) = places.ok_or_else(changed)?.iter_mut();
        }
        tasks.push((share.range, Mutex::new((queues, streams))));
    }
    let names = EventNames::new(source, guid);
    pool.spread(&tasks, watch, |connection, (range, places)| {
        let (queues, streams) = &mut *lock(places);
        // More rows than were counted, or a lane that was not seen: somebody wrote to the file.
        let mut too_many = false;
        let mut put = |places: &mut Places<'_>, event| match places.next() {
            Some(place) => {
                place.write(event);
            }
            None => too_many = true,
        };
        read_events(
            source,
            connection,
            &names,
            range,
            watch,
            |lane, stream, event| {
                put(queues.entry(lane), event);
                if let Some(stream) = stream {
                    put(streams.entry(stream), event);
                }
            },
        )?;
        let mut all = queues.lanes.iter().chain(&streams.lanes);
        if too_many || all.any(|(_, places)| places.len() > 0) {
            return Err(changed());
        }
        Ok(())
    })?;
    drop(tasks);
    pool.source().verify_unchanged()?;
    let mut tracks = Vec::with_capacity(filling.len());
    for (lane, mut events) in filling {
        let track = *source.lanes.get(&(guid, lane)).ok_or_else(changed)?;
        // SAFETY: the counts of the ranges add up to this one, and no range is done before as many
        // places as it has were written.
        unsafe { events.set_len(counts[&lane]) };
        tracks.push((track, Mutex::new(events)));
    }
    pool.spread_in_memory(&tracks, watch, |(track, events)| {
        Ok((*track, TrackEvents::new(std::mem::take(&mut *lock(events)))))
    })
}

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
