//! fork, with and without exec.

use std::collections::BTreeSet;
use std::process::Command;

use preload_tests::files::{number, texts, values};
use preload_tests::{Ended, Run, app, tool_library};
use serde_json::{Value, json};

fn one_gpu() -> Value {
    json!({"counters": [{"name": "A", "instances": 2, "per_instance": 0.5}], "dispatches": [{"repeat": 20000, "thread": 0}, {"repeat": 20000, "thread": 1}]})
}

fn guids(ended: &Ended) -> BTreeSet<String> {
    let files = ended.run.native_files();
    files
        .iter()
        .flat_map(|file| {
            texts(
                file,
                "SELECT \"value\" FROM \"rocpd_metadata\" WHERE \"tag\" = 'guid'",
            )
        })
        .collect()
}

fn pid_of(file: &std::path::Path) -> i64 {
    number(file, "SELECT \"pid\" FROM \"rocpd_info_process\"")
}

#[test]
fn a_child_without_exec_has_a_file_of_its_own_with_its_own_rows() {
    let ended = Run::new(&one_gpu(), "pmc: A").app("forks", &["exit"]);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    let child: i64 = ended
        .stdout
        .trim()
        .strip_prefix("child ")
        .unwrap()
        .parse()
        .unwrap();
    let files = ended.run.native_files();
    assert_eq!(files.len(), 2, "{files:?}\n{}", ended.stderr);
    assert_eq!(guids(&ended).len(), 2);
    for file in &files {
        let expected: &[u64] = if pid_of(file) == child {
            &[4, 5]
        } else {
            &[1, 2, 3]
        };
        let found: Vec<u64> = values(file)
            .into_keys()
            .map(|(dispatch, ..)| dispatch)
            .collect();
        assert_eq!(found, expected, "{}", file.display());
        assert!(!file.with_extension("db-wal").exists());
        assert_eq!(texts(file, "PRAGMA integrity_check"), ["ok"]);
    }
}

/// No handler runs in such a child: it has the parent's capture and no writer.
#[test]
fn a_child_made_past_the_c_library_ends_at_once_and_leaves_the_parents_file_alone() {
    let ended = Run::new(&one_gpu(), "pmc: A").app("forks", &["raw"]);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    assert_eq!(values(&ended.native_file()).len(), 3);
    let [line] = &ended.complaints()[..] else {
        panic!("{}", ended.stderr)
    };
    assert!(line.starts_with("this child was made without"), "{line}");
    assert_eq!(ended.stderr.matches("lost: ").count(), 1);
}

#[test]
fn launches_are_counted_anew_in_the_child() {
    let run = Run::new(&one_gpu(), "pmc: A").env("ROCPROF_KERNEL_FILTER_RANGE", "[1]");
    let ended = run.app("forks", &["exit"]);
    let mut found: Vec<u64> = ended
        .run
        .native_files()
        .iter()
        .flat_map(|file| values(file).into_keys().map(|(dispatch, ..)| dispatch))
        .collect();
    found.sort_unstable();
    assert_eq!(found, [1, 4]);
}

#[test]
fn a_child_that_counts_nothing_leaves_nothing_and_says_nothing() {
    let ended = Run::new(&one_gpu(), "pmc: A").app("forks", &["nothing"]);
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(values(&ended.native_file()).len(), 3);
    assert_eq!(ended.lines().len(), 2, "{}", ended.stderr);
}

#[test]
fn a_child_that_ends_by_underscore_exit_does_not_touch_the_parents_file() {
    let ended = Run::new(&one_gpu(), "pmc: A").app("forks", &["_exit"]);
    assert_eq!(ended.status.code(), Some(0));
    let parent = ended
        .run
        .native_files()
        .into_iter()
        .find(|file| !file.with_extension("db-wal").exists());
    assert_eq!(values(&parent.unwrap()).len(), 3);
}

/// Threads append, the writer writes, and the process forks again and again: a lock that stayed
/// taken in a child would hang it.
#[test]
fn children_of_a_busy_parent_never_hang() {
    let ended = Run::new(&one_gpu(), "pmc: A").app("forks", &["busy", "30"]);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    let children: BTreeSet<i64> = ended
        .stdout
        .lines()
        .map(|line| line.strip_prefix("child ").unwrap().parse().unwrap())
        .collect();
    assert_eq!(children.len(), 30);
    let files = ended.run.native_files();
    assert_eq!(files.len(), 31, "{}", ended.stderr);
    assert_eq!(guids(&ended).len(), 31);
    for file in files {
        let found = values(&file);
        assert!(found.values().all(|values| values.len() == 2));
        if children.contains(&pid_of(&file)) {
            assert_eq!(found.len(), 2);
        }
    }
}

/// A shell with the tool, and with the SDK that configures it at once, starts no thread and writes
/// no file; neither do its children. The program at the end of the chain does.
#[test]
fn shells_in_between_leave_no_file_and_call_nothing() {
    let mut scenario = one_gpu();
    scenario["configure"] = json!("load");
    scenario["dispatches"] = json!([{"repeat": 2}]);
    let run = Run::new(&scenario, "pmc: A")
        .preload(preload_tests::library_folder().join("librocprofiler-sdk.so.1"));
    let mut shell = run.command(std::path::Path::new("/bin/bash"));
    shell.arg("-c").arg("for i in 1 2 3; do (true); /bin/true; done; grep -c . /proc/self/status >&2; ls /proc/$$/task | wc -l");
    let ended = run.end(shell);
    assert_eq!(ended.stdout, "1\n");
    assert!(ended.lines().is_empty(), "{}", ended.stderr);
    assert!(!ended.run.out().exists());
    let calls = ended.run.calls();
    let allowed = [
        "rocprofiler_at_intercept_table_registration configuring",
        "rocprofiler_create_context initializing",
        "rocprofiler_configure_callback_dispatch_counting_service initializing",
        "rocprofiler_configure_callback_tracing_service initializing",
    ];
    for call in calls.iter().filter(|call| call.starts_with("rocprofiler_")) {
        assert!(allowed.contains(&call.as_str()), "{call}");
    }

    let run = Run::new(&scenario, "pmc: A")
        .preload(preload_tests::library_folder().join("librocprofiler-sdk.so.1"));
    let mut shell = run.command(std::path::Path::new("/bin/bash"));
    shell
        .arg("-c")
        .arg(format!("/bin/sh -c '{}; exit $?'", app("vcopy").display()));
    let ended = run.end(shell);
    assert_eq!(ended.stdout, "copied 2 times\n");
    assert_eq!(values(&ended.native_file()).len(), 2);
}

/// Preloaded without any SDK in the process, the tool is not even asked.
#[test]
fn without_an_sdk_nothing_happens() {
    let output = Command::new("/bin/bash")
        .args(["-c", "for i in 1 2 3; do (true); done; echo done"])
        .env("LD_PRELOAD", tool_library())
        .env("ROCPROF_COUNTERS", "pmc: A")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done\n");
    assert!(output.stderr.is_empty());
}
