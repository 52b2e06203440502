//! `profiler-hub analyze`: the passes of a workload become one table.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Args;
use profiler_hub_analyze::{AnalyzeOptions, analyze};

use crate::outcome::{self, Run};

/// What to analyze.
#[derive(Args)]
pub(crate) struct AnalyzeArgs {
    /// The workload folder: its passes are the folders under out/, or it is one pass itself. Or the
    /// database files of one pass, one by one.
    #[arg(required = true, value_name = "WORKLOAD_DIR")]
    paths: Vec<PathBuf>,
    /// Where the table goes.
    #[arg(short, long, value_name = "FILE", default_value = "pmc_perf.csv")]
    output: PathBuf,
    /// Give the same table without writing to any database, or creating anything beside one.
    #[arg(long)]
    read_only: bool,
    /// Take out what an earlier run merged, and merge again.
    #[arg(long, conflicts_with = "read_only")]
    force: bool,
    /// How many passes to merge at once [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Write what was found out as JSON too.
    #[arg(long, value_name = "FILE")]
    json_report: Option<PathBuf>,
}

pub(crate) fn run(args: &AnalyzeArgs) -> ExitCode {
    let options = AnalyzeOptions {
        paths: args.paths.clone(),
        output: args.output.clone(),
        json_report: args.json_report.clone(),
        read_only: args.read_only,
        force: args.force,
        jobs: args
            .jobs
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
    };
    let run = Run::begin();
    let result = analyze(&options, &run);
    outcome::finish(run, "analyze", result)
}
