//! The tracks of a context, their events and samples.

use std::mem::offset_of;

use rocpd::reader::{Event, EventKind, Sample, TrackId, Window};

use crate::boundary::{Failure, guard, set};
use crate::context::{Context, context};
use crate::lists::pointer;
use crate::types::{
    ph_ctx_t, ph_event_list_t, ph_event_t, ph_event_type_t, ph_node_t, ph_result_t,
    ph_sample_list_t, ph_sample_t, ph_track_list_t,
};

// The reader keeps events and samples in the layout that C sees, so lists are not copied.
const _: () = {
    assert!(size_of::<Event<'_>>() == size_of::<ph_event_t>());
    assert!(align_of::<Event<'_>>() == align_of::<ph_event_t>());
    assert!(offset_of!(Event<'_>, id) == offset_of!(ph_event_t, id));
    assert!(offset_of!(Event<'_>, start) == offset_of!(ph_event_t, start));
    assert!(offset_of!(Event<'_>, end) == offset_of!(ph_event_t, end));
    assert!(offset_of!(Event<'_>, name) == offset_of!(ph_event_t, name));
    assert!(offset_of!(Event<'_>, kind) == offset_of!(ph_event_t, r#type));
    assert!(offset_of!(Event<'_>, depth) == offset_of!(ph_event_t, depth));
    assert!(EventKind::Region as u32 == ph_event_type_t::PH_EVENT_TYPE_REGION as u32);
    assert!(
        EventKind::KernelDispatch as u32 == ph_event_type_t::PH_EVENT_TYPE_KERNEL_DISPATCH as u32
    );
    assert!(EventKind::MemoryCopy as u32 == ph_event_type_t::PH_EVENT_TYPE_MEMORY_COPY as u32);
    assert!(
        EventKind::MemoryAllocate as u32 == ph_event_type_t::PH_EVENT_TYPE_MEMORY_ALLOCATE as u32
    );
    assert!(size_of::<Sample>() == size_of::<ph_sample_t>());
    assert!(offset_of!(Sample, timestamp) == offset_of!(ph_sample_t, timestamp));
    assert!(offset_of!(Sample, value) == offset_of!(ph_sample_t, value));
};

/// A window as C gives it; none is the whole track.
pub(crate) fn window(start_ts: u64, end_ts: u64) -> Result<Option<Window>, Failure> {
    match (start_ts, end_ts) {
        (0, 0) => Ok(None),
        (start, 0) => Ok(Some(Window {
            start,
            end: u64::MAX,
        })),
        (start, end) if start > end => Err(Failure::argument(format!(
            "the window begins at {start} and ends at {end}, which is before; expected its end \
             last, or 0 for no upper bound"
        ))),
        (start, end) => Ok(Some(Window { start, end })),
    }
}

fn list_size(count: usize, what: &str) -> Result<u32, Failure> {
    u32::try_from(count).map_err(|_| {
        Failure::argument(format!(
            "{count} {what} do not fit a list, which holds {}; ask for windows",
            u32::MAX
        ))
    })
}

const NO_TRACKS: ph_track_list_t = ph_track_list_t {
    list_size: 0,
    tracks: std::ptr::null_mut(),
};

const NO_EVENTS: ph_event_list_t = ph_event_list_t {
    list_size: 0,
    events: std::ptr::null_mut(),
};

const NO_SAMPLES: ph_sample_list_t = ph_sample_list_t {
    list_size: 0,
    samples: std::ptr::null_mut(),
};

/// Lists all tracks, ordered by node, category and ids.
///
/// @param ctx   A context.
/// @param list  Where to write the list; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_track_list(
    ctx: ph_ctx_t,
    list: *mut ph_track_list_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(list, NO_TRACKS, "list") }?;
        context(ctx)?.run(|context| {
            // SAFETY: as above.
            unsafe { set(list, context.lists.tracks(), "list") }
        })
    })
}

/// Tells the first node with its agents, processes and tracks. A file mostly has one node;
/// ph_get_nodes lists them all.
///
/// @param ctx   A context.
/// @param node  Where to write it; what it points to stays valid until the context is freed. If
///              the file lists no node, its id is PH_ID_NONE and it has all tracks.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if node is
///         NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_node(ctx: ph_ctx_t, node: *mut ph_node_t) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(node, crate::lists::empty_node(), "node") }?;
        context(ctx)?.run(|context| {
            // SAFETY: as above.
            unsafe { set(node, context.lists.node(), "node") }
        })
    })
}

/// Lists the events of a track that overlap a window, ordered by start.
///
/// An event overlaps if it starts no later than the window's end and ends no earlier than the
/// window's start; one that ends before its start is taken as its start alone. The first call for
/// a track reads its table, with all other tracks of it; later ones are answered from memory.
///
/// @param ctx       A context.
/// @param track_id  A track's id.
/// @param start_ts  The window's start, in ns.
/// @param end_ts    The window's end, in ns; 0 for no upper bound. Both 0: the whole track.
/// @param list      Where to write the list. It is valid until the context is freed; one of a
///                  window can be given back earlier with ph_event_list_free. Empty for a counter.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL, the track is not known, or the window ends before it starts;
///         PH_RESULT_INVALID_DATABASE if the file was changed or became unreadable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_track_events(
    ctx: ph_ctx_t,
    track_id: u32,
    start_ts: u64,
    end_ts: u64,
    list: *mut ph_event_list_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(list, NO_EVENTS, "list") }?;
        context(ctx)?.run(|context| {
            let track = TrackId(track_id);
            context.reader.track(track)?;
            let found = match window(start_ts, end_ts)? {
                None => {
                    let events = context.reader.events(track)?;
                    let list_size = list_size(events.len(), "events")?;
                    let events = pointer(events).cast();
                    context.handed.lend(events);
                    ph_event_list_t { list_size, events }
                }
                Some(window) => {
                    let events = context.reader.events_within(track, window)?;
                    let list_size = list_size(events.len(), "events")?;
                    let copy: Box<[ph_event_t]> = events.iter().map(event).collect();
                    let events = pointer(&copy);
                    context.handed.keep(events, copy);
                    ph_event_list_t { list_size, events }
                }
            };
            // SAFETY: as above.
            unsafe { set(list, found, "list") }
        })
    })
}

pub(crate) fn event_type(kind: EventKind) -> ph_event_type_t {
    match kind {
        EventKind::Region => ph_event_type_t::PH_EVENT_TYPE_REGION,
        EventKind::KernelDispatch => ph_event_type_t::PH_EVENT_TYPE_KERNEL_DISPATCH,
        EventKind::MemoryCopy => ph_event_type_t::PH_EVENT_TYPE_MEMORY_COPY,
        EventKind::MemoryAllocate => ph_event_type_t::PH_EVENT_TYPE_MEMORY_ALLOCATE,
    }
}

fn event(event: &Event<'_>) -> ph_event_t {
    ph_event_t {
        id: event.id,
        start: event.start,
        end: event.end,
        name: event.name.as_ptr().cast(),
        r#type: event_type(event.kind),
        depth: event.depth,
    }
}

/// Gives back a list of events, so that panning does not grow memory.
///
/// The list is emptied. A list of a whole track stays in the context's memory, and giving it back
/// does nothing more.
///
/// @param ctx   The context that the list comes from.
/// @param list  The list, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS, also for an empty list; PH_RESULT_INVALID_CONTEXT;
///         PH_RESULT_INVALID_ARGUMENT if the list is none of this context's, or was given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_event_list_free(
    ctx: ph_ctx_t,
    list: *mut ph_event_list_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if list.is_null() {
            return Ok(());
        }
        // SAFETY: not NULL, and the header asks for a list that a function of this library wrote.
        let events = unsafe { (*list).events };
        context.run(|context| context.handed.drop_kept(events))?;
        // SAFETY: as above.
        unsafe { set(list, NO_EVENTS, "list") }
    })
}

/// Tells the greatest depth of a track's events.
///
/// @param ctx       A context.
/// @param track_id  A track's id.
/// @param depth     Where to write it; 0 for a counter.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if depth is
///         NULL or the track is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_track_nesting_depth(
    ctx: ph_ctx_t,
    track_id: u32,
    depth: *mut u32,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(depth, 0, "depth") }?;
        context(ctx)?.run(|context| {
            let track = context.reader.track(TrackId(track_id))?;
            // SAFETY: as above.
            unsafe { set(depth, track.depth, "depth") }
        })
    })
}

/// Lists the values of a counter in a window, ordered by time.
///
/// @param ctx       A context.
/// @param track_id  A track's id.
/// @param start_ts  The window's first ns.
/// @param end_ts    The window's last ns; 0 for no upper bound. Both 0: the whole track.
/// @param list      Where to write the list. It is valid until the context is freed; one of a
///                  window can be given back with ph_sample_list_free. Empty for a track that is
///                  no counter.
/// @return As ph_get_track_events.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_track_samples(
    ctx: ph_ctx_t,
    track_id: u32,
    start_ts: u64,
    end_ts: u64,
    list: *mut ph_sample_list_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(list, NO_SAMPLES, "list") }?;
        context(ctx)?.run(|context| {
            let track = TrackId(track_id);
            context.reader.track(track)?;
            let window = window(start_ts, end_ts)?.unwrap_or(Window::ALL);
            // A window's samples lie side by side in memory, so they are lent, never copied.
            let samples = context.reader.samples_within(track, window)?;
            let list_size = list_size(samples.len(), "values")?;
            let samples = pointer(samples).cast();
            // SAFETY: as above.
            unsafe { set(list, ph_sample_list_t { list_size, samples }, "list") }
        })
    })
}

/// Gives back a list of values. The list is emptied.
///
/// @param ctx   The context that the list comes from.
/// @param list  The list, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS, also for an empty list; PH_RESULT_INVALID_CONTEXT;
///         PH_RESULT_INVALID_ARGUMENT if the list is none of this context's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_sample_list_free(
    ctx: ph_ctx_t,
    list: *mut ph_sample_list_t,
) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if list.is_null() {
            return Ok(());
        }
        // SAFETY: not NULL, and the header asks for a list that a function of this library wrote.
        let samples = unsafe { (*list).samples };
        context.run(|context| {
            if samples.is_null() || is_lent(context, samples) {
                return Ok(());
            }
            Err(Failure::argument(
                "the list is none of this context's; expected one from ph_get_track_samples",
            ))
        })?;
        // SAFETY: as above.
        unsafe { set(list, NO_SAMPLES, "list") }
    })
}

/// Whether a pointer leads into the context's samples.
fn is_lent(context: &Context, samples: *const ph_sample_t) -> bool {
    context.reader.tracks().iter().any(|track| {
        let all = context.reader.samples(track.id).unwrap_or(&[]);
        all.as_ptr_range().contains(&samples.cast())
    })
}
