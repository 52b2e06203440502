//! Which format a file is, by its first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Finding, RocpdDetector, Status};
use crate::{Error, Source};

/// How many of a file's first bytes detectors are shown.
const HEAD_LENGTH: u64 = 64;

/// A format: how to know it, and how to look closer.
pub trait Detector: Send + Sync {
    /// Whether a file that begins with these bytes (up to 64, fewer if the file is shorter) is of
    /// this format.
    fn knows(&self, head: &[u8]) -> bool;

    /// Looks closer at such a file.
    fn examine(&self, source: &Source) -> Finding;
}

/// The formats that are told apart; the first that knows a file takes it.
pub struct Prober {
    detectors: Vec<Box<dyn Detector>>,
}

impl Prober {
    /// A prober that knows nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            detectors: Vec::new(),
        }
    }

    /// The same with one more format, after those it has.
    #[must_use]
    pub fn with(mut self, detector: impl Detector + 'static) -> Self {
        self.detectors.push(Box::new(detector));
        self
    }

    /// Says what a file is.
    #[must_use]
    pub fn probe(&self, path: &Path) -> Finding {
        let source = match Source::open(path) {
            Ok(source) => source,
            Err(error @ Error::NotFound { .. }) => {
                return Finding::new(Status::FileNotFound, error.to_string());
            }
            Err(error) => return Finding::new(Status::Unreadable, error.to_string()),
        };
        let head = match head(path) {
            Ok(head) => head,
            Err(source) => {
                let error = Error::Io {
                    path: path.into(),
                    action: "read the file",
                    source,
                };
                return Finding::new(Status::Unreadable, error.to_string());
            }
        };
        match self.detectors.iter().find(|d| d.knows(&head)) {
            Some(detector) => detector.examine(&source),
            None => Finding::new(Status::NotSqlite, describe(path, &head)),
        }
    }
}

impl Default for Prober {
    /// Knows what this library reads.
    fn default() -> Self {
        Self::new().with(RocpdDetector::default())
    }
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD_LENGTH).read_to_end(&mut head)?;
    Ok(head)
}

fn describe(path: &Path, head: &[u8]) -> String {
    let found = if head.is_empty() {
        "an empty file".into()
    } else {
        let beginning = &head[..head.len().min(16)];
        format!("a file that begins with \"{}\"", beginning.escape_ascii())
    };
    format!(
        "{}: found {found}, expected a SQLite 3 database",
        path.display()
    )
}
