//! How a file is opened: threads, progress, cancellation.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to open a file.
#[derive(Default)]
pub struct OpenOptions<'a> {
    pub(crate) threads: Option<usize>,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)>,
    pub(crate) cancel: CancelToken,
}

/// Ends an opening or a load from another thread.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(pub(crate) Arc<AtomicBool>);

/// How far opening has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How many steps of the stage are done.
    pub done: usize,
    /// How many steps it has. Steps take about the same time within a stage, not across them.
    pub total: usize,
}

/// The stages of opening, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The tables of the file are listed, versions are checked.
    #[default]
    Catalog,
    /// The info tables and the texts are read, a step for each table.
    Metadata,
    /// The values of the counters are read, a step for each range of rows.
    Counters,
    /// The event tables are scanned for tracks, a step for each range of rows.
    Events,
    /// Counts, ranges and depths are worked out, a step for each track.
    Tracks,
}

impl CancelToken {
    /// A token that has not been cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends what was started with this token; it fails with [`crate::Error::Cancelled`].
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl<'a> OpenOptions<'a> {
    /// As many threads as the machine offers, no callback.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many threads read at once, at least one.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads.max(1));
        self
    }

    /// A function that is told of each step and may end the opening. It is called from the
    /// reader's threads, never twice at once.
    #[must_use]
    pub fn progress(mut self, callback: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> Self {
        self.progress = Some(callback);
        self
    }

    /// A token by which another thread may end the opening.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = token;
        self
    }
}

impl fmt::Debug for OpenOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenOptions")
            .field("threads", &self.threads)
            .field("progress", &self.progress.is_some())
            .field("cancel", &self.cancel)
            .finish()
    }
}
