//! Lanes: by which columns of an event row its tracks are told.

use super::track::TrackKind;

/// What tells a track within a guid: the kind and up to three ids, NULL where the row has NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lane {
    pub(crate) kind: TrackKind,
    pub(crate) key: [Option<i64>; 3],
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
