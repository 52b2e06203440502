//! The command line as a whole. The man pages and the shell completions are made from it, so the help texts are the manual.

use clap::{Parser, Subcommand};

use crate::{analyze, generate, merge, native_tool, probe};

/// Writes, reads and merges rocpd databases of GPU profiling runs.
#[derive(Parser)]
#[command(name = "profiler-hub", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One variant for each subcommand; each lives in a module of its own.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Makes one table, pmc_perf.csv, of the databases of a workload's passes.
    ///
    /// Pairs the files of the SDK's tool and of the native counter tool by the processes they share,
    /// merges the counter values into the SDK's files (once: running it again changes nothing), and
    /// writes a row for each dispatch and counter. What does not fit is counted and named on stderr.
    Analyze(analyze::AnalyzeArgs),
    /// Merges the counter values of a native file into the SDK's file of the same process.
    ///
    /// All or nothing, and once: merging the same file again changes nothing.
    Merge(merge::MergeArgs),
    /// Says what files are: whether they are rocpd files that can be read, and if not, why.
    ///
    /// Prints one line for each file. No byte of a file is changed, nothing is made beside it.
    /// Exits with 0 if all are supported, else with 3.
    Probe(probe::ProbeArgs),
    /// Prints where the native counter tool is; builds it where none is installed.
    ///
    /// Looks below the root of --sdk-tool, then ROCM_PATH, then /opt/rocm, then beside this program. What is built is
    /// kept in the cache, for these sources, version of ROCm, machine and compiler; processes that ask at the same
    /// time share one build. Nothing is downloaded unless --allow-download says so.
    NativeTool(native_tool::NativeToolArgs),
    /// Writes man pages and shell completions; for packagers.
    #[command(hide = true)]
    Generate(generate::GenerateArgs),
}

const EXIT_CODES: &str = "\
Exit codes:
  0   done
  1   done, with something that a person should look at
  2   the command line is wrong
  3   an input is not usable
  4   an output could not be written
  70  a bug in profiler-hub";
