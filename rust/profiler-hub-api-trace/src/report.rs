//! What the tool says: on stderr, one line each, never more than it has to.

use std::fmt::Write as _;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::functions::FUNCTIONS;

/// What stderr was when the tool was configured: device and inode.
static STDERR: OnceLock<Option<(u64, u64)>> = OnceLock::new();
/// Lines for the end, each with the process that kept it: a forked child does not repeat them.
static LEFT_ALONE: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());

fn stderr() -> Option<(u64, u64)> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: a place for the answer, which is filled where it returns 0.
    (unsafe { libc::fstat(libc::STDERR_FILENO, stat.as_mut_ptr()) } == 0).then(|| {
        // SAFETY: filled, by the above.
        let stat = unsafe { stat.assume_init() };
        (stat.st_dev, stat.st_ino)
    })
}

/// Remembers what stderr is. Applications close it, and the number then becomes another file.
pub(crate) fn remember_stderr() {
    STDERR.get_or_init(stderr);
}

/// Writes a line to stderr, if it is still what it was.
pub(crate) fn say(line: &str) {
    if *STDERR.get_or_init(stderr) != stderr() {
        return;
    }
    let text = format!("[profiler-hub-api-trace] {line}\n");
    // SAFETY: the bytes are there. Whether they arrive is not the application's business.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

/// Keeps a line for the end of the process.
pub(crate) fn say_at_the_end(line: String) {
    LEFT_ALONE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push((std::process::id(), line));
}

/// Says what was kept for the end, once.
pub(crate) fn say_what_was_kept() {
    let lines = std::mem::take(&mut *LEFT_ALONE.lock().unwrap_or_else(PoisonError::into_inner));
    for (process, line) in lines {
        if process == std::process::id() {
            say(&line);
        }
    }
}

/// What a recording came to.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    /// Rows in the file.
    pub(crate) regions: u64,
    /// Threads that made a call.
    pub(crate) threads: u64,
    /// Records that were dropped.
    pub(crate) lost: u64,
    /// Ranges that were never closed.
    pub(crate) unfinished: u64,
    /// Calls of each function, by their index.
    pub(crate) calls: Vec<u64>,
}

impl Totals {
    /// Says where the file is, and how often each function was called.
    pub(crate) fn say(&self, path: &Path) {
        let mut line = format!(
            "{}: {} regions of {} threads",
            path.display(),
            self.regions,
            self.threads
        );
        // Writing to a string cannot fail.
        if self.unfinished > 0 {
            let _ = write!(
                line,
                ", {} of them ranges that were never closed",
                self.unfinished
            );
        }
        if self.lost > 0 {
            let _ = write!(line, "; {} records lost", self.lost);
        }
        say(&line);
        let mut called: Vec<(u64, &str)> = self
            .calls
            .iter()
            .zip(FUNCTIONS)
            .filter(|(calls, _)| **calls > 0)
            .map(|(calls, function)| (*calls, function.name))
            .collect();
        called.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        for (calls, name) in called {
            say(&format!("{calls:>12} {name}"));
        }
    }
}
