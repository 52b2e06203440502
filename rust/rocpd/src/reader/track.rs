//! Tracks: which rows make one lane of a trace viewer, and what is known of it.

use super::depth::Extent;
use super::info::{GuidIndex, Info, RowId};
use super::lane::Lane;

/// A track's number: its place in [`super::Reader::tracks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TrackId(pub u32);

/// What the events of a track have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrackKind {
    /// Regions of a (node, process, thread).
    Regions,
    /// Samples of a named track, each an event whose end is its start.
    Samples,
    /// Values of a counter of an agent.
    Counter,
    /// Kernel dispatches of a (node, agent, queue).
    KernelDispatches,
    /// Memory allocations of a (node, agent, queue).
    MemoryAllocations,
    /// Memory copies of a (node, destination agent, queue).
    MemoryCopies,
    /// Dispatches, allocations and copies of a (node, process, stream).
    Stream,
}

/// A lane of a trace viewer.
///
/// The `*_row` fields are what the event rows carry; they are `None` where those have NULL, and
/// may name rows that are missing. 0 is an id. The others are public identifiers.
#[derive(Clone, Debug)]
pub struct Track {
    /// Its number. The same each time the same file is opened.
    pub id: TrackId,
    /// Its guid.
    pub guid: GuidIndex,
    /// What it shows.
    pub kind: TrackKind,
    /// A name for a person.
    pub name: String,
    /// Its node, whose row id is its public id.
    pub node_row: Option<RowId>,
    /// Its process.
    pub process_row: Option<RowId>,
    /// Its thread.
    pub thread_row: Option<RowId>,
    /// Its agent.
    pub agent_row: Option<RowId>,
    /// Its queue, whose row id is its public id.
    pub queue_row: Option<RowId>,
    /// Its stream, whose row id is its public id.
    pub stream_row: Option<RowId>,
    /// Its counter.
    pub pmc_row: Option<RowId>,
    /// Its row in the list of named tracks.
    pub named_track_row: Option<RowId>,
    /// Its process's pid of the operating system.
    pub pid: Option<u64>,
    /// Its thread's id of the operating system.
    pub tid: Option<u64>,
    /// Its agent's absolute index.
    pub agent: Option<u64>,
    /// How many events, or values of a counter, it has.
    pub count: u64,
    /// How many of them end before they start, or have both times 0.
    pub odd_times: u64,
    /// When the first event starts, in ns. Events whose times are both 0 were not timed: they
    /// count only if there are no others.
    pub first: Option<u64>,
    /// When the last event ends, in ns; likewise.
    pub last: Option<u64>,
    /// The greatest depth of its events; 0 for a counter.
    pub depth: u32,
    /// The smallest and the largest value of a counter, if it has any that is not NULL.
    pub values: Option<(f64, f64)>,
}

/// What a scan finds out about a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) extent: Extent,
    /// The smallest and the largest value of a counter.
    pub(crate) values: Option<(f64, f64)>,
}

impl Summary {
    pub(crate) fn of(extent: Extent) -> Self {
        Self {
            extent,
            values: None,
        }
    }
}

impl Track {
    /// A track of a lane; its number is set when all are known.
    pub(crate) fn new(info: &Info, guid: GuidIndex, lane: Lane, summary: &Summary) -> Self {
        let extent = summary.extent;
        let mut track = Self {
            id: TrackId(0),
            guid,
            kind: lane.kind,
            name: String::new(),
            node_row: None,
            process_row: None,
            thread_row: None,
            agent_row: None,
            queue_row: None,
            stream_row: None,
            pmc_row: None,
            named_track_row: None,
            pid: None,
            tid: None,
            agent: None,
            count: extent.count,
            odd_times: extent.odd_times,
            first: extent.span.map(|(first, _)| first),
            last: extent.span.map(|(_, last)| last),
            depth: extent.depth,
            values: summary.values,
        };
        let [a, b, c] = lane.key().map(|id| id.map(RowId));
        match lane.kind {
            TrackKind::Regions => {
                (track.node_row, track.process_row, track.thread_row) = (a, b, c);
            }
            TrackKind::Samples => {
                track.named_track_row = a;
                if let Some(row) = info.named_track(guid, a) {
                    track.node_row = row.nid;
                    track.process_row = row.process_row;
                    track.thread_row = row.thread_row;
                }
            }
            TrackKind::Counter => {
                track.pmc_row = a;
                if let Some(row) = info.pmc(guid, a) {
                    track.node_row = row.nid;
                    track.process_row = row.process_row;
                    track.agent_row = row.agent_row;
                }
            }
            TrackKind::KernelDispatches
            | TrackKind::MemoryAllocations
            | TrackKind::MemoryCopies => {
                (track.node_row, track.agent_row, track.queue_row) = (a, b, c);
            }
            TrackKind::Stream => {
                (track.node_row, track.process_row, track.stream_row) = (a, b, c);
            }
        }
        track.pid = info.process(guid, track.process_row).and_then(|p| p.pid);
        track.tid = info.thread(guid, track.thread_row).and_then(|t| t.tid);
        track.agent = info
            .agent(guid, track.agent_row)
            .and_then(|a| a.absolute_index);
        track.name = track.find_name(info);
        track
    }

    fn find_name(&self, info: &Info) -> String {
        let guid = self.guid;
        let given = |name: Option<&String>| name.filter(|n| !n.is_empty()).cloned();
        let or_row = |name: Option<String>, what: &str, row: Option<RowId>| {
            name.unwrap_or_else(|| match row {
                Some(RowId(id)) => format!("{what} {id}"),
                None => format!("no {}", what.to_lowercase()),
            })
        };
        match self.kind {
            TrackKind::Regions => {
                let thread = info.thread(guid, self.thread_row);
                let name = given(thread.and_then(|t| t.name.as_ref()));
                or_row(name, "Thread", self.tid_or_row())
            }
            TrackKind::Samples => {
                let row = info.named_track(guid, self.named_track_row);
                let name = row.and_then(|r| info.string(guid, r.name));
                let name = name
                    .map(|n| n.as_str().to_owned())
                    .filter(|n| !n.is_empty());
                or_row(name, "Track", self.named_track_row)
            }
            TrackKind::Counter => {
                let pmc = info.pmc(guid, self.pmc_row);
                let name = given(pmc.and_then(|p| p.name.as_ref()));
                let name = name.or_else(|| given(pmc.and_then(|p| p.symbol.as_ref())));
                or_row(name, "Counter", self.pmc_row)
            }
            TrackKind::KernelDispatches
            | TrackKind::MemoryAllocations
            | TrackKind::MemoryCopies => {
                let queue = info.queue(guid, self.queue_row);
                let name = given(queue.and_then(|q| q.name.as_ref()));
                or_row(name, "Queue", self.queue_row)
            }
            TrackKind::Stream => {
                let stream = info.stream(guid, self.stream_row);
                let name = given(stream.and_then(|s| s.name.as_ref()));
                or_row(name, "Stream", self.stream_row)
            }
        }
    }

    fn tid_or_row(&self) -> Option<RowId> {
        let tid = self.tid.map(|tid| RowId(tid.cast_signed()));
        tid.or(self.thread_row)
    }

    /// The order of tracks: by guid, then node (none last), kind, and ids (none last).
    pub(crate) fn order(&self) -> impl Ord + use<> {
        let last = |row: Option<RowId>| (row.is_none(), row);
        (
            self.guid,
            last(self.node_row),
            self.kind,
            last(self.process_row),
            last(self.thread_row),
            last(self.agent_row),
            last(self.queue_row),
            (
                last(self.stream_row),
                last(self.named_track_row),
                last(self.pmc_row),
            ),
        )
    }
}
