//! Decides whether libgit2 can add directories to a checkout as git does, or why it is left to git.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use git2::{OdbLookupFlags, Repository, RepositoryState};

use crate::action::Addition;
use crate::attributes::conversion;
use crate::cone::{Cone, ancestors, directory_of};
use crate::index::{IndexError, IndexFile};
use crate::site::Site;
use crate::survey::{Entry, Survey, place, uncovered_by};

/// What is to be done.
pub(crate) struct Plan<'a> {
    /// The open repository.
    pub(crate) repository: &'a Repository,
    /// The directories that come into the cone.
    pub(crate) directories: &'a [&'a [u8]],
    /// The entries that come to light.
    pub(crate) wanted: Vec<Entry>,
    /// The index that they were found in.
    pub(crate) index: &'a IndexFile,
}

/// Why libgit2 is not used. Each is a clause that follows "because".
#[derive(Debug, thiserror::Error)]
pub(crate) enum Leave {
    #[error("libgit2 does not open this repository ({0})")]
    NotOpened(String),
    #[error("the index is a sparse index")]
    SparseIndex,
    #[error("the index is split")]
    SplitIndex,
    #[error("the index has the extension '{0}'")]
    IndexExtension(String),
    #[error("the index is a symbolic link")]
    LinkedIndex,
    #[error("there are conflicts in the index")]
    Conflicts,
    #[error("a {0} is under way")]
    UnderWay(&'static str),
    #[error("the patterns of the checkout are not in cone form ({0})")]
    NotCone(String),
    #[error("{0:?} cannot be written into a pattern file")]
    Name(String),
    #[error("the git folder is on another file system than the work tree, or has another group")]
    Elsewhere,
    #[error("{0} is a submodule")]
    Submodule(String),
    #[error("{0} is a symbolic link and core.symlinks is false")]
    Symlink(String),
    #[error("{0} of the objects are not in this clone")]
    Objects(usize),
    #[error("git would convert a file ({0})")]
    Conversion(String),
    #[error("the git folder cannot be locked ({0})")]
    NoLock(io::Error),
    #[error("PROFILER_HUB_SPARSE_GUARD is git")]
    Preferred,
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("libgit2 cannot read the repository ({0})")]
    Libgit2(#[from] git2::Error),
    #[error("{0} cannot be read ({1})")]
    Io(PathBuf, io::Error),
}

/// Looks at all that could keep libgit2 from doing exactly what git does.
pub(crate) fn plan<'a>(
    site: &'a Site,
    survey: &'a Survey,
    addition: &'a Addition<'a>,
) -> Result<Plan<'a>, Leave> {
    let repository = match &site.repository {
        Ok(repository) => repository,
        Err(why) => return Err(Leave::NotOpened(why.clone())),
    };
    if survey.extensions.sparse {
        return Err(Leave::SparseIndex);
    }
    if survey.extensions.split {
        return Err(Leave::SplitIndex);
    }
    if let Some(name) = &survey.extensions.unknown {
        return Err(Leave::IndexExtension(name.clone()));
    }
    if survey.conflicts {
        return Err(Leave::Conflicts);
    }
    if let Some(operation) = under_way(repository.state()) {
        return Err(Leave::UnderWay(operation));
    }
    let directories = addition.directories.as_slice();
    if let Some(name) = directories.iter().find(|name| name.contains(&b'\n')) {
        return Err(Leave::Name(lossy(name)));
    }
    let meta =
        |path: &Path| fs::symlink_metadata(path).map_err(|error| Leave::Io(path.to_owned(), error));
    if meta(&site.index())?.is_symlink() {
        return Err(Leave::LinkedIndex);
    }
    // New folders are made in the git folder and moved into the work tree; one that hands its group
    // down has to do so for them.
    let (top, git_dir) = (meta(&site.top)?, meta(&site.git_dir)?);
    let hands_group_down = top.mode() & 0o2000 != 0;
    if top.dev() != git_dir.dev()
        || (hands_group_down && (git_dir.mode() & 0o2000 == 0 || git_dir.gid() != top.gid()))
    {
        return Err(Leave::Elsewhere);
    }
    let Some(index) = &survey.index else {
        return Err(Leave::SplitIndex);
    };
    let wanted = uncovered_by(index, directories, &addition.files_of)?;
    let symlinks = repository
        .config()?
        .get_bool("core.symlinks")
        .unwrap_or(true);
    let odb = repository.odb()?;
    let mut missing = 0;
    for entry in &wanted {
        if !entry.is_blob() {
            return Err(Leave::Submodule(lossy(&entry.path)));
        }
        if entry.is_symlink() && !symlinks {
            return Err(Leave::Symlink(lossy(&entry.path)));
        }
        if unsafe_name(&entry.path) {
            return Err(Leave::Name(lossy(&entry.path)));
        }
        let there = entry
            .id
            .is_some_and(|id| odb.exists_ext(id, OdbLookupFlags::NO_REFRESH));
        missing += usize::from(!there);
    }
    if missing > 0 {
        return Err(Leave::Objects(missing));
    }
    if let Some(reason) = conversion(repository, &site.top, &survey.attributes, &wanted)? {
        return Err(Leave::Conversion(reason));
    }
    Ok(Plan {
        repository,
        directories,
        wanted,
        index,
    })
}

/// The cone with the directories of a plan.
pub(crate) fn extended(cone: &Cone, directories: &[&[u8]]) -> Cone {
    let mut cone = cone.clone();
    for directory in directories {
        cone.add(directory);
    }
    cone
}

/// The first thing in the work tree that `wanted` would have to replace: a file or a symbolic link
/// where a folder has to be, or a folder where a file has to be.
pub(crate) fn in_the_way(top: &Path, wanted: &[Entry]) -> Option<PathBuf> {
    let (mut last, mut exists): (Option<&[u8]>, bool) = (None, true);
    for entry in wanted {
        let directory = directory_of(&entry.path);
        if last != Some(directory) {
            (last, exists) = (Some(directory), true);
            for above in ancestors(&entry.path) {
                let folder = place(top, above);
                match fs::symlink_metadata(&folder) {
                    Ok(found) if !found.is_dir() => return Some(folder),
                    Ok(_) => {}
                    Err(_) => {
                        exists = false;
                        break;
                    }
                }
            }
        }
        let is_folder = |file: &Path| fs::symlink_metadata(file).is_ok_and(|found| found.is_dir());
        let file = entry.place(top);
        if exists && entry.is_blob() && is_folder(&file) {
            return Some(file);
        }
    }
    None
}

fn under_way(state: RepositoryState) -> Option<&'static str> {
    match state {
        RepositoryState::Clean => None,
        RepositoryState::Merge => Some("merge"),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some("revert"),
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some("cherry-pick"),
        RepositoryState::Bisect => Some("bisect"),
        RepositoryState::Rebase
        | RepositoryState::RebaseInteractive
        | RepositoryState::RebaseMerge => Some("rebase"),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => Some("git am"),
    }
}

/// Names that git itself never puts into an index, as they would leave the work tree.
fn unsafe_name(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/')
        .any(|name| matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git"))
}

fn lossy(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}
