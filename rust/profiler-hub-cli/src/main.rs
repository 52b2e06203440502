//! The command `profiler-hub`.

mod analyze;
mod command_line;
mod generate;
mod merge;
mod native_tool;
mod outcome;
mod probe;

use std::process::ExitCode;

use clap::Parser;

use command_line::{Command, CommandLine};

fn main() -> ExitCode {
    profiler_hub_build::run_step_if_asked();
    match CommandLine::parse().command {
        Command::Analyze(args) => analyze::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::NativeTool(args) => native_tool::run(&args),
        Command::Generate(args) => generate::run(&args),
    }
}
