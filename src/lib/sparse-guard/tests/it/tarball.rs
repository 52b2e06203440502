//! Sources that no repository tracks.

use std::fs;

use crate::lab::{CMAKE, RUST, SOURCE, with_each_git, write};

#[test]
fn a_tarball_passes_in_silence_if_the_files_are_there() {
    with_each_git(|lab| {
        let source = lab.at("hub-1.0");
        write(&source.join("src/lib/CMakeLists.txt"), "");
        write(&source.join("rust/lib.rs"), "");
        for guard in [
            lab.guard(&source.join("src/lib"), &["../../rust"]),
            lab.guard_without_git(&source.join("src/lib"), &["../../rust"]),
        ] {
            assert_eq!(guard.complete().said(), "");
        }
        let outcome = lab.guard(&source.join("src/lib"), &["../../rust", "../../cmake"]);
        outcome.incomplete(&["../../cmake", "not in this source"]);
    });
}

#[test]
fn a_tarball_inside_a_repository_that_does_not_track_it() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let source = clone.join("tools/vendor/hub-1.0");
        write(&source.join("src/lib/CMakeLists.txt"), "");
        write(&source.join("rust/lib.rs"), "");
        let before = lab.snapshot(&clone);
        let from = source.join("src/lib");
        assert_eq!(lab.guard(&from, &["../../rust"]).complete().said(), "");
        let outcome = lab.guard(&from, &["../../rust", "../../cmake"]);
        let outcome = outcome.incomplete(&["../../cmake", "not in this source"]);
        assert!(!outcome.said().contains("sparse-checkout"), "{outcome:?}");
        assert_eq!(lab.snapshot(&clone), before);
    });
}

#[test]
fn git_folders_that_are_none() {
    with_each_git(|lab| {
        let source = lab.at("hub");
        write(&source.join("rust/lib.rs"), "");
        fs::create_dir(source.join(".git")).unwrap();
        assert_eq!(lab.guard(&source, &["rust"]).complete().said(), "");
        fs::remove_dir(source.join(".git")).unwrap();
        write(&source.join(".git"), "gitdir: /nowhere/at/all\n");
        lab.guard(&source, &["rust"]).complete();
        lab.guard(&source, &["cmake"]).incomplete(&["cmake"]);
    });
}

#[test]
fn paths_outside_of_the_named_work_tree() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let repo = crate::lab::text(&clone);
        let home = lab.at("home");
        lab.guard(&home, &["--repo", &repo, "rust"])
            .incomplete(&["outside", &repo]);
        let absolute = format!("{repo}/{RUST}");
        lab.guard(&home, &["--repo", &format!("{repo}/{SOURCE}"), &absolute])
            .complete();
        assert!(clone.join(RUST).exists());
        // Without it each path is looked for where it lies.
        lab.guard(&home, &[&format!("{repo}/{CMAKE}")]).complete();
        assert!(clone.join(CMAKE).exists());
        lab.guard(&home, &["--repo", "nowhere", "x"])
            .incomplete(&["nowhere", "--repo"]);
    });
}
