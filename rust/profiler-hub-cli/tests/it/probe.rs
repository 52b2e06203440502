//! `profiler-hub probe`.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::{golden, profiler_hub};

#[test]
fn json_has_the_expected_status_version_and_result() {
    let text = fs::read_to_string(golden("probe/expected.json")).unwrap();
    let mut expected: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
    expected.remove("analysis.db"); // not part of this repository
    let output = profiler_hub()
        .current_dir(golden("probe"))
        .args(["probe", "--json"])
        .args(expected.keys())
        .assert()
        .code(3)
        .stderr("")
        .get_output()
        .stdout
        .clone();
    let lines = String::from_utf8(output).unwrap();
    assert_eq!(lines.lines().count(), expected.len());
    for (line, (name, expected)) in lines.lines().zip(&expected) {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["path"], **name);
        for key in ["status", "version", "result"] {
            assert_eq!(line[key], expected[key], "{name}");
        }
        assert!(line["guids"].is_array() && line["message"].is_string());
        assert_eq!(line.as_object().unwrap().len(), 6);
    }
}

#[test]
fn text_is_one_line_a_file_and_all_supported_is_success() {
    profiler_hub()
        .current_dir(golden("probe"))
        .args(["probe", "version-3.db", "version-triplet.db"])
        .assert()
        .success()
        .stdout(
            "version-3.db: supported, version 3.0.0, \
             guids 019b9ac2-3d34-716d-8ac5-31cbc039130a: a rocpd file of schema 3.0.0\n\
             version-triplet.db: supported, version 3.0.3, \
             guids 019b9ac2-3d34-716d-8ac5-31cbc039130a: a rocpd file of schema 3.0.3\n",
        );
}

#[test]
fn a_name_with_a_line_break_stays_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a\nb.db"), "").unwrap();
    profiler_hub()
        .current_dir(folder.path())
        .args(["probe", "a\nb.db"])
        .assert()
        .code(3)
        .stdout(
            "a\\nb.db: not_sqlite, version unknown, guids none: \
             found an empty file, expected a SQLite 3 database\n",
        );
}

#[test]
fn no_file_is_a_wrong_command_line() {
    profiler_hub().arg("probe").assert().code(2).stdout("");
}
