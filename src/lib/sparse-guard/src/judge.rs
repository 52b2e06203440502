//! What is missing, and why.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::index::{IndexFile, MODE_DIRECTORY, MODE_GITLINK, Version};
use crate::report::Missing;
use crate::site::Site;
use crate::survey::{Entry, Survey, Tracked, from_entries, from_index, place};
use crate::with_git::OnPath;

/// What is asked about one work tree.
pub(crate) struct Question<'a> {
    /// The work tree.
    pub(crate) site: &'a Site,
    /// The paths, relative to its top.
    pub(crate) paths: &'a [&'a [u8]],
    /// The folder that the question comes from, relative to the top.
    pub(crate) folder: &'a [u8],
}

/// The answer, as of now.
pub(crate) struct Judgement {
    /// What the index says.
    pub(crate) survey: Survey,
    missing: Vec<Option<Missing>>,
    directories: Vec<bool>,
}

impl Judgement {
    /// For each path, why it is missing, if it is.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Option<&Missing>> {
        self.missing.iter().map(Option::as_ref)
    }

    /// Whether anything is missing.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.missing.iter().any(Option::is_some)
    }

    /// How many files of each path sparse checkout keeps back; `None` if it is not what does so.
    pub(crate) fn kept_back(&self) -> Vec<Option<usize>> {
        let kept_back = |missing: &Option<Missing>| match missing {
            Some(Missing::Sparse { files }) => Some(files.unwrap_or_default()),
            _ => None,
        };
        self.missing.iter().map(kept_back).collect()
    }

    /// What is true once all that sparse checkout kept back was brought.
    pub(crate) fn relieved(mut self) -> Self {
        self.missing
            .iter_mut()
            .filter(|missing| matches!(missing, Some(Missing::Sparse { .. })))
            .for_each(|missing| *missing = None);
        self
    }

    /// Whether the index is still the one that was looked at.
    pub(crate) fn is_current(&self, site: &Site) -> bool {
        let now = Version::of(&site.index()).ok();
        self.survey
            .index
            .as_ref()
            .is_some_and(|index| Some(index.version) == now)
    }

    /// Whether a path is a directory, as far as the index or HEAD know it.
    pub(crate) fn is_directory(&self, at: usize) -> bool {
        self.directories.get(at).copied().unwrap_or(true)
    }

    /// All hidden entries of the paths.
    pub(crate) fn hidden(&self) -> Vec<Entry> {
        self.survey
            .tracked
            .iter()
            .flat_map(|tracked| tracked.hidden.iter().cloned())
            .collect()
    }
}

/// Looks at the index, HEAD and the disk; the error says why that cannot be done.
pub(crate) fn judge(question: &Question<'_>, git: &OnPath) -> Result<Judgement, String> {
    let survey = survey(question, git)?;
    let mut missing = Vec::new();
    let mut directories = Vec::new();
    for (path, tracked) in question.paths.iter().zip(&survey.tracked) {
        directories.push(is_directory(question.site, path, tracked, git));
        missing.push(why_missing(question, path, tracked, &survey, git));
    }
    Ok(Judgement {
        survey,
        missing,
        directories,
    })
}

fn survey(question: &Question<'_>, git: &OnPath) -> Result<Survey, String> {
    let site = question.site;
    let why = match &site.repository {
        Ok(_) => {
            let index = IndexFile::read(&site.index()).map_err(|error| error.to_string())?;
            match from_index(index, question.paths, question.folder) {
                Ok(survey) if !survey.extensions.split => return Ok(survey),
                Ok(_) => "the index is split".to_owned(),
                Err(error) => error.to_string(),
            }
        }
        Err(why) => why.clone(),
    };
    let git = git.git().map_err(|no_git| format!("{why}, and {no_git}"))?;
    let entries = git
        .entries(&site.top, question.paths)
        .map_err(|failed| failed.to_string())?;
    let tracked = git
        .entries(&site.top, &[question.folder])
        .is_ok_and(|found| !found.is_empty());
    let mut survey = from_entries(&entries, question.paths, tracked);
    survey.extensions.split = true;
    Ok(survey)
}

fn why_missing(
    question: &Question<'_>,
    path: &[u8],
    tracked: &Tracked,
    survey: &Survey,
    git: &OnPath,
) -> Option<Missing> {
    let site = question.site;
    let file = place(&site.top, path);
    let on_disk = fs::symlink_metadata(&file).is_ok();
    let to_path = |path: &[u8]| PathBuf::from(OsStr::from_bytes(path));
    if tracked.is_tracked() {
        let (mut absent, mut collapsed) = (0, false);
        for entry in tracked.absent(&site.top) {
            absent += 1;
            collapsed |= entry.mode == MODE_DIRECTORY;
        }
        return match (absent, tracked.mode) {
            (1.., _) => Some(Missing::Sparse {
                files: (!collapsed).then_some(absent),
            }),
            (0, Some(MODE_GITLINK)) if !file.join(".git").exists() => {
                Some(Missing::Submodule(to_path(path)))
            }
            _ => (!on_disk).then_some(Missing::Deleted),
        };
    }
    if tracked.collapsed_in.is_some() && in_head(site, path, git).is_some() {
        return Some(Missing::Sparse { files: None });
    }
    if on_disk {
        return None;
    }
    Some(match &tracked.submodule {
        Some(submodule) => Missing::Submodule(to_path(submodule)),
        None if in_head(site, path, git).is_some() => Missing::DeletionStaged,
        None if survey.folder_is_tracked => Missing::NotInHead,
        None => Missing::NotInSource(place(&site.top, question.folder)),
    })
}

fn is_directory(site: &Site, path: &[u8], tracked: &Tracked, git: &OnPath) -> bool {
    match tracked.collapsed_in {
        Some(_) => in_head(site, path, git) != Some(Kind::File),
        None => tracked.is_directory(),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    File,
    Directory,
}

/// What the commit HEAD has at `path`.
fn in_head(site: &Site, path: &[u8], git: &OnPath) -> Option<Kind> {
    match &site.repository {
        Ok(repository) => {
            let tree = repository.head().ok()?.peel_to_tree().ok()?;
            let entry = tree.get_path(Path::new(OsStr::from_bytes(path))).ok()?;
            let is_tree = entry.kind() == Some(git2::ObjectType::Tree);
            Some(if is_tree { Kind::Directory } else { Kind::File })
        }
        Err(_) => git
            .git()
            .is_ok_and(|git| git.in_head(&site.top, path))
            .then_some(Kind::Directory),
    }
}
