//! Histogram, pages of event tables, summaries by name.

use std::ffi::c_char;
use std::slice;

use rocpd::reader::{Page, Query, Window};

use crate::answer::{Answer, Kept, first, table, text_of, tracks};
use crate::boundary::{Failure, get_sized, growing, guard, set_sized};
use crate::context::context;
use crate::lists::Rows;
use crate::query_types::{
    ph_bucket_t, ph_cell_t, ph_name_summary_t, ph_summary_t, ph_table_page_t, ph_table_query_t,
};
use crate::tracks::window;
use crate::types::{ph_ctx_t, ph_result_t};

growing!(ph_table_query_t, ph_table_page_t, ph_summary_t);

/// Cuts a window into buckets of equal width and tells for each how many events are active in it
/// and for how long tracks are busy.
///
/// Tracks that are in memory are read there; the tables of the others are scanned once.
///
/// @param ctx           A context.
/// @param start_ts      The window's start, in ns.
/// @param end_ts        The window's end, in ns; 0 for the end of the last event, or start_ts if
///                      that is later. Both 0: the range of all tracks.
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
            // Buckets need an end: an open window goes as far as there is anything.
            let (first, last) = reader.time_range().unwrap_or_default();
            let window = match window(start_ts, end_ts)? {
                None => Window {
                    start: first,
                    end: last,
                },
                Some(Window { start, .. }) if end_ts == 0 => Window {
                    start,
                    end: last.max(start),
                },
                Some(window) => window,
            };
            let found = reader.intervals(count, window, &wanted)?;
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
            let table = self::table(table)?;
            if wanted.is_empty() && !track_ids.is_null() {
                // No tracks at all, unlike NULL, leave no events.
                return Ok(());
            }
            let found = context.reader.summary(table, window, &wanted)?;
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
