//! Files that git writes otherwise than they are stored are written by git.

use std::fs;
use std::path::PathBuf;

use crate::lab::{CMAKE, Lab, RUST, SOURCE, with_each_git, write};

fn with_attributes(lab: &Lab, attributes: &str) -> PathBuf {
    let origin = lab.origin();
    write(&origin.join(RUST).join("tool/run.bat"), "one\ntwo\n");
    write(&origin.join(RUST).join("tool/id.txt"), "$Id$\n");
    write(&origin.join(".gitattributes"), attributes);
    write(
        &origin.join(RUST).join("tool/.gitattributes"),
        "*.none filter=none\n",
    );
    lab.commit(&origin, "attributes");
    lab.cone(&origin, "clone", &[SOURCE])
}

#[test]
fn conversions_are_left_to_git() {
    with_each_git(|lab| {
        let clone = with_attributes(lab, "* text=auto\n*.bat eol=crlf\n*.txt ident\n");
        // Nothing that would be converted lies there.
        let json = lab.guard(&clone, &["--json", CMAKE]).complete().json();
        assert_eq!(json["paths"][0]["by"], "git2");
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["convert", "the attribute"]);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
        assert_eq!(
            fs::read(clone.join(RUST).join("tool/run.bat")).unwrap(),
            b"one\r\ntwo\r\n"
        );
        assert!(
            fs::read_to_string(clone.join(RUST).join("tool/id.txt"))
                .unwrap()
                .len()
                > 40
        );
    });
}

#[test]
fn filters_are_left_to_git() {
    with_each_git(|lab| {
        let clone = with_attributes(lab, "[attr]big filter=shout\n*.bat big\n");
        lab.git(&clone, &["config", "filter.shout.smudge", "tr a-z A-Z"]);
        lab.git(&clone, &["config", "filter.shout.clean", "tr A-Z a-z"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["the attribute filter"]);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
        assert_eq!(
            fs::read(clone.join(RUST).join("tool/run.bat")).unwrap(),
            b"ONE\nTWO\n"
        );
    });
}

#[test]
fn attributes_that_convert_nothing_keep_nobody() {
    with_each_git(|lab| {
        let clone = with_attributes(lab, "* text=auto eol=lf\n*.bat -text diff\n*.png binary\n");
        let json = lab.guard(&clone, &["--json", RUST]).complete().json();
        assert_eq!(json["paths"][0]["by"], "git2");
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn configured_and_private_conversions_count() {
    with_each_git(|lab| {
        let clone = with_attributes(lab, "");
        lab.git(&clone, &["config", "core.autocrlf", "true"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["core.autocrlf"]);
        lab.git(&clone, &["config", "core.autocrlf", "input"]);
        write(&clone.join(".git/info/attributes"), "*.rs eol=crlf\n");
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["the attribute eol"]);
        write(&clone.join(".git/info/attributes"), "");
        write(&lab.at("home/.config/git/attributes"), "*.rs eol=crlf\n");
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["the attribute eol"]);
        fs::remove_file(lab.at("home/.config/git/attributes")).unwrap();
        lab.guard_without_git(&clone, &[RUST]).complete();
    });
}

#[test]
fn the_umask_is_heeded() {
    with_each_git(|lab| {
        let clone = with_attributes(lab, "");
        let theirs = lab.copy(&clone, "theirs");
        let guard = env!("CARGO_BIN_EXE_sparse-guard");
        let ran = lab.shell(&clone, &format!("umask 002 && exec {guard} ensure {RUST}"));
        assert!(ran.status.success());
        let ran = lab.shell(
            &theirs,
            &format!("umask 002 && git sparse-checkout add {RUST}"),
        );
        assert!(ran.status.success());
        assert_eq!(lab.snapshot(&clone), lab.snapshot(&theirs));
    });
}
