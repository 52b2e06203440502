//! For any tree and any cone: what the guard makes is what `git sparse-checkout add` makes of a copy.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::lab::{Lab, with_each_git, write};

/// How many trees; each takes some twenty git commands.
const CASES: u32 = 24;

#[derive(Debug, Clone)]
struct Case {
    files: BTreeSet<String>,
    cone: Vec<usize>,
    additions: Vec<usize>,
    changed: Vec<usize>,
    by_git2_alone: bool,
}

fn case() -> impl Strategy<Value = Case> {
    // Few names, so that folders meet; `-`, ` ` and `.` sort before `/`.
    let name = prop::sample::select(vec!["a", "b", "a-b", "a b", "a.c", "b*", "[c]", "ä"]);
    let file = prop::collection::vec(name, 1..5).prop_map(|names| format!("{}/f", names.join("/")));
    let numbers = |most| prop::collection::vec(any::<usize>(), 0..most);
    (
        prop::collection::btree_set(file, 3..25),
        numbers(4),
        numbers(5),
        numbers(4),
        any::<bool>(),
    )
        .prop_map(|(files, cone, additions, changed, by_git2_alone)| Case {
            files,
            cone,
            additions,
            changed,
            by_git2_alone,
        })
}

/// All folders that have a file in or under them.
fn folders(files: &BTreeSet<String>) -> Vec<String> {
    let folders: BTreeSet<String> = files
        .iter()
        .flat_map(|file| Path::new(file).ancestors().skip(1))
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.to_str().unwrap().to_owned())
        .collect();
    folders.into_iter().collect()
}

fn picked<'a>(from: &'a [String], at: &[usize]) -> Vec<&'a str> {
    at.iter().map(|at| from[at % from.len()].as_str()).collect()
}

fn check(lab: &Lab, case: &Case) {
    let origin = lab.at("origin");
    let ours = lab.at("ours");
    let theirs = lab.at("theirs");
    for folder in [&origin, &ours, &theirs] {
        if folder.exists() {
            fs::remove_dir_all(folder).unwrap();
        }
    }
    fs::create_dir(&origin).unwrap();
    lab.git(&origin, &["init", "-q", "-b", "main"]);
    for file in &case.files {
        write(&origin.join(file), file);
    }
    // `f` may be a folder's sibling; here it is a file in each.
    lab.commit(&origin, "tree");
    let folders = folders(&case.files);
    lab.cone(&origin, "ours", &[]);
    let cone = picked(&folders, &case.cone);
    lab.git(
        &ours,
        &[
            &["sparse-checkout", "set", "--cone", "--skip-checks"],
            &cone[..],
        ]
        .concat(),
    );
    change(lab, &ours, case);
    let theirs = lab.copy(&ours, "theirs");

    let additions = picked(&folders, &case.additions);
    if additions.is_empty() {
        return;
    }
    // Only what is missing is added: git is asked to add just that.
    let missing: Vec<&str> = additions
        .iter()
        .copied()
        .filter(|folder| {
            let listed = lab.git(
                &ours,
                &["ls-files", "-t", "--", &format!(":(literal){folder}")],
            );
            listed.lines().any(|line| line.starts_with('S'))
        })
        .collect();
    if !missing.is_empty() {
        lab.git(
            &theirs,
            &[&["sparse-checkout", "add", "--skip-checks"], &missing[..]].concat(),
        );
    }
    let outcome = if case.by_git2_alone {
        lab.guard_without_git(&ours, &additions)
    } else {
        lab.guard(&ours, &additions)
    };
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert_eq!(lab.snapshot(&ours), lab.snapshot(&theirs));
    assert_eq!(
        lab.git(&ours, &["sparse-checkout", "list"]),
        lab.git(&theirs, &["sparse-checkout", "list"])
    );
}

/// Makes the checkout one that somebody works in.
fn change(lab: &Lab, checkout: &Path, case: &Case) {
    let there: Vec<String> = case
        .files
        .iter()
        .filter(|file| checkout.join(file).exists())
        .cloned()
        .collect();
    if there.is_empty() {
        return;
    }
    for (turn, file) in picked(&there, &case.changed).into_iter().enumerate() {
        match turn {
            0 => write(&checkout.join(file), "changed"),
            1 => {
                lab.git(checkout, &["update-index", "--assume-unchanged", file]);
            }
            _ => write(&checkout.join(format!("{file}.untracked")), "new"),
        }
    }
}

#[test]
fn our_result_is_that_of_git() {
    with_each_git(|lab| {
        let config = Config {
            cases: CASES,
            failure_persistence: None,
            ..Config::default()
        };
        // The same trees in each run.
        let mut runner =
            TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        runner
            .run(&case(), |case| {
                check(lab, &case);
                Ok(())
            })
            .unwrap();
    });
}
