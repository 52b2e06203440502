//! Processes, folders and SDKs that are not as hoped for.

use std::collections::BTreeSet;
use std::process::Command;

use crate::stage::{Stage, cdylib, stderr};

#[test]
fn exports_exactly_the_symbol_of_a_tool() {
    let output = Command::new("readelf")
        .args(["-W", "--dyn-syms"])
        .arg(cdylib("profiler_hub_api_trace"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let exported: BTreeSet<&str> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|fields| fields.len() >= 8 && fields[6] != "UND" && fields[4] != "LOCAL")
        .filter(|fields| fields[3] == "FUNC" || fields[3] == "OBJECT" || fields[3] == "TLS")
        .map(|fields| fields[7])
        .collect();
    assert_eq!(exported, BTreeSet::from(["rocprofiler_configure"]));
}

#[test]
fn a_process_without_calls_leaves_no_trace() {
    let stage = Stage::new("roctx,hip,hsa");
    for program in ["/bin/true", "/bin/sh"] {
        assert_eq!(
            stage.run(program, &["-c", "for i in 1 2 3; do /bin/true; done"]),
            ""
        );
    }
    assert_eq!(stage.files("out").len(), 0);
    assert!(!stage.path("out").exists());
}

#[test]
fn without_an_sdk_nothing_happens() {
    let stage = Stage::new("roctx,hip,hsa").preloading(vec![cdylib("profiler_hub_api_trace")]);
    assert_eq!(stage.run("calls", &["2", "2"]), "");
    assert!(!stage.path("out").exists());
}

#[test]
fn an_sdk_that_refuses_is_said_once() {
    let stage = Stage::new("roctx");
    let sdk = stage.compile(
        "bare_sdk.c",
        "libbare.so",
        &["-shared", "-fPIC", "-DLOCKED"],
    );
    let stage = stage.preloading(vec![sdk, cdylib("profiler_hub_api_trace")]);
    let said = stage.run("calls", &["2", "2"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.contains("returned 16 (no text: no text); the tools are configured"),
        "{said}"
    );
    assert!(!stage.path("out").exists());
}

#[test]
fn unknown_tables_are_named_and_the_others_recorded() {
    let stage = Stage::new("rccl,roctx");
    let said = stage.run("calls", &["0", "1"]);
    assert!(
        said.contains("cannot record 'rccl', which PROFILER_HUB_API_TABLES names"),
        "{said}"
    );
    assert_eq!(stage.recorded().rows.len(), 3);
    let stage = Stage::new("nonsense");
    let said = stage.run("calls", &["0", "1"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!stage.path("out").exists());
}

#[test]
fn without_a_folder_the_current_one_is_used_and_named() {
    for set in [None, Some("")] {
        let stage = Stage::new("roctx");
        let mut command = stage.command("calls");
        match set {
            None => command.env_remove("ROCPROF_OUTPUT_PATH"),
            Some(value) => command.env("ROCPROF_OUTPUT_PATH", value),
        };
        let output = command.args(["0", "1"]).output().unwrap();
        assert!(output.status.success());
        let said = stderr(&output);
        assert!(
            said.contains("ROCPROF_OUTPUT_PATH is not set: writing to /"),
            "{said}"
        );
        assert_eq!(stage.files("").len(), 1);
    }
}

#[test]
fn a_folder_that_cannot_be_written_stops_the_recording_not_the_program() {
    let stage = Stage::new("roctx,hip,hsa");
    std::fs::write(stage.path("out"), "a file").unwrap();
    let said = stage.run("calls", &["4", "500"]);
    let first = said.lines().next().unwrap();
    assert!(
        first.contains("/out: cannot make the folder that ROCPROF_OUTPUT_PATH"),
        "{said}"
    );
    assert_eq!(said.matches("cannot record").count(), 1, "{said}");
}

#[test]
fn a_name_that_is_taken_is_not_overwritten() {
    let stage = Stage::new("roctx");
    std::fs::create_dir(stage.path("out")).unwrap();
    // The shell takes the name that its successor in the same process would have.
    let script = "echo mine > out/$$_api_trace.db; exec ./calls 0 1";
    let output = stage
        .command("/bin/sh")
        .args(["-c", script])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert!(
        stderr(&output).contains("is there already: writing to"),
        "{}",
        stderr(&output)
    );
    let files = stage.files("out");
    assert_eq!(files.len(), 2, "{files:?}");
    assert_eq!(std::fs::read_to_string(&files[0]).unwrap(), "mine\n");
    assert_eq!(crate::stage::Recorded::open(&files[1]).rows.len(), 3);
}
