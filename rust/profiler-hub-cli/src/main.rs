//! The command `profiler-hub`.

mod command_line;
mod generate;
mod probe;

use std::process::ExitCode;

use clap::Parser;

use command_line::{Command, CommandLine};

fn main() -> ExitCode {
    match CommandLine::parse().command {
        Command::Probe(args) => probe::run(&args),
        Command::Generate(args) => generate::run(&args),
    }
}
