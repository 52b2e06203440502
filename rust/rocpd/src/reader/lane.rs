//! Lanes: by which columns of an event row its tracks are told.

use rustc_hash::FxHashMap;

use super::track::TrackKind;

/// What tells a track within a guid: the kind and up to three ids, some of them NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lane {
    pub(crate) kind: TrackKind,
    /// Which ids are NULL, a bit each; those are 0 in `ids`.
    nulls: u8,
    ids: [i64; 3],
}

impl Lane {
    pub(crate) fn new(kind: TrackKind, key: [Option<i64>; 3]) -> Self {
        let null = |place: usize| u8::from(key[place].is_none()) << place;
        Self {
            kind,
            nulls: null(0) | null(1) | null(2),
            ids: key.map(|id| id.unwrap_or(0)),
        }
    }

    /// Whether both are the same lane; number by number, as a scan has them in registers. (Compared
    /// as memory, they would have to be there first.)
    fn is(&self, other: &Self) -> bool {
        let [a, b, c] = self.ids;
        let [x, y, z] = other.ids;
        let same = (a ^ x) | (b ^ y) | (c ^ z) == 0;
        same && self.nulls == other.nulls && self.kind == other.kind
    }

    pub(crate) fn key(&self) -> [Option<i64>; 3] {
        [0, 1, 2].map(|place| (self.nulls & (1 << place) == 0).then_some(self.ids[place]))
    }
}

/// The lanes of some rows, each with what is gathered for it.
///
/// Rows come from few lanes, often from the same as the row before, so those met last are
/// remembered by a cheap hash.
pub(crate) struct ByLane<T> {
    places: FxHashMap<Lane, usize>,
    pub(crate) lanes: Vec<(Lane, T)>,
    recent: [usize; RECENT],
}

/// How many lanes are remembered.
const RECENT: usize = 64;

impl<T> Default for ByLane<T> {
    fn default() -> Self {
        Self {
            places: FxHashMap::default(),
            lanes: Vec::new(),
            recent: [0; RECENT],
        }
    }
}

impl<T> ByLane<T> {
    pub(crate) fn entry(&mut self, lane: Lane) -> &mut T
    where
        T: Default,
    {
        let [a, b, c] = lane.ids.map(i64::cast_unsigned);
        let hash = a ^ b.wrapping_mul(7) ^ c.wrapping_mul(31) ^ u64::from(lane.nulls);
        // Below RECENT.
        let slot = usize::try_from(hash % RECENT as u64).unwrap_or(0);
        let recent = &mut self.recent[slot];
        let known = self.lanes.get(*recent);
        if known.is_none_or(|(known, _)| !known.is(&lane)) {
            *recent = *self.places.entry(lane).or_insert_with(|| {
                self.lanes.push((lane, T::default()));
                self.lanes.len() - 1
            });
        }
        &mut self.lanes[*recent].1
    }
}

/// A table whose rows are events of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Laned {
    /// The table's base name.
    pub(crate) base: &'static str,
    /// The kind of track that each row belongs to.
    pub(crate) kind: TrackKind,
    /// The columns of its key.
    pub(crate) key: [&'static str; 3],
    /// The columns of the stream's key, if each row belongs to a stream's track too.
    pub(crate) stream: Option<[&'static str; 3]>,
    /// The columns of its start and its end.
    pub(crate) times: [&'static str; 2],
}

/// No column: NULL in each row.
pub(crate) const NONE: &str = "";

const STREAM: [&str; 3] = ["nid", "pid", "stream_id"];
const TIMES: [&str; 2] = ["start", "end"];

pub(crate) const REGION: Laned = Laned {
    base: "rocpd_region",
    kind: TrackKind::Regions,
    key: ["nid", "pid", "tid"],
    stream: None,
    times: TIMES,
};

pub(crate) const SAMPLE: Laned = Laned {
    base: "rocpd_sample",
    kind: TrackKind::Samples,
    key: ["track_id", NONE, NONE],
    stream: None,
    times: ["timestamp", "timestamp"],
};

pub(crate) const KERNEL_DISPATCH: Laned = Laned {
    base: "rocpd_kernel_dispatch",
    kind: TrackKind::KernelDispatches,
    key: ["nid", "agent_id", "queue_id"],
    stream: Some(STREAM),
    times: TIMES,
};

pub(crate) const MEMORY_COPY: Laned = Laned {
    base: "rocpd_memory_copy",
    kind: TrackKind::MemoryCopies,
    key: ["nid", "dst_agent_id", "queue_id"],
    stream: Some(STREAM),
    times: TIMES,
};

pub(crate) const MEMORY_ALLOCATE: Laned = Laned {
    base: "rocpd_memory_allocate",
    kind: TrackKind::MemoryAllocations,
    key: ["nid", "agent_id", "queue_id"],
    stream: Some(STREAM),
    times: TIMES,
};

/// All of them.
pub(crate) const LANED: [Laned; 5] = [
    REGION,
    SAMPLE,
    KERNEL_DISPATCH,
    MEMORY_COPY,
    MEMORY_ALLOCATE,
];
