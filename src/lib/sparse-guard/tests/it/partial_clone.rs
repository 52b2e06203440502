//! Clones without the files: nothing is fetched unless that is allowed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lab::{Lab, RUST, SOURCE, text, with_each_git};

fn partial(lab: &Lab) -> PathBuf {
    let origin = lab.origin();
    let bare = lab.at("bare.git");
    lab.git(
        &lab.at(""),
        &["clone", "-q", "--bare", &text(&origin), &text(&bare)],
    );
    lab.git(&bare, &["config", "uploadpack.allowFilter", "true"]);
    lab.git(&bare, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", text(&bare));
    let clone = lab.at("clone");
    lab.git(
        &lab.at(""),
        &[
            "clone",
            "-q",
            "--no-checkout",
            "--filter=blob:none",
            &url,
            &text(&clone),
        ],
    );
    lab.git(
        &clone,
        &[
            "sparse-checkout",
            "set",
            "--cone",
            "--no-sparse-index",
            SOURCE,
        ],
    );
    lab.git(&clone, &["checkout", "-q", "main"]);
    clone
}

fn objects(lab: &Lab, clone: &Path) -> String {
    lab.git(clone, &["count-objects", "-v"])
}

#[test]
fn nothing_is_fetched_unasked() {
    with_each_git(|lab| {
        let clone = partial(lab);
        let before = (objects(lab, &clone), lab.snapshot(&clone));
        lab.guard(&clone, &["--check", RUST])
            .incomplete(&["sparse-checkout add"]);
        lab.guard(&clone, &[RUST])
            .incomplete(&["5 objects", "--allow-fetch", "run: git -C"]);
        lab.guard_without_git(&clone, &["--allow-fetch", RUST])
            .incomplete(&["no git on PATH"]);
        assert_eq!((objects(lab, &clone), lab.snapshot(&clone)), before);
        lab.guard(&clone, &[SOURCE]).complete();
    });
}

#[test]
fn what_is_allowed_is_fetched_by_git() {
    with_each_git(|lab| {
        let clone = partial(lab);
        let json = lab
            .guard(&clone, &["--allow-fetch", "--json", RUST])
            .complete()
            .json();
        assert_eq!(json["paths"][0]["by"], "git");
        assert!(clone.join(RUST).join("tool/lib.rs").exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn what_is_there_already_needs_no_remote() {
    with_each_git(|lab| {
        let clone = partial(lab);
        lab.git(&clone, &["sparse-checkout", "add", RUST]);
        lab.git(&clone, &["sparse-checkout", "set", SOURCE]);
        fs::remove_dir_all(lab.at("bare.git")).unwrap();
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}

#[test]
fn a_sparse_index_is_asked_what_would_be_fetched() {
    with_each_git(|lab| {
        let clone = partial(lab);
        lab.git(&clone, &["sparse-checkout", "reapply", "--sparse-index"]);
        lab.guard(&clone, &[RUST])
            .incomplete(&["5 objects", "--allow-fetch"]);
        assert!(!clone.join(RUST).exists());
        lab.guard(&clone, &["--allow-fetch", RUST]).complete();
        assert!(clone.join(RUST).join("tool/lib.rs").exists());
    });
}
