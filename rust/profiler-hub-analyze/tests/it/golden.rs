//! The golden workloads: each gives its table and its report, in both modes, as often as one likes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{analyzed, copy_folder, with};

/// Rows as fields. The golden files are small, so a plain reading of RFC 4180 will do.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            _ => row.last_mut().unwrap().push(c),
        }
    }
    rows
}

fn assert_same_table(found: &str, expected: &str, what: &str) {
    let (found, expected) = (rows(found), rows(expected));
    assert_eq!(found.len(), expected.len(), "{what}: number of lines");
    for (line, (found, expected)) in found.iter().zip(&expected).enumerate() {
        for (column, (found, expected)) in found.iter().zip(expected).enumerate() {
            let same = match (found.parse::<f64>(), expected.parse::<f64>()) {
                (Ok(f), Ok(e)) if column == 16 => {
                    assert!(found.contains(['.', 'e']), "{what}: line {line}: {found}");
                    (f - e).abs() <= 1e-12 * e.abs()
                }
                _ => found == expected,
            };
            assert!(
                same,
                "{what}: line {line}: found {found:?}, expected {expected:?}"
            );
        }
        assert_eq!(found.len(), expected.len(), "{what}: line {line}");
    }
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn workloads() -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(golden())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expected_pmc_perf.csv").exists())
        .collect();
    found.sort();
    assert!(found.len() >= 15, "{found:?}");
    found
}

/// Every file of a folder and its bytes.
fn content(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn golden_workloads_give_their_tables_in_both_modes_as_often_as_one_likes() {
    for workload in workloads() {
        let name = workload.file_name().unwrap().to_string_lossy().into_owned();
        let expected = fs::read_to_string(workload.join("expected_pmc_perf.csv")).unwrap();
        let report: serde_json::Value =
            match fs::read_to_string(workload.join("expected_report.json")) {
                Ok(json) => serde_json::from_str(&json).unwrap(),
                Err(_) => serde_json::json!({ "exit_code": 0 }),
            };
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join(&name);
        copy_folder(&workload, &copy);
        let before = content(&copy);
        let mut first = None;
        let mut merged = false;
        for (read_only, force) in [
            (true, false),
            (true, false),
            (false, false),
            (false, false),
            (true, false),
            (false, true),
        ] {
            let what = format!("{name}, read_only {read_only}, force {force}");
            let (found, csv) = analyzed(&with(&copy, read_only, force)).unwrap();
            assert_same_table(&csv, &expected, &what);
            assert_eq!(
                *first.get_or_insert(csv.clone()),
                csv,
                "{what}: not the same bytes"
            );
            merged |= !read_only;
            if !merged {
                assert_eq!(content(&copy), before, "{what}: files were touched");
            }
            assert_reported(&found, &report, &what);
        }
        let left: Vec<_> = content(&copy).into_keys().collect();
        let were: Vec<_> = before.into_keys().collect();
        assert_eq!(left, were, "{name}: files were left behind");
    }
}

fn assert_reported(found: &profiler_hub_analyze::Report, expected: &serde_json::Value, what: &str) {
    let found: serde_json::Value = serde_json::from_str(&found.to_json()).unwrap();
    for (key, expected) in expected.as_object().unwrap() {
        let found = match key.as_str() {
            "skipped_files" => found[key]
                .as_array()
                .unwrap()
                .iter()
                .map(|file| {
                    let path = Path::new(file["path"].as_str().unwrap());
                    path.file_name().unwrap().to_str().unwrap().to_owned()
                })
                .collect(),
            _ => found[key].clone(),
        };
        assert_eq!(&found, expected, "{what}: {key}");
    }
}
