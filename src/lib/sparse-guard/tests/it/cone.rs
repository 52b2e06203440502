//! A plain cone checkout: libgit2 does it, and nobody can tell it from git.

use std::fs;

use crate::lab::{CMAKE, Lab, RUST, SOURCE, with_each_git};

#[test]
fn folders_are_added_as_git_adds_them() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        lab.same_as_git(&clone, &[RUST, CMAKE], &[RUST, CMAKE]);
    });
}

#[test]
fn no_git_is_needed() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let theirs = lab.copy(&clone, "theirs");
        lab.git(&theirs, &["sparse-checkout", "add", RUST]);
        let outcome = lab
            .guard_without_git(&clone, &["--json", RUST])
            .complete()
            .json();
        assert_eq!(outcome["paths"][0]["by"], "git2");
        assert_eq!(outcome["paths"][0]["files"], 5);
        assert_eq!(lab.snapshot(&clone), lab.snapshot(&theirs));
    });
}

#[test]
fn paths_are_taken_from_the_current_folder() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let theirs = lab.copy(&clone, "theirs");
        lab.git(&theirs, &["sparse-checkout", "add", RUST, CMAKE]);
        lab.guard(&clone.join(SOURCE), &["../../rust", "./../../cmake/"])
            .complete();
        assert_eq!(lab.snapshot(&clone), lab.snapshot(&theirs));
    });
}

/// (what is there, what is asked for, what git is to add)
const NESTED: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["projects/hub/rust/api"],
        &["projects/hub/rust"],
        &["projects/hub/rust"],
    ),
    (
        &["projects/hub/rust/api/src"],
        &["projects/hub/rust/tool"],
        &["projects/hub/rust/tool"],
    ),
    (
        &["tools/a"],
        &["projects/hub/rust/api/src/deep/er"],
        &["projects/hub/rust/api/src/deep/er"],
    ),
    (&[SOURCE], &["projects"], &["projects"]),
    (&[], &["tools"], &["tools"]),
    (&["tools"], &[RUST, "tools/a"], &[RUST]),
    (&["tools"], &[RUST, "projects/hub"], &["projects/hub"]),
    // A file: the folder that it lies in.
    (
        &["tools"],
        &["projects/hub/rust/api/lib.rs"],
        &["projects/hub/rust/api"],
    ),
];

#[test]
fn nested_folders_and_files_are_added_as_git_adds_them() {
    with_each_git(|lab| {
        let origin = lab.origin();
        for (at, (there, asked, added)) in NESTED.iter().enumerate() {
            let clone = lab.cone(&origin, &format!("clone{at}"), there);
            lab.same_as_git(&clone, asked, added);
        }
    });
}

#[test]
fn nothing_is_done_where_nothing_is_missing() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE, RUST]);
        let modified = || {
            fs::metadata(clone.join(".git/index"))
                .unwrap()
                .modified()
                .unwrap()
        };
        for path in [
            RUST,
            "projects/hub/Cargo.toml",
            "README.md",
            "projects/hub/src",
        ] {
            let before = modified();
            assert_eq!(lab.guard(&clone, &[path]).complete().said(), "", "{path}");
            assert_eq!(
                lab.guard(&clone, &["--check", path]).complete().said(),
                "",
                "{path}"
            );
            assert_eq!(modified(), before, "{path}");
        }
    });
}

#[test]
fn check_says_the_command_that_adds_what_is_missing() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let before = lab.snapshot(&clone);
        let said = check(lab, &clone, &[RUST, CMAKE, SOURCE]);
        assert_eq!(lab.snapshot(&clone), before, "a check changes nothing");
        let command = said["commands"][0].as_str().unwrap();
        let top = clone.display();
        assert_eq!(
            command,
            format!("git -C {top} sparse-checkout add {CMAKE} {RUST}")
        );
        assert_eq!(said["complete"], false);
        let states: Vec<_> = said["paths"]
            .as_array()
            .unwrap()
            .iter()
            .map(|path| path["state"].clone())
            .collect();
        assert_eq!(states, ["missing", "missing", "present"]);
        assert_eq!(said["paths"][0]["reason"], "sparse");
        assert_eq!(said["paths"][0]["files"], 5);
        assert!(lab.shell(&lab.at("home"), command).status.success());
        lab.guard(&clone, &["--check", RUST, CMAKE]).complete();
    });
}

fn check(lab: &Lab, clone: &std::path::Path, paths: &[&str]) -> serde_json::Value {
    lab.guard(clone, &[&["--check", "--json"], paths].concat())
        .incomplete(&[])
        .json()
}
