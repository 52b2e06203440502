//! What is said in the end, to people and to programs.

use std::fmt::{self, Display};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::command::shown;

/// The version of the JSON form; a field may be added without a new one.
const VERSION: u32 = 1;

/// The outcome for all paths.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// One for each path, in the order of the command line.
    pub(crate) paths: Vec<PathReport>,
    /// Commands that bring what is missing, as a shell takes them.
    pub(crate) commands: Vec<String>,
    /// Why something was not done, or not as usual.
    pub(crate) notes: Vec<String>,
}

/// The outcome for one path.
#[derive(Debug, Clone)]
pub(crate) struct PathReport {
    /// As it was asked for.
    pub(crate) given: PathBuf,
    /// The work tree that it lies in.
    pub(crate) work_tree: Option<PathBuf>,
    /// What is the matter with it.
    pub(crate) state: State,
}

/// What is the matter with a path.
#[derive(Debug, Clone)]
pub(crate) enum State {
    /// It was on disk already.
    Present,
    /// It was brought.
    Added { files: usize, by: By },
    /// It is not on disk, or not whole.
    Missing(Missing),
}

/// Who brought a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// libgit2.
    Git2,
    /// The git on PATH.
    Git,
}

/// Why a path is missing.
#[derive(Debug, Clone)]
pub(crate) enum Missing {
    /// Sparse checkout leaves it out; the number of files is not always known.
    Sparse { files: Option<usize> },
    /// It is marked as left out, but sparse checkout is not what did it.
    SkipWorktree,
    /// It is in the index and was deleted from the work tree.
    Deleted,
    /// It is in HEAD and no longer in the index.
    DeletionStaged,
    /// It lies in a submodule that is not there.
    Submodule(PathBuf),
    /// HEAD does not have it.
    NotInHead,
    /// The source is not that of a repository.
    NotInSource(PathBuf),
    /// It lies in no work tree, or not in the one that was named.
    Outside(Option<PathBuf>),
    /// The repository cannot be opened.
    Closed(String),
}

impl Report {
    /// Whether everything that was asked for is on disk.
    pub(crate) fn is_complete(&self) -> bool {
        !self
            .paths
            .iter()
            .any(|path| matches!(path.state, State::Missing(_)))
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let paths: Vec<Value> = self.paths.iter().map(PathReport::json).collect();
        json!({
            "version": VERSION,
            "complete": self.is_complete(),
            "paths": paths,
            "commands": self.commands,
            "notes": self.notes,
        })
    }
}

impl PathReport {
    fn json(&self) -> Value {
        let mut value = json!({
            "path": self.given.to_string_lossy(),
            "work_tree": self.work_tree.as_ref().map(|top| top.to_string_lossy()),
        });
        let (state, more) = match &self.state {
            State::Present => ("present", json!({})),
            State::Added { files, by } => {
                ("added", json!({ "files": files, "by": by.to_string() }))
            }
            State::Missing(missing) => {
                let mut more = json!({ "reason": missing.name(), "message": missing.to_string() });
                if let Missing::Sparse { files } = missing {
                    more["files"] = json!(files);
                }
                ("missing", more)
            }
        };
        value["state"] = json!(state);
        if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
            value.extend(more);
        }
        value
    }
}

impl Missing {
    /// The command that brings `path`, where it is not one about sparse checkout.
    pub(crate) fn remedy(&self, top: &Path, path: &[u8]) -> Option<String> {
        let (command, path): (&[&str], &[u8]) = match self {
            Self::Deleted => (&["restore"], path),
            Self::DeletionStaged => (&["restore", "--staged", "--worktree"], path),
            Self::Submodule(submodule) => (
                &["submodule", "update", "--init"],
                submodule.as_os_str().as_bytes(),
            ),
            _ => return None,
        };
        let start = [&b"git"[..], b"-C", top.as_os_str().as_bytes()];
        let command = command.iter().map(|word| word.as_bytes());
        Some(shown(
            start.into_iter().chain(command).chain([&b"--"[..], path]),
        ))
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Sparse { .. } => "sparse",
            Self::SkipWorktree => "skip-worktree",
            Self::Deleted => "deleted",
            Self::DeletionStaged => "deletion-staged",
            Self::Submodule(_) => "submodule",
            Self::NotInHead => "not-in-head",
            Self::NotInSource(_) => "not-in-source",
            Self::Outside(_) => "outside",
            Self::Closed(_) => "closed",
        }
    }
}

impl Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Git2 => "git2",
            Self::Git => "git",
        })
    }
}

impl Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sparse { files: Some(1) } => write!(f, "1 file is left out by sparse checkout"),
            Self::Sparse { files: Some(files) } => {
                write!(f, "{files} files are left out by sparse checkout")
            }
            Self::Sparse { files: None } => write!(f, "it is left out by sparse checkout"),
            Self::SkipWorktree => write!(
                f,
                "it is marked skip-worktree, although sparse checkout is not in force here"
            ),
            Self::Deleted => {
                write!(
                    f,
                    "it was deleted from the work tree (not by sparse checkout)"
                )
            }
            Self::DeletionStaged => write!(f, "its deletion is staged"),
            Self::Submodule(path) => {
                write!(f, "the submodule {} is not checked out", path.display())
            }
            Self::NotInHead => write!(f, "it is not in HEAD, the commit that is checked out"),
            Self::NotInSource(folder) => write!(
                f,
                "it is not in this source: {} is no checkout of a repository that has it",
                folder.display()
            ),
            Self::Outside(Some(top)) => write!(
                f,
                "it lies outside of the work tree {} (paths are relative to the current folder)",
                top.display()
            ),
            Self::Outside(None) => write!(f, "it lies in no git work tree"),
            Self::Closed(why) => write!(f, "its repository cannot be opened: {why}"),
        }
    }
}

impl Display for Report {
    /// Nothing at all where everything was there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for path in &self.paths {
            match &path.state {
                State::Present => {}
                State::Added { files, by } => {
                    let files = match files {
                        1 => "1 file".to_owned(),
                        files => format!("{files} files"),
                    };
                    let given = path.given.display();
                    writeln!(
                        f,
                        "{given}: added to the sparse checkout ({files}, by {by})"
                    )?;
                }
                State::Missing(why) => writeln!(f, "{}: missing: {why}", path.given.display())?,
            }
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        for command in &self.commands {
            writeln!(f, "run: {command}")?;
        }
        Ok(())
    }
}
