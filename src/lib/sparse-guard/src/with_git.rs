//! The `git` on PATH, for what libgit2 cannot do and for the answers that only git has.

use std::cell::OnceCell;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::index::MODE_DIRECTORY;
use crate::survey::Entry;

/// The first git that has `sparse-checkout add` in the form used here.
const OLDEST: (u32, u32) = (2, 27);

/// A git that can be used.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    program: PathBuf,
    version: (u32, u32),
}

/// Why there is none.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoGit {
    /// Nothing of that name.
    #[error("there is no git on PATH")]
    NotOnPath,
    /// It is older than what is needed.
    #[error("{program} is git {found}, where 2.27 or later is needed")]
    TooOld {
        /// Where it is.
        program: PathBuf,
        /// What it says of itself.
        found: String,
    },
    /// It does not start.
    #[error("{program} does not run: {why}")]
    Broken {
        /// Where it is.
        program: PathBuf,
        /// What happened.
        why: String,
    },
}

/// The git on PATH, looked for when it is needed first.
#[derive(Debug, Default)]
pub(crate) struct OnPath(OnceCell<Result<Git, NoGit>>);

impl OnPath {
    /// The git, or why there is none.
    pub(crate) fn git(&self) -> Result<&Git, &NoGit> {
        self.0.get_or_init(Git::find).as_ref()
    }
}

/// A git command that failed.
#[derive(Debug, thiserror::Error)]
#[error("`{command}` failed: {said}")]
pub(crate) struct GitFailed {
    command: String,
    /// What it wrote to its standard error.
    pub(crate) said: String,
}

impl Git {
    /// Looks on PATH.
    fn find() -> Result<Self, NoGit> {
        let program = which::which("git").map_err(|_| NoGit::NotOnPath)?;
        let broken = |why: String| NoGit::Broken {
            program: program.clone(),
            why,
        };
        let output = Command::new(&program)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| broken(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let version = parse_version(&said)
            .ok_or_else(|| broken(format!("it says {:?} of its version", said.trim())))?;
        if version < OLDEST {
            let found = said.trim().trim_start_matches("git version ").to_owned();
            return Err(NoGit::TooOld { program, found });
        }
        Ok(Self { program, version })
    }

    /// Whether `sparse-checkout add` checks its arguments (and has an option to leave that).
    pub(crate) fn checks_arguments(&self) -> bool {
        self.version >= (2, 36)
    }

    /// Runs git in `folder` without fetching anything, and gives its standard output.
    pub(crate) fn ask<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: &[S],
    ) -> Result<Vec<u8>, GitFailed> {
        let mut command = self.command(folder, arguments);
        no_fetch(&mut command);
        finish(&mut command).map(|output| output.stdout)
    }

    /// Runs git in `folder`, and gives what it wrote to its standard error.
    ///
    /// With `fetch`, git may get missing objects from a promisor remote; its progress is shown if
    /// standard error is a terminal.
    pub(crate) fn change<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: &[S],
        fetch: bool,
    ) -> Result<String, GitFailed> {
        let mut command = self.command(folder, arguments);
        if fetch {
            // Nobody is there to answer.
            command.env("GIT_TERMINAL_PROMPT", "0");
            if std::io::stderr().is_terminal() {
                command.stderr(Stdio::inherit());
            }
        } else {
            no_fetch(&mut command);
        }
        finish(&mut command).map(|output| String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn command<S: AsRef<OsStr>>(&self, folder: &Path, arguments: &[S]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .arg("-C")
            .arg(folder)
            .args(arguments)
            .env("LC_ALL", "C")
            .env("GIT_LITERAL_PATHSPECS", "1")
            .stdin(Stdio::null());
        command
    }

    /// A configured truth value; `None` where it is not set or git refuses the repository.
    pub(crate) fn config_bool(&self, folder: &Path, key: &str) -> Option<bool> {
        match self
            .ask(folder, &["config", "--bool", "--get", key])
            .ok()?
            .trim_ascii()
        {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// The entries of the index at and under `paths`, which are relative to `top`.
    pub(crate) fn entries(&self, top: &Path, paths: &[&[u8]]) -> Result<Vec<Entry>, GitFailed> {
        let mut arguments: Vec<OsString> = ["ls-files", "-z", "-s", "-t", "--"]
            .map(OsString::from)
            .to_vec();
        arguments.extend(
            paths
                .iter()
                .map(|path| if path.is_empty() { b"." } else { *path })
                .map(|path| OsString::from_vec(path.to_vec())),
        );
        let listed = self.ask(top, &arguments)?;
        Ok(listed
            .split(|&byte| byte == 0)
            .filter_map(parse_entry)
            .collect())
    }

    /// Whether the commit HEAD has `path`.
    pub(crate) fn in_head(&self, top: &Path, path: &[u8]) -> bool {
        let mut object = b"HEAD:".to_vec();
        object.extend_from_slice(path);
        self.ask(
            top,
            &[
                OsStr::new("cat-file"),
                OsStr::new("-e"),
                OsStr::from_bytes(&object),
            ],
        )
        .is_ok()
    }

    /// How many objects under `paths` of HEAD a partial clone does not have.
    pub(crate) fn objects_to_fetch(&self, top: &Path, paths: &[&[u8]]) -> Result<usize, GitFailed> {
        let mut arguments: Vec<OsString> = [
            "rev-list",
            "--objects",
            "--missing=print",
            "--no-walk",
            "HEAD",
            "--",
        ]
        .map(OsString::from)
        .to_vec();
        arguments.extend(paths.iter().map(|path| OsString::from_vec(path.to_vec())));
        let listed = self.ask(top, &arguments)?;
        Ok(listed
            .split(|&byte| byte == b'\n')
            .filter(|line| line.starts_with(b"?"))
            .count())
    }
}

fn no_fetch(command: &mut Command) {
    // The first is for git 2.44 and later, the second lets no transport of an older one begin.
    command
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "");
}

fn finish(command: &mut Command) -> Result<Output, GitFailed> {
    let shown = || {
        let words = std::iter::once(OsStr::new("git")).chain(command.get_args());
        words
            .map(OsStr::to_string_lossy)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let shown = shown();
    match command.output() {
        Ok(output) if output.status.success() => Ok(output),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let said = if said.is_empty() {
                output.status.to_string()
            } else {
                said
            };
            Err(GitFailed {
                command: shown,
                said,
            })
        }
        Err(error) => Err(GitFailed {
            command: shown,
            said: error.to_string(),
        }),
    }
}

fn parse_version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.trim().strip_prefix("git version ")?.split(['.', ' ']);
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

/// `S 100644 <id> 0<TAB>path`
fn parse_entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|&byte| byte == b'\t')?;
    let (facts, path) = (
        std::str::from_utf8(line.get(..tab)?).ok()?,
        line.get(tab + 1..)?,
    );
    let mut facts = facts.split(' ');
    let tag = facts.next()?;
    let mode = u32::from_str_radix(facts.next()?, 8).ok()?;
    let id = git2::Oid::from_str(facts.next()?).ok();
    let collapsed = mode == MODE_DIRECTORY;
    Some(Entry {
        path: path
            .strip_suffix(b"/")
            .filter(|_| collapsed)
            .unwrap_or(path)
            .to_vec(),
        mode,
        id,
        skip_worktree: tag.eq_ignore_ascii_case("S"),
        conflict: facts.next()? != "0",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_gits_write_them() {
        for (said, expected) in [
            ("git version 2.47.3\n", Some((2, 47))),
            ("git version 2.39.5 (Apple Git-154)\n", Some((2, 39))),
            ("git version 2.27.0.rc1.windows.1", Some((2, 27))),
            ("git version 3.0", Some((3, 0))),
            ("hub 1", None),
        ] {
            assert_eq!(parse_version(said), expected, "{said}");
        }
    }
}
