//! Checkouts whose patterns are not in cone form are git's business.

use std::fs;

use crate::lab::{CMAKE, Lab, RUST, SOURCE, with_each_git};

fn no_cone(lab: &Lab) -> std::path::PathBuf {
    let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
    let patterns = ["/projects/hub/src/", "/tools/*", "!/tools/b/"];
    lab.git(
        &clone,
        &[&["sparse-checkout", "set", "--no-cone"], &patterns[..]].concat(),
    );
    clone
}

#[test]
fn patterns_are_appended() {
    with_each_git(|lab| {
        let clone = no_cone(lab);
        let script = "projects/hub/rust/api/build.sh";
        lab.same_as_git(&clone, &[script], &["/projects/hub/rust/api/build.sh"]);
        lab.same_as_git(
            &clone,
            &[RUST, CMAKE],
            &[&format!("/{RUST}/"), &format!("/{CMAKE}/")],
        );
    });
}

#[test]
fn the_command_of_a_check_adds_them() {
    with_each_git(|lab| {
        let clone = no_cone(lab);
        let json = lab
            .guard(&clone, &["--check", "--json", RUST])
            .incomplete(&[])
            .json();
        let command = json["commands"][0].as_str().unwrap();
        assert!(lab.shell(&clone, command).status.success(), "{command}");
        lab.guard(&clone, &["--check", RUST]).complete();
    });
}

#[test]
fn without_git_it_says_why_and_what_to_run() {
    with_each_git(|lab| {
        let clone = no_cone(lab);
        let before = lab.snapshot(&clone);
        let outcome = lab.guard_without_git(&clone, &[RUST]);
        outcome.incomplete(&["not in cone form", "no git on PATH", "run: git -C"]);
        lab.guard_without_git(&clone, &[SOURCE]).complete();
        assert_eq!(lab.snapshot(&clone), before);
    });
}

#[test]
fn a_hand_written_file_that_git_cannot_add_to_is_extended_as_patterns() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        fs::write(
            clone.join(".git/info/sparse-checkout"),
            "/projects/hub/src/\n*.md\n",
        )
        .unwrap();
        lab.git(&clone, &["sparse-checkout", "reapply"]);
        lab.guard(&clone, &[RUST]).complete();
        assert!(clone.join(RUST).join("tool/lib.rs").exists());
        assert!(clone.join("README.md").exists() && !clone.join("tools").exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn a_file_that_adding_would_rewrite_otherwise_is_left_to_git() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let file = "/*\n!/*/\n/projects/\n!/projects/*/\n/tools/\n";
        fs::write(clone.join(".git/info/sparse-checkout"), file).unwrap();
        lab.git(&clone, &["sparse-checkout", "reapply"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["do not go together"]);
    });
}

#[test]
fn patterns_that_include_everything_are_applied_and_not_narrowed() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        fs::write(clone.join(".git/info/sparse-checkout"), "/*\n").unwrap();
        let json = lab
            .guard(&clone, &["--check", "--json", RUST])
            .incomplete(&[])
            .json();
        assert!(
            json["commands"][0]
                .as_str()
                .unwrap()
                .ends_with("sparse-checkout reapply")
        );
        lab.guard(&clone, &[RUST]).complete();
        assert!(clone.join(SOURCE).exists() && clone.join("tools/z").exists());
    });
}
