//! From what was asked for to a place: symbolic links followed, also where nothing is on disk yet.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// As many links as Linux follows.
const LINKS: u32 = 40;

/// The absolute path that `given` means from the folder `base`, which is absolute itself.
///
/// Symbolic links are followed as far as the path exists; what does not exist is taken as it is.
pub(crate) fn resolve(base: &Path, given: &Path) -> io::Result<PathBuf> {
    let mut found = PathBuf::from("/");
    let mut rest = Vec::new();
    push_reversed(&mut rest, given);
    if given.is_relative() {
        push_reversed(&mut rest, base);
    }
    let mut links = 0;
    while let Some(step) = rest.pop() {
        match step {
            Step::Up => {
                found.pop();
            }
            Step::Root => found = PathBuf::from("/"),
            Step::Down(name) => {
                let next = found.join(name);
                match fs::read_link(&next) {
                    Ok(target) => {
                        links += 1;
                        if links > LINKS {
                            return Err(io::Error::other("too many levels of symbolic links"));
                        }
                        push_reversed(&mut rest, &target);
                    }
                    // Not a link, or not there.
                    Err(_) => found = next,
                }
            }
        }
    }
    Ok(found)
}

enum Step {
    Root,
    Up,
    Down(OsString),
}

fn push_reversed(rest: &mut Vec<Step>, path: &Path) {
    rest.extend(
        path.components()
            .rev()
            .filter_map(|component| match component {
                Component::Normal(name) => Some(Step::Down(name.to_owned())),
                Component::ParentDir => Some(Step::Up),
                Component::RootDir => Some(Step::Root),
                Component::CurDir | Component::Prefix(_) => None,
            }),
    );
}

/// The nearest folder at or above `path` that exists.
pub(crate) fn nearest_folder(path: &Path) -> &Path {
    path.ancestors()
        .find(|above| above.is_dir())
        .unwrap_or(Path::new("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_before_a_step_up() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        std::os::unix::fs::symlink("real/deep", root.join("link")).unwrap();
        std::os::unix::fs::symlink("gone/there", root.join("dangling")).unwrap();
        std::os::unix::fs::symlink("loop", root.join("loop")).unwrap();
        for (given, expected) in [
            ("link/../x", "real/x"),
            ("./real//deep/.", "real/deep"),
            ("missing/../y", "y"),
            ("dangling/z", "gone/there/z"),
        ] {
            assert_eq!(
                resolve(&root, Path::new(given)).unwrap(),
                root.join(expected),
                "{given}"
            );
        }
        assert!(resolve(&root, Path::new("loop/x")).is_err());
        assert_eq!(
            nearest_folder(&root.join("real/none/none")),
            root.join("real")
        );
    }
}
