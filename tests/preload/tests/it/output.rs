//! The whole path: application, simulation and tool, two databases, `profiler-hub analyze`, a CSV in
//! which each value is the scenario's.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use preload_tests::{Run, files, profiler_hub};
use serde_json::json;

use crate::{a, b, eventually, two_gpus, wait_until};

fn analyze(workload: &Path) -> Output {
    Command::new(profiler_hub())
        .arg("analyze")
        .arg(workload)
        .arg("-o")
        .arg(workload.join("pmc_perf.csv"))
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The rows of a CSV, column by name.
fn rows(workload: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(workload.join("pmc_perf.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    reader
        .records()
        .map(|record| {
            header
                .iter()
                .map(str::to_owned)
                .zip(record.unwrap().iter().map(str::to_owned))
                .collect()
        })
        .collect()
}

/// The simulation numbers correlations from 101.
fn dispatch_of(row: &BTreeMap<String, String>) -> u64 {
    row["Correlation_Id"].parse::<u64>().unwrap() - 100
}

fn check_values(rows: &[BTreeMap<String, String>]) {
    for row in rows {
        let (dispatch, node) = (dispatch_of(row), row["GPU_ID"].parse().unwrap());
        let instances = if row["Counter_Name"] == "A" {
            a(dispatch, node)
        } else {
            b(dispatch, node)
        };
        assert_eq!(
            row["Counter_Value"].parse::<f64>().unwrap(),
            instances.iter().sum::<f64>(),
            "{row:?}"
        );
    }
}

#[test]
fn each_value_of_the_csv_is_the_scenarios() {
    let mut dispatches = Vec::new();
    for thread in 0..8 {
        dispatches.push(json!({"agent": 1 + thread % 2, "kernel": thread % 3, "lds": 64 * thread, "thread": thread,
            "queue": thread, "repeat": 50, "grid": [256 * (thread + 1), 2, 1], "workgroup": [64, 2, 1]}));
    }
    let mut scenario = two_gpus(json!(dispatches));
    scenario["kernels"] =
        json!([{"name": "_Z5vcopyPdS_i.kd"}, {"name": "a, \"quoted\" name"}, {"name": "plain"}]);
    for completion in ["inline", "thread"] {
        scenario["completion"] = json!(completion);
        let ended = Run::new(&scenario, "pmc: A B")
            .with_results()
            .app("vcopy", &[]);
        assert!(ended.complaints().is_empty(), "{}", ended.stderr);
        let workload = ended.run.path();
        for round in ["merge", "the merge was done before"] {
            let output = analyze(workload);
            assert_eq!(
                code(&output),
                0,
                "{round}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            let rows = rows(workload);
            assert_eq!(rows.len(), 2 * 400, "{round}");
            check_values(&rows);
            for row in &rows {
                let lds: u64 = row["LDS_Per_Workgroup"].parse().unwrap();
                let thread = lds / 64;
                assert_eq!(row["Grid_Size"], (256 * (thread + 1) * 2).to_string());
                assert_eq!(row["Workgroup_Size"], "128");
                assert_eq!(row["GPU_ID"], (2 + thread % 2).to_string());
                let kernel = usize::try_from(thread % 3).unwrap();
                assert_eq!(
                    row["Kernel_Name"],
                    ["_Z5vcopyPdS_i.kd", "a, \"quoted\" name", "plain"][kernel]
                );
            }
        }
    }
}

#[test]
fn multiplexed_sets_give_each_dispatch_the_counters_of_its_turn() {
    let scenario = two_gpus(json!([{"agent": 1, "repeat": 6}, {"agent": 2, "repeat": 3}]));
    let run = Run::new(&scenario, "pmc: A, pmc: B, pmc: A B")
        .env("ROCPROF_ITERATION_MULTIPLEXING", "simple")
        .with_results();
    let ended = run.app("vcopy", &[]);
    assert_eq!(code(&analyze(ended.run.path())), 0);
    let rows = rows(ended.run.path());
    check_values(&rows);
    let mut counters: BTreeMap<u64, String> = BTreeMap::new();
    for row in &rows {
        counters
            .entry(dispatch_of(row))
            .or_default()
            .push_str(&row["Counter_Name"]);
    }
    assert_eq!(
        counters.into_values().collect::<Vec<_>>(),
        ["A", "B", "AB", "A", "B", "AB", "A", "B", "AB"]
    );
}

#[test]
fn a_fork_gives_two_pairs_of_files_and_all_their_rows() {
    let mut scenario = two_gpus(json!([]));
    scenario["agents"].as_array_mut().unwrap().remove(0);
    let ended = Run::new(&scenario, "pmc: A B")
        .with_results()
        .app("forks", &["exit"]);
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(ended.run.native_files().len(), 2);
    let output = analyze(ended.run.path());
    let rows = rows(ended.run.path());
    check_values(&rows);
    let mut dispatches: Vec<u64> = rows
        .iter()
        .filter(|row| row["Counter_Name"] == "A")
        .map(dispatch_of)
        .collect();
    dispatches.sort_unstable();
    assert_eq!(
        dispatches,
        [1, 2, 3, 4, 5],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A killed process leaves a file with its `-wal`; whatever was in it is analysed, and it is said
/// that the process did not finish.
#[test]
fn a_killed_processs_values_are_analysed() {
    let run = Run::new(&two_gpus(json!([{"agent": 1, "repeat": 100}])), "pmc: A B").with_results();
    let mut child = run.start("dies", &["pause"]);
    wait_until(&mut child, "ready");
    eventually("the values", || {
        let file = run.native_files().pop()?;
        files::try_values(&file)
            .ok()
            .filter(|found| found.len() == 200)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let file = run.native_files().pop().unwrap();
    assert!(
        std::fs::metadata(file.with_extension("db-wal"))
            .unwrap()
            .len()
            > 0,
        "the test is worth nothing without"
    );
    let output = analyze(run.path());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let rows = rows(run.path());
    assert_eq!(rows.len(), 200, "{text}");
    check_values(&rows);
    assert!(text.contains("did not finish"), "{text}");
}
