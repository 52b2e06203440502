//! Full checkouts: what is there is there, whatever else is lying about.

use std::fs;

use crate::lab::{CMAKE, RUST, SOURCE, with_each_git, write};

#[test]
fn a_full_checkout_passes_in_silence() {
    with_each_git(|lab| {
        let origin = lab.origin();
        let outcome = lab
            .guard(&origin.join(SOURCE), &["../../rust", "../../cmake"])
            .complete();
        assert_eq!(outcome.said(), "");
        let json = lab.guard(&origin, &["--json", RUST]).complete().json();
        assert_eq!(json["complete"], true);
        assert_eq!(json["paths"][0]["state"], "present");
    });
}

#[test]
fn a_pattern_file_left_by_an_earlier_sparse_checkout_means_nothing() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        lab.git(&clone, &["sparse-checkout", "disable"]);
        assert!(clone.join(".git/info/sparse-checkout").exists());
        let before = lab.snapshot(&clone);
        assert_eq!(lab.guard(&clone, &[RUST, CMAKE]).complete().said(), "");
        assert_eq!(lab.snapshot(&clone), before);
    });
}

#[test]
fn what_was_deleted_by_hand_is_not_brought_back() {
    with_each_git(|lab| {
        let origin = lab.origin();
        fs::remove_dir_all(origin.join(CMAKE)).unwrap();
        lab.guard(&origin, &[CMAKE])
            .incomplete(&["deleted from the work tree", "restore -- "]);
        lab.git(&origin, &["rm", "-q", "-r", CMAKE]);
        lab.guard(&origin, &[CMAKE])
            .incomplete(&["deletion is staged", "restore --staged --worktree -- "]);
        // Of a folder a part may be deleted: that is the user's change.
        fs::remove_file(origin.join(RUST).join("tool/lib.rs")).unwrap();
        lab.guard(&origin, &[RUST]).complete();
    });
}

#[test]
fn an_untracked_path_is_there_if_it_is() {
    with_each_git(|lab| {
        let origin = lab.origin();
        write(&origin.join("projects/hub/build/x"), "");
        lab.guard(&origin, &["projects/hub/build"]).complete();
    });
}

#[test]
fn a_path_that_is_not_in_head_is_named() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        for path in [
            "no/such",
            "projects/hub/nothing",
            "projects/hub/rust/api/lib.rs/x",
        ] {
            for options in [&["--check"][..], &[]] {
                let said = lab.guard(&clone, &[options, &[path]].concat());
                said.incomplete(&[path, "not in HEAD"]);
            }
        }
        // What else was asked for is brought all the same.
        let outcome = lab.guard(&clone, &["--json", "no/such", RUST]);
        let json = outcome.incomplete(&[]).json();
        assert_eq!(json["paths"][0]["reason"], "not-in-head");
        assert_eq!(json["paths"][1]["state"], "added");
    });
}
