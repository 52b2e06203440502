//! Adds directories to a cone checkout with libgit2, so that a kill at any moment does no harm.
//!
//! The files are written inside the git folder and moved into the work tree whole; then the pattern
//! file says so, and the index comes last. After a kill git finds files that are as the index has
//! them, which it takes for part of the checkout by itself. Git's lock files exist only for two
//! system calls, so that even a kill leaves none; should it hit just there, the next run knows the
//! lock for its own.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Instant;

use git2::{Index, IndexEntry, IndexTime, Odb};

use crate::cone::{Cone, Patterns, directory_of};
use crate::index::{IndexError, IndexFile, MODE_GITLINK, Version};
use crate::locks::{Busy, wait_for_git};
use crate::plan::{Plan, extended};
use crate::site::Site;
use crate::survey::{Entry, absent, place};

/// The bit that marks an entry as left out of the work tree, among its extended flags.
const SKIP_WORKTREE: u16 = 1 << 14;
/// The bit that says that there are extended flags.
const EXTENDED: u16 = 0x4000;
/// How often a file that changes under our hands is read again.
const ATTEMPTS: u32 = 10;

/// Why the directories were not added.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AddError {
    #[error("failed to write {path}: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read {0}, which the index names: {1}")]
    Object(String, git2::Error),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("libgit2 failed to write the index: {0}")]
    WriteIndex(git2::Error),
    #[error("{} changed each time it was about to be replaced", .0.display())]
    Restless(PathBuf),
    #[error("{} was changed meanwhile and is no longer in cone form", .0.display())]
    Patterns(PathBuf),
    #[error(transparent)]
    Busy(#[from] Busy),
}

/// Carries out `plan`; our own lock is held by the caller.
pub(crate) fn add(site: &Site, plan: &Plan<'_>, deadline: Instant) -> Result<(), AddError> {
    let staging = Staging::new(&site.git_dir)?;
    let odb = plan
        .repository
        .odb()
        .map_err(|error| AddError::Object("objects".into(), error))?;
    let absent: Vec<&Entry> = absent(&plan.wanted, &site.top).collect();
    staging.write(&odb, &absent)?;
    merge(&staging.tree(), &site.top)?;
    write_patterns(site, &staging, plan, deadline)?;
    if plan.wanted.is_empty() {
        return Ok(());
    }
    write_index(site, &staging, plan, &absent, deadline)
}

/// Whether another run is at work, or was killed.
pub(crate) fn has_traces(site: &Site) -> bool {
    site.git_dir.join(STAGING).exists()
}

/// Removes the locks and files that a killed run left; our own lock is held by the caller.
pub(crate) fn clear_traces(site: &Site) {
    let staging = site.git_dir.join(STAGING);
    for (staged, target) in [(INDEX, site.index()), (PATTERNS, site.pattern_file())] {
        let lock = lock_of(&target);
        let identity = |file: &Path| fs::symlink_metadata(file).ok().map(|f| (f.dev(), f.ino()));
        let held = identity(&lock);
        if held.is_some() && held == identity(&staging.join(staged)) {
            // Whether it is gone is seen by whoever waits for it.
            let _ = fs::remove_file(&lock);
        }
    }
    let _ = fs::remove_dir_all(&staging);
}

/// The folder in the git folder that files are written in.
const STAGING: &str = "sparse-guard";
const INDEX: &str = "index";
const PATTERNS: &str = "patterns";

/// A folder in the git folder, gone when it is dropped; the next run removes what a kill left.
struct Staging {
    folder: PathBuf,
}

impl Staging {
    fn new(git_dir: &Path) -> Result<Self, AddError> {
        let folder = git_dir.join(STAGING);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(AddError::Write {
                    path: folder,
                    source: error,
                });
            }
            _ => {}
        }
        let staging = Self { folder };
        let tree = staging.tree();
        fs::create_dir_all(&tree).map_err(write_error(&tree))?;
        Ok(staging)
    }

    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes the entries as git does: modes as far as the umask lets them.
    fn write(&self, odb: &Odb<'_>, entries: &[&Entry]) -> Result<(), AddError> {
        let tree = self.tree();
        let mut made: &[u8] = b"";
        for entry in entries {
            let directory = directory_of(&entry.path);
            if directory != made {
                let folder = place(&tree, directory);
                fs::create_dir_all(&folder).map_err(write_error(&folder))?;
                made = directory;
            }
            let file = entry.place(&tree);
            let id = entry.id.unwrap_or(git2::Oid::ZERO_SHA1);
            let object = odb.read(id).map_err(|error| {
                AddError::Object(String::from_utf8_lossy(&entry.path).into_owned(), error)
            })?;
            let written = if entry.is_symlink() {
                symlink(std::ffi::OsStr::from_bytes(object.data()), &file)
            } else {
                let mode = if entry.mode & 0o100 == 0 {
                    0o666
                } else {
                    0o777
                };
                let mut options = OpenOptions::new();
                options.write(true).create_new(true).mode(mode);
                options
                    .open(&file)
                    .and_then(|mut file| file.write_all(object.data()))
            };
            written.map_err(write_error(&file))?;
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn write_error(path: &Path) -> impl Fn(io::Error) -> AddError {
    let path = path.to_owned();
    move |source| AddError::Write {
        path: path.clone(),
        source,
    }
}

/// Moves what `from` holds into `to`: folders whole where there is none yet, and never over a file.
fn merge(from: &Path, to: &Path) -> Result<(), AddError> {
    for child in fs::read_dir(from).map_err(write_error(from))? {
        let child = child.map_err(write_error(from))?;
        let (source, target) = (child.path(), to.join(child.file_name()));
        let is_folder = child.file_type().map_err(write_error(&source))?.is_dir();
        let moved = match fs::symlink_metadata(&target) {
            Ok(there) if is_folder && there.is_dir() => {
                merge(&source, &target)?;
                continue;
            }
            _ if is_folder => fs::rename(&source, &target),
            _ => move_file(&source, &target),
        };
        match moved {
            // It came after we looked: it stays, as a file that was there before does.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !is_folder => {}
            moved => moved.map_err(write_error(&target))?,
        }
    }
    Ok(())
}

fn write_patterns(
    site: &Site,
    staging: &Staging,
    plan: &Plan<'_>,
    deadline: Instant,
) -> Result<(), AddError> {
    let target = site.pattern_file();
    for _ in 0..ATTEMPTS {
        let before = Version::of(&target).map_err(write_error(&target))?;
        let file = fs::read(&target).map_err(write_error(&target))?;
        let Patterns::Cone(cone) = Patterns::parse(&file) else {
            return Err(AddError::Patterns(target));
        };
        if covers_all(&cone, plan.directories) {
            return Ok(());
        }
        let new = staging.file(PATTERNS);
        let content = extended(&cone, plan.directories).render();
        fs::write(&new, content).map_err(write_error(&new))?;
        if swap(&new, &target, before, deadline)? {
            return Ok(());
        }
    }
    Err(AddError::Restless(target))
}

fn covers_all(cone: &Cone, directories: &[&[u8]]) -> bool {
    directories.iter().all(|directory| cone.covers(directory))
}

fn write_index(
    site: &Site,
    staging: &Staging,
    plan: &Plan<'_>,
    written: &[&Entry],
    deadline: Instant,
) -> Result<(), AddError> {
    let target = site.index();
    let new = staging.file(INDEX);
    let mut racy = racy_entries(plan.index)?;
    let mut before = plan.index.version;
    for _ in 0..ATTEMPTS {
        // libgit2 writes where it read, and replaces the file: a second name is as good as a copy.
        fs::hard_link(&target, &new)
            .or_else(|_| fs::copy(&target, &new).map(drop))
            .map_err(write_error(&new))?;
        edit(&new, &site.top, &plan.wanted, written, &racy).map_err(AddError::WriteIndex)?;
        if swap(&new, &target, before, deadline)? {
            return Ok(());
        }
        // Somebody else wrote it: once more, with theirs.
        let index = IndexFile::read(&target)?;
        (racy, before) = (racy_entries(&index)?, index.version);
    }
    Err(AddError::Restless(target))
}

fn edit(
    file: &Path,
    top: &Path,
    wanted: &[Entry],
    written: &[&Entry],
    racy: &[Vec<u8>],
) -> Result<(), git2::Error> {
    let mut index = Index::open(file)?;
    let mut written = written.iter().map(|entry| entry.path.as_slice()).peekable();
    for entry in wanted {
        // Both lists are in the order of the index.
        let is_ours = written.next_if_eq(&entry.path.as_slice()).is_some();
        let path = Path::new(std::ffi::OsStr::from_bytes(&entry.path));
        // Whoever changed the entry meanwhile has the last word.
        let Some(mut found) = index.get_path(path, 0) else {
            continue;
        };
        if Some(found.id) != entry.id || found.mode != entry.mode {
            continue;
        }
        found.flags_extended &= !SKIP_WORKTREE;
        if found.flags_extended == 0 {
            found.flags &= !EXTENDED;
        }
        if is_ours && let Ok(file) = fs::symlink_metadata(entry.place(top)) {
            note_times(&mut found, &file);
        }
        index.add(&found)?;
    }
    for path in racy {
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        if let Some(mut found) = index.get_path(path, 0) {
            found.file_size = 0;
            index.add(&found)?;
        }
    }
    index.write()?;
    // To free its entries one by one takes longer than all that is left to do.
    mem::forget(index);
    Ok(())
}

/// Entries that git compares by content, because the file may have changed after the index was
/// written and in the same moment. A newer index would hide that; git marks them with size 0.
fn racy_entries(index: &IndexFile) -> Result<Vec<Vec<u8>>, IndexError> {
    let (seconds, nanoseconds) = index.version.modified;
    let time = (low_word(seconds), low_word(nanoseconds));
    let mut racy = Vec::new();
    index.visit(|entry| {
        let can_be = entry.stage == 0 && !entry.skip_worktree && entry.mode != MODE_GITLINK;
        if can_be && entry.modified >= time {
            racy.push(entry.path.to_vec());
        }
    })?;
    Ok(racy)
}

/// What git keeps of a file to see that it is unchanged, cut to 32 bits as the format has them.
fn note_times(entry: &mut IndexEntry, file: &fs::Metadata) {
    let time = |seconds: i64, nanoseconds: i64| {
        let seconds = i32::from_be_bytes(low_word(seconds).to_be_bytes());
        IndexTime::new(seconds, low_word(nanoseconds))
    };
    entry.ctime = time(file.ctime(), file.ctime_nsec());
    entry.mtime = time(file.mtime(), file.mtime_nsec());
    entry.dev = low_word(file.dev());
    entry.ino = low_word(file.ino());
    entry.uid = file.uid();
    entry.gid = file.gid();
    entry.file_size = low_word(file.size());
}

fn low_word<T: TryInto<i128>>(value: T) -> u32 {
    let value = value.try_into().unwrap_or_default();
    u32::try_from(value & 0xffff_ffff).unwrap_or_default()
}

/// Puts `new` in the place of `target` under git's lock, if it is still the `expected` version.
fn swap(new: &Path, target: &Path, expected: Version, deadline: Instant) -> Result<bool, AddError> {
    let lock = lock_of(target);
    let permissions = fs::metadata(target)
        .map_err(write_error(target))?
        .permissions();
    fs::set_permissions(new, permissions).map_err(write_error(new))?;
    loop {
        match move_file(new, &lock) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                wait_for_git(&lock, deadline)?;
            }
            Err(error) => return Err(write_error(&lock)(error)),
        }
    }
    let unchanged = Version::of(target).is_ok_and(|found| found == expected);
    let done = if unchanged {
        fs::rename(&lock, target)
    } else {
        fs::remove_file(&lock)
    };
    done.map_err(write_error(&lock))?;
    match fs::remove_file(new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(write_error(new)(error)),
        _ => Ok(unchanged),
    }
}

/// The name under which git locks a file.
fn lock_of(target: &Path) -> PathBuf {
    let mut lock = target.as_os_str().to_owned();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// Gives a file of the staging folder a name outside of it, and never replaces what is there.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        // Unlike a rename, a link never replaces anything; but not every file system has links.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            match OpenOptions::new().write(true).create_new(true).open(to) {
                Ok(_) => fs::rename(from, to),
                Err(_) => Err(error),
            }
        }
        linked => linked,
    }
}
