//! Names that a pattern file, a command line or a shell could take for something else.

use std::iter;

use crate::lab::{SOURCE, with_each_git, write};

const NAMES: &[&str] = &[
    "sp ace",
    "-dash",
    "we[i]rd",
    "st*r",
    "qu?estion",
    "back\\slash",
    "!bang",
    "#hash",
    "~tilde",
    " lead",
    "trail ",
    "quo'te",
    "dou\"ble",
    "dollar$x",
    "ümlaut",
    "tab\tbed",
    "**",
];

#[test]
fn each_is_added_as_git_adds_it() {
    with_each_git(|lab| {
        let origin = lab.origin();
        for name in NAMES {
            write(&origin.join(name).join("f"), "x");
            write(&origin.join("in").join(name).join("deep/f"), "x");
            write(&origin.join("in").join(name).join("g"), "x");
        }
        lab.commit(&origin, "names");
        let clone = lab.cone(&origin, "clone", &[SOURCE]);
        for (turn, name) in NAMES.iter().enumerate() {
            let deep = (turn % 4 == 0).then(|| format!("in/{name}/deep"));
            for path in iter::once((*name).to_owned()).chain(deep) {
                // The command that a check gives is git's way of adding it.
                let theirs = lab.copy(&clone, "theirs");
                let check = lab.guard(&theirs, &["--check", "--json", "--", &path]);
                let json = check.incomplete(&[]).json();
                let command = json["commands"][0].as_str().unwrap();
                let ran = lab.shell(&theirs, command);
                assert!(ran.status.success(), "{command}: {ran:?}");
                lab.guard_without_git(&clone, &["--", &path]).complete();
                assert_eq!(lab.snapshot(&clone), lab.snapshot(&theirs), "{path:?}");
                std::fs::remove_dir_all(theirs).unwrap();
            }
        }
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn a_line_break_cannot_be_written_into_a_pattern_file() {
    with_each_git(|lab| {
        let origin = lab.origin();
        write(&origin.join("line\nbreak/f"), "x");
        lab.commit(&origin, "names");
        let clone = lab.cone(&origin, "clone", &[SOURCE]);
        lab.guard_without_git(&clone, &["line\nbreak"])
            .incomplete(&["pattern file"]);
    });
}
