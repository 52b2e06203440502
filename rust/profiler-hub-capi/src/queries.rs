//! Questions to a context: what the file holds, details, flow, histogram, pages, summaries.

use std::ffi::{CStr, CString, c_char};
use std::ops::ControlFlow;
use std::os::raw::c_void;
use std::slice;

use rocpd::reader::{
    Cell, EventDetails, EventKind, OpenOptions, Page, Progress, Query, Relation, RowId, Stage,
    Table, Track, TrackId, TrackKind, Window,
};

use crate::boundary::{Failure, get_sized, growing, guard, set, set_sized, text};
use crate::context::{Context, context, path_of};
use crate::info_types::PH_NONE;
use crate::lists::Rows;
use crate::probe::fill;
use crate::query_types::{
    ph_argument_t, ph_bucket_t, ph_cell_t, ph_cell_type_t, ph_event_details_t, ph_name_summary_t,
    ph_open_options_t, ph_open_stage_t, ph_related_event_t, ph_related_list_t, ph_relation_t,
    ph_summary_t, ph_table_page_t, ph_table_query_t, ph_table_t, ph_trace_info_t, ph_track_info_t,
};
use crate::tracks::{event_type, window};
use crate::types::{PH_ID_NONE, ph_ctx_t, ph_event_type_t, ph_result_t};

growing!(
    ph_open_options_t,
    ph_trace_info_t,
    ph_track_info_t,
    ph_table_query_t,
    ph_table_page_t,
    ph_event_details_t,
    ph_related_list_t,
    ph_summary_t,
);

/// What calls back while a file is opened.
struct Callback {
    function: unsafe extern "C" fn(*mut c_void, ph_open_stage_t, u64, u64) -> u32,
    user_data: *mut c_void,
}

// SAFETY: the header says that it is called from the library's threads, never twice at once.
unsafe impl Sync for Callback {}

impl Callback {
    fn call(&self, progress: Progress) -> ControlFlow<()> {
        let stage = match progress.stage {
            Stage::Catalog => ph_open_stage_t::PH_OPEN_STAGE_CATALOG,
            Stage::Metadata => ph_open_stage_t::PH_OPEN_STAGE_METADATA,
            Stage::Counters => ph_open_stage_t::PH_OPEN_STAGE_COUNTERS,
            Stage::Events => ph_open_stage_t::PH_OPEN_STAGE_EVENTS,
            Stage::Tracks => ph_open_stage_t::PH_OPEN_STAGE_TRACKS,
        };
        let (done, total) = (progress.done as u64, progress.total as u64);
        // SAFETY: function and pointer come together from the caller, who promises that they fit.
        let answer = unsafe { (self.function)(self.user_data, stage, done, total) };
        if answer == 0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Opens a file as ph_ctx_create does, with options.
///
/// @param ctx      Where to write the context; NULL is written on any failure.
/// @param path     The file's path; any bytes, up to the first NUL.
/// @param options  How to open it, size set; NULL for none.
/// @return As ph_ctx_create; PH_RESULT_INTERNAL_ERROR if progress ended it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_ctx_create_with(
    ctx: *mut ph_ctx_t,
    path: *const c_char,
    options: *const ph_open_options_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(ctx, std::ptr::null_mut(), "ctx") }?;
        // SAFETY: the header asks for NULL or a text that ends with a NUL.
        let path = unsafe { path_of(path) }?;
        let mut how = OpenOptions::new();
        let mut callback = None;
        if !options.is_null() {
            // SAFETY: the header asks for a struct whose size is set; zeros are a valid one.
            let options = unsafe { get_sized(options, "options") }?;
            if let Ok(threads @ 1..) = usize::try_from(options.threads) {
                how = how.threads(threads);
            }
            callback = options.progress.map(|function| Callback {
                function,
                user_data: options.user_data,
            });
        }
        let call;
        if let Some(callback) = &callback {
            call = |progress| callback.call(progress);
            how = how.progress(&call);
        }
        let handle = Context::open(path, how)?;
        // SAFETY: as above.
        unsafe { set(ctx, handle, "ctx") }
    })
}

/// Tells what the file holds: its range of time, counts, guid, and what should be known of it.
///
/// @param ctx   A context.
/// @param info  Where to write it, size set.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_trace_info(
    ctx: ph_ctx_t,
    info: *mut ph_trace_info_t,
) -> ph_result_t {
    let mut found = ph_trace_info_t {
        size: size_of::<ph_trace_info_t>(),
        start_ts: 0,
        end_ts: 0,
        event_count: 0,
        value_count: 0,
        odd_time_count: 0,
        warnings: c"".as_ptr(),
        guid: fill(""),
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(info, &found, "info") }?;
        context(ctx)?.run(|context| {
            let reader = &context.reader;
            (found.start_ts, found.end_ts) = reader.time_range().unwrap_or_default();
            for track in reader.tracks() {
                match track.kind {
                    TrackKind::Stream => {}
                    TrackKind::Counter => found.value_count += track.count,
                    _ => {
                        found.event_count += track.count;
                        found.odd_time_count += track.odd_times;
                    }
                }
            }
            found.warnings = context.warnings();
            found.guid = fill(reader.guids().first().map_or("", |guid| guid.guid.as_str()));
            // SAFETY: as above.
            unsafe { set_sized(info, &found, "info") }
        })
    })
}

fn row(row: Option<RowId>) -> u64 {
    row.map_or(PH_NONE, |RowId(id)| id.cast_unsigned())
}

fn track_info(track: &Track) -> ph_track_info_t {
    ph_track_info_t {
        size: size_of::<ph_track_info_t>(),
        count: track.count,
        odd_time_count: track.odd_times,
        node_row: row(track.node_row),
        process_row: row(track.process_row),
        thread_row: row(track.thread_row),
        agent_row: row(track.agent_row),
        queue_row: row(track.queue_row),
        stream_row: row(track.stream_row),
        pmc_row: row(track.pmc_row),
        named_track_row: row(track.named_track_row),
        pid: track.pid.unwrap_or(PH_NONE),
        tid: track.tid.unwrap_or(PH_NONE),
        agent_id: track.agent.unwrap_or(PH_NONE),
    }
}

/// Tells of a track what ph_track_t has no place for: the rows that its events carry, and counts
/// of 64 bits.
///
/// @param ctx       A context.
/// @param track_id  A track's id.
/// @param info      Where to write it, size set; all zero on a failure.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
///         NULL, its size is wrong, or the track is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_track_info(
    ctx: ph_ctx_t,
    track_id: u32,
    info: *mut ph_track_info_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: zeros are a valid struct of numbers.
        let empty: ph_track_info_t = unsafe { std::mem::zeroed() };
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(info, &empty, "info") }?;
        context(ctx)?.run(|context| {
            let found = track_info(context.reader.track(TrackId(track_id))?);
            // SAFETY: as above.
            unsafe { set_sized(info, &found, "info") }
        })
    })
}

/// Texts and structs of one answer, which live and die together.
struct Answer<T> {
    /// What the struct that the caller sees points to.
    _parts: T,
    _texts: Vec<CString>,
}

/// Texts of an answer being made.
#[derive(Default)]
struct Kept(Vec<CString>);

impl Kept {
    fn keep(&mut self, wanted: &str) -> *const c_char {
        let kept = text(wanted);
        // The bytes stay where they are when the CString is moved.
        let pointer = kept.as_ptr();
        self.0.push(kept);
        pointer
    }

    fn keep_or_empty(&mut self, wanted: Option<&String>) -> *const c_char {
        wanted.map_or(c"".as_ptr(), |wanted| self.keep(wanted))
    }

    fn cell(&mut self, column: *const c_char, value: &Cell) -> ph_cell_t {
        let mut cell = ph_cell_t {
            column,
            r#type: ph_cell_type_t::PH_CELL_NULL,
            as_int64: 0,
            as_uint64: 0,
            as_double: 0.0,
            as_text: std::ptr::null(),
        };
        match value {
            Cell::Null => {}
            Cell::Integer(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_INT64;
                cell.as_int64 = *number;
            }
            Cell::Unsigned(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_UINT64;
                cell.as_uint64 = *number;
            }
            Cell::Real(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_DOUBLE;
                cell.as_double = *number;
            }
            Cell::Text(wanted) => {
                cell.r#type = ph_cell_type_t::PH_CELL_TEXT;
                cell.as_text = self.keep(wanted);
            }
        }
        cell
    }
}

/// The first of some structs; NULL if there are none.
fn first<T>(list: &[T]) -> *const T {
    if list.is_empty() {
        std::ptr::null()
    } else {
        list.as_ptr()
    }
}

fn table(number: u32) -> Result<Table, Failure> {
    Ok(match number {
        0 => Table::Region,
        1 => Table::KernelDispatch,
        2 => Table::MemoryCopy,
        3 => Table::MemoryAllocate,
        4 => Table::Sample,
        5 => Table::PmcEvent,
        _ => {
            return Err(Failure::argument(format!(
                "no table {number}; expected a ph_table_t, 0 to 5"
            )));
        }
    })
}

fn table_code(table: Table) -> ph_table_t {
    match table {
        Table::Region => ph_table_t::PH_TABLE_REGION,
        Table::KernelDispatch => ph_table_t::PH_TABLE_KERNEL_DISPATCH,
        Table::MemoryCopy => ph_table_t::PH_TABLE_MEMORY_COPY,
        Table::MemoryAllocate => ph_table_t::PH_TABLE_MEMORY_ALLOCATE,
        Table::Sample => ph_table_t::PH_TABLE_SAMPLE,
        Table::PmcEvent => ph_table_t::PH_TABLE_PMC_EVENT,
    }
}

fn table_event_type(table: Table) -> ph_event_type_t {
    event_type(match table {
        Table::Region | Table::Sample | Table::PmcEvent => EventKind::Region,
        Table::KernelDispatch => EventKind::KernelDispatch,
        Table::MemoryCopy => EventKind::MemoryCopy,
        Table::MemoryAllocate => EventKind::MemoryAllocate,
    })
}

/// Tracks as C gives them.
///
/// # Safety
/// `ids` is NULL, or there are `count` of them.
unsafe fn tracks(ids: *const u32, count: u64) -> Result<Vec<TrackId>, Failure> {
    if ids.is_null() {
        return match count {
            0 => Ok(Vec::new()),
            _ => Err(Failure::argument(format!(
                "track_ids is NULL, but track_count is {count}"
            ))),
        };
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count > isize::MAX.unsigned_abs() / size_of::<u32>() {
        return Err(Failure::argument("track_count is larger than any array"));
    }
    // SAFETY: the caller promises that so many are there.
    Ok(unsafe { slice::from_raw_parts(ids, count) }
        .iter()
        .map(|&id| TrackId(id))
        .collect())
}

/// A text as C gives it; NULL is empty.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
unsafe fn text_of(text: *const c_char, name: &str) -> Result<String, Failure> {
    if text.is_null() {
        return Ok(String::new());
    }
    // SAFETY: not NULL, and the caller promises the NUL at its end.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map(str::to_owned)
        .map_err(|_| Failure::argument(format!("{name} is not UTF-8; expected text in UTF-8")))
}

const NO_DETAILS: ph_event_details_t = ph_event_details_t {
    size: size_of::<ph_event_details_t>(),
    table: ph_table_t::PH_TABLE_REGION,
    row_id: 0,
    name: c"".as_ptr(),
    category: c"".as_ptr(),
    call_stack: c"".as_ptr(),
    line_info: c"".as_ptr(),
    row_cell_count: 0,
    row_cells: std::ptr::null(),
    event_cell_count: 0,
    event_cells: std::ptr::null(),
    argument_count: 0,
    arguments: std::ptr::null(),
};

type DetailParts = (Vec<ph_cell_t>, Vec<ph_cell_t>, Vec<ph_argument_t>);

fn details(found: &EventDetails) -> (ph_event_details_t, Answer<DetailParts>) {
    let mut kept = Kept::default();
    let mut cells = |list: &[rocpd::reader::NamedCell]| -> Vec<ph_cell_t> {
        let cells = list.iter().map(|named| {
            let column = kept.keep(&named.column);
            kept.cell(column, &named.value)
        });
        cells.collect()
    };
    let row_cells = cells(&found.row);
    let event_cells = cells(&found.event_row);
    let arguments: Vec<_> = (found.arguments.iter())
        .map(|argument| ph_argument_t {
            position: argument.position,
            r#type: kept.keep(&argument.argument_type),
            name: kept.keep(&argument.name),
            value: argument
                .value
                .as_ref()
                .map_or(std::ptr::null(), |value| kept.keep(value)),
            extdata: kept.keep_or_empty(argument.extdata.as_ref()),
        })
        .collect();
    let details = ph_event_details_t {
        size: size_of::<ph_event_details_t>(),
        table: table_code(found.event.table),
        row_id: row(Some(found.event.row)),
        name: kept.keep(&found.name),
        category: kept.keep_or_empty(found.category.as_ref()),
        call_stack: kept.keep_or_empty(found.call_stack.as_ref()),
        line_info: kept.keep_or_empty(found.line_info.as_ref()),
        row_cell_count: row_cells.len() as u64,
        row_cells: first(&row_cells),
        event_cell_count: event_cells.len() as u64,
        event_cells: first(&event_cells),
        argument_count: arguments.len() as u64,
        arguments: first(&arguments),
    };
    let answer = Answer {
        _parts: (row_cells, event_cells, arguments),
        _texts: kept.0,
    };
    (details, answer)
}

/// Tells all that the file has on one event: every column of its row and of its event row, its
/// arguments, its call stack and line info.
///
/// The file has no index of arguments, so this looks at each of them once.
///
/// @param ctx      A context.
/// @param table    The event's table: a ph_table_t.
/// @param row_id   The event's row: ph_event_t.id.
/// @param details  Where to write them, size set. Owned by the context, until it is freed or
///                 ph_event_details_free is called.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if details is
///         NULL, its size is wrong, or there is no such row; PH_RESULT_INVALID_DATABASE if the
///         file became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_event_details(
    ctx: ph_ctx_t,
    table: u32,
    row_id: u64,
    details: *mut ph_event_details_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(details, &NO_DETAILS, "details") }?;
        context(ctx)?.run(|context| {
            let found = context.reader.details(event_ref(table, row_id)?)?;
            let (filled, answer) = self::details(&found);
            context.handed.keep(filled.row_cells, answer);
            // SAFETY: as above.
            unsafe { set_sized(details, &filled, "details") }
        })
    })
}

fn event_ref(number: u32, row_id: u64) -> Result<rocpd::reader::EventRef, Failure> {
    Ok(rocpd::reader::EventRef {
        guid: 0,
        table: table(number)?,
        row: RowId(row_id.cast_signed()),
    })
}

/// Gives back what ph_get_event_details wrote. The struct is emptied.
///
/// @param ctx      The context that it comes from.
/// @param details  The struct, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS, also for an empty one; PH_RESULT_INVALID_CONTEXT;
///         PH_RESULT_INVALID_ARGUMENT if it is none of this context's, or was given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_event_details_free(
    ctx: ph_ctx_t,
    details: *mut ph_event_details_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if details.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a struct that ph_get_event_details wrote.
        let key = unsafe { get_sized(details, "details") }?.row_cells;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(details, &NO_DETAILS, "details") }
    })
}

const NO_RELATED: ph_related_list_t = ph_related_list_t {
    size: size_of::<ph_related_list_t>(),
    count: 0,
    items: std::ptr::null(),
};

/// Lists the events that belong to an event by stack id and correlation id (its flow), ordered by
/// relation, then by start.
///
/// The file has no index of these ids, so this looks at every event row once.
///
/// @param ctx     A context.
/// @param table   The event's table: a ph_table_t.
/// @param row_id  The event's row: ph_event_t.id.
/// @param list    Where to write the list, size set. Owned by the context, until it is freed or
///                ph_related_list_free is called.
/// @return PH_RESULT_SUCCESS, with an empty list for an event that is not there or has none;
///         PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is NULL, its size is
///         wrong, or there is no such table; PH_RESULT_INVALID_DATABASE if the file became
///         unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_related_events(
    ctx: ph_ctx_t,
    table: u32,
    row_id: u64,
    list: *mut ph_related_list_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &NO_RELATED, "list") }?;
        context(ctx)?.run(|context| {
            let found = context.reader.related(event_ref(table, row_id)?)?;
            let rows = Rows::new(found.iter().map(|related| ph_related_event_t {
                size: size_of::<ph_related_event_t>(),
                relation: match related.relation {
                    Relation::SameStack => ph_relation_t::PH_RELATION_SAME_STACK,
                    Relation::Parent => ph_relation_t::PH_RELATION_PARENT,
                    Relation::Child => ph_relation_t::PH_RELATION_CHILD,
                    Relation::SameCorrelation => ph_relation_t::PH_RELATION_SAME_CORRELATION,
                },
                table: table_code(related.event.table),
                row_id: row(Some(related.event.row)),
                start: related.start,
                end: related.end,
                track_id: related.track.map_or(PH_ID_NONE, |TrackId(id)| id),
                r#type: table_event_type(related.event.table),
            }));
            let filled = ph_related_list_t {
                count: rows.count(),
                items: rows.items(),
                ..NO_RELATED
            };
            context.handed.keep(filled.items, rows);
            // SAFETY: as above.
            unsafe { set_sized(list, &filled, "list") }
        })
    })
}

/// Gives back what ph_get_related_events wrote. The list is emptied.
///
/// @param ctx   The context that it comes from.
/// @param list  The list, or NULL, which does nothing.
/// @return As ph_event_details_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_related_list_free(
    ctx: ph_ctx_t,
    list: *mut ph_related_list_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if list.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a list that ph_get_related_events wrote.
        let key = unsafe { get_sized(list, "list") }?.items;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(list, &NO_RELATED, "list") }
    })
}

/// Cuts a window into buckets of equal width and tells for each how many events are active in it
/// and for how long tracks are busy.
///
/// Tracks that are in memory are read there; the tables of the others are scanned once.
///
/// @param ctx           A context.
/// @param start_ts      The window's start, in ns.
/// @param end_ts        The window's end, in ns. Both 0: the range of all tracks.
/// @param track_ids     The tracks; NULL, with track_count 0, for all.
/// @param track_count   How many tracks.
/// @param buckets       Where to write the buckets; all are set to 0 on a failure.
/// @param bucket_count  How many buckets, 1 to 16777216.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a pointer
///         is NULL, a count is out of range, a track is not known, or the window ends before it
///         starts; PH_RESULT_INVALID_DATABASE if the file became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_histogram(
    ctx: ph_ctx_t,
    start_ts: u64,
    end_ts: u64,
    track_ids: *const u32,
    track_count: u64,
    buckets: *mut ph_bucket_t,
    bucket_count: u64,
) -> ph_result_t {
    guard(|| {
        let count = match usize::try_from(bucket_count) {
            Ok(count @ 1..=0x0100_0000) => count,
            _ => {
                return Err(Failure::argument(format!(
                    "bucket_count is {bucket_count}; expected 1 to 16777216"
                )));
            }
        };
        if buckets.is_null() {
            return Err(Failure::argument(
                "buckets is NULL; expected an array to fill",
            ));
        }
        // SAFETY: not NULL, and the header asks for an array of so many. Zeros are a valid bucket.
        let out = unsafe {
            std::ptr::write_bytes(buckets, 0, count);
            slice::from_raw_parts_mut(buckets, count)
        };
        context(ctx)?.run(|context| {
            let reader = &context.reader;
            // SAFETY: the header asks for NULL or an array of so many.
            let mut wanted = unsafe { tracks(track_ids, track_count) }?;
            if track_ids.is_null() {
                wanted = reader.tracks().iter().map(|track| track.id).collect();
            }
            let (start, end) = match (start_ts, end_ts) {
                (0, 0) => reader.time_range().unwrap_or_default(),
                window => window,
            };
            let found = reader.intervals(count, Window { start, end }, &wanted)?;
            for (place, bucket) in out.iter_mut().zip(found) {
                *place = ph_bucket_t {
                    events: bucket.events,
                    busy: bucket.busy,
                };
            }
            Ok(())
        })
    })
}

const NO_PAGE: ph_table_page_t = ph_table_page_t {
    size: size_of::<ph_table_page_t>(),
    total: 0,
    row_count: 0,
    column_count: 0,
    columns: std::ptr::null(),
    cells: std::ptr::null(),
};

type PageParts = (Vec<*const c_char>, Vec<ph_cell_t>);

fn page(found: &Page) -> (ph_table_page_t, Answer<PageParts>) {
    let mut kept = Kept::default();
    // The number of the guid is of no use here: a context has one.
    let columns: Vec<_> = found
        .columns
        .iter()
        .skip(1)
        .map(|name| kept.keep(name))
        .collect();
    let mut cells = Vec::with_capacity(columns.len() * found.rows.len());
    for row in &found.rows {
        for (&column, value) in columns.iter().zip(row.iter().skip(1)) {
            cells.push(kept.cell(column, value));
        }
    }
    let page = ph_table_page_t {
        size: size_of::<ph_table_page_t>(),
        total: found.total,
        row_count: found.rows.len() as u64,
        column_count: columns.len() as u64,
        columns: first(&columns),
        cells: first(&cells),
    };
    let answer = Answer {
        _parts: (columns, cells),
        _texts: kept.0,
    };
    (page, answer)
}

/// Gives a page of an event table: filtered, sorted, with the number of all rows that the filters
/// leave.
///
/// @param ctx    A context.
/// @param query  Which rows, size set.
/// @param page   Where to write them, size set. Owned by the context, until it is freed or
///               ph_table_page_free is called.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a pointer
///         is NULL, a size is wrong, a text is not UTF-8, or a table, track or column is not
///         known; PH_RESULT_INVALID_DATABASE if the file became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_table_page(
    ctx: ph_ctx_t,
    query: *const ph_table_query_t,
    page: *mut ph_table_page_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(page, &NO_PAGE, "page") }?;
        context(ctx)?.run(|context| {
            // SAFETY: as above; and for the pointers in the struct as the header asks.
            let (query, tracks, name_contains, sort_by) = unsafe {
                let query = get_sized(query, "query")?;
                let tracks = tracks(query.track_ids, query.track_count)?;
                let name = text_of(query.name_contains, "name_contains")?;
                (query, tracks, name, text_of(query.sort_by, "sort_by")?)
            };
            if tracks.is_empty() && !query.track_ids.is_null() {
                // No tracks at all, unlike NULL, leave no rows; but the table must be one.
                table(query.table)?;
                return Ok(());
            }
            let found = context.reader.page(&Query {
                table: table(query.table)?,
                window: window(query.start_ts, query.end_ts)?.unwrap_or(Window::ALL),
                tracks: &tracks,
                name_contains: &name_contains,
                sort_by: &sort_by,
                descending: query.descending != 0,
                offset: query.offset,
                limit: query.limit,
            })?;
            let (filled, answer) = self::page(&found);
            context.handed.keep(filled.columns, answer);
            // SAFETY: as above.
            unsafe { set_sized(page, &filled, "page") }
        })
    })
}

/// Gives back what ph_get_table_page wrote. The page is emptied.
///
/// @param ctx   The context that it comes from.
/// @param page  The page, or NULL, which does nothing.
/// @return As ph_event_details_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_table_page_free(
    ctx: ph_ctx_t,
    page: *mut ph_table_page_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if page.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a page that ph_get_table_page wrote.
        let key = unsafe { get_sized(page, "page") }?.columns;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(page, &NO_PAGE, "page") }
    })
}

const NO_SUMMARY: ph_summary_t = ph_summary_t {
    size: size_of::<ph_summary_t>(),
    count: 0,
    items: std::ptr::null(),
};

/// Sums up the events of a table by name, the longest total first. With PH_TABLE_KERNEL_DISPATCH,
/// the first are the top kernels.
///
/// @param ctx          A context.
/// @param table        The table: a ph_table_t, but not PH_TABLE_PMC_EVENT, which has no
///                     durations.
/// @param start_ts     Only events that overlap this window count, each whole.
/// @param end_ts       The window's end; 0 for no upper bound. Both 0: all events.
/// @param track_ids    Only events of these tracks; NULL, with track_count 0, for all.
/// @param track_count  How many tracks.
/// @param summary      Where to write it, size set. Owned by the context, until it is freed or
///                     ph_summary_free is called.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if summary is
///         NULL, its size is wrong, a table or track is not known, or the window ends before it
///         starts; PH_RESULT_INVALID_DATABASE if the file became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_summary(
    ctx: ph_ctx_t,
    table: u32,
    start_ts: u64,
    end_ts: u64,
    track_ids: *const u32,
    track_count: u64,
    summary: *mut ph_summary_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(summary, &NO_SUMMARY, "summary") }?;
        context(ctx)?.run(|context| {
            // SAFETY: the header asks for NULL or an array of so many.
            let wanted = unsafe { tracks(track_ids, track_count) }?;
            let window = window(start_ts, end_ts)?.unwrap_or(Window::ALL);
            let found = context
                .reader
                .summary(self::table(table)?, window, &wanted)?;
            let mut kept = Kept::default();
            let rows = Rows::new(found.iter().map(|of_name| ph_name_summary_t {
                size: size_of::<ph_name_summary_t>(),
                name: kept.keep(&of_name.name),
                count: of_name.count,
                total: of_name.total,
                mean: of_name.mean,
                min: of_name.min,
                max: of_name.max,
                p50: of_name.p50,
                p95: of_name.p95,
            }));
            let filled = ph_summary_t {
                count: rows.count(),
                items: rows.items(),
                ..NO_SUMMARY
            };
            let answer = Answer {
                _parts: rows,
                _texts: kept.0,
            };
            context.handed.keep(filled.items, answer);
            // SAFETY: as above.
            unsafe { set_sized(summary, &filled, "summary") }
        })
    })
}

/// Gives back what ph_get_summary wrote. The summary is emptied.
///
/// @param ctx      The context that it comes from.
/// @param summary  The summary, or NULL, which does nothing.
/// @return As ph_event_details_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_summary_free(ctx: ph_ctx_t, summary: *mut ph_summary_t) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if summary.is_null() {
            return Ok(());
        }
        // SAFETY: the header asks for a summary that ph_get_summary wrote.
        let key = unsafe { get_sized(summary, "summary") }?.items;
        context.run(|context| context.handed.drop_kept(key))?;
        // SAFETY: as above.
        unsafe { set_sized(summary, &NO_SUMMARY, "summary") }
    })
}
