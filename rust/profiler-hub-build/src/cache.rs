//! A folder of finished builds that any number of processes may share.
//!
//! A build is made in a folder of its own beside the results and renamed into place when it is whole. What a
//! killed build leaves never has a result's name, and is cleared away by the next build. A result carries the
//! hashes of its files, so that one that was damaged later is not used either.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::Error;

const STAMP: &str = "files.json";
const STAGING: &str = ".building-";

/// The files of a result, as they were when it was whole.
#[derive(Serialize, Deserialize)]
struct Stamp {
    files: Vec<StampedFile>,
}

#[derive(Serialize, Deserialize)]
struct StampedFile {
    name: String,
    sha256: String,
}

/// One build's place in the cache.
pub(crate) struct Slot {
    folder: PathBuf,
    name: String,
}

/// Held while building. Dropping it lets the next process in.
pub(crate) struct Lock {
    /// None where the file system has no locks: then two processes may build the same, and the first result stays.
    _file: Option<File>,
}

impl Slot {
    /// The place of `name` in the cache `folder`, which is made if it is not there.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::cache(folder))?;
        // Processes run in other folders; a relative path would mean another one there.
        let folder = fs::canonicalize(folder).map_err(Error::cache(folder))?;
        Ok(Self {
            folder,
            name: name.to_owned(),
        })
    }

    /// The finished build's folder, if it is there and whole.
    pub(crate) fn result(&self) -> Option<PathBuf> {
        let result = self.folder.join(&self.name);
        let stamp: Stamp = serde_json::from_slice(&fs::read(result.join(STAMP)).ok()?).ok()?;
        let whole = stamp
            .files
            .iter()
            .all(|file| hash(&result.join(&file.name)).is_ok_and(|is| is == file.sha256));
        (whole && !stamp.files.is_empty()).then_some(result)
    }

    /// Where this build's log is kept, also after a failure.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.name))
    }

    /// Waits for the lock; calls `waiting` first if another process has it.
    pub(crate) fn lock(&self, waiting: impl FnOnce()) -> Result<Lock, Error> {
        let path = self.lock_path(&self.name);
        let file = File::create(&path).map_err(Error::cache(&path))?;
        let locked = match file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock()
            }
            Err(TryLockError::Error(error)) => Err(error),
        };
        match locked {
            Ok(()) => Ok(Lock { _file: Some(file) }),
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(Lock { _file: None }),
            Err(error) => Err(Error::cache(&path)(error)),
        }
    }

    /// A folder to build in, on the file system of the results. Clears away what killed builds left.
    pub(crate) fn staging(&self, _held: &Lock) -> Result<TempDir, Error> {
        self.clear_leftovers();
        tempfile::Builder::new()
            .prefix(&format!("{STAGING}{}.", self.name))
            .tempdir_in(&self.folder)
            .map_err(Error::cache(&self.folder))
    }

    /// Makes `files` (name and where it is now; links stay links) the result, all at once.
    pub(crate) fn publish(
        &self,
        staging: &TempDir,
        files: &[(String, PathBuf)],
    ) -> Result<PathBuf, Error> {
        let ready = staging.path().join("result");
        fs::create_dir(&ready).map_err(Error::cache(&ready))?;
        let mut stamp = Stamp { files: Vec::new() };
        for (name, from) in files {
            let to = ready.join(name);
            copy(from, &to).map_err(Error::cache(&to))?;
            stamp.files.push(StampedFile {
                name: name.clone(),
                sha256: hash(&to).map_err(Error::cache(&to))?,
            });
        }
        let stamp_path = ready.join(STAMP);
        serde_json::to_vec_pretty(&stamp)
            .map_err(io::Error::from)
            .and_then(|text| fs::write(&stamp_path, text))
            .and_then(|()| File::open(&stamp_path)?.sync_all())
            .map_err(Error::cache(&stamp_path))?;

        let result = self.folder.join(&self.name);
        if let Err(error) = fs::rename(&ready, &result) {
            if let Some(theirs) = self.result() {
                // Without locks another process can have been quicker; its result is as good.
                return Ok(theirs);
            }
            // A damaged one is in the way.
            fs::rename(&result, staging.path().join("damaged"))
                .and_then(|()| fs::rename(&ready, &result))
                .map_err(|_| Error::cache(&result)(error))?;
        }
        Ok(result)
    }

    fn lock_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.lock"))
    }

    /// Removes the building folders whose builders are gone: those whose lock is free, or is ours.
    fn clear_leftovers(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let file_name = entry.file_name();
            let Some(name) = file_name
                .to_str()
                .and_then(|n| n.strip_prefix(STAGING))
                .and_then(|n| n.rsplit_once('.'))
            else {
                continue;
            };
            let abandoned = name.0 == self.name
                || File::create(self.lock_path(name.0)).is_ok_and(|lock| lock.try_lock().is_ok());
            if abandoned {
                // What cannot be removed costs room, nothing else.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

fn hash(path: &Path) -> io::Result<String> {
    let digest = Sha256::digest(fs::read(path)?);
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publish(slot: &Slot, content: &str) -> PathBuf {
        let lock = slot.lock(|| ()).unwrap();
        let staging = slot.staging(&lock).unwrap();
        let file = staging.path().join("made");
        fs::write(&file, content).unwrap();
        slot.publish(&staging, &[("tool.so".to_owned(), file)])
            .unwrap()
    }

    #[test]
    fn a_result_is_there_after_publishing_and_survives_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::open(folder.path(), "a").unwrap();
        assert!(slot.result().is_none());
        let result = publish(&slot, "one");
        assert_eq!(fs::read_to_string(result.join("tool.so")).unwrap(), "one");
        assert_eq!(
            Slot::open(folder.path(), "a").unwrap().result(),
            Some(result)
        );
        assert!(Slot::open(folder.path(), "b").unwrap().result().is_none());
    }

    #[test]
    fn a_damaged_result_is_not_used_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::open(folder.path(), "a").unwrap();
        for damage in ["truncate", "remove", "stamp", "no stamp"] {
            let result = publish(&slot, "one");
            match damage {
                "truncate" => fs::write(result.join("tool.so"), "on").unwrap(),
                "remove" => fs::remove_file(result.join("tool.so")).unwrap(),
                "stamp" => fs::write(result.join(STAMP), "{").unwrap(),
                _ => fs::remove_file(result.join(STAMP)).unwrap(),
            }
            assert!(slot.result().is_none(), "{damage}");
            assert_eq!(
                fs::read_to_string(publish(&slot, "two").join("tool.so")).unwrap(),
                "two"
            );
        }
    }

    #[test]
    fn what_a_killed_build_left_is_no_result_and_is_cleared_away_unless_its_builder_lives() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, other) = (
            Slot::open(folder.path(), "a").unwrap(),
            Slot::open(folder.path(), "b").unwrap(),
        );
        // As after a kill: the folders stay, locks are gone with the process.
        let killed = ours.staging(&ours.lock(|| ()).unwrap()).unwrap().keep();
        fs::create_dir(killed.join("result")).unwrap();
        let killed_other = other.staging(&other.lock(|| ()).unwrap()).unwrap().keep();
        assert!(ours.result().is_none());

        let living_lock = other.lock(|| ()).unwrap();
        let lock = ours.lock(|| ()).unwrap();
        let _staging = ours.staging(&lock).unwrap();
        assert!(!killed.exists());
        assert!(
            killed_other.exists(),
            "the lock of b is held, so its folder is somebody's"
        );
        drop(living_lock);
        let _staging = ours.staging(&lock).unwrap();
        assert!(!killed_other.exists());
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let slot = Slot::open(folder.path(), "a").unwrap();
        let staging = slot.staging(&slot.lock(|| ()).unwrap()).unwrap();
        let (target, link) = (
            staging.path().join("lib.so.1"),
            staging.path().join("lib.so"),
        );
        fs::write(&target, "x").unwrap();
        std::os::unix::fs::symlink("lib.so.1", &link).unwrap();
        let files = [("lib.so.1".to_owned(), target), ("lib.so".to_owned(), link)];
        let result = slot.publish(&staging, &files).unwrap();
        assert_eq!(
            fs::read_link(result.join("lib.so")).unwrap(),
            Path::new("lib.so.1")
        );
        assert!(slot.result().is_some());
    }
}
