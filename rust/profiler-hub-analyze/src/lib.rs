//! Pairs the two rocpd files of each pass, merges native counters and writes pmc_perf.csv.
//!
//! The order of the modules is the order of the work: `workload` finds passes, `inventory`
//! looks into files, `pairing` finds processes, `places` and `matching` put values on dispatches,
//! `merge` writes them into the SDK's file, `export` makes the table, `pass` does one after the other.

mod error;
mod export;
mod inventory;
mod mark;
mod matching;
mod merge;
mod natural;
mod pairing;
mod pass;
mod places;
mod report;
mod run;
mod watch;
mod workload;

pub use error::{Error, Result};
pub use report::{
    AmbiguousProcess, Counts, FileNote, PassReport, Report, Unmerged, UnpairedProcess,
};
pub use run::{AnalyzeOptions, MergeOptions, analyze, merge};
pub use watch::{Unwatched, Watch};
