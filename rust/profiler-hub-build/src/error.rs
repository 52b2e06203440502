//! What can go wrong, with the step at which it did, the log to read and what to do.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Looking for an installed product.
    Find,
    /// Looking for the sources.
    Sources,
    /// Looking for cmake, cargo or a compiler.
    Toolchain,
    /// Making or locking the cache.
    Cache,
    /// Running cmake to configure.
    Configure,
    /// Running cmake to build.
    Build,
}

/// Why there is no product. The message ends with what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is installed in any of the places.
    #[error(
        "found no {file} in {}; install the package profiler-hub-tool, set ROCM_PATH to where it is, \
         or let it be built (native-tool --build)",
        list(.searched)
    )]
    NotInstalled {
        /// The file that was looked for.
        file: &'static str,
        /// The folders in which it was looked for.
        searched: Vec<PathBuf>,
    },
    /// The sources are not where they might be.
    #[error(
        "found no sources to build from (a folder with src/lib/CMakeLists.txt) at or above {}; \
         install the package profiler-hub-source or name the folder with --source",
        .near.display()
    )]
    NoSources {
        /// Where the search began.
        near: PathBuf,
    },
    /// A program that the build needs is not on the search path.
    #[error("cannot build: found no {program} on PATH; {remedy}")]
    NoProgram {
        /// The program, or the names of those any of which would do.
        program: &'static str,
        /// What to install.
        remedy: &'static str,
    },
    /// A program that the build needs is there but does not run.
    #[error("cannot build: {} does not run ({detail}); reinstall it or put a working one first on PATH", .program.display())]
    BrokenProgram {
        /// The program.
        program: PathBuf,
        /// What it said.
        detail: String,
    },
    /// The cache cannot be written.
    #[error(
        "cannot write to the cache {}: {source}; set PROFILER_HUB_CACHE_DIR to a folder that can be written, with 1 GB free",
        .path.display()
    )]
    Cache {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A source file cannot be read.
    #[error("cannot read the sources at {}: {source}; reinstall them", .path.display())]
    Sources {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// cmake said no to configuring.
    #[error("cannot configure the build: {last_line}; the log is {}; {remedy}", .log.display())]
    Configure {
        /// The whole output.
        log: PathBuf,
        /// The line of the log that says most.
        last_line: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The build stopped.
    #[error("cannot build: {last_line}; the log is {}; {remedy}", .log.display())]
    Build {
        /// The whole output.
        log: PathBuf,
        /// The line of the log that says most.
        last_line: String,
        /// What to do.
        remedy: &'static str,
    },
}

impl Error {
    /// The step that failed.
    #[must_use]
    pub fn step(&self) -> Step {
        match self {
            Self::NotInstalled { .. } => Step::Find,
            Self::NoSources { .. } | Self::Sources { .. } => Step::Sources,
            Self::NoProgram { .. } | Self::BrokenProgram { .. } => Step::Toolchain,
            Self::Cache { .. } => Step::Cache,
            Self::Configure { .. } => Step::Configure,
            Self::Build { .. } => Step::Build,
        }
    }

    /// The file with everything that cmake and the compilers said, where it came to that.
    #[must_use]
    pub fn log(&self) -> Option<&Path> {
        match self {
            Self::Configure { log, .. } | Self::Build { log, .. } => Some(log),
            _ => None,
        }
    }

    /// Makes an [`Error::Cache`] of a system error.
    pub(crate) fn cache(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Cache { path, source }
    }
}

fn list(folders: &[PathBuf]) -> String {
    let shown: Vec<_> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    if shown.is_empty() {
        "any place (no root was given)".to_owned()
    } else {
        shown.join(", ")
    }
}
