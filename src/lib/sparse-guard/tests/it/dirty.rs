//! Work in progress: right, or refused with the reason, and never damaged.

use std::fs;
use std::os::unix::fs::symlink;

use crate::lab::{CMAKE, Lab, RUST, SOURCE, text, with_each_git, write};

#[test]
fn changes_stay_as_they_are() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE, "tools"]);
        write(&clone.join(SOURCE).join("CMakeLists.txt"), "changed");
        write(&clone.join(SOURCE).join("staged"), "new");
        lab.git(&clone, &["add", "projects/hub/src/lib/staged"]);
        lab.git(&clone, &["rm", "-q", "tools/z"]);
        fs::remove_file(clone.join("tools/a/x")).unwrap();
        write(&clone.join("untracked/x"), "x");
        lab.git(&clone, &["update-index", "--assume-unchanged", "tools/b/y"]);
        write(&clone.join("later"), "x");
        lab.git(&clone, &["add", "-N", "later"]);
        lab.same_as_git(&clone, &[RUST, CMAKE], &[RUST, CMAKE]);
    });
}

#[test]
fn a_change_in_the_moment_of_the_last_index_is_not_lost() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let (index, file) = (clone.join(".git/index"), clone.join("README.md"));
        let length = fs::metadata(&file).unwrap().len();
        // The size and both times are as the index has them: only the content tells.
        lab.git(&clone, &["config", "core.trustctime", "false"]);
        let times = fs::metadata(&file).unwrap().modified().unwrap();
        let set = |path: &std::path::Path| {
            fs::OpenOptions::new()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(times)
                .unwrap();
        };
        let inode = std::os::unix::fs::MetadataExt::ino(&fs::metadata(&file).unwrap());
        fs::write(&file, "y".repeat(usize::try_from(length).unwrap())).unwrap();
        assert_eq!(
            std::os::unix::fs::MetadataExt::ino(&fs::metadata(&file).unwrap()),
            inode
        );
        set(&file);
        set(&index);
        assert_eq!(
            lab.git(&clone, &["status", "--porcelain"]),
            " M README.md\n"
        );
        set(&index);
        lab.guard_without_git(&clone, &[RUST]).complete();
        assert_eq!(
            lab.git(&clone, &["status", "--porcelain"]),
            " M README.md\n"
        );
    });
}

#[test]
fn files_that_are_there_already_are_kept() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        write(&clone.join(RUST).join("tool/lib.rs"), "mine");
        write(&clone.join(RUST).join("mine"), "mine");
        write(
            &clone.join("projects/hub/rust/api/lib.rs"),
            "content of projects/hub/rust/api/lib.rs\n",
        );
        lab.same_as_git(&clone, &[RUST], &[RUST]);
        assert_eq!(
            fs::read_to_string(clone.join(RUST).join("tool/lib.rs")).unwrap(),
            "mine"
        );
    });
}

#[test]
fn things_in_the_way_are_named_and_not_touched() {
    with_each_git(|lab| {
        let origin = lab.origin();
        let outside = lab.at("outside");
        fs::create_dir(&outside).unwrap();
        for at in 0..3 {
            let clone = lab.cone(&origin, &format!("clone{at}"), &[SOURCE]);
            let thing = match at {
                0 => clone.join(RUST),
                1 => clone.join(RUST).join("tool"),
                _ => clone.join(RUST).join("api/lib.rs"),
            };
            fs::create_dir_all(thing.parent().unwrap()).unwrap();
            match at {
                0 => fs::write(&thing, "mine").unwrap(),
                1 => symlink(&outside, &thing).unwrap(),
                _ => write(&thing.join("mine"), "mine"),
            }
            let before = lab.files(&clone);
            lab.guard(&clone, &[RUST])
                .incomplete(&["in the way", &text(&thing)]);
            lab.guard_without_git(&clone, &[RUST])
                .incomplete(&["in the way", &text(&thing)]);
            assert_eq!(lab.files(&clone), before);
            assert!(lab.git(&clone, &["ls-files", "-t", CMAKE]).starts_with('S'));
        }
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    });
}

fn commit_in_rust(lab: &Lab, checkout: &std::path::Path, content: &str) {
    write(&checkout.join("projects/hub/Cargo.toml"), content);
    write(&checkout.join(RUST).join("tool/lib.rs"), content);
    lab.commit(checkout, content);
}

#[test]
fn detached_and_shallow() {
    with_each_git(|lab| {
        let origin = lab.origin();
        commit_in_rust(lab, &origin, "second");
        let clone = lab.at("clone");
        let url = format!("file://{}", text(&origin));
        lab.git(
            &lab.at(""),
            &[
                "clone",
                "-q",
                "--depth=1",
                "--no-checkout",
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
        lab.git(&clone, &["checkout", "-q", "--detach", "main"]);
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}

#[test]
fn a_rebase_under_way_is_left_to_git() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        lab.git(&clone, &["checkout", "-q", "-b", "side"]);
        write(&clone.join("projects/hub/Cargo.toml"), "side");
        lab.commit(&clone, "side");
        lab.git(&clone, &["checkout", "-q", "main"]);
        write(&clone.join("projects/hub/Cargo.toml"), "main");
        lab.commit(&clone, "main");
        assert!(!lab.try_git(&clone, &["rebase", "side"]).status.success());
        let before = lab.git(&clone, &["status", "--porcelain"]);
        lab.guard_without_git(&clone, &[RUST])
            .incomplete(&["conflicts"]);
        lab.guard(&clone, &[RUST]).complete();
        assert!(clone.join(RUST).exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), before);
        write(&clone.join("projects/hub/Cargo.toml"), "both");
        lab.git(&clone, &["add", "projects/hub/Cargo.toml"]);
        lab.guard_without_git(&clone, &[CMAKE])
            .incomplete(&["a rebase is under way"]);
        lab.guard(&clone, &[CMAKE]).complete();
        lab.git(&clone, &["-c", "core.editor=true", "rebase", "--continue"]);
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
        assert!(clone.join(CMAKE).exists());
    });
}
