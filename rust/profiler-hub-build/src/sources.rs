//! Where the sources are, and a hash that changes when anything that the build reads changes.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::Error;

/// Where an installation has them, from its root.
const INSTALLED: &str = "share/profiler-hub/source";
/// What is below a source tree and part of the build. A file that is not there counts as empty.
const PARTS: &[&str] = &["Cargo.toml", "Cargo.lock", "cmake", "rust", "src/lib"];
/// Folders that builds and tools leave in a source tree.
const NOT_SOURCES: &[&str] = &["target", "_build", ".git"];

fn is_source_tree(folder: &Path) -> bool {
    folder.join("src/lib/CMakeLists.txt").is_file()
}

/// The source tree that `start` is in, or that is installed below a folder that `start` is in.
///
/// # Errors
///
/// [`Error::NoSources`] if there is none.
pub fn locate_sources(start: &Path) -> Result<PathBuf, Error> {
    start
        .ancestors()
        .flat_map(|folder| [folder.join(INSTALLED), folder.to_owned()])
        .find(|folder| is_source_tree(folder))
        .ok_or_else(|| Error::NoSources {
            near: start.to_owned(),
        })
}

/// SHA-256 over the paths and contents of all that the build reads.
pub(crate) fn hash(root: &Path) -> Result<[u8; 32], Error> {
    let mut hasher = Sha256::new();
    for part in PARTS {
        add(&mut hasher, root, &root.join(part))?;
    }
    Ok(hasher.finalize().into())
}

fn add(hasher: &mut Sha256, root: &Path, path: &Path) -> Result<(), Error> {
    let trouble = |source| Error::Sources {
        path: path.to_owned(),
        source,
    };
    if path.is_dir() {
        let mut entries = fs::read_dir(path)
            .and_then(|entries| {
                entries
                    .map(|entry| entry.map(|e| e.path()))
                    .collect::<Result<Vec<_>, _>>()
            })
            .map_err(trouble)?;
        entries.sort();
        for entry in entries {
            if !entry
                .file_name()
                .is_some_and(|name| NOT_SOURCES.iter().any(|skip| name == *skip))
            {
                add(hasher, root, &entry)?;
            }
        }
    } else if path.is_file() {
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .as_os_str()
            .as_encoded_bytes();
        let content = fs::read(path).map_err(trouble)?;
        for piece in [name, &content] {
            // With its length before it, no two lists of pieces give the same bytes.
            hasher.update(piece.len().to_le_bytes());
            hasher.update(piece);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("src/lib")).unwrap();
        fs::create_dir_all(root.path().join("rust/rocpd")).unwrap();
        fs::write(root.path().join("src/lib/CMakeLists.txt"), "project(x)").unwrap();
        fs::write(root.path().join("rust/rocpd/lib.rs"), "fn f() {}").unwrap();
        root
    }

    #[test]
    fn the_hash_follows_content_names_and_new_files_but_not_build_folders() {
        let root = tree();
        let lib = root.path().join("rust/rocpd/lib.rs");
        let first = hash(root.path()).unwrap();
        assert_eq!(first, hash(root.path()).unwrap());

        fs::write(&lib, "fn g() {}").unwrap();
        let edited = hash(root.path()).unwrap();
        assert_ne!(first, edited);
        fs::rename(&lib, root.path().join("rust/rocpd/lib2.rs")).unwrap();
        let renamed = hash(root.path()).unwrap();
        assert_ne!(edited, renamed);
        fs::write(root.path().join("Cargo.lock"), "").unwrap();
        let added = hash(root.path()).unwrap();
        assert_ne!(renamed, added);
        for folder in ["rust/target", "src/lib/_build"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join("x"), "y").unwrap();
        }
        assert_eq!(added, hash(root.path()).unwrap());
    }

    #[test]
    fn sources_are_found_around_a_program_and_in_an_installation() {
        let root = tree();
        let program = root.path().join("build/bin/profiler-hub");
        assert_eq!(locate_sources(&program).unwrap(), root.path());

        let prefix = tempfile::tempdir().unwrap();
        let installed = prefix.path().join(INSTALLED).join("src/lib");
        let program = prefix.path().join("bin/profiler-hub");
        let error = locate_sources(&program).unwrap_err().to_string();
        assert!(
            error.contains("--source") && error.contains(&program.display().to_string()),
            "{error}"
        );
        fs::create_dir_all(&installed).unwrap();
        fs::write(installed.join("CMakeLists.txt"), "").unwrap();
        assert_eq!(
            locate_sources(&program).unwrap(),
            prefix.path().join(INSTALLED)
        );
    }
}
