//! What the index and the disk say about the paths that were asked for.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::cone::{ancestors, directory_of};
use crate::index::{
    Extensions, IndexError, IndexFile, MODE_DIRECTORY, MODE_GITLINK, MODE_SYMLINK, RawEntry,
};

/// An entry of the index that is kept.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The name, relative to the top of the work tree, without a slash at the end.
    pub(crate) path: Vec<u8>,
    /// The mode, with the type of the entry.
    pub(crate) mode: u32,
    /// The id of the object; `None` where it is no SHA-1.
    pub(crate) id: Option<git2::Oid>,
    /// Whether git leaves the entry out of the work tree.
    pub(crate) skip_worktree: bool,
    /// Whether the entry is one side of a conflict.
    pub(crate) conflict: bool,
}

/// What is known of all paths together.
#[derive(Default)]
pub(crate) struct Survey {
    /// One for each path, in the order of the question.
    pub(crate) tracked: Vec<Tracked>,
    /// Whether anything in the folder that the question comes from is tracked.
    pub(crate) folder_is_tracked: bool,
    /// The `.gitattributes` files of the index.
    pub(crate) attributes: Vec<Entry>,
    /// Whether there are conflicts anywhere.
    pub(crate) conflicts: bool,
    /// Who can use the index.
    pub(crate) extensions: Extensions,
    /// The index itself, where it was read here.
    pub(crate) index: Option<IndexFile>,
}

/// What is known of one path.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    /// The mode of the entry of just this name.
    pub(crate) mode: Option<u32>,
    /// How many entries lie under it.
    pub(crate) inside: usize,
    /// The directories that its entries lie directly in.
    pub(crate) directories: Vec<Vec<u8>>,
    /// The entries at and under it that git leaves out of the work tree.
    pub(crate) hidden: Vec<Entry>,
    /// The collapsed directory that it lies in, if it does.
    pub(crate) collapsed_in: Option<Vec<u8>>,
    /// The submodule that it lies in, if it does.
    pub(crate) submodule: Option<Vec<u8>>,
}

impl Tracked {
    /// Whether the index has the path, as a file or a directory.
    pub(crate) fn is_tracked(&self) -> bool {
        self.mode.is_some() || self.inside > 0
    }

    /// Whether the index has it as a directory.
    pub(crate) fn is_directory(&self) -> bool {
        self.mode.is_none_or(|mode| mode == MODE_DIRECTORY)
    }

    /// The hidden entries that are not on disk either.
    pub(crate) fn absent<'a>(&'a self, top: &'a Path) -> impl Iterator<Item = &'a Entry> {
        absent(&self.hidden, top)
    }
}

/// Those of `entries` that are not on disk.
pub(crate) fn absent<'a>(entries: &'a [Entry], top: &'a Path) -> impl Iterator<Item = &'a Entry> {
    let mut gone: Option<&[u8]> = None;
    entries.iter().filter(move |entry| {
        // Where a folder is not there, nothing in it is.
        if gone.is_some_and(|folder| is_under(&entry.path, folder)) {
            return true;
        }
        let absent = !entry.is_on_disk(top);
        if absent {
            gone = ancestors(&entry.path).find(|folder| !place(top, folder).is_dir());
        }
        absent
    })
}

impl Entry {
    fn kept(raw: RawEntry<'_>) -> Self {
        let path = raw.path.strip_suffix(b"/").unwrap_or(raw.path);
        Self {
            path: path.to_vec(),
            mode: raw.mode,
            id: git2::Oid::from_bytes(&raw.id).ok(),
            skip_worktree: raw.skip_worktree,
            conflict: raw.stage != 0,
        }
    }

    /// Where it is, or would be.
    pub(crate) fn place(&self, top: &Path) -> PathBuf {
        place(top, &self.path)
    }

    fn is_on_disk(&self, top: &Path) -> bool {
        self.mode != MODE_DIRECTORY && fs::symlink_metadata(self.place(top)).is_ok()
    }

    /// Whether it is a file or a symbolic link.
    pub(crate) fn is_blob(&self) -> bool {
        self.mode != MODE_DIRECTORY && self.mode != MODE_GITLINK
    }

    /// Whether it is a symbolic link.
    pub(crate) fn is_symlink(&self) -> bool {
        self.mode == MODE_SYMLINK
    }
}

/// A path of the index as one of the file system.
pub(crate) fn place(top: &Path, path: &[u8]) -> PathBuf {
    if path.is_empty() {
        top.to_owned()
    } else {
        top.join(OsStr::from_bytes(path))
    }
}

/// Reads the index once; `folder` is where the question comes from.
pub(crate) fn from_index(
    index: IndexFile,
    paths: &[&[u8]],
    folder: &[u8],
) -> Result<Survey, IndexError> {
    let mut survey = Survey::of(paths.len());
    let extensions = index.visit(|raw| {
        survey.conflicts |= raw.stage != 0;
        survey.folder_is_tracked |= is_under(raw.path, folder);
        for (path, tracked) in paths.iter().zip(&mut survey.tracked) {
            tracked.note(path, raw.path, raw.mode, raw.skip_worktree, || {
                Entry::kept(raw)
            });
        }
        if raw.path.ends_with(b".gitattributes") && file_name(raw.path) == b".gitattributes" {
            survey.attributes.push(Entry::kept(raw));
        }
    })?;
    survey.extensions = extensions;
    survey.index = Some(index);
    Ok(survey)
}

/// The same from entries that git listed.
pub(crate) fn from_entries(entries: &[Entry], paths: &[&[u8]], folder_is_tracked: bool) -> Survey {
    let mut survey = Survey::of(paths.len());
    survey.folder_is_tracked = folder_is_tracked;
    for entry in entries {
        survey.conflicts |= entry.conflict;
        for (path, tracked) in paths.iter().zip(&mut survey.tracked) {
            tracked.note(path, &entry.path, entry.mode, entry.skip_worktree, || {
                entry.clone()
            });
        }
    }
    survey
}

/// The hidden entries that come to light when `directories` are added to a cone: what lies under
/// them, and the files directly in their parents and in the folders `files_of`.
pub(crate) fn uncovered_by(
    index: &IndexFile,
    directories: &[&[u8]],
    files_of: &[&[u8]],
) -> Result<Vec<Entry>, IndexError> {
    let mut parents: Vec<&[u8]> = directories
        .iter()
        .flat_map(|directory| ancestors(directory))
        .collect();
    parents.push(b"");
    parents.extend_from_slice(files_of);
    let mut entries = Vec::new();
    index.visit(|raw| {
        if raw.skip_worktree
            && (directories
                .iter()
                .any(|directory| is_under(raw.path, directory))
                || parents.contains(&directory_of(raw.path)))
        {
            entries.push(Entry::kept(raw));
        }
    })?;
    Ok(entries)
}

impl Survey {
    fn of(paths: usize) -> Self {
        let tracked = std::iter::repeat_with(Tracked::default)
            .take(paths)
            .collect();
        Self {
            tracked,
            ..Self::default()
        }
    }
}

impl Tracked {
    fn note(
        &mut self,
        path: &[u8],
        name: &[u8],
        mode: u32,
        skip_worktree: bool,
        entry: impl FnOnce() -> Entry,
    ) {
        let name = name.strip_suffix(b"/").unwrap_or(name);
        if name == path {
            self.mode = Some(mode);
        } else if is_under(name, path) {
            self.inside += 1;
        } else {
            if mode == MODE_DIRECTORY && is_under(path, name) {
                self.collapsed_in = Some(name.to_vec());
            }
            if mode == MODE_GITLINK && is_under(path, name) {
                self.submodule = Some(name.to_vec());
            }
            return;
        }
        let directory = directory_of(name);
        if self.directories.last().is_none_or(|last| last != directory) {
            self.directories.push(directory.to_vec());
        }
        if skip_worktree || mode == MODE_DIRECTORY {
            self.hidden.push(entry());
        }
    }
}

/// Whether `name` lies under `directory`; everything lies under the top.
fn is_under(name: &[u8], directory: &[u8]) -> bool {
    directory.is_empty()
        || (name.get(directory.len()) == Some(&b'/') && name.starts_with(directory))
}

fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
