//! The forms that git writes an index in.

use std::fs;
use std::path::PathBuf;

use crate::lab::{CMAKE, Lab, RUST, SOURCE, with_each_git};

fn in_form(lab: &Lab, arguments: &[&str]) -> PathBuf {
    let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
    lab.git(&clone, arguments);
    clone
}

#[test]
fn version_4_stays_version_4() {
    with_each_git(|lab| {
        let clone = in_form(lab, &["update-index", "--index-version=4"]);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
        assert_eq!(
            fs::read(clone.join(".git/index")).unwrap()[..8],
            *b"DIRC\0\0\0\x04"
        );
    });
}

#[test]
fn an_index_without_a_hash() {
    with_each_git(|lab| {
        let clone = in_form(
            lab,
            &[
                "-c",
                "index.skipHash=true",
                "update-index",
                "--force-write-index",
            ],
        );
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}

#[test]
fn an_untracked_cache_and_a_split_index() {
    with_each_git(|lab| {
        let clone = in_form(lab, &["update-index", "--force-untracked-cache"]);
        lab.same_as_git(&clone, &[CMAKE], &[CMAKE]);
        lab.git(&clone, &["update-index", "--split-index"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["split"]);
        let json = lab.guard(&clone, &["--json", RUST]).complete().json();
        assert_eq!(json["paths"][0]["by"], "git");
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn a_sparse_index_is_left_to_git_and_read_without_it() {
    with_each_git(|lab| {
        let clone = in_form(lab, &["sparse-checkout", "reapply", "--sparse-index"]);
        let sparse = |clone: &PathBuf| {
            fs::read(clone.join(".git/index"))
                .unwrap()
                .windows(4)
                .any(|bytes| bytes == b"sdir")
        };
        assert!(sparse(&clone));
        for path in [
            RUST,
            "projects/hub/rust/tool",
            "projects/hub/rust/tool/lib.rs",
        ] {
            lab.guard_without_git(&clone, &["--check", path])
                .incomplete(&["sparse-checkout add"]);
            lab.guard(&clone, &["--check", path])
                .incomplete(&["sparse-checkout add"]);
        }
        assert!(sparse(&clone), "a check expands nothing");
        lab.guard(&clone, &["projects/hub/rust/none"])
            .incomplete(&["not in HEAD"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["the index is a sparse index"]);
        lab.guard(&clone, &["projects/hub/rust/tool/lib.rs"])
            .complete();
        assert!(!clone.join("projects/hub/rust/api").exists());
        let json = lab
            .guard(&clone, &["--json", RUST, CMAKE])
            .complete()
            .json();
        assert_eq!(json["paths"][0]["by"], "git");
        assert!(clone.join(RUST).join("api/src/deep/er/file.rs").exists());
        assert!(sparse(&clone));
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn extensions_that_libgit2_does_not_open() {
    with_each_git(|lab| {
        let clone = in_form(lab, &["config", "core.repositoryFormatVersion", "1"]);
        lab.git(&clone, &["config", "extensions.partialClone", "origin"]);
        let outcome = lab.guard_without_git(&clone, &[RUST]);
        outcome.incomplete(&["partialclone", "no git on PATH"]);
        lab.guard_without_git(&clone, &[SOURCE]).complete();
        let json = lab.guard(&clone, &["--json", RUST]).complete().json();
        assert_eq!(json["paths"][0]["by"], "git");
    });
}

#[test]
fn sha256_objects() {
    with_each_git(|lab| {
        let clone = lab.at("long");
        lab.git(
            &lab.at(""),
            &["init", "-q", "--object-format=sha256", "-b", "main", "long"],
        );
        crate::lab::write(&clone.join("a/x"), "x");
        crate::lab::write(&clone.join("b/x"), "x");
        lab.commit(&clone, "first");
        lab.git(&clone, &["sparse-checkout", "set", "--cone", "b"]);
        lab.same_as_git(&clone, &["a"], &["a"]);
    });
}
