//! Who may change a checkout: git's lock files, and a lock of our own between two guards.
//!
//! Our own is an advisory lock on the git folder itself: it leaves no file behind, and the kernel
//! gives it back when the process dies.

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How often a lock that somebody else holds is tried.
const PAUSE: Duration = Duration::from_millis(20);

/// A lock that was not given back in time.
#[derive(Debug, thiserror::Error)]
#[error("{} is locked: {holder}", lock.display())]
pub(crate) struct Busy {
    lock: PathBuf,
    holder: String,
}

/// Holds the lock between two guards as long as it lives.
pub(crate) struct OurLock {
    _folder: File,
}

impl OurLock {
    /// Waits for another guard at most until `deadline`.
    pub(crate) fn take(git_dir: &Path, deadline: Instant) -> Result<Self, LockError> {
        let folder = File::open(git_dir)?;
        loop {
            match folder.try_lock() {
                Ok(()) => return Ok(Self { _folder: folder }),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let holder = holder_of_advisory_lock(&folder)
                        .map_or_else(|| "by another sparse-guard".to_owned(), |pid| process(&pid));
                    return Err(Busy {
                        lock: git_dir.to_owned(),
                        holder,
                    }
                    .into());
                }
            }
        }
    }
}

/// Why our own lock was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Somebody else has it.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The file system has no such locks.
    #[error("the git folder cannot be locked: {0}")]
    Io(#[from] io::Error),
}

/// Waits until the lock file of a git command is gone, at most until `deadline`.
pub(crate) fn wait_for_git(lock: &Path, deadline: Instant) -> Result<(), Busy> {
    while fs::symlink_metadata(lock).is_ok() {
        if Instant::now() >= deadline {
            return Err(Busy {
                lock: lock.to_owned(),
                holder: holder_of_lock_file(lock),
            });
        }
        thread::sleep(PAUSE);
    }
    Ok(())
}

/// Git writes nothing into its lock files; while it does so, it has them open.
fn holder_of_lock_file(lock: &Path) -> String {
    let open = |pid: &String| {
        let Ok(files) = fs::read_dir(format!("/proc/{pid}/fd")) else {
            return false;
        };
        files
            .flatten()
            .any(|file| fs::read_link(file.path()).is_ok_and(|target| target == lock))
    };
    let holders: Vec<String> = processes().filter(open).map(|pid| process(&pid)).collect();
    if !holders.is_empty() {
        return holders.join(" and ");
    }
    let is_git = |pid: &String| {
        fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name == "git\n")
    };
    let gits: Vec<String> = processes()
        .filter(is_git)
        .map(|pid| process(&pid))
        .collect();
    let gits = if gits.is_empty() {
        "no git runs on this machine".to_owned()
    } else {
        format!("git runs on this machine {}", gits.join(" and "))
    };
    let remove = crate::command::shown([&b"rm"[..], lock.as_os_str().as_encoded_bytes()]);
    format!(
        "no process on this machine has it open{}, and {gits}; if no git runs on this checkout, one \
         that was interrupted left it: remove it with `{remove}`",
        age(lock)
            .map(|age| format!(", it is {} s old", age.as_secs()))
            .unwrap_or_default()
    )
}

fn age(file: &Path) -> Option<Duration> {
    fs::symlink_metadata(file)
        .ok()?
        .modified()
        .ok()?
        .elapsed()
        .ok()
}

/// `by process 12 (git commit -a)`
fn process(pid: &str) -> String {
    let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let command = command
        .split(|&byte| byte == 0)
        .filter(|word| !word.is_empty());
    format!("by process {pid} ({})", crate::command::shown(command))
}

fn processes() -> impl Iterator<Item = String> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Looks the folder up in the kernel's table: `1: FLOCK ADVISORY WRITE 12 fd:01:345 0 EOF`.
fn holder_of_advisory_lock(folder: &File) -> Option<String> {
    let inode = format!(":{}", folder.metadata().ok()?.ino());
    let table = fs::read_to_string("/proc/locks").ok()?;
    table.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [_, "FLOCK", _, _, pid, file, ..] if file.ends_with(&inode) => Some((*pid).to_owned()),
            _ => None,
        }
    })
}
