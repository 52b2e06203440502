//! The one error type of this crate.

use std::io;
use std::path::{Path, PathBuf};

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong. The messages read after "cannot analyze:" or "cannot merge:".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that is read cannot be used.
    #[error(transparent)]
    Input(#[from] rocpd::Error),
    /// What was given is not what can be worked on.
    #[error("{path}: found {found}, expected {expected}", path = path.display())]
    Unusable {
        /// The path as it was given.
        path: PathBuf,
        /// What is there.
        found: String,
        /// What should be there, and what to do.
        expected: String,
    },
    /// A database that is not one of those read here.
    #[error("{path}: {message}", path = path.display())]
    Refused {
        /// The path as it was given.
        path: PathBuf,
        /// What was found and what is accepted.
        message: String,
    },
    /// A file of the run changed under our hands, again and again.
    #[error(
        "{path}: something else keeps writing to this pass; try again when the application and \
         other analyses have ended",
        path = path.display()
    )]
    Unsettled {
        /// The folder or file.
        path: PathBuf,
    },
    /// A result cannot be written.
    #[error("{path}: cannot {action}: {reason}", path = path.display())]
    Output {
        /// What was to be written.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// The system's or SQLite's answer, and what to do.
        reason: String,
    },
    /// The caller asked to stop.
    #[error("interrupted; the files are as they were, apart from merges that were completed")]
    Interrupted,
    /// The numbers do not add up: a bug.
    #[error("{path}: {message}; please report this", path = path.display())]
    Inconsistent {
        /// The file whose numbers are wrong.
        path: PathBuf,
        /// What does not fit.
        message: String,
    },
}

impl Error {
    /// A failed write to `path`.
    pub(crate) fn output(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Output {
            path,
            action,
            reason: source.to_string(),
        }
    }

    /// The input file that this error is about, if another run without it makes sense.
    pub(crate) fn unusable_input(&self) -> Option<&Path> {
        use rocpd::Error as E;
        match self {
            Self::Input(
                E::NotFound { path }
                | E::NotAFile { path, .. }
                | E::Io { path, .. }
                | E::Locked { path, .. }
                | E::Sqlite { path, .. },
            )
            | Self::Unusable { path, .. }
            | Self::Refused { path, .. } => Some(path),
            _ => None,
        }
    }
}

/// Names the file that SQLite's error is about; an interrupt is told apart.
pub(crate) fn reading(path: &Path) -> impl Fn(rusqlite::Error) -> Error {
    let path = path.to_owned();
    move |source| match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::OperationInterrupted) => Error::Interrupted,
        _ => Error::Input(rocpd::Error::Sqlite {
            path: path.clone(),
            source,
        }),
    }
}
