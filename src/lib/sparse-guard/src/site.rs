//! A work tree: found, opened, and asked whether sparse checkout is on there.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use crate::cone::Patterns;
use crate::with_git::OnPath;

/// Variables through which git takes configuration that libgit2 does not see.
const CONFIG_VARIABLES: [&str; 2] = ["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"];

/// A work tree with its git folder.
pub(crate) struct Site {
    /// The top of the work tree, symbolic links resolved.
    pub(crate) top: PathBuf,
    /// The folder that holds the index: of a linked worktree its own one.
    pub(crate) git_dir: PathBuf,
    /// The repository, or why libgit2 cannot be used.
    pub(crate) repository: Result<Repository, String>,
}

/// What a folder belongs to.
pub(crate) enum Found {
    /// A work tree.
    Site(Site),
    /// No work tree.
    Nothing,
    /// Something that looks like one and that neither libgit2 nor git opens.
    Closed(Closed),
}

/// Why a repository is not opened.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    /// What was found.
    pub(crate) why: String,
    /// The command that opens it, where one is known.
    pub(crate) remedy: Option<String>,
}

/// The state of sparse checkout in a work tree.
pub(crate) enum Sparse {
    /// Not configured.
    Off,
    /// On, with these patterns.
    On(Patterns, ConeMode),
    /// On, but there is no pattern file, so that git acts as if it were off.
    NoPatternFile,
}

/// What `core.sparseCheckoutCone` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConeMode {
    /// True or not set.
    On,
    /// False.
    Off,
}

/// Finds the innermost work tree that contains `folder`.
pub(crate) fn find(folder: &Path, git: &OnPath) -> Found {
    let ceilings: Vec<PathBuf> = env::var_os("GIT_CEILING_DIRECTORIES")
        .map(|list| env::split_paths(&list).collect())
        .unwrap_or_default();
    let opened = Repository::open_ext(folder, RepositoryOpenFlags::FROM_ENV, ceilings);
    let (why, owner) = match opened {
        Ok(repository) => {
            let Some(top) = repository.workdir() else {
                return Found::Nothing;
            };
            let (top, git_dir) = (top.to_owned(), repository.path().to_owned());
            let hidden = CONFIG_VARIABLES
                .iter()
                .find(|name| env::var_os(name).is_some());
            let repository = match hidden {
                Some(name) if git.git().is_ok() => {
                    Err(format!("{name} is set, which only git takes into account"))
                }
                _ => Ok(repository),
            };
            return site(&top, &git_dir, repository);
        }
        Err(error) if error.code() == ErrorCode::NotFound => return Found::Nothing,
        Err(error) => (error.message().to_owned(), error.code() == ErrorCode::Owner),
    };
    let git = match git.git() {
        Ok(git) => git,
        Err(no_git) => {
            let remedy = owner.then(|| trust(&top_above(folder)));
            return Found::Closed(Closed {
                why: format!("{why}, and {no_git}"),
                remedy,
            });
        }
    };
    match git.ask(
        folder,
        &["rev-parse", "--show-toplevel", "--absolute-git-dir"],
    ) {
        Ok(answer) => {
            let mut lines = answer.split(|&byte| byte == b'\n').map(path);
            match (lines.next(), lines.next()) {
                (Some(top), Some(git_dir)) => site(top, git_dir, Err(why)),
                _ => Found::Nothing,
            }
        }
        Err(failed) => {
            let remedy = owner.then(|| trust(&top_above(folder)));
            Found::Closed(Closed {
                why: failed.said,
                remedy,
            })
        }
    }
}

fn site(top: &Path, git_dir: &Path, repository: Result<Repository, String>) -> Found {
    match (top.canonicalize(), git_dir.canonicalize()) {
        (Ok(top), Ok(git_dir)) => Found::Site(Site {
            top,
            git_dir,
            repository,
        }),
        (Err(error), _) | (_, Err(error)) => Found::Closed(Closed {
            why: format!(
                "{} or {} cannot be reached: {error}",
                top.display(),
                git_dir.display()
            ),
            remedy: None,
        }),
    }
}

/// Git's own remedy for a work tree of another user.
fn trust(top: &Path) -> String {
    crate::command::shown(
        ["git", "config", "--global", "--add", "safe.directory"]
            .map(str::as_bytes)
            .into_iter()
            .chain([top.as_os_str().as_bytes()]),
    )
}

fn top_above(folder: &Path) -> PathBuf {
    let top = folder.ancestors().find(|above| above.join(".git").exists());
    top.unwrap_or(folder).to_owned()
}

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

impl Site {
    /// The file with the entries.
    pub(crate) fn index(&self) -> PathBuf {
        self.git_dir.join("index")
    }

    /// The file with the patterns of the checkout.
    pub(crate) fn pattern_file(&self) -> PathBuf {
        self.git_dir.join("info/sparse-checkout")
    }

    /// Asks the configuration and the pattern file, as git does.
    pub(crate) fn sparse(&self, git: &OnPath) -> Result<Sparse, SparseError> {
        if !self
            .config_bool("core.sparseCheckout", git)?
            .unwrap_or(false)
        {
            return Ok(Sparse::Off);
        }
        let mode = match self.config_bool("core.sparseCheckoutCone", git)? {
            Some(false) => ConeMode::Off,
            Some(true) | None => ConeMode::On,
        };
        let file = self.pattern_file();
        match fs::read(&file) {
            Ok(patterns) if mode == ConeMode::On => {
                Ok(Sparse::On(Patterns::parse(&patterns), mode))
            }
            Ok(_) => {
                let why = "core.sparseCheckoutCone is false".to_owned();
                Ok(Sparse::On(Patterns::Other(why), mode))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Sparse::NoPatternFile),
            Err(source) => Err(SparseError::PatternFile { file, source }),
        }
    }

    /// Whether a remote is one that objects are fetched from when they are asked for.
    pub(crate) fn is_partial_clone(&self, git: &OnPath) -> bool {
        let pattern = r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$";
        match &self.repository {
            Ok(repository) => {
                let Ok(config) = repository.config() else {
                    return false;
                };
                let Ok(mut entries) = config.entries(Some(pattern)) else {
                    return false;
                };
                entries.next().is_some()
            }
            Err(_) => git.git().is_ok_and(|git| {
                git.ask(&self.top, &["config", "--get-regexp", pattern])
                    .is_ok()
            }),
        }
    }

    fn config_bool(&self, key: &'static str, git: &OnPath) -> Result<Option<bool>, SparseError> {
        match &self.repository {
            Ok(repository) => match repository.config().and_then(|config| config.get_bool(key)) {
                Ok(value) => Ok(Some(value)),
                Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
                Err(source) => Err(SparseError::Config { key, source }),
            },
            Err(why) => match git.git() {
                Ok(git) => Ok(git.config_bool(&self.top, key)),
                Err(_) => Err(SparseError::NobodyToAsk(why.clone())),
            },
        }
    }
}

/// Why it is not known whether sparse checkout is on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SparseError {
    /// A value that is no truth value.
    #[error("cannot read {key} of the git configuration: {source}")]
    Config {
        /// The name of the value.
        key: &'static str,
        /// What libgit2 said.
        source: git2::Error,
    },
    /// The pattern file is there and not readable.
    #[error("cannot read {file}: {source}")]
    PatternFile {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// libgit2 does not open the repository and there is no git.
    #[error("cannot ask whether sparse checkout is on: {0}, and there is no git to ask")]
    NobodyToAsk(String),
}
