//! Single cases, each the smallest pass that shows it, judged by hand.

use std::fs;
use std::path::{Path, PathBuf};

use profiler_hub_analyze::{Error, MergeOptions, Report, Unwatched, analyze, merge};
use rusqlite::Connection;

use crate::capture::{Capture, Db, PmcEvent, Process};
use crate::plain::{NATIVE_GUID, SDK_GUID, db, native, sdk};
use crate::run::{analyzed, copy_folder, with};

struct Pass {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn pass(files: &[Db]) -> Pass {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pass");
    fs::create_dir(&path).unwrap();
    for file in files {
        file.write(&path);
    }
    Pass {
        _folder: folder,
        path,
    }
}

impl Pass {
    /// The same table and counts untouched and merged; the values column of the table.
    fn analyze(&self) -> (Report, Vec<String>) {
        let (read, table) = analyzed(&with(&self.path, true, false)).unwrap();
        let (merged, again) = analyzed(&with(&self.path, false, false)).unwrap();
        assert_eq!(read.counts, merged.counts);
        assert_eq!(table, again);
        let values = table.lines().skip(1);
        let values = values.map(|line| line.rsplit(',').next().unwrap().to_owned());
        (merged, values.collect())
    }
}

fn pair(change: impl FnOnce(&mut Capture, &mut Capture)) -> Pass {
    let (mut sdk, mut native) = (sdk(7, 2, 2), native(7, 2, 2));
    change(&mut sdk, &mut native);
    pass(&[db("sdk.db", vec![sdk]), db("native.db", vec![native])])
}

#[test]
fn plain_pass() {
    let (report, values) = pair(|_, _| {}).analyze();
    assert_eq!(values, ["10.0", "11.0", "20.0", "21.0"]);
    assert_eq!(report.exit_code, 0);
    assert_eq!((report.counts.processes, report.counts.dispatches), (1, 2));
    assert_eq!(report.counts.counters, 2);
}

#[test]
fn sums_that_are_not_finite_are_empty_and_counted() {
    let (report, values) = pair(|_, native| {
        native.values[0].value = Some(f64::INFINITY);
        native.values[1].value = Some(1e308);
        native.values.push(PmcEvent {
            id: 50,
            ..native.values[1].clone()
        });
        native.values[2].value = Some(-0.0);
        native.values[3].value = None;
    })
    .analyze();
    assert_eq!(values, ["", "", "0.0", ""]);
    assert_eq!(report.counts.infinite_sums, 2);
    assert_eq!(report.exit_code, 0);
}

#[test]
fn ids_of_zero_and_gaps_are_ids() {
    let (report, values) = pair(|sdk, native| {
        sdk.agents = vec![(0, Some(0))];
        native.agents = vec![(0, Some(0))];
        for pmc in &mut sdk.pmcs {
            pmc.id -= 1000;
            pmc.agent = Some(0);
        }
        for pmc in &mut native.pmcs {
            pmc.id -= 1;
            pmc.agent = Some(0);
        }
        for value in &mut native.values {
            value.pmc -= 1;
        }
        for (d, (id, dispatch_id)) in sdk.dispatches.iter_mut().zip([(0, 0), (1, i64::MAX)]) {
            d.agent = 0;
            d.id = id;
            d.dispatch_id = dispatch_id;
        }
        for event in &mut native.events {
            event.correlation = event
                .correlation
                .map(|id| if id == 1 { 0 } else { i64::MAX });
        }
    })
    .analyze();
    assert_eq!(values, ["10.0", "11.0", "20.0", "21.0"]);
    assert_eq!(report.exit_code, 0);
}

#[test]
fn start_times_tell_two_native_files_of_a_process_apart() {
    // The same pid twice, one after the other; each file has its own start time.
    let with_start = |mut capture: Capture, guid: &str, start| {
        capture.guid = guid.into();
        capture.processes[0].start = start;
        capture
    };
    let other_sdk = "0190d1a2-77f3-7cc0-8000-000000000003";
    let other_native = "0190d1a2-77f3-7cc0-8000-000000000004";
    let apart = pass(&[
        db("a.db", vec![with_start(sdk(7, 1, 1), SDK_GUID, Some(100))]),
        db("b.db", vec![with_start(sdk(7, 1, 1), other_sdk, Some(200))]),
        db(
            "c.db",
            vec![with_start(native(7, 1, 1), NATIVE_GUID, Some(200))],
        ),
        db(
            "d.db",
            vec![with_start(native(7, 1, 1), other_native, Some(100))],
        ),
    ]);
    let (report, values) = apart.analyze();
    assert_eq!(values, ["10.0", "10.0"]);
    assert_eq!(report.exit_code, 0);

    let not_apart = pass(&[
        db("a.db", vec![with_start(sdk(7, 1, 1), SDK_GUID, Some(100))]),
        db(
            "c.db",
            vec![with_start(native(7, 1, 1), NATIVE_GUID, Some(100))],
        ),
        db(
            "d.db",
            vec![with_start(native(7, 1, 1), other_native, None)],
        ),
    ]);
    let (report, values) = not_apart.analyze();
    assert!(values.is_empty());
    assert_eq!(report.counts.unmerged_values.ambiguous, 2);
    let named: Vec<_> = report
        .ambiguous_processes
        .iter()
        .map(|process| process.path.file_name().unwrap())
        .collect();
    assert_eq!(named, ["c.db", "d.db"]);

    let one_is_another_process = pass(&[
        db("a.db", vec![with_start(sdk(7, 1, 1), SDK_GUID, Some(100))]),
        db(
            "c.db",
            vec![with_start(native(7, 1, 1), NATIVE_GUID, Some(100))],
        ),
        db(
            "d.db",
            vec![with_start(native(7, 1, 1), other_native, Some(200))],
        ),
    ]);
    let (report, values) = one_is_another_process.analyze();
    assert_eq!(values, ["10.0"]);
    assert_eq!(report.counts.unmerged_values.process, 1);
    assert_eq!(report.unpaired_processes.len(), 1);
}

#[test]
fn an_sdk_file_that_something_else_filled_is_exported_as_it_is() {
    let filled = pair(|sdk, _| {
        sdk.values.push(PmcEvent {
            id: 1,
            event: Some(4),
            sample: None,
            pmc: 1000,
            value: Some(5.0),
        });
    });
    let before = fs::read(filled.path.join("sdk.db")).unwrap();
    let (report, values) = filled.analyze();
    assert_eq!(values, ["5.0"]);
    assert_eq!(report.exit_code, 1);
    assert_eq!(report.filled_files.len(), 1);
    assert_eq!(report.counts.merged_values, 0);
    assert!(report.unpaired_processes.is_empty());
    assert_eq!(fs::read(filled.path.join("sdk.db")).unwrap(), before);
}

#[test]
fn a_later_report_has_the_same_numbers_without_the_native_file() {
    let pass = pair(|_, native| native.events[0].correlation = Some(99));
    let (report, values) = pass.analyze();
    fs::remove_file(pass.path.join("native.db")).unwrap();
    let (later, table) = analyzed(&with(&pass.path, false, false)).unwrap();
    assert_eq!(table.lines().count(), values.len() + 1);
    assert_eq!(later.counts.native_values, report.counts.native_values);
    assert_eq!(later.counts.merged_values, report.counts.merged_values);
    assert_eq!(later.counts.unmerged_values, report.counts.unmerged_values);
    assert_eq!(later.counts.merged_earlier, 3);
    assert!(later.unpaired_processes.is_empty());
}

#[test]
fn the_mark_confuses_neither_probe_nor_guid() {
    let pass = pair(|_, _| {});
    pass.analyze();
    let finding = rocpd::probe::probe(&pass.path.join("sdk.db"));
    assert_eq!(finding.status, rocpd::probe::Status::Supported);
    assert_eq!(finding.version.unwrap().to_string(), "3.0.0");
    assert_eq!(finding.guids[0].as_str(), SDK_GUID);
}

#[test]
fn merging_alone_is_once_and_force_begins_anew() {
    let pass = pair(|_, _| {});
    let options = |force| MergeOptions {
        sdk: pass.path.join("sdk.db"),
        native: pass.path.join("native.db"),
        json_report: None,
        force,
    };
    let first = merge(&options(false), &Unwatched).unwrap();
    assert_eq!(first.counts.merged_values, 4);
    let merged = fs::read(pass.path.join("sdk.db")).unwrap();
    let second = merge(&options(false), &Unwatched).unwrap();
    assert_eq!(second.counts.merged_earlier, 4);
    assert_eq!(fs::read(pass.path.join("sdk.db")).unwrap(), merged);
    let anew = merge(&options(true), &Unwatched).unwrap();
    assert_eq!(
        (anew.counts.merged_values, anew.counts.merged_earlier),
        (4, 0)
    );

    let swapped = MergeOptions {
        sdk: pass.path.join("native.db"),
        native: pass.path.join("sdk.db"),
        json_report: None,
        force: false,
    };
    let error = merge(&swapped, &Unwatched).unwrap_err().to_string();
    assert!(error.contains("name the SDK's file first"), "{error}");
}

#[test]
fn merged_rows_carry_what_both_files_have() {
    let pass = pair(|sdk, native| {
        sdk.spm = true;
        native.spm = true;
    });
    pass.analyze();
    let connection = Connection::open(pass.path.join("sdk.db")).unwrap();
    let suffix = format!("_{}", SDK_GUID.replace('-', "_"));
    let rows: Vec<(i64, Option<i64>, String)> = connection
        .prepare(&format!(
            "SELECT xcc, sample_id, extdata FROM \"rocpd_pmc_event{suffix}\" ORDER BY id"
        ))
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let expected: Vec<_> = (1..=4).map(|xcc| (xcc, None, "{}".to_owned())).collect();
    assert_eq!(rows, expected);
    let broken: i64 = connection
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(broken, 0);
}

#[test]
fn values_in_any_order_of_many_dispatches_are_sorted_through_a_file() {
    // More values than the buffer holds, the dispatches backwards.
    let (dispatches, counters) = (700, 1600);
    let mut native = native(7, dispatches, counters);
    for event in &mut native.events {
        event.correlation = event.correlation.map(|id| dispatches + 1 - id);
    }
    let pass = pass(&[
        db("sdk.db", vec![sdk(7, dispatches, counters)]),
        db("native.db", vec![native]),
    ]);
    let (report, table) = analyzed(&with(&pass.path, true, false)).unwrap();
    assert_eq!(
        report.counts.rows,
        u64::try_from(dispatches * counters).unwrap()
    );
    assert_eq!(report.exit_code, 0);
    for (line, row) in table.lines().skip(1).enumerate() {
        let fields: Vec<_> = row.rsplitn(3, ',').collect();
        let line = i64::try_from(line).unwrap();
        let dispatch = dispatches - line / counters;
        let counter: i64 = fields[1][1..].parse().unwrap();
        assert_eq!(fields[0], format!("{}.0", 10 * dispatch + counter));
    }
}

#[test]
fn a_pid_of_the_event_decides() {
    let (_, values) = pair(|sdk, native| {
        native.event_pids = true;
        native.processes.push(Process {
            id: 2,
            node: 1,
            pid: 8,
            start: None,
        });
        for pmc in &mut native.pmcs {
            pmc.process = 2;
        }
        for event in &mut native.events {
            event.pid = Some(7);
        }
        native.events[3].pid = None;
        sdk.threads.push(2);
    })
    .analyze();
    assert_eq!(values, ["10.0", "11.0", "20.0"]);
}

#[test]
fn unusable_files_are_named_and_the_rest_goes_through() {
    let pass = pair(|_, _| {});
    let mut empty = sdk(9, 0, 0);
    empty.guid = "0190d1a2-77f3-7cc0-8000-000000000009".into();
    db("no_gpu.db", vec![empty]).write(&pass.path);
    fs::write(pass.path.join("empty.db"), "").unwrap();
    fs::write(pass.path.join("text.db"), "CREATE TABLE x (y);").unwrap();
    let (report, values) = pass.analyze();
    assert_eq!(values.len(), 4);
    assert_eq!(report.exit_code, 1);
    let named: Vec<_> = report
        .skipped_files
        .iter()
        .map(|note| note.path.file_name().unwrap())
        .collect();
    assert_eq!(named, ["empty.db", "no_gpu.db", "text.db"]);
    assert!(
        report
            .skipped_files
            .iter()
            .all(|note| !note.reason.is_empty())
    );
}

#[test]
fn a_file_beside_the_passes_is_named() {
    let pass = pair(|_, _| {});
    let workload = tempfile::tempdir().unwrap();
    let path = workload.path().join("w");
    copy_folder(&pass.path, &path.join("out/pass"));
    fs::write(path.join("out/stray.db"), "").unwrap();
    let (report, table) = analyzed(&with(&path, true, false)).unwrap();
    assert_eq!((report.exit_code, table.lines().count()), (1, 5));
    assert_eq!(report.skipped_files.len(), 1);
    assert!(report.skipped_files[0].path.ends_with("out/stray.db"));
}

#[test]
fn nothing_usable_is_exit_code_3_and_no_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pass");
    fs::create_dir(&path).unwrap();
    let error = analyze(&with(&path, true, false), &Unwatched).unwrap_err();
    assert!(matches!(error, Error::Unusable { .. }), "{error}");
    fs::write(path.join("a.db"), "not a database").unwrap();
    let (report, table) = analyzed(&with(&path, false, false)).unwrap();
    assert_eq!((report.exit_code, table.as_str()), (3, ""));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn results_do_not_overwrite_inputs_or_go_where_there_is_no_folder() {
    let pass = pair(|_, _| {});
    let before = fs::read(pass.path.join("sdk.db")).unwrap();
    for output in ["pass/sdk.db", "not/there.csv", "pass"] {
        let mut options = with(&pass.path, false, false);
        options.output = pass.path.parent().unwrap().join(output);
        let error = analyze(&options, &Unwatched).unwrap_err();
        assert!(matches!(error, Error::Output { .. }), "{output}: {error}");
    }
    let mut options = with(&pass.path, false, false);
    options.json_report = Some(options.output.clone());
    let error = analyze(&options, &Unwatched).unwrap_err();
    assert!(
        matches!(error, Error::Output { .. }),
        "report over the table: {error}"
    );
    assert!(!options.output.exists());
    assert_eq!(fs::read(pass.path.join("sdk.db")).unwrap(), before);
}

#[test]
fn names_that_look_like_uris_are_names() {
    for name in [
        "a?mode=rwc.db",
        "100%.db",
        "a#b%41.db",
        "file:x.db",
        "it's \"q\".db",
    ] {
        let pass = pass(&[
            db(name, vec![sdk(7, 1, 1)]),
            db("native%20#?.db", vec![native(7, 1, 1)]),
        ]);
        let (report, values) = pass.analyze();
        assert_eq!(values, ["10.0"], "{name}");
        assert_eq!(report.exit_code, 0);
        assert_eq!(fs::read_dir(&pass.path).unwrap().count(), 2, "{name}");
    }
}

#[test]
fn a_corrupt_page_in_the_middle_takes_only_its_file_out() {
    for (damaged, rows) in [("native.db", 0), ("sdk.db", 0)] {
        for read_only in [true, false] {
            let pass = pass(&[
                db("sdk.db", vec![sdk(7, 500, 2)]),
                db("native.db", vec![native(7, 500, 2)]),
                db("sdk2.db", vec![renamed(sdk(8, 2, 2), "5")]),
                db("native2.db", vec![renamed(native(8, 2, 2), "6")]),
            ]);
            let path = pass.path.join(damaged);
            let table = if damaged == "sdk.db" {
                "kernel_dispatch"
            } else {
                "pmc_event"
            };
            spoil(&path, table);
            let spoilt = fs::read(&path).unwrap();
            let (report, table) = analyzed(&with(&pass.path, read_only, false)).unwrap();
            assert_eq!(table.lines().count(), 1 + rows + 4, "{damaged}");
            assert_eq!(report.exit_code, 1);
            assert_eq!(report.skipped_files.len(), 1, "{report:#?}");
            assert_eq!(report.skipped_files[0].path, path);
            assert_eq!(fs::read(&path).unwrap(), spoilt);
        }
    }
}

fn renamed(mut capture: Capture, end: &str) -> Capture {
    capture.guid.pop();
    capture.guid.push_str(end);
    capture
}

/// Overwrites a leaf page in the middle of a table.
fn spoil(path: &Path, table: &str) {
    let connection = Connection::open(path).unwrap();
    let (page, size): (i64, i64) = connection
        .query_row(
            "SELECT pageno, pgsize FROM dbstat WHERE name LIKE 'rocpd_' || ?1 || '%' \
             AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2",
            [table],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    connection.close().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let start = usize::try_from((page - 1) * size).unwrap();
    bytes[start..start + usize::try_from(size).unwrap()].fill(0xA5);
    fs::write(path, bytes).unwrap();
}

#[test]
fn files_of_unfinished_writers_are_read_without_a_trace() {
    // Left in WAL mode, with and without its -wal.
    for with_wal in [false, true] {
        let pass = pair(|_, _| {});
        for name in ["sdk.db", "native.db"] {
            let path = pass.path.join(name);
            let connection = Connection::open(&path).unwrap();
            connection
                .pragma_update(None, "journal_mode", "WAL")
                .unwrap();
            connection.execute_batch("CREATE TABLE note (x)").unwrap();
            if with_wal {
                // What a killed writer leaves: the file and its -wal, as they are now.
                let copy = pass.path.join("copy");
                fs::copy(&path, &copy).unwrap();
                let wal = path.with_extension("db-wal");
                let wal_copy = pass.path.join("copy-wal");
                fs::copy(&wal, &wal_copy).unwrap();
                connection.close().unwrap();
                fs::rename(copy, &path).unwrap();
                fs::rename(wal_copy, wal).unwrap();
            }
        }
        let names = |path: &Path| {
            let mut names: Vec<_> = fs::read_dir(path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .map(|path| (fs::read(&path).unwrap(), path))
                .collect();
            names.sort();
            names
        };
        let before = names(&pass.path);
        let (report, table) = analyzed(&with(&pass.path, true, false)).unwrap();
        assert_eq!((report.exit_code, table.lines().count()), (0, 5));
        assert_eq!(names(&pass.path), before);
        // A merge works too, and leaves the journal mode.
        let (_, merged) = analyzed(&with(&pass.path, false, false)).unwrap();
        assert_eq!(merged, table);
        let mode: String = Connection::open(pass.path.join("sdk.db"))
            .unwrap()
            .pragma_query_value(None, "journal_mode", |row| row.get(0))
            .unwrap();
        assert_eq!(mode, "wal");
    }
}

#[test]
fn a_process_without_its_native_file_is_named_in_every_run() {
    let pass = pair(|sdk, _| {
        sdk.processes.push(Process {
            id: 500,
            node: 70,
            pid: 500,
            start: None,
        });
        sdk.dispatches[1].process = 500;
    });
    let first = pass.analyze().0;
    let again = pass.analyze().0;
    assert_eq!(first.unpaired_processes, again.unpaired_processes);
    assert_eq!(first.unpaired_processes[0].pid, Some(500));
    assert_eq!((first.exit_code, again.exit_code), (1, 1));
}

#[test]
fn a_copy_of_a_merged_native_file_counts_once() {
    let pass = pair(|_, _| {});
    pass.analyze();
    fs::copy(pass.path.join("native.db"), pass.path.join("copy.db")).unwrap();
    let (report, values) = pass.analyze();
    assert_eq!(values.len(), 4);
    assert_eq!(report.counts.native_values, 8);
    assert_eq!(report.counts.merged_values, 4);
    assert_eq!(report.counts.unmerged_values.ambiguous, 4);
}

#[test]
fn two_sdk_files_of_a_process_are_named() {
    let pass = pair(|_, _| {});
    db("again.db", vec![renamed(sdk(7, 2, 2), "8")]).write(&pass.path);
    let (report, values) = pass.analyze();
    assert!(values.is_empty());
    assert_eq!(report.counts.unmerged_values.ambiguous, 4);
    let named: Vec<_> = report
        .ambiguous_processes
        .iter()
        .map(|process| process.path.file_name().unwrap())
        .collect();
    assert_eq!(named, ["again.db", "sdk.db"]);
}

#[test]
fn a_pid_of_the_event_is_enough_without_process_and_node() {
    let (report, values) = pair(|_, native| {
        native.event_pids = true;
        native.nodes.clear();
        native.processes.clear();
        for event in &mut native.events {
            event.pid = Some(7);
        }
    })
    .analyze();
    assert_eq!(values, ["10.0", "11.0", "20.0", "21.0"]);
    assert!(report.passes[0].matched_by_pid_alone);
}
