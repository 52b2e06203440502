//! `profiler-hub merge`: the values of one native file into the SDK's file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use profiler_hub_analyze::{MergeOptions, merge};

use crate::outcome::{self, Run};

/// What to merge.
#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The SDK tool's database, which gets the values.
    #[arg(value_name = "SDK.db")]
    sdk: PathBuf,
    /// The native counter tool's database, which is only read.
    #[arg(value_name = "NATIVE.db")]
    native: PathBuf,
    /// Take out what an earlier run merged, and merge again.
    #[arg(long)]
    force: bool,
    /// Write what was found out as JSON too.
    #[arg(long, value_name = "FILE")]
    json_report: Option<PathBuf>,
}

pub(crate) fn run(args: &MergeArgs) -> ExitCode {
    let options = MergeOptions {
        sdk: args.sdk.clone(),
        native: args.native.clone(),
        json_report: args.json_report.clone(),
        force: args.force,
    };
    let run = Run::begin();
    let result = merge(&options, &run);
    outcome::finish(run, "merge", result)
}
