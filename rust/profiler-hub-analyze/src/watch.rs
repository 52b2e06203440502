//! What a run tells its caller while it goes on, and how it is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;

/// SQLite asks after so many of its instructions whether to go on: some hundred times a second.
const ASK_EVERY: std::ffi::c_int = 100_000;

/// Follows a run. Passes are worked on by several threads at once.
pub trait Watch: Sync {
    /// A pass is begun; it has about so many values to read.
    fn pass_begun(&self, _pass: &str, _values: u64) {}

    /// So many more values of the pass have been read.
    fn values_read(&self, _pass: &str, _values: u64) {}

    /// The pass is in the table.
    fn pass_done(&self, _pass: &str) {}

    /// Set this to have the run end soon, with nothing left behind.
    fn stop(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}

/// Follows nothing.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}

pub(crate) fn is_asked_to_stop(watch: &dyn Watch) -> bool {
    watch
        .stop()
        .is_some_and(|stop| stop.load(Ordering::Relaxed))
}

/// Makes long statements of this connection end when the caller asks for it.
pub(crate) fn stop_when_asked(
    connection: &mut Connection,
    watch: &dyn Watch,
) -> rusqlite::Result<()> {
    let Some(stop) = watch.stop() else {
        return Ok(());
    };
    let asked = move || stop.load(Ordering::Relaxed);
    connection.progress_handler(ASK_EVERY, Some(asked))
}
