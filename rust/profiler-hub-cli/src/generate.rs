//! `profiler-hub generate`: man pages and shell completions, made from the command line itself.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate_to};

use crate::command_line::CommandLine;

/// Where to put what is made.
#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// Folder for the man pages: profiler-hub.1 and one for each subcommand.
    #[arg(long, value_name = "DIR")]
    man: Option<PathBuf>,
    /// Folder for the completions; bash, zsh and fish get a folder each, laid out like /usr/share.
    #[arg(long, value_name = "DIR")]
    completions: Option<PathBuf>,
}

/// The folder below --completions, as the shells look for it below a `share` folder.
const SHELLS: &[(Shell, &str)] = &[
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
];

pub(crate) fn run(args: &GenerateArgs) -> ExitCode {
    let man = args.man.as_deref().map(write_man_pages);
    let completions = args.completions.as_deref().map(write_completions);
    match man
        .into_iter()
        .chain(completions)
        .collect::<io::Result<()>>()
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(4)
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "a command tells its user what went wrong"
)]
fn report(error: &io::Error) {
    eprintln!("profiler-hub: cannot write the man pages or completions: {error}");
}

fn write_man_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(CommandLine::command().disable_help_subcommand(true), folder)
}

fn write_completions(folder: &Path) -> io::Result<()> {
    for (shell, below) in SHELLS {
        let folder = folder.join(below);
        fs::create_dir_all(&folder)?;
        let written = generate_to(*shell, &mut CommandLine::command(), "profiler-hub", &folder)?;
        if *shell == Shell::Bash {
            // bash-completion looks for a file named like the command.
            fs::rename(written, folder.join("profiler-hub"))?;
        }
    }
    Ok(())
}
