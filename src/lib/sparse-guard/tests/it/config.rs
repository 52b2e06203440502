//! Whether sparse checkout is on is decided as git decides it.

use std::fs;

use crate::lab::{Lab, RUST, SOURCE, run, with_each_git, write};

/// (file in the git folder, content added to it, whether git then takes the checkout for sparse)
const CONFIGS: &[(&str, &str, bool)] = &[
    (
        "config.worktree",
        "[core]\n sparseCheckout = false\n",
        false,
    ),
    ("config", "[core]\n sparseCheckout = false\n", true), // config.worktree comes later
    ("config", "[extensions]\n worktreeConfig = false\n", false),
    (
        "config.worktree",
        "[include]\n path = more\n[core]\n sparseCheckoutCone = yes\n",
        false,
    ),
    (
        "config.worktree",
        "[includeIf \"gitdir:/nowhere/\"]\n path = more\n",
        true,
    ),
    ("config.worktree", "[core]\n sparseCheckout = 1\n", true),
];

#[test]
fn configuration_in_all_its_places() {
    with_each_git(|lab| {
        let origin = lab.origin();
        for (at, (file, content, sparse)) in CONFIGS.iter().enumerate() {
            let clone = lab.cone(&origin, &format!("clone{at}"), &[SOURCE]);
            fs::write(clone.join(".git/more"), "[core]\n sparseCheckout = off\n").unwrap();
            let file = clone.join(".git").join(file);
            let old = fs::read_to_string(&file).unwrap();
            fs::write(&file, format!("{old}{content}")).unwrap();
            assert_eq!(
                lab.try_git(&clone, &["sparse-checkout", "list"])
                    .status
                    .success(),
                *sparse
            );
            let outcome = lab.guard(&clone, &[RUST]);
            if *sparse {
                outcome.complete();
            } else {
                // Nothing is there to add to; the files are missing all the same.
                outcome.incomplete(&["skip-worktree", "sparse-checkout disable"]);
            }
        }
    });
}

#[test]
fn the_users_configuration_counts() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        write(
            &lab.at("home/.gitconfig"),
            "[core]\n sparseCheckout = true\n",
        );
        lab.git(
            &clone,
            &["config", "--worktree", "--unset", "core.sparseCheckout"],
        );
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}

#[test]
fn configuration_from_the_environment_counts() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let with = |lab: &Lab, value: &str| {
            let mut guard = lab.guard_command(&clone, &["--json", RUST]);
            guard
                .env("GIT_CONFIG_COUNT", "1")
                .env("GIT_CONFIG_KEY_0", "core.sparseCheckout")
                .env("GIT_CONFIG_VALUE_0", value);
            run(&mut guard)
        };
        let json = with(lab, "false").incomplete(&[]).json();
        assert_eq!(json["paths"][0]["reason"], "skip-worktree");
        let json = with(lab, "true").complete().json();
        assert_eq!(json["paths"][0]["by"], "git");
    });
}

#[test]
fn a_pattern_file_that_is_gone_is_not_invented() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        fs::remove_file(clone.join(".git/info/sparse-checkout")).unwrap();
        lab.guard(&clone, &[SOURCE]).complete();
        lab.guard(&clone, &[RUST])
            .incomplete(&["sparse-checkout disable"]);
        assert!(!clone.join(RUST).exists());
    });
}

#[test]
fn a_file_that_the_user_marked_stays_marked() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE, RUST]);
        lab.git(&clone, &["sparse-checkout", "disable"]);
        let file = "projects/hub/rust/tool/lib.rs";
        lab.git(&clone, &["update-index", "--skip-worktree", file]);
        fs::write(clone.join(file), "mine").unwrap();
        lab.guard(&clone, &[RUST]).complete();
        assert!(lab.git(&clone, &["ls-files", "-t", file]).starts_with('S'));
        assert_eq!(fs::read_to_string(clone.join(file)).unwrap(), "mine");
    });
}

#[test]
fn a_hook_of_another_repository_does_not_lead_astray() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let mut guard = lab.guard_command(&clone, &[RUST]);
        guard
            .env("GIT_DIR", lab.at("origin/.git"))
            .env("GIT_WORK_TREE", lab.at("origin"))
            .env("GIT_INDEX_FILE", lab.at("origin/.git/index"));
        run(&mut guard).complete();
        assert!(clone.join(RUST).exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn git_is_used_where_that_is_asked_for() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let mut guard = lab.guard_command(&clone, &["--json", RUST]);
        let json = run(guard.env("PROFILER_HUB_SPARSE_GUARD", "git"))
            .complete()
            .json();
        assert_eq!(json["paths"][0]["by"], "git");
    });
}
