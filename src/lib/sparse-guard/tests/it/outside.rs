//! What is on disk although the patterns leave it out: the next git command would remove it.

use std::fs;

use crate::lab::{RUST, SOURCE, with_each_git, write};

#[test]
fn it_is_taken_into_the_cone() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        write(
            &clone.join("projects/hub/rust/tool/lib.rs"),
            "content of projects/hub/rust/tool/lib.rs\n",
        );
        lab.git(&clone, &["status"]);
        lab.guard(&clone, &["--check", "projects/hub/rust/tool"])
            .complete();
        lab.guard_without_git(&clone, &["projects/hub/rust/tool"])
            .complete();
        lab.git(&clone, &["sparse-checkout", "reapply"]);
        assert!(clone.join("projects/hub/rust/tool/lib.rs").exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn nothing_else_moves() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        write(&clone.join("tools/a/x"), "content of tools/a/x\n");
        lab.guard_without_git(&clone, &[RUST]).complete();
        assert_eq!(
            fs::read_to_string(clone.join("tools/a/x")).unwrap(),
            "content of tools/a/x\n"
        );
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}
