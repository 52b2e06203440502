//! A tree of another user is treated as git treats it. Only root can make one.

use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::chown;
use std::path::Path;

use crate::lab::{Lab, RUST, SOURCE, text, with_each_git, write};

/// Whoever is not root cannot give a file away; then these cases have nothing to try.
fn give_away(path: &Path) -> bool {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return false;
    }
    for entry in walk(path) {
        chown(entry, Some(65534), Some(65534)).unwrap();
    }
    true
}

fn walk(path: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![path.to_owned()];
    if path.is_dir() && !path.is_symlink() {
        for entry in std::fs::read_dir(path).unwrap() {
            found.extend(walk(&entry.unwrap().path()));
        }
    }
    found
}

fn foreign(lab: &Lab) -> Option<std::path::PathBuf> {
    let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
    give_away(&clone).then_some(clone)
}

#[test]
fn it_is_refused_with_the_remedy_of_git() {
    with_each_git(|lab| {
        let Some(clone) = foreign(lab) else { return };
        let remedy = format!(
            "git config --global --add safe.directory {}",
            clone.display()
        );
        lab.guard(&clone, &[RUST])
            .incomplete(&["dubious ownership", &remedy]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["not owned", &remedy]);
        assert!(!clone.join(RUST).exists());
        // What is there is there.
        lab.guard(&clone, &[SOURCE]).complete();
        let json = lab.guard(&clone, &["--json", RUST]).incomplete(&[]).json();
        let command = json["commands"][0].as_str().unwrap();
        assert!(lab.shell(&clone, command).status.success());
        lab.guard(&clone, &[RUST]).complete();
        assert!(clone.join(RUST).exists());
    });
}

#[test]
fn it_is_trusted_where_git_trusts_it() {
    with_each_git(|lab| {
        let Some(clone) = foreign(lab) else { return };
        // libgit2 knows this file, and git's other ways only git.
        write(
            &lab.at("home/.gitconfig"),
            &format!("[safe]\n directory = {}\n", text(&clone)),
        );
        lab.guard_without_git(&clone, &[RUST]).complete();
        write(&lab.at("home/.gitconfig"), "");
        write(&lab.at("other"), "[safe]\n directory = *\n");
        let mut guard = lab.guard_command(&clone, &["projects/hub/cmake"]);
        crate::lab::run(guard.env("GIT_CONFIG_GLOBAL", lab.at("other"))).complete();
        let mut guard = lab.guard_command(&clone, &["tools/a"]);
        guard
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "safe.directory")
            .env("GIT_CONFIG_VALUE_0", "*");
        crate::lab::run(&mut guard).complete();
        assert!(clone.join("tools/a/x").exists());
        // Some that git does not trust are not trusted here.
        lab.guard(&clone, &["tools/b"])
            .incomplete(&["safe.directory"]);
    });
}
