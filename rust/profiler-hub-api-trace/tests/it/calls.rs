//! Calls and ranges, as they stand in the file.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use rocpd::reader::{Reader, TrackKind};

use crate::stage::{Stage, boottime, stderr};

const ALL: &str = "roctx,hip,hsa";
/// Regions of a round of `calls.c`: each of these functions once.
const ROUND: [&str; 15] = [
    "hipDeviceSynchronize",
    "hipFree",
    "hipLaunchKernel",
    "hipMalloc",
    "hipMemcpyAsync",
    "hipModuleLaunchKernel",
    "hipStreamSynchronize",
    "hsa_amd_memory_async_copy",
    "hsa_signal_cas_scacq_screl",
    "hsa_signal_create",
    "hsa_signal_load_relaxed",
    "hsa_signal_store_relaxed",
    "roctxMarkA",
    "roctxRangePushA",
    "roctxRangeStartA",
];

#[test]
fn each_call_is_a_region_with_name_time_thread_and_nesting() {
    let stage = Stage::new(ALL);
    let before = boottime();
    stage.run("calls", &["3", "5"]);
    let after = boottime() + 10_000_000;
    let recorded = stage.recorded();
    assert_eq!(
        recorded.counts(),
        ROUND.iter().map(|name| (*name, 15)).collect()
    );
    let tids: BTreeSet<i64> = recorded.rows.iter().map(|row| row.tid).collect();
    assert_eq!(tids.len(), 3);
    let by_stack: BTreeMap<i64, _> = recorded.rows.iter().map(|row| (row.stack, row)).collect();
    assert_eq!(
        by_stack.len(),
        recorded.rows.len(),
        "each call has a number of its own"
    );
    for row in &recorded.rows {
        assert!(
            before <= row.start && row.start <= row.end && row.end <= after,
            "{row:?}"
        );
        let category = match &row.name {
            name if name.starts_with("roctx") => "MARKER_CORE_API",
            name if name.starts_with("hip") => "HIP_RUNTIME_API",
            name if name.starts_with("hsa_amd") => "HSA_AMD_EXT_API",
            _ => "HSA_CORE_API",
        };
        assert_eq!(row.category, category, "{row:?}");
        if row.name == "roctxRangePushA" {
            assert_eq!(row.parent, 0, "{row:?}");
            continue;
        }
        let parent = by_stack[&row.parent];
        let expected = match &*row.name {
            "hsa_amd_memory_async_copy" => "hipMemcpyAsync",
            _ => "roctxRangePushA",
        };
        assert_eq!((&*parent.name, parent.tid), (expected, row.tid), "{row:?}");
        assert!(
            parent.start <= row.start && row.end <= parent.end,
            "{row:?} in {parent:?}"
        );
    }
    for tid in tids {
        let messages: Vec<_> = recorded
            .named("roctxRangePushA")
            .filter(|row| row.tid == tid)
            .map(|row| row.extdata["message"].as_str().unwrap())
            .collect();
        assert_eq!(
            messages,
            ["round 0", "round 1", "round 2", "round 3", "round 4"]
        );
    }
}

#[test]
fn the_end_says_how_often_each_function_was_called_and_what_was_left_alone() {
    let stage = Stage::new(ALL);
    let said = stage.run("calls", &["2", "4"]);
    assert!(
        said.contains("_api_trace.db: 120 regions of 2 threads\n"),
        "{said}"
    );
    for name in ROUND.into_iter().chain(["roctxRangePop", "roctxRangeStop"]) {
        assert!(
            said.contains(&format!("           8 {name}\n")),
            "{name}: {said}"
        );
    }
    let alone = "HipDispatchTable: left alone for want of a signature: 1 functions: \
                 hipGetErrorString; and 2 that are newer than this tool\n";
    assert!(said.contains(alone), "{said}");
    let alone =
        "CoreApiTable: left alone for want of a signature: 1 functions: hsa_iterate_agents_fn\n";
    assert!(said.contains(alone), "{said}");
    assert!(
        said.contains("AmdExtTable: this runtime is older than 58"),
        "{said}"
    );
    assert!(
        said.contains("HipDispatchTable: NULL in this runtime: hipMallocAsync, "),
        "{said}"
    );
}

#[test]
fn only_the_named_tables_are_recorded() {
    for (tables, prefixes) in [
        ("", &["roctx"][..]),
        ("roctx", &["roctx"]),
        ("hip", &["hip"]),
        ("hsa", &["hsa"]),
        ("hsa, hip", &["hip", "hsa"]),
    ] {
        let stage = Stage::new(tables);
        stage.run("calls", &["0", "1"]);
        let recorded = stage.recorded();
        let expected: BTreeMap<&str, usize> = ROUND
            .iter()
            .filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix)))
            .map(|name| (*name, 1))
            .collect();
        assert_eq!(recorded.counts(), expected, "{tables}");
    }
}

#[test]
fn an_older_hip_is_recorded_as_far_as_its_table_goes() {
    let stage = Stage::with("hip", &["-DOLD_HIP"]);
    let said = stage.run("calls", &["0", "2"]);
    let recorded = stage.recorded();
    assert_eq!(recorded.named("hipMalloc").count(), 2);
    assert_eq!(recorded.named("hipStreamSynchronize").count(), 0);
    assert!(
        said.contains("HipDispatchTable: this runtime is older than 117"),
        "{said}"
    );
}

#[test]
fn ranges_of_threads_nest_and_ranges_of_the_process_overlap() {
    let stage = Stage::new("roctx");
    let runtime = stage
        .path("libdemo_runtime.so")
        .into_os_string()
        .into_string()
        .unwrap();
    let said = stage.run(
        "driver",
        &[
            "load",
            &runtime,
            "expect",
            "sdk real",
            "pop",
            "-1",
            "push",
            "outer",
            "start",
            "process",
            "push",
            "inner",
            "mark",
            "m",
            "pop",
            "1",
            "pop",
            "0",
            "stop",
            "stop",
            "push",
            "left open",
            "start",
            "left open too",
        ],
    );
    let recorded = stage.recorded();
    let of = |message: &str| {
        let found = recorded
            .rows
            .iter()
            .find(|row| row.extdata["message"] == message);
        found.unwrap_or_else(|| panic!("no {message}"))
    };
    assert_eq!(recorded.rows.len(), 6);
    let (outer, inner, process, mark) = (of("outer"), of("inner"), of("process"), of("m"));
    assert_eq!(
        (outer.parent, inner.parent, mark.parent),
        (0, outer.stack, inner.stack)
    );
    assert_eq!(process.parent, outer.stack);
    assert!(
        outer.start <= process.start && outer.end <= process.end,
        "{outer:?} {process:?}"
    );
    assert!(inner.start <= mark.start && mark.end <= inner.end && inner.end <= outer.end);
    for row in &recorded.rows {
        let left_open = row.extdata["message"]
            .as_str()
            .unwrap()
            .starts_with("left open");
        assert_eq!(
            row.extdata.get("unfinished").is_some(),
            left_open,
            "{row:?}"
        );
    }
    assert!(
        said.contains("6 regions of 1 threads, 2 of them ranges"),
        "{said}"
    );
    assert!(said.contains("           3 roctxRangePop\n"), "{said}");
}

#[test]
fn copies_of_a_runtime_have_ranges_of_their_own() {
    let stage = Stage::new("roctx");
    let first = stage
        .path("libdemo_runtime.so")
        .into_os_string()
        .into_string()
        .unwrap();
    let second = stage
        .path("libsecond.so")
        .into_os_string()
        .into_string()
        .unwrap();
    std::fs::copy(&first, &second).unwrap();
    // Both copies give the id 1.
    stage.run(
        "driver",
        &[
            "load",
            &first,
            "expect",
            "sdk real",
            "start",
            "in the first",
            "load",
            &second,
            "expect",
            "real",
            "start",
            "in the second",
            "stop",
            "load",
            &first,
            "expect",
            "sdk real",
            "mark",
            "between",
            "stop",
        ],
    );
    let recorded = stage.recorded();
    let end = |message: &str| {
        let row = recorded
            .rows
            .iter()
            .find(|row| row.extdata["message"] == message)
            .unwrap();
        assert_eq!(row.extdata.get("unfinished"), None, "{row:?}");
        row.end
    };
    assert_eq!(recorded.rows.len(), 3);
    assert!(end("in the second") <= end("between") && end("between") <= end("in the first"));
}

#[test]
fn messages_are_stored_as_they_are() {
    let stage = Stage::new("roctx");
    let runtime = stage.path("libdemo_runtime.so");
    let long = "template<".repeat(1400);
    let longer = "x".repeat(100_000);
    let texts = [
        "",
        "a \"b\" 'c' \\ %s",
        "comma,\nnewline\t",
        "emoji 🚀 é",
        &long,
        &longer,
        "1e2",
    ];
    let mut command = stage.command("driver");
    command
        .arg("load")
        .arg(&runtime)
        .args(["expect", "sdk real"]);
    for text in texts {
        command.args(["mark", text]);
    }
    command.arg("mark").arg(OsStr::from_bytes(b"bad \xff byte"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let recorded = stage.recorded();
    let stored: Vec<_> = recorded
        .rows
        .iter()
        .map(|row| row.extdata["message"].as_str().unwrap())
        .collect();
    let expected: Vec<&str> = texts.into_iter().chain(["bad \u{fffd} byte"]).collect();
    assert_eq!(stored, expected);
}

#[test]
fn the_reader_shows_a_track_for_each_thread_with_calls_inside_each_other() {
    let stage = Stage::new(ALL);
    stage.run("calls", &["2", "3"]);
    let reader = Reader::open(&stage.files("out")[0]).unwrap();
    assert_eq!(reader.warnings(), [""; 0]);
    let tracks: Vec<_> = reader
        .tracks()
        .iter()
        .filter(|track| track.kind == TrackKind::Regions)
        .collect();
    assert_eq!(tracks.len(), 2);
    for track in tracks {
        assert_eq!((track.count, track.odd_times), (3 * 15, 0));
        let events = reader.events(track.id).unwrap();
        let depth = |name: &str| {
            let depths: BTreeSet<u32> = events
                .iter()
                .filter(|event| event.name.to_string() == name)
                .map(|event| event.depth)
                .collect();
            depths.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(depth("roctxRangePushA"), [1]);
        assert_eq!(depth("hipMemcpyAsync"), [2]);
        assert_eq!(depth("hsa_amd_memory_async_copy"), [3]);
    }
}

#[test]
fn eight_busy_threads_lose_nothing() {
    let stage = Stage::new(ALL);
    let said = stage.run("calls", &["8", "2000"]);
    let recorded = stage.recorded();
    assert_eq!(
        recorded.counts(),
        ROUND.iter().map(|name| (*name, 16_000)).collect()
    );
    assert!(!said.contains("lost"), "{said}");
}

#[test]
fn the_file_names_machine_process_and_threads() {
    let stage = Stage::new("roctx");
    let mut child = stage
        .command("calls")
        .args(["2", "1"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let pid = i64::from(child.id());
    assert!(child.wait().unwrap().success());
    assert_eq!(
        stage.files("out"),
        [stage.path(&format!("out/{pid}_api_trace.db"))]
    );
    let recorded = stage.recorded();
    assert!(recorded.rows.iter().all(|row| row.pid == pid));
    let (command, start, init, parent): (String, i64, i64, i64) = recorded
        .connection
        .query_row(
            "SELECT command, start, init, ppid FROM rocpd_info_process",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
        .unwrap();
    assert!(command.ends_with("calls 2 1"), "{command}");
    assert!(start <= init && init <= boottime() + 10_000_000);
    assert_eq!(parent, i64::from(std::process::id()));
    let (machine, threads): (String, i64) = recorded
        .connection
        .query_row(
            "SELECT machine_id, (SELECT count(*) FROM rocpd_info_thread) FROM rocpd_info_node",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert!(!machine.is_empty());
    assert_eq!(threads, 2);
}
