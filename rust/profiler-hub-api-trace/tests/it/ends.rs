//! How processes end, and what is in their files then.

use std::os::unix::process::ExitStatusExt as _;

use crate::stage::{Recorded, Stage, cdylib, stderr};

const ALL: &str = "roctx,hip,hsa";

#[test]
fn what_was_recorded_survives_every_end() {
    for (end, code, signal) in [
        ("_exit", Some(3), None),
        ("abort", None, Some(6)),
        ("kill", None, Some(9)),
    ] {
        let stage = Stage::new(ALL);
        let output = stage
            .command("calls")
            .args(["2", "50", end])
            .output()
            .unwrap();
        assert_eq!(
            (output.status.code(), output.status.signal()),
            (code, signal),
            "{end}"
        );
        assert_eq!(stderr(&output), "", "{end}");
        let recorded = stage.recorded();
        assert!(
            recorded.rows.len() >= 2 * 50 * 15,
            "{end}: {}",
            recorded.rows.len()
        );
        assert_eq!(recorded.named("hipMalloc").count(), 100, "{end}");
    }
}

#[test]
fn a_finished_file_stands_alone() {
    let stage = Stage::new(ALL);
    stage.run("calls", &["1", "10"]);
    let names: Vec<_> = std::fs::read_dir(stage.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_forked_child_has_a_file_of_its_own() {
    for threads in ["0", "3"] {
        let stage = Stage::new(ALL);
        let said = stage.run("calls", &[threads, "20", "fork"]);
        let files: Vec<Recorded> = stage
            .files("out")
            .iter()
            .map(|p| Recorded::open(p))
            .collect();
        assert_eq!(files.len(), 2, "{said}");
        let guids: Vec<String> = files
            .iter()
            .map(|file| {
                let sql = "SELECT guid FROM rocpd_info_process";
                file.connection
                    .query_row(sql, [], |row| row.get(0))
                    .unwrap()
            })
            .collect();
        assert_ne!(guids[0], guids[1]);
        assert_ne!(files[0].rows[0].pid, files[1].rows[0].pid);
        let calls = 20 * threads.parse::<usize>().unwrap().max(1);
        for file in &files {
            assert_eq!(file.named("hipMalloc").count(), calls, "{said}");
            let pid = file.rows[0].pid;
            assert!(file.rows.iter().all(|row| row.pid == pid));
        }
        let around: Vec<_> = files
            .iter()
            .map(|file| {
                let open = |row: &&crate::stage::Row| row.extdata["message"] == "around the fork";
                file.rows.iter().filter(open).count()
            })
            .collect();
        assert_eq!(
            around.iter().sum::<usize>(),
            1,
            "the parent's range is the parent's"
        );
        assert!(
            !said.contains("lost") && !said.contains("never closed"),
            "{said}"
        );
    }
}

#[test]
fn forks_while_threads_record_neither_hang_nor_mix() {
    let stage = Stage::new(ALL);
    let said = stage.run("calls", &["3", "2000", "forks"]);
    let files: Vec<Recorded> = stage
        .files("out")
        .iter()
        .map(|path| Recorded::open(path))
        .collect();
    assert_eq!(files.len(), 21, "{said}");
    let mut calls: Vec<usize> = files
        .iter()
        .map(|file| file.named("hipMalloc").count())
        .collect();
    calls.sort_unstable();
    assert_eq!(calls[..20], [1; 20]);
    assert_eq!(calls[20], 6001);
    assert!(!said.contains("lost"), "{said}");
}

#[test]
fn an_sdk_that_never_finalises_loses_nothing() {
    let stage = Stage::new("roctx");
    let sdk = stage.compile("bare_sdk.c", "libbare.so", &["-shared", "-fPIC"]);
    let stage = stage.preloading(vec![sdk, cdylib("profiler_hub_api_trace")]);
    let said = stage.run("calls", &["2", "10"]);
    let recorded = stage.recorded();
    assert_eq!(recorded.named("roctxRangePushA").count(), 20);
    assert!(said.contains("60 regions of 2 threads"), "{said}");
}

#[test]
fn an_sdk_that_finalises_twice_hears_the_end_once() {
    let stage = Stage::new("roctx");
    let scenario = stage.path("scenario.json");
    std::fs::write(&scenario, r#"{"finalize_twice": true}"#).unwrap();
    let output = stage
        .command("calls")
        .env("SIM_SDK_SCENARIO", &scenario)
        .args(["1", "1"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(stderr(&output).matches("3 regions of 1 threads").count(), 1);
    assert_eq!(stage.recorded().rows.len(), 3);
}

#[test]
fn a_closed_stderr_is_left_alone() {
    let stage = Stage::new("roctx");
    let script = "exec 2>&-; exec ./calls 2 5";
    let output = stage
        .command("/bin/sh")
        .args(["-c", script])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(stage.recorded().rows.len(), 30);
}
