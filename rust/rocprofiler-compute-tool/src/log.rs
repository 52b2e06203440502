//! Lines on stderr, and nothing else: the process is somebody else's.
//!
//! What is broken is always said, in one line; the rest only with [`LOG_VARIABLE`]. A line is one
//! `write`, so that lines of several ranks do not mix. An error of the write is nobody's business. Where
//! nobody reads, the line is dropped: the application does not wait for it.

use std::fmt::{self, Write};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

/// Set to anything but `0`: details are written too.
pub const LOG_VARIABLE: &str = "ROCPROF_COMPUTE_TOOL_LOG";

/// Writes a line.
pub fn say(line: fmt::Arguments<'_>) {
    let mut text = String::from("[rocprofiler-compute] ");
    // Names of kernels and files may hold anything; a line stays a line.
    let _ = write!(Escape(&mut text), "{line}");
    text.push('\n');
    write_stderr(text.as_bytes());
}

/// Writes a line if details were asked for.
pub fn detail(line: fmt::Arguments<'_>) {
    static WANTED: OnceLock<bool> = OnceLock::new();
    let wanted =
        || std::env::var_os(LOG_VARIABLE).is_some_and(|value| !value.is_empty() && value != "0");
    if *WANTED.get_or_init(wanted) {
        say(line);
    }
}

struct Escape<'a>(&'a mut String);

impl Write for Escape<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if character.is_control() {
                self.0.extend(character.escape_default());
            } else {
                self.0.push(character);
            }
        }
        Ok(())
    }
}

/// Remembers what stderr is. Before the application had a chance to close it.
pub fn remember_stderr() {
    stderr_identity();
}

fn stderr_identity() -> Option<(u64, u64)> {
    static IDENTITY: OnceLock<Option<(u64, u64)>> = OnceLock::new();
    *IDENTITY.get_or_init(identity_now)
}

/// Device and inode of file descriptor 2.
fn identity_now() -> Option<(u64, u64)> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `stat` has room for the answer, and is read only where there was one.
    unsafe {
        if libc::fstat(libc::STDERR_FILENO, stat.as_mut_ptr()) != 0 {
            return None;
        }
        let stat = stat.assume_init();
        Some((stat.st_dev, stat.st_ino))
    }
}

fn write_stderr(line: &[u8]) {
    // An application may close stderr, and a file that it opens later gets the number 2.
    let remembered = stderr_identity();
    if remembered.is_none() || remembered != identity_now() {
        return;
    }
    // A pipe that poll says has room takes so much without waiting.
    for part in line.chunks(libc::PIPE_BUF) {
        if !has_room() {
            return;
        }
        without_sigpipe(|| {
            // SAFETY: the buffer is valid for its length.
            let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
        });
    }
}

/// Whether stderr takes something; a reader that is a little slow is waited for.
fn has_room() -> bool {
    const WAIT_MS: libc::c_int = 100;
    let mut stderr = libc::pollfd {
        fd: libc::STDERR_FILENO,
        events: libc::POLLOUT,
        revents: 0,
    };
    // SAFETY: one valid struct.
    unsafe { libc::poll(&raw mut stderr, 1, WAIT_MS) > 0 }
}

/// Runs `write` such that a closed pipe does not kill the application.
fn without_sigpipe(write: impl FnOnce()) {
    let mut pipe = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    let mut pending = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the sets are filled by the calls that take them first. A SIGPIPE that our write
    // raised is for this thread, and is taken back unless one was pending before.
    unsafe {
        libc::sigemptyset(pipe.as_mut_ptr());
        libc::sigaddset(pipe.as_mut_ptr(), libc::SIGPIPE);
        libc::sigpending(pending.as_mut_ptr());
        let was_pending = libc::sigismember(pending.as_ptr(), libc::SIGPIPE) == 1;
        if libc::pthread_sigmask(libc::SIG_BLOCK, pipe.as_ptr(), before.as_mut_ptr()) != 0 {
            return;
        }
        write();
        libc::sigpending(pending.as_mut_ptr());
        if !was_pending && libc::sigismember(pending.as_ptr(), libc::SIGPIPE) == 1 {
            let now = libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            libc::sigtimedwait(pipe.as_ptr(), std::ptr::null_mut(), &raw const now);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut());
    }
}
