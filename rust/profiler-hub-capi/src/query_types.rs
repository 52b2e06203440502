//! The types of queries: what becomes a part of `profiler_hub_types.h`.

#![expect(
    non_camel_case_types,
    reason = "these are the names that C clients are written for"
)]

use std::ffi::{c_char, c_void};

use crate::types::PH_GUID_SIZE;

/// The stages of opening a file, in order.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_open_stage_t {
    /// The tables of the file are listed, versions are checked.
    PH_OPEN_STAGE_CATALOG = 0,
    /// The info tables and the texts are read, a step for each table.
    PH_OPEN_STAGE_METADATA = 1,
    /// The values of the counters are read, a step for each range of rows.
    PH_OPEN_STAGE_COUNTERS = 2,
    /// The event tables are scanned for tracks, a step for each range of rows.
    PH_OPEN_STAGE_EVENTS = 3,
    /// Counts, ranges and depths are worked out, a step for each track.
    PH_OPEN_STAGE_TRACKS = 4,
}

/// Told of each step of opening. It is called from threads of the library, never twice at once,
/// and must not throw or jump out. Returns 0 to go on, anything else to end the opening.
pub type ph_progress_fn = Option<
    unsafe extern "C" fn(
        user_data: *mut c_void,
        stage: ph_open_stage_t,
        done: u64,
        total: u64,
    ) -> u32,
>;

/// How to open a file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_open_options_t {
    /// Set by the caller: sizeof(ph_open_options_t).
    pub size: usize,
    /// How many threads read at once; 0 for as many as the machine offers.
    pub threads: u32,
    /// Told of each step; may be NULL.
    pub progress: ph_progress_fn,
    /// What progress is called with.
    pub user_data: *mut c_void,
}

/// What a file holds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_trace_info_t {
    /// Set by the caller: sizeof(ph_trace_info_t).
    pub size: usize,
    /// When the first event starts, in ns; 0 if there is none. Events whose times are both 0 do
    /// not count.
    pub start_ts: u64,
    /// When the last event ends, in ns; 0 if there is none.
    pub end_ts: u64,
    /// How many events there are, each once: what only a stream's track shows again is not added.
    pub event_count: u64,
    /// How many values of counters there are.
    pub value_count: u64,
    /// How many events end before they start or have both times 0.
    pub odd_time_count: u64,
    /// What a person should know of the file although it can be read; empty if nothing. Owned by
    /// the context.
    pub warnings: *const c_char,
    /// The file's guid.
    pub guid: [c_char; PH_GUID_SIZE],
}

/// What ph_track_t has no place for. Rows that are NULL are PH_NONE; they may name rows that are
/// missing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_track_info_t {
    /// Set by the caller: sizeof(ph_track_info_t).
    pub size: usize,
    /// How many events or values it has.
    pub count: u64,
    /// How many events end before they start or have both times 0.
    pub odd_time_count: u64,
    /// The row of its node, which is the node's public id.
    pub node_row: u64,
    /// The row of its process.
    pub process_row: u64,
    /// The row of its thread.
    pub thread_row: u64,
    /// The row of its agent.
    pub agent_row: u64,
    /// The row of its queue, which is the queue's public id.
    pub queue_row: u64,
    /// The row of its stream, which is the stream's public id.
    pub stream_row: u64,
    /// The row of its counter.
    pub pmc_row: u64,
    /// Its row in the file's list of named tracks.
    pub named_track_row: u64,
    /// Its process's pid of the operating system.
    pub pid: u64,
    /// Its thread's id of the operating system.
    pub tid: u64,
    /// Its agent's absolute index.
    pub agent_id: u64,
}

/// The event tables.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_table_t {
    /// Regions of threads.
    PH_TABLE_REGION = 0,
    /// Kernel dispatches.
    PH_TABLE_KERNEL_DISPATCH = 1,
    /// Memory copies.
    PH_TABLE_MEMORY_COPY = 2,
    /// Memory allocations, releases and the like.
    PH_TABLE_MEMORY_ALLOCATE = 3,
    /// Samples of named tracks.
    PH_TABLE_SAMPLE = 4,
    /// Values of counters.
    PH_TABLE_PMC_EVENT = 5,
}

/// What kind of value a cell has.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_cell_type_t {
    /// NULL, or the column is not in this file.
    PH_CELL_NULL = 0,
    /// A number with a sign: as_int64.
    PH_CELL_INT64 = 1,
    /// A time, an address or a size: as_uint64.
    PH_CELL_UINT64 = 2,
    /// A floating-point number: as_double.
    PH_CELL_DOUBLE = 3,
    /// A text: as_text.
    PH_CELL_TEXT = 4,
}

/// A value of a row. Fields that type does not name are 0 or NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_cell_t {
    /// The column's name.
    pub column: *const c_char,
    /// Which of the following holds the value.
    pub r#type: ph_cell_type_t,
    /// A number with a sign.
    pub as_int64: i64,
    /// A time, an address or a size.
    pub as_uint64: u64,
    /// A floating-point number.
    pub as_double: f64,
    /// A text.
    pub as_text: *const c_char,
}

/// Which rows of a table, in which order. All zero but size and limit: all rows of
/// PH_TABLE_REGION, in the order of the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_table_query_t {
    /// Set by the caller: sizeof(ph_table_query_t).
    pub size: usize,
    /// The table: a ph_table_t.
    pub table: u32,
    /// Not 0 to sort from the last to the first.
    pub descending: u32,
    /// Only rows that overlap this window, in ns. Both 0: all; only end_ts 0: no upper bound.
    pub start_ts: u64,
    /// The window's end.
    pub end_ts: u64,
    /// Only rows of these tracks; NULL for all.
    pub track_ids: *const u32,
    /// How many tracks.
    pub track_count: u64,
    /// Only rows whose name contains this text, byte by byte; NULL or empty for all.
    pub name_contains: *const c_char,
    /// The column to sort by; NULL or empty for the order of the file. Numbers are sorted as
    /// numbers, times, addresses and sizes without sign, texts by their bytes, NULL first.
    pub sort_by: *const c_char,
    /// How many rows to leave out at the start.
    pub offset: u64,
    /// How many rows to give at most.
    pub limit: u64,
}

/// Some rows of a table. Given back with ph_table_page_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_table_page_t {
    /// Set by the caller: sizeof(ph_table_page_t).
    pub size: usize,
    /// How many rows the filters leave, on all pages.
    pub total: u64,
    /// How many rows this page has.
    pub row_count: u64,
    /// How many cells each row has.
    pub column_count: u64,
    /// The columns' names: those of the table, then "name", and "duration" (in ns) or, of a PMC
    /// event, "timestamp".
    pub columns: *const *const c_char,
    /// The cells, row by row: cells[row * column_count + column].
    pub cells: *const ph_cell_t,
}

/// An argument of an event.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_argument_t {
    /// Its place among the arguments, as stored.
    pub position: i64,
    /// Its type.
    pub r#type: *const c_char,
    /// Its name.
    pub name: *const c_char,
    /// Its value; NULL if it is NULL in the file.
    pub value: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// All that a file has on one event. Given back with ph_event_details_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_event_details_t {
    /// Set by the caller: sizeof(ph_event_details_t).
    pub size: usize,
    /// Its table.
    pub table: ph_table_t,
    /// Its row.
    pub row_id: u64,
    /// What it is called; empty if the file does not tell.
    pub name: *const c_char,
    /// The category of its event row; empty if there is none.
    pub category: *const c_char,
    /// The call stack, as JSON; empty if there is none.
    pub call_stack: *const c_char,
    /// The line info, as JSON; empty if there is none.
    pub line_info: *const c_char,
    /// How many columns its row has.
    pub row_cell_count: u64,
    /// The columns of its row.
    pub row_cells: *const ph_cell_t,
    /// How many columns its event row has; 0 if it has none.
    pub event_cell_count: u64,
    /// The columns of its event row.
    pub event_cells: *const ph_cell_t,
    /// How many arguments it has.
    pub argument_count: u64,
    /// Its arguments, by position.
    pub arguments: *const ph_argument_t,
}

/// How an event belongs to another. The first that holds is told.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_relation_t {
    /// Both have the same stack id: a launch and what it launched.
    PH_RELATION_SAME_STACK = 0,
    /// It is the call that the other was made in.
    PH_RELATION_PARENT = 1,
    /// It was made in the other.
    PH_RELATION_CHILD = 2,
    /// Both have the same correlation id.
    PH_RELATION_SAME_CORRELATION = 3,
}

/// An event that belongs to another.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_related_event_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// How it belongs.
    pub relation: ph_relation_t,
    /// Its table.
    pub table: ph_table_t,
    /// Its row.
    pub row_id: u64,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
    /// The track that its row belongs to; of the device, that of its queue.
    pub track_id: u32,
    /// Its type in lists of events.
    pub r#type: crate::types::ph_event_type_t,
}

/// Events that belong to another. Given back with ph_related_list_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_related_list_t {
    /// Set by the caller: sizeof(ph_related_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_related_event_t,
}

/// A stretch of a histogram's window.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ph_bucket_t {
    /// How many events are active in it, or values of counters lie in it; one that reaches over
    /// several buckets counts in each.
    pub events: u64,
    /// How long, in ns, at least one event of a track is active in it, added up over the tracks.
    pub busy: u64,
}

/// The events of one name. Durations are in ns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_name_summary_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// The name.
    pub name: *const c_char,
    /// How many events have it.
    pub count: u64,
    /// How long they take together.
    pub total: u64,
    /// How long they take on average.
    pub mean: f64,
    /// The shortest.
    pub min: u64,
    /// The longest.
    pub max: u64,
    /// The median: the least duration that half of the events do not exceed.
    pub p50: u64,
    /// The least duration that 95 % of the events do not exceed.
    pub p95: u64,
}

/// Events by name. Given back with ph_summary_free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_summary_t {
    /// Set by the caller: sizeof(ph_summary_t).
    pub size: usize,
    /// How many names there are.
    pub count: u64,
    /// A pointer to each, the longest total first; NULL if there are none.
    pub items: *const *const ph_name_summary_t,
}
