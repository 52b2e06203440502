//! Symbolic links: followed to what is needed, written as links, never out of the work tree.

use std::fs;
use std::os::unix::fs::symlink;

use crate::lab::{Lab, RUST, SOURCE, with_each_git};

fn with_links(lab: &Lab) -> std::path::PathBuf {
    let origin = lab.origin();
    symlink("../hub/rust/tool", origin.join("projects/other/tool")).unwrap();
    symlink("../../other/tool", origin.join("projects/hub/cmake/chain")).unwrap();
    symlink("lib.rs", origin.join("projects/hub/rust/api/link.rs")).unwrap();
    symlink("/nowhere", origin.join("projects/hub/rust/api/dangling")).unwrap();
    lab.commit(&origin, "links");
    lab.cone(&origin, "clone", &[SOURCE])
}

#[test]
fn they_are_written_as_git_writes_them() {
    with_each_git(|lab| {
        let clone = with_links(lab);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
        assert!(clone.join("projects/hub/rust/api/dangling").is_symlink());
    });
}

#[test]
fn what_a_link_leads_to_is_brought_too() {
    with_each_git(|lab| {
        let clone = with_links(lab);
        // No link is on disk yet: one comes to light after the other.
        lab.guard(&clone, &["projects/hub/cmake/chain"]).complete();
        assert!(fs::read(clone.join("projects/hub/cmake/chain/lib.rs")).is_ok());
        let list = lab.git(&clone, &["sparse-checkout", "list"]);
        assert_eq!(
            list,
            "projects/hub/cmake\nprojects/hub/rust/tool\nprojects/hub/src/lib\nprojects/other\n"
        );
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn a_work_tree_behind_a_link() {
    with_each_git(|lab| {
        let clone = with_links(lab);
        let link = lab.at("link");
        symlink(&clone, &link).unwrap();
        lab.guard(&link.join(SOURCE), &["../../rust"]).complete();
        assert!(clone.join(RUST).exists());
        lab.guard(&lab.at(""), &["link/projects/hub/cmake"])
            .complete();
        assert!(clone.join("projects/hub/cmake/Find.cmake").exists());
    });
}

#[test]
fn without_symlinks_git_decides() {
    with_each_git(|lab| {
        let clone = with_links(lab);
        lab.git(&clone, &["config", "core.symlinks", "false"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["core.symlinks is false"]);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}
