//! Opening with options, and what a file and its tracks hold.

use std::ffi::c_char;
use std::ops::ControlFlow;
use std::os::raw::c_void;

use rocpd::reader::{OpenOptions, Progress, Stage, Track, TrackId, TrackKind};

use crate::answer::row;
use crate::boundary::{get_sized, growing, guard, set, set_sized};
use crate::context::{Context, context, path_of};
use crate::info_types::PH_NONE;
use crate::probe::fill;
use crate::query_types::{ph_open_options_t, ph_open_stage_t, ph_trace_info_t, ph_track_info_t};
use crate::types::{ph_ctx_t, ph_result_t};

growing!(ph_open_options_t, ph_trace_info_t, ph_track_info_t);

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
/// @return As ph_ctx_create; PH_RESULT_INVALID_ARGUMENT also if the size of options is wrong;
///         PH_RESULT_INTERNAL_ERROR if progress ended it: ph_last_error_message says that it was
///         cancelled.
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
