//! Reads a rocpd file for a trace viewer: info lists, tracks, events, samples, tables, summaries.
//!
//! A [`Reader`] opens a file without leaving a trace (see [`crate::open`]), may be shared between
//! threads, and keeps a pool of read-only connections. Opening scans the event tables once and
//! keeps counts only, and 16 bytes for each value of a counter; the events of a track come into
//! memory when they are first asked for, at 40 bytes each. An event of the device is kept once for
//! its queue and once for its stream.
//!
//! A file may hold several guids. Ids mean something only within one, so everything says which.
//!
//! What a file does not have is `None` or empty, never an error: columns are found by name, and
//! rows that name missing rows stay.

mod build;
mod cell;
mod chunks;
mod counters;
mod depth;
mod details;
mod event;
mod histogram;
mod info;
mod lane;
mod load;
mod names;
mod open;
mod options;
mod pool;
mod related;
mod row;
mod scan;
mod sort;
mod summary;
mod table;
mod track;

pub use cell::Cell;
pub use details::{Argument, EventDetails, EventRef, NamedCell};
pub use event::{Event, EventKind, Sample, Window};
pub use histogram::Bucket;
pub use info::{
    Agent, CodeObject, GuidIndex, Info, KernelSymbol, NamedTrack, Node, Pmc, Process, Queue, RowId,
    Stream, Thread,
};
pub use names::Name;
pub use open::Reader;
pub use options::{CancelToken, OpenOptions, Progress, Stage};
pub use related::{RelatedEvent, Relation};
pub use summary::NameSummary;
pub use table::{Page, Query, Table};
pub use track::{Track, TrackId, TrackKind};
