//! `sparse-guard` makes paths of a sparse git checkout be on disk, as `git sparse-checkout add` does.

mod action;
mod attributes;
mod command;
mod cone;
mod ensure;
mod index;
mod judge;
mod locate;
mod locks;
mod plan;
mod report;
mod site;
mod survey;
mod with_git;
mod with_git2;

use std::env;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::ensure::{Request, ensure};

/// Everything that was asked for is on disk.
const COMPLETE: u8 = 0;
/// Something is missing. (2 is clap's, for a wrong command line.)
const INCOMPLETE: u8 = 1;

/// What points git at another repository than the one that the source lies in; a git hook sets it.
const POINTERS: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG",
];

/// Makes paths of a sparse git checkout be on disk.
///
/// Exit codes: 0, everything that was asked for is on disk; 1, something is missing; 2, the command
/// line is wrong.
#[derive(Debug, Parser)]
#[command(name = "sparse-guard", version)]
struct Cli {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Adds paths to the sparse checkout that they lie in, exactly as `git sparse-checkout add`.
    ///
    /// Where nothing is missing, nothing is done and nothing said.
    Ensure(Ensure),
}

#[derive(Debug, Args)]
struct Ensure {
    /// A folder of the source: paths have to lie in its work tree [default: each in its own]
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
    /// Only say what is missing and the command that would add it
    #[arg(long)]
    check: bool,
    /// Write the outcome as one JSON object to standard output
    #[arg(long)]
    json: bool,
    /// Let git fetch what a partial clone does not have yet
    #[arg(long)]
    allow_fetch: bool,
    /// How long to wait for another process that changes the checkout
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u64,
    /// Folders and files, relative to the current folder
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

fn main() -> ExitCode {
    if POINTERS.iter().any(|name| env::var_os(name).is_some()) {
        return without_pointers();
    }
    // As git does: the hash of an object is checked when it comes, not each time it is read.
    git2::opts::strict_hash_verification(false);
    let Verb::Ensure(arguments) = Cli::parse().command;
    let prefer_git = env::var_os("PROFILER_HUB_SPARSE_GUARD").is_some_and(|value| value == "git");
    let request = Request {
        paths: arguments.paths,
        repo: arguments.repo,
        check: arguments.check,
        allow_fetch: arguments.allow_fetch,
        prefer_git,
        wait: Duration::from_secs(arguments.wait),
    };
    let report = match ensure(&request) {
        Ok(report) => report,
        Err(error) => return complain(&error.to_string()),
    };
    let complete = report.is_complete();
    let written = if arguments.json {
        writeln!(io::stdout(), "{:#}", report.json())
    } else if complete || arguments.check {
        write!(io::stdout(), "{report}")
    } else {
        write!(io::stderr(), "{report}")
    };
    match written {
        Ok(()) => ExitCode::from(if complete { COMPLETE } else { INCOMPLETE }),
        Err(error) => complain(&format!("cannot write the outcome: {error}")),
    }
}

/// Starts this program again, so that neither libgit2 nor git is led elsewhere.
fn without_pointers() -> ExitCode {
    let mut again = Command::new("/proc/self/exe");
    again.arg0("sparse-guard").args(env::args_os().skip(1));
    for name in POINTERS {
        again.env_remove(name);
    }
    let error = again.exec();
    complain(&format!(
        "cannot start again without GIT_DIR and its like: {error}; unset them"
    ))
}

fn complain(what: &str) -> ExitCode {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "sparse-guard: {what}");
    ExitCode::from(INCOMPLETE)
}
