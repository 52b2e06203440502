//! The one error type of this crate.

use std::io;
use std::path::PathBuf;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with a rocpd database. The messages read after "cannot …:".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not exist.
    #[error("{path}: no such file; check the path", path = path.display())]
    NotFound {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The path names a directory, a device, a pipe: no file with pages in it.
    #[error("{path}: found {found}, expected a regular file", path = path.display())]
    NotAFile {
        /// The path as it was given.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// The operating system refused.
    #[error("{path}: cannot {action}: {source}", path = path.display())]
    Io {
        /// The path as it was given.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// Another process holds a lock, and held it for as long as we waited.
    #[error(
        "{path}: {holder} is still using it (waited {waited_s} s); try again when it has finished",
        path = path.display()
    )]
    Locked {
        /// The path as it was given.
        path: PathBuf,
        /// Who holds the lock, as far as the system tells.
        holder: String,
        /// How long we waited, in seconds.
        waited_s: u64,
    },
    /// The file changed while it was read.
    #[error(
        "{path}: the file changed while it was being read; try again when nothing writes to it",
        path = path.display()
    )]
    Changed {
        /// The path as it was given.
        path: PathBuf,
    },
    /// SQLite refused.
    #[error("{path}: {source}", path = path.display())]
    Sqlite {
        /// The path as it was given.
        path: PathBuf,
        /// SQLite's answer.
        source: rusqlite::Error,
    },
    /// SQLite could not write.
    #[error("{path}: {source}{advice}", path = path.display(), advice = advice(source))]
    Write {
        /// The path as it was given.
        path: PathBuf,
        /// SQLite's answer.
        source: rusqlite::Error,
    },
    /// There is something where a file should be made.
    #[error("{path}: exists already; choose another name, or remove it", path = path.display())]
    Exists {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A row would refer to something that was not registered.
    #[error("{what} {id} is not registered; register it before what refers to it")]
    Unregistered {
        /// What is referred to.
        what: &'static str,
        /// Its id.
        id: u64,
    },
    /// Something was registered before with the same id, and is something else.
    #[error("{what} {id} is registered already, for {owner}; ids are unique in a file")]
    Taken {
        /// What it is.
        what: &'static str,
        /// Its id.
        id: u64,
        /// What it belongs to.
        owner: String,
    },
    /// The file that is written is no longer where it was made.
    #[error(
        "{path}: the file was removed or replaced while it was written, what was written is lost; \
         write it again",
        path = path.display()
    )]
    Gone {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A failure took the transaction with it; what was committed before is in the file.
    #[error(
        "{path}: an earlier failure undid everything since the last commit; close this file and \
         write another one",
        path = path.display()
    )]
    RolledBack {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file is no rocpd file that can be read here.
    #[error("{reason}")]
    Rejected {
        /// The path as it was given.
        path: PathBuf,
        /// What the probe calls it.
        status: crate::probe::Status,
        /// What was found and what is accepted; begins with the path.
        reason: String,
    },
    /// The file contradicts itself.
    #[error(
        "{path}: the file is damaged: {found}; copy it again from where it was written",
        path = path.display()
    )]
    Damaged {
        /// The path as it was given.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// Whoever asked for it gave it up.
    #[error("{path}: cancelled", path = path.display())]
    Cancelled {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A caller asked for something that is not there, or gave something that cannot be.
    #[error("{found}")]
    Argument {
        /// What was asked for or given, and what there is.
        found: String,
    },
    /// A text that cannot be a guid.
    #[error(
        "'{found}' is no guid: expected up to 64 ASCII letters, digits, '-' and '_', best a UUID, \
         as in 0190d1a2-77f3-7cc0-8000-000000000000"
    )]
    Guid {
        /// The text that was found.
        found: String,
    },
}

impl Error {
    /// Names the file that SQLite's error is about.
    pub fn sqlite(path: impl Into<PathBuf>) -> impl FnOnce(rusqlite::Error) -> Self {
        let path = path.into();
        move |source| Self::Sqlite { path, source }
    }
}

/// What to do about SQLite's answer to a write.
fn advice(source: &rusqlite::Error) -> &'static str {
    use rusqlite::ErrorCode;
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "; free some space or write to another folder",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another process is using it, try again when it has finished"
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "; check that the folder is there and may be written"
        }
        Some(ErrorCode::SystemIoFailure) => "; check the disk and its free space",
        _ => "",
    }
}
