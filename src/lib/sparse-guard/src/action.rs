//! What has to be done, as a git command; libgit2 then does the same where it can.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::command::{cone_arguments, pattern, shown};
use crate::cone::{Cone, Patterns, directory_of};
use crate::judge::{Judgement, Question};
use crate::report::Missing;
use crate::site::{ConeMode, Sparse};
use crate::survey::Tracked;

/// What has to be done to a checkout.
pub(crate) enum Action<'a> {
    /// Directories come into a cone, or what belongs to the cone already is brought.
    Cone(Addition<'a>),
    /// Patterns are appended.
    Patterns {
        /// The patterns.
        patterns: Vec<Vec<u8>>,
        /// Whether cone mode is on although the patterns are not in cone form.
        cone_mode: bool,
        /// Why the patterns are not in cone form.
        why: String,
    },
    /// All belongs to the checkout, and not all is there.
    Everything,
    /// Only without sparse checkout it would be there; that is for a person to decide.
    Disable,
}

/// What comes into a cone.
pub(crate) struct Addition<'a> {
    /// Directories with everything under them.
    pub(crate) directories: Vec<&'a [u8]>,
    /// Directories whose own files are needed and belong to the cone already.
    pub(crate) files_of: Vec<&'a [u8]>,
    /// Those of `directories` that the cone does not have yet.
    pub(crate) new: Vec<&'a [u8]>,
}

/// `None` where there is nothing to do.
pub(crate) fn choose<'a>(
    question: &Question<'a>,
    now: &Judgement,
    sparse: &Sparse,
) -> Option<Action<'a>> {
    let sparse_only = |missing: Option<&Missing>| matches!(missing, Some(Missing::Sparse { .. }));
    let absent = now.missing().any(sparse_only);
    let asked = || {
        let facts = now.missing().zip(&now.survey.tracked).enumerate();
        question
            .paths
            .iter()
            .copied()
            .zip(facts)
            .map(|(path, (at, (missing, tracked)))| Asked {
                path,
                is_directory: now.is_directory(at),
                absent: sparse_only(missing),
                tracked,
            })
    };
    match sparse {
        Sparse::Off | Sparse::NoPatternFile => absent.then_some(Action::Disable),
        Sparse::On(Patterns::Everything, _) => absent.then_some(Action::Everything),
        Sparse::On(Patterns::Other(why), mode) => absent.then(|| Action::Patterns {
            patterns: asked()
                .filter(|asked| asked.absent)
                .map(|asked| pattern(asked.path, asked.is_directory))
                .collect(),
            cone_mode: *mode == ConeMode::On,
            why: why.clone(),
        }),
        Sparse::On(Patterns::Cone(cone), _) => {
            // What is there although the patterns leave it out would be gone with the next command
            // of git that applies them.
            let outside = |asked: &Asked<'_, '_>| {
                asked
                    .tracked
                    .directories
                    .iter()
                    .any(|folder| !cone.covers_files_of(folder))
            };
            let addition = addition(cone, asked().filter(|asked| asked.absent || outside(asked)));
            if addition.directories.contains(&&b""[..]) {
                return absent.then_some(Action::Disable);
            }
            (absent || !addition.new.is_empty()).then_some(Action::Cone(addition))
        }
    }
}

struct Asked<'a, 'b> {
    path: &'a [u8],
    is_directory: bool,
    absent: bool,
    tracked: &'b Tracked,
}

fn addition<'a, 'b>(cone: &Cone, asked: impl Iterator<Item = Asked<'a, 'b>>) -> Addition<'a> {
    let mut addition = Addition {
        directories: Vec::new(),
        files_of: Vec::new(),
        new: Vec::new(),
    };
    for Asked {
        path, is_directory, ..
    } in asked
    {
        let directory = if is_directory {
            path
        } else {
            directory_of(path)
        };
        if !is_directory && cone.covers_files_of(directory) {
            addition.files_of.push(directory);
            continue;
        }
        if !cone.covers(directory) {
            addition.new.push(directory);
        }
        addition.directories.push(directory);
    }
    for list in [
        &mut addition.directories,
        &mut addition.files_of,
        &mut addition.new,
    ] {
        list.sort_unstable();
        list.dedup();
    }
    addition
}

impl Action<'_> {
    /// The arguments of git; `checks` says whether it checks what it is given.
    pub(crate) fn arguments(&self, checks: &dyn Fn() -> bool) -> Vec<Vec<u8>> {
        let words = |words: &[&str]| words.iter().map(|word| word.as_bytes().to_vec()).collect();
        match self {
            Self::Cone(addition) if !addition.new.is_empty() => {
                cone_arguments(&addition.new, checks)
            }
            Self::Cone(_) | Self::Everything => words(&["sparse-checkout", "reapply"]),
            Self::Patterns {
                patterns,
                cone_mode,
                ..
            } => {
                let mut arguments: Vec<Vec<u8>> = words(if *cone_mode {
                    &[
                        "-c",
                        "core.sparseCheckoutCone=false",
                        "sparse-checkout",
                        "add",
                    ]
                } else {
                    &["sparse-checkout", "add"]
                });
                arguments.extend_from_slice(patterns);
                arguments
            }
            Self::Disable => words(&["sparse-checkout", "disable"]),
        }
    }

    /// The whole command for a shell.
    pub(crate) fn command(&self, top: &Path, checks: &dyn Fn() -> bool) -> String {
        let arguments = self.arguments(checks);
        let start = [&b"git"[..], b"-C", top.as_os_str().as_bytes()];
        shown(start.into_iter().chain(arguments.iter().map(Vec::as_slice)))
    }
}
