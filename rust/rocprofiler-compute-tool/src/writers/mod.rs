//! Where counter values go: one trait, two writers.

mod csv;
mod rocpd;

use std::path::{Path, PathBuf};

pub use self::csv::CsvCountersWriter;
pub use self::rocpd::RocpdCountersWriter;

use crate::capture::{Dispatch, Value};

/// Stores dispatches with their values. Used by one thread.
pub trait CountersWriter {
    /// The file.
    fn path(&self) -> &Path;

    /// Adds a dispatch with all its values; the values are of counters of the plan.
    ///
    /// # Errors
    /// Nothing of what was not committed is then stored.
    fn dispatch(&mut self, dispatch: &Dispatch, values: &[Value]) -> Result<(), WriterError>;

    /// Makes what was added survive the process.
    ///
    /// # Errors
    /// As above.
    fn commit(&mut self) -> Result<(), WriterError>;

    /// Commits, and ends the file properly.
    ///
    /// # Errors
    /// What was committed before stays.
    fn finish(self: Box<Self>) -> Result<(), WriterError>;
}

/// Makes the writer, on the writer's thread.
pub type OpenWriter = Box<dyn FnOnce() -> Result<Box<dyn CountersWriter>, WriterError> + Send>;

/// Why values cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum WriterError {
    /// The folder could not be made.
    #[error("cannot make the output folder {folder}: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The database.
    #[error("cannot write the counters: {0}")]
    Rocpd(#[from] ::rocpd::Error),
    /// The CSV file.
    #[error("cannot write {path}: {source}")]
    Csv {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: ::csv::Error,
    },
    /// A value of a counter that is not in the plan.
    #[error("cannot write a value of counter {0}, which the plan does not have")]
    Unplanned(u32),
}

/// `<pid>_native_counter_collection<suffix>.<extension>`; the first try has no suffix.
fn file_name(pid: u32, attempt: u32, extension: &str) -> String {
    match attempt {
        1 => format!("{pid}_native_counter_collection.{extension}"),
        _ => format!("{pid}_native_counter_collection_{attempt}.{extension}"),
    }
}

fn make_folder(folder: &Path) -> Result<(), WriterError> {
    std::fs::create_dir_all(folder).map_err(|source| WriterError::Folder {
        folder: folder.to_owned(),
        source,
    })
}

/// The file that a process writes if nobody has taken its name.
#[must_use]
pub fn expected_path(folder: &Path, pid: u32) -> PathBuf {
    folder.join(file_name(pid, 1, "db"))
}
