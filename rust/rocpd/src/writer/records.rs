//! What happened. Times are ns. What is `None` is NULL in the file; `extdata`, `call_stack` and
//! `line_info` are JSON (see [`stored_json`](super::stored_json)), empty for `{}`.

use rusqlite::ToSql;
use rusqlite::types::{Null, ToSqlOutput};

use super::info::checked_column;
use super::{AgentId, KernelSymbolId, PmcId, ProcessId, QueueId, StreamId, ThreadId, TrackId};

/// What links rows that belong together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Event<'a> {
    /// The kind of event, as in `KERNEL_DISPATCH`; shared between rows.
    pub category: Option<&'a str>,
    /// Where it is on the stack of calls.
    pub stack_id: Option<u64>,
    /// What called it.
    pub parent_stack_id: Option<u64>,
    /// What it belongs to; the dispatch id for a counter value.
    pub correlation_id: Option<u64>,
    /// The frames of the call, JSON.
    pub call_stack: &'a str,
    /// The source lines of the call, JSON.
    pub line_info: &'a str,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// An argument of the call behind a region.
#[derive(Clone, Copy, Debug)]
pub struct Arg<'a> {
    /// Its position, from 0.
    pub position: u64,
    /// Its type, as in `void*`.
    pub arg_type: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its value as text.
    pub value: Option<&'a str>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A range of time on a thread, such as a call.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The thread it ran on.
    pub thread: ThreadId,
    /// Its name; shared between rows.
    pub name: &'a str,
    /// ns.
    pub start: u64,
    /// ns.
    pub end: u64,
    /// Its event. If there are arguments, there is an event, an empty one if need be.
    pub event: Option<Event<'a>>,
    /// Its arguments.
    pub args: &'a [Arg<'a>],
    /// A track that the event also gets a sample on, at `start`.
    pub track: Option<TrackId>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A kernel that ran.
#[derive(Clone, Copy, Debug)]
pub struct KernelDispatch<'a> {
    /// Who launched it.
    pub process: ProcessId,
    /// The thread that launched it.
    pub thread: Option<ThreadId>,
    /// Where it ran.
    pub agent: AgentId,
    /// What ran.
    pub kernel: KernelSymbolId,
    /// The dispatch id, which counter values refer to; not the row's id.
    pub dispatch_id: u64,
    /// The queue it went through.
    pub queue: QueueId,
    /// The stream it went through.
    pub stream: StreamId,
    /// ns.
    pub start: u64,
    /// ns.
    pub end: u64,
    /// Scratch, bytes.
    pub private_segment_size: Option<u64>,
    /// LDS, bytes.
    pub group_segment_size: Option<u64>,
    /// x, y, z in work items.
    pub workgroup_size: [u64; 3],
    /// x, y, z in work items.
    pub grid_size: [u64; 3],
    /// The region that launched it; shared between rows.
    pub region_name: Option<&'a str>,
    /// Its event.
    pub event: Option<Event<'a>>,
    /// A track that the event also gets a sample on, at `start`.
    pub track: Option<TrackId>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A copy of memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryCopy<'a> {
    /// Who copied.
    pub process: ProcessId,
    /// The thread that copied.
    pub thread: Option<ThreadId>,
    /// ns.
    pub start: u64,
    /// ns.
    pub end: u64,
    /// Its name, as in `MEMORY_COPY_HOST_TO_DEVICE`; shared between rows.
    pub name: &'a str,
    /// The agent copied to.
    pub dst_agent: Option<AgentId>,
    /// The address copied to.
    pub dst_address: Option<u64>,
    /// The agent copied from.
    pub src_agent: Option<AgentId>,
    /// The address copied from.
    pub src_address: Option<u64>,
    /// Bytes.
    pub size: u64,
    /// The queue it went through.
    pub queue: Option<QueueId>,
    /// The stream it went through.
    pub stream: Option<StreamId>,
    /// The region that copied; shared between rows.
    pub region_name: Option<&'a str>,
    /// Its event.
    pub event: Option<Event<'a>>,
    /// A track that the event also gets a sample on, at `start`.
    pub track: Option<TrackId>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

checked_column!(
    /// `rocpd_memory_allocate.type`.
    AllocationType {
        /// Memory was allocated.
        Alloc = Some("ALLOC"),
        /// Memory was freed.
        Free = Some("FREE"),
        /// Memory was resized.
        Realloc = Some("REALLOC"),
        /// Scratch memory was taken back.
        Reclaim = Some("RECLAIM"),
    }
);

checked_column!(
    /// `rocpd_memory_allocate.level`.
    AllocationLevel {
        /// Physical memory.
        Real = Some("REAL"),
        /// Addresses only.
        Virtual = Some("VIRTUAL"),
        /// Scratch memory of a queue.
        Scratch = Some("SCRATCH"),
    }
);

/// An allocation or release of memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAllocation<'a> {
    /// Who allocated.
    pub process: ProcessId,
    /// The thread that allocated.
    pub thread: Option<ThreadId>,
    /// Where the memory is.
    pub agent: Option<AgentId>,
    /// What was done.
    pub allocation_type: Option<AllocationType>,
    /// What kind of memory.
    pub level: Option<AllocationLevel>,
    /// ns.
    pub start: u64,
    /// ns.
    pub end: u64,
    /// The memory's address.
    pub address: Option<u64>,
    /// Bytes.
    pub size: u64,
    /// The queue it is for.
    pub queue: Option<QueueId>,
    /// The stream it is for.
    pub stream: Option<StreamId>,
    /// Its event.
    pub event: Option<Event<'a>>,
    /// A track that the event also gets a sample on, at `start`.
    pub track: Option<TrackId>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A point of time on a track.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The track it lies on.
    pub track: TrackId,
    /// ns.
    pub timestamp: u64,
    /// Its event.
    pub event: Option<Event<'a>>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A value of a counter.
#[derive(Clone, Copy, Debug)]
pub struct PmcEvent<'a> {
    /// The counter.
    pub pmc: PmcId,
    /// The value; NaN is NULL.
    pub value: f64,
    /// An event of its own.
    pub event: Option<Event<'a>>,
    /// A sample that the event also gets, if there is an event.
    pub sample: Option<PmcSample<'a>>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// The sample of a counter's value.
#[derive(Clone, Copy, Debug)]
pub struct PmcSample<'a> {
    /// The track it lies on.
    pub track: TrackId,
    /// ns.
    pub timestamp: u64,
    /// Anything else, JSON.
    pub extdata: &'a str,
}
