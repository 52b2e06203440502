//! Everything that a trace viewer does with a file, on a file of any bytes.

use std::cell::RefCell;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::{null, null_mut};

use profiler_hub::*;

thread_local! {
    /// The file that is written again and again; in memory where the system has such a place.
    static FILE: RefCell<Option<(tempfile::TempDir, PathBuf)>> = const { RefCell::new(None) };
}

/// Any code but that of a bug, nor anything printed or lost: what a damaged file may come to.
fn allowed(result: ph_result_t) -> bool {
    assert!(
        result != ph_result_t::PH_RESULT_INTERNAL_ERROR,
        "a panic inside the library"
    );
    result == ph_result_t::PH_RESULT_SUCCESS
}

/// Writes the bytes to a file, probes it, opens it, and reads all of it. True if it opened.
pub(crate) fn exercise(bytes: &[u8]) -> bool {
    let path = FILE.with_borrow_mut(|file| {
        let (_, path) = file.get_or_insert_with(|| {
            let memory = std::path::Path::new("/dev/shm");
            let folder = match memory.is_dir() {
                true => tempfile::tempdir_in(memory),
                false => tempfile::tempdir(),
            };
            let folder = folder.expect("a temporary folder");
            let path = folder.path().join("fuzz.db");
            (folder, path)
        });
        std::fs::write(&*path, bytes).expect("a temporary file");
        path.clone()
    });
    let path = CString::new(path.as_os_str().as_bytes()).expect("no NUL in a path");
    // SAFETY: every pointer is to a local that lives for the call, with its size set.
    unsafe {
        let mut probe: ph_database_probe_t = std::mem::zeroed();
        probe.size = size_of::<ph_database_probe_t>();
        let probed = ph_probe_database(path.as_ptr(), &raw mut probe);
        let mut ctx = null_mut();
        let opened = ph_ctx_create(&raw mut ctx, path.as_ptr());
        allowed(probed);
        if !allowed(opened) {
            assert!(ctx.is_null());
            return false;
        }
        assert!(
            probed == ph_result_t::PH_RESULT_SUCCESS,
            "opened what the probe rejects"
        );
        read_all(ctx);
        allowed(ph_ctx_free(ctx));
    }
    true
}

/// # Safety
/// The context lives.
unsafe fn read_all(ctx: ph_ctx_t) {
    // SAFETY: as in `exercise`.
    unsafe {
        let mut tracks: ph_track_list_t = std::mem::zeroed();
        allowed(ph_get_track_list(ctx, &raw mut tracks));
        for track in 0..tracks.list_size {
            let mut events: ph_event_list_t = std::mem::zeroed();
            if allowed(ph_get_track_events(ctx, track, 0, 0, &raw mut events)) {
                for place in 0..events.list_size.min(2) {
                    let event = events.events.add(place as usize).read();
                    for table in 0..6 {
                        query_event(ctx, table, event.id);
                    }
                }
            }
            let middle = 1 << 40;
            allowed(ph_get_track_events(ctx, track, middle, 0, &raw mut events));
            allowed(ph_event_list_free(ctx, &raw mut events));
            let mut samples: ph_sample_list_t = std::mem::zeroed();
            allowed(ph_get_track_samples(ctx, track, 0, 0, &raw mut samples));
        }
        let mut node: ph_node_t = std::mem::zeroed();
        allowed(ph_get_node(ctx, &raw mut node));
        let mut nodes: ph_node_row_list_t = std::mem::zeroed();
        nodes.size = size_of::<ph_node_row_list_t>();
        allowed(ph_get_nodes(ctx, &raw mut nodes));
        let mut buckets = [ph_bucket_t::default(); 50];
        allowed(ph_get_histogram(
            ctx,
            0,
            0,
            null(),
            0,
            buckets.as_mut_ptr(),
            50,
        ));
        for table in 0..6 {
            let mut summary: ph_summary_t = std::mem::zeroed();
            summary.size = size_of::<ph_summary_t>();
            allowed(ph_get_summary(
                ctx,
                table,
                0,
                0,
                null(),
                0,
                &raw mut summary,
            ));
            allowed(ph_summary_free(ctx, &raw mut summary));
            let mut query: ph_table_query_t = std::mem::zeroed();
            query.size = size_of::<ph_table_query_t>();
            query.table = table;
            query.limit = 20;
            query.sort_by = c"name".as_ptr();
            let mut page: ph_table_page_t = std::mem::zeroed();
            page.size = size_of::<ph_table_page_t>();
            allowed(ph_get_table_page(ctx, &raw const query, &raw mut page));
            allowed(ph_table_page_free(ctx, &raw mut page));
        }
    }
}

/// # Safety
/// The context lives.
unsafe fn query_event(ctx: ph_ctx_t, table: u32, row: u64) {
    // SAFETY: as in `exercise`.
    unsafe {
        let mut details: ph_event_details_t = std::mem::zeroed();
        details.size = size_of::<ph_event_details_t>();
        allowed(ph_get_event_details(ctx, table, row, &raw mut details));
        allowed(ph_event_details_free(ctx, &raw mut details));
        let mut related: ph_related_list_t = std::mem::zeroed();
        related.size = size_of::<ph_related_list_t>();
        allowed(ph_get_related_events(ctx, table, row, &raw mut related));
        allowed(ph_related_list_free(ctx, &raw mut related));
    }
}
