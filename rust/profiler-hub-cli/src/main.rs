//! The command `profiler-hub`.

mod analyze;
mod command_line;
mod generate;
mod merge;
mod native_tool;
mod outcome;
mod probe;

use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;

use clap::Parser;

use command_line::{Command, CommandLine};

/// What the command exits with after a bug.
const BUG: u8 = 70;

fn main() -> ExitCode {
    profiler_hub_build::run_step_if_asked();
    panic::set_hook(Box::new(|what| {
        // Who closed stderr does not want to know.
        let _ = writeln!(
            io::stderr(),
            "profiler-hub: this is a bug in profiler-hub, please report it: {what}"
        );
    }));
    panic::catch_unwind(run).unwrap_or_else(|_| ExitCode::from(BUG))
}

fn run() -> ExitCode {
    match CommandLine::parse().command {
        Command::Analyze(args) => analyze::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::NativeTool(args) => native_tool::run(&args),
        Command::Generate(args) => generate::run(&args),
    }
}
