//! The command `profiler-hub`.

mod command_line;
mod generate;

use std::process::ExitCode;

use clap::Parser;

use command_line::{Command, CommandLine};

fn main() -> ExitCode {
    match CommandLine::parse().command {
        Command::Generate(args) => generate::run(&args),
    }
}
