//! Random passes: GPUs, processes, hosts, guids, consolidated or not, missing pieces, shuffled ids,
//! NULLs, duplicates. Each is analyzed and compared with the model, in both modes.

use std::fs;
use std::path::Path;

use profiler_hub_analyze::Report;
use proptest::prelude::*;

use crate::capture::{Capture, Db, Dispatch, Event, Pmc, PmcEvent, Process};
use crate::model::{Expected, expect};
use crate::run::{analyzed, with};

/// Choices, one byte each. Where they run out the first choice is taken, the plainest one, so that
/// shrinking leads to plain passes.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    /// A number below `count`.
    fn below(&mut self, count: u8) -> i64 {
        i64::from(self.0.next().copied().unwrap_or(0) % count)
    }

    /// True once in `of` times.
    fn rarely(&mut self, of: u8) -> bool {
        self.below(of) == i64::from(of) - 1
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let count = u8::try_from(from.len()).unwrap();
        from[usize::try_from(self.below(count)).unwrap()].clone()
    }
}

const SYMBOLS: [&str; 3] = ["SQ_WAVES", "TCC_HIT", "GRBM \"x\", y"];
const KERNELS: [Option<&str>; 4] = [
    Some("copy"),
    Some("f<a, \"b\">(int)\n"),
    None,
    Some("сумма 🦀"),
];

fn guid(number: usize) -> String {
    format!("0190d1a2-77f3-7cc0-8000-{number:012}")
}

/// A process of the application.
struct App {
    host: i64,
    pid: i64,
    start: Option<i64>,
    gpus: i64,
    dispatches: i64,
}

fn random_pass(bytes: &[u8]) -> Vec<Db> {
    let mut c = Choices(bytes.iter());
    let hosts = 1 + c.below(2);
    let apps: Vec<App> = (0..1 + c.below(4))
        .map(|_| App {
            host: c.below(u8::try_from(hosts).unwrap()),
            pid: c.pick(&[100, 200, 30, 100]),
            start: c.pick(&[Some(5000), None, Some(0), Some(6000)]),
            gpus: 1 + c.below(2),
            dispatches: 2 + c.below(3),
        })
        .collect();
    let other_machines = c.rarely(4);
    let spm = c.rarely(3);
    let event_pids = c.rarely(5);
    // How many processes share a guid, and how many guids a file.
    let per_guid = 1 + usize::try_from(c.below(2)).unwrap();
    let per_file = 1 + usize::try_from(c.below(3)).unwrap();

    let mut sdk: Vec<Capture> = Vec::new();
    let mut native: Vec<Capture> = Vec::new();
    for (number, group) in apps.chunks(per_guid).enumerate() {
        if !c.rarely(8) {
            sdk.push(sdk_capture(&mut c, guid(2 * number), group, spm));
        }
        if c.rarely(10) {
            sdk.push(sdk_capture(&mut c, guid(900 + 2 * number), group, spm));
        }
        for copy in 0..=usize::from(c.rarely(8)) {
            if !c.rarely(8) {
                let id = guid(100 * copy + 2 * number + 1);
                let spm = spm && !c.rarely(3);
                let mut capture = native_capture(&mut c, id, group, spm);
                if other_machines {
                    for (_, machine) in &mut capture.nodes {
                        machine.push_str("-container");
                    }
                }
                capture.event_pids = event_pids;
                native.push(capture);
            }
        }
    }
    if c.rarely(2) {
        sdk.reverse();
    }
    let mut files = Vec::new();
    for (side, captures) in [("a", sdk), ("b", native)] {
        for (number, guids) in captures.chunks(per_file).enumerate() {
            files.push(Db {
                name: format!("{side}{number:02}.db"),
                guids: guids.to_vec(),
            });
        }
    }
    files
}

fn nodes(group: &[App]) -> Vec<(i64, String)> {
    let mut hosts: Vec<_> = group.iter().map(|app| app.host).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
        .iter()
        .map(|host| (70 + host, format!("machine-{host}")))
        .collect()
}

fn sdk_capture(c: &mut Choices<'_>, guid: String, group: &[App], spm: bool) -> Capture {
    let mut capture = Capture {
        guid,
        spm,
        nodes: nodes(group),
        threads: vec![1],
        symbols: (0..4)
            .zip(KERNELS)
            .map(|(id, name)| (id, name.map(str::to_owned)))
            .collect(),
        ..Capture::default()
    };
    // Markers have events too: a dispatch's event is not its id.
    let mut event = c.below(3);
    for (row, app) in (0..).zip(group) {
        // The SDK's ids are the OS pid and the node number; other writers count from 1.
        let process = if c.rarely(3) {
            row
        } else {
            1000 * row + app.pid
        };
        capture.processes.push(Process {
            id: process,
            node: 70 + app.host,
            pid: app.pid,
            start: app.start,
        });
        for gpu in 0..app.gpus {
            let agent = 10 * row + gpu;
            let index = if c.rarely(12) { None } else { Some(2 + gpu) };
            capture.agents.push((agent, index));
            for (number, symbol) in (0..).zip(SYMBOLS) {
                if c.rarely(10) {
                    continue;
                }
                for copy in 0..=i64::from(c.rarely(10)) {
                    capture.pmcs.push(Pmc {
                        id: 1000 * (row + 1) + 100 * gpu + 10 * number + c.below(2) * 3 + copy,
                        node: 70 + app.host,
                        process,
                        agent: c.pick(&[Some(agent), Some(agent), Some(agent), None]),
                        arch: c.pick(&[Some("GPU"), Some("GPU"), Some("GPU"), None, Some("CPU")]),
                        name: c
                            .pick(&[symbol, symbol, symbol, "a nice, long name"])
                            .into(),
                        symbol: symbol.into(),
                    });
                }
            }
        }
        for number in 0..app.dispatches {
            event += 1 + c.below(2);
            let id = 100 * row + if c.rarely(2) { number } else { 50 - number };
            capture.dispatches.push(Dispatch {
                id,
                process: if c.rarely(20) { 77_777 } else { process },
                thread: c.pick(&[Some(1), Some(1), Some(1), None, Some(9)]),
                agent: 10 * row
                    + if c.rarely(20) {
                        7
                    } else {
                        c.below(2) % app.gpus
                    },
                symbol: c.pick(&[0, 0, 1, 2, 3, 99]),
                dispatch_id: if c.rarely(10) { 1 } else { number },
                start: 1000 * c.below(2),
                end: 2000,
                lds: c.pick(&[Some(0), None, Some(512)]),
                grid: 256 * (1 + c.below(2)),
                event: match c.below(16) {
                    15 => None,
                    14 => Some(7777),
                    _ => Some(event),
                },
            });
            capture.events.push(Event {
                id: event,
                stack: c.pick(&[Some(101), None]),
                ..Event::default()
            });
        }
    }
    capture.dispatches.sort_by_key(|d| d.id);
    capture.dispatches.dedup_by_key(|d| d.id);
    capture.pmcs.sort_by_key(|p| p.id);
    capture.pmcs.dedup_by_key(|p| p.id);
    capture.processes.dedup_by_key(|p| p.id);
    // Rows that somebody else put there, or samples.
    let fills = c.rarely(10);
    if fills || spm {
        for id in 0..c.below(4) {
            let (Some(d), Some(p)) = (capture.dispatches.first(), capture.pmcs.first()) else {
                break;
            };
            capture.values.push(PmcEvent {
                id,
                event: d.event,
                sample: if fills { None } else { Some(id) },
                pmc: p.id,
                value: Some(64.0),
            });
        }
    }
    capture
}

fn native_capture(c: &mut Choices<'_>, guid: String, group: &[App], spm: bool) -> Capture {
    let mut capture = Capture {
        guid,
        spm,
        nodes: nodes(group),
        tracks: vec![(1, Some(1)), (2, None)],
        ..Capture::default()
    };
    let mut value = 0;
    let mut event = 0;
    for (row, app) in (1..).zip(group) {
        capture.processes.push(Process {
            id: row,
            node: 70 + app.host,
            pid: app.pid,
            start: app.start,
        });
        let mut pmcs = Vec::new();
        for gpu in 0..app.gpus {
            let agent = 1 + 2 * row + gpu;
            let index = if c.rarely(12) { None } else { Some(2 + gpu) };
            capture.agents.push((agent, index));
            for (number, symbol) in (0..).zip(SYMBOLS) {
                let id = 20 * row + 5 * gpu + number;
                pmcs.push(id);
                capture.pmcs.push(Pmc {
                    id,
                    node: 70 + app.host,
                    process: if c.rarely(25) { 55 } else { row },
                    agent: c.pick(&[Some(agent), Some(agent), Some(agent), None]),
                    arch: c.pick(&[Some("GPU"), Some("GPU"), Some("GPU"), Some("GPU"), None]),
                    name: symbol.into(),
                    symbol: symbol.into(),
                });
            }
        }
        for dispatch_id in 0..app.dispatches {
            for _ in 0..c.below(6) {
                // One event for each value, or one for several.
                if event == 0 || !c.rarely(3) {
                    event += 1;
                    capture.events.push(Event {
                        id: event,
                        stack: None,
                        correlation: match c.below(20) {
                            19 => None,
                            18 => Some(999),
                            _ => Some(dispatch_id),
                        },
                        pid: c.pick(&[Some(app.pid), None, Some(200)]),
                    });
                    if c.rarely(2) {
                        let track = 1 + c.below(2);
                        capture.samples.push((event, track, Some(event)));
                    }
                }
                value += 1 + c.below(2);
                capture.values.push(PmcEvent {
                    id: value,
                    event: match c.below(20) {
                        19 => None,
                        18 => Some(4444),
                        _ => Some(event),
                    },
                    sample: if spm && c.rarely(4) { Some(1) } else { None },
                    pmc: if c.rarely(20) { 9999 } else { c.pick(&pmcs) },
                    value: c.pick(&[Some(1.0), Some(2.5), None, Some(-3.0), Some(1e15)]),
                });
            }
        }
    }
    capture
}

fn found(report: &Report, csv: String) -> Expected {
    let counts = &report.counts;
    Expected {
        csv,
        native_values: counts.native_values,
        merged_values: counts.merged_values,
        process: counts.unmerged_values.process,
        dispatch: counts.unmerged_values.dispatch,
        counter: counts.unmerged_values.counter,
        ambiguous: counts.unmerged_values.ambiguous,
        spm_values: counts.spm_values,
        hidden_rows: counts.hidden_rows,
        by_pid_alone: report.passes[0].matched_by_pid_alone,
    }
}

fn check(bytes: &[u8]) {
    let files = random_pass(bytes);
    let folder = tempfile::tempdir().unwrap();
    let pass = folder.path().join("pass");
    fs::create_dir(&pass).unwrap();
    for file in &files {
        file.write(&pass);
    }
    if files.is_empty() {
        return;
    }
    let expected = expect(&files);
    let sum = expected.process + expected.dispatch + expected.counter + expected.ambiguous;
    assert_eq!(expected.native_values, expected.merged_values + sum);

    // Untouched, then merged, then merged already, read again, and merged anew.
    for (read_only, force) in [
        (true, false),
        (false, false),
        (false, false),
        (true, false),
        (false, true),
    ] {
        let (report, csv) = analyzed(&with(&pass, read_only, force)).unwrap();
        let found = found(&report, csv);
        assert_eq!(
            found, expected,
            "read_only {read_only}, force {force}: {report:#?}"
        );
    }
    check_files(&pass, &files, &expected);
}

/// The merged files are sound, and hold what was merged and nothing else.
fn check_files(folder: &Path, files: &[Db], expected: &Expected) {
    let mut rows = 0;
    for file in files {
        let connection = rusqlite::Connection::open(folder.join(&file.name)).unwrap();
        let sound: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(sound, "ok");
        for capture in &file.guids {
            let sql = format!(
                "SELECT count(*) FROM \"rocpd_pmc_event{}\" WHERE guid = ?1",
                capture.suffix()
            );
            let count: i64 = connection
                .query_row(&sql, [&capture.guid], |row| row.get(0))
                .unwrap();
            rows += u64::try_from(count).unwrap() - u64::try_from(capture.values.len()).unwrap();
        }
    }
    assert_eq!(rows, expected.merged_values);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_value_is_merged_once_or_counted(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&bytes);
    }
}
