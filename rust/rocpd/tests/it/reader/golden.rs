//! What the golden data holds is what the reader gives.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rocpd::reader::{
    EventKind, EventRef, Query, Reader, Relation, RowId, Table, TrackKind, Window,
};
use rocpd::rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::{event_ids, snapshot};
use crate::golden;

fn json(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden(name)).unwrap()).unwrap()
}

fn databases(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            databases(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "db") {
            found.push(path);
        }
    }
}

/// The event tables, the kind of their tracks and of their events.
const TABLES: [(&str, TrackKind, EventKind); 5] = [
    ("rocpd_region", TrackKind::Regions, EventKind::Region),
    ("rocpd_sample", TrackKind::Samples, EventKind::Region),
    (
        "rocpd_kernel_dispatch",
        TrackKind::KernelDispatches,
        EventKind::KernelDispatch,
    ),
    (
        "rocpd_memory_copy",
        TrackKind::MemoryCopies,
        EventKind::MemoryCopy,
    ),
    (
        "rocpd_memory_allocate",
        TrackKind::MemoryAllocations,
        EventKind::MemoryAllocate,
    ),
];

#[test]
fn every_row_of_every_golden_file_is_on_a_track_once() {
    let mut files = Vec::new();
    databases(&golden(""), &mut files);
    let mut rows = 0;
    for path in files
        .iter()
        .filter(|path| !path.components().any(|c| c.as_os_str() == "probe"))
    {
        let Ok(reader) = Reader::open(path) else {
            continue;
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let sql = Connection::open_with_flags(path, flags).unwrap();
        for (guid, tables) in reader.guids().iter().enumerate() {
            let found = event_ids(&reader, guid);
            let mut streams = BTreeMap::<EventKind, Vec<i64>>::new();
            for (base, track, event) in TABLES {
                let Some(table) = tables.table(base) else {
                    continue;
                };
                let query = format!("SELECT id FROM \"{}\" ORDER BY id", table.name);
                let ids: Vec<i64> = sql
                    .prepare(&query)
                    .unwrap()
                    .query_map([], |row| row.get(0))
                    .unwrap()
                    .collect::<Result<_, _>>()
                    .unwrap();
                rows += ids.len();
                let on_tracks = found.get(&(track, event)).cloned().unwrap_or_default();
                assert_eq!(on_tracks, ids, "{} {base}", path.display());
                if !matches!(track, TrackKind::Regions | TrackKind::Samples) {
                    streams.insert(event, ids);
                }
            }
            for (event, ids) in streams {
                let on_streams = found.get(&(TrackKind::Stream, event));
                assert_eq!(
                    on_streams.cloned().unwrap_or_default(),
                    ids,
                    "{}",
                    path.display()
                );
            }
            if let Some(table) = tables.table("rocpd_pmc_event") {
                let query = format!("SELECT count(*) FROM \"{}\"", table.name);
                let count: u32 = sql.query_row(&query, [], |row| row.get(0)).unwrap();
                let tracks = reader.tracks().iter().filter(|track| track.guid == guid);
                let samples: usize = tracks
                    .map(|track| reader.samples(track.id).unwrap().len())
                    .sum();
                assert_eq!(samples, count as usize, "{}", path.display());
                rows += samples;
            }
        }
    }
    assert!(rows > 1000, "the golden data was found: {rows} rows");
}

#[test]
fn info_lists_have_the_counts_of_the_facts() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let facts = json("trace/facts.json");
    let info = reader.info();
    let counts = [
        ("rocpd_info_node", info.nodes.len()),
        ("rocpd_info_process", info.processes.len()),
        ("rocpd_info_thread", info.threads.len()),
        ("rocpd_info_agent", info.agents.len()),
        ("rocpd_info_queue", info.queues.len()),
        ("rocpd_info_stream", info.streams.len()),
        ("rocpd_info_pmc", info.pmcs.len()),
        ("rocpd_info_code_object", info.code_objects.len()),
        ("rocpd_info_kernel_symbol", info.kernel_symbols.len()),
        ("rocpd_track", info.named_tracks.len()),
        ("rocpd_string", info.strings(0).count()),
    ];
    for (table, count) in counts {
        assert_eq!(facts["base_counts"][table], count, "{table}");
    }
    assert_eq!(
        reader.guids()[0].guid.as_str(),
        facts["guid"].as_str().unwrap()
    );
    let thread = &info.threads[1];
    assert_eq!((thread.tid, thread.pid), (Some(40138), Some(40137)));
    let pmc = info.pmc(0, Some(RowId(202))).unwrap();
    assert_eq!((pmc.agent, pmc.pid), (Some(2), Some(40137)));
    assert_eq!(info.queues[0].row_id, RowId(0), "0 is an id");
}

/// Rows of a view of the golden trace, by column name.
fn view<'a>(views: &'a Value, facts: &'a Value, name: &str) -> Vec<BTreeMap<&'a str, &'a Value>> {
    let columns: Vec<&str> = facts["view_columns"][name]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column.as_str().unwrap())
        .collect();
    let rows = views[name]["rows"].as_array().unwrap().iter();
    rows.map(|row| {
        columns
            .iter()
            .copied()
            .zip(row.as_array().unwrap())
            .collect()
    })
    .collect()
}

#[test]
fn events_are_what_the_views_of_the_schema_give() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let (views, facts) = (json("trace/views.json"), json("trace/facts.json"));
    let sources = [
        ("regions", "name", TrackKind::Regions, EventKind::Region),
        (
            "sample_regions",
            "name",
            TrackKind::Samples,
            EventKind::Region,
        ),
        (
            "kernels",
            "name",
            TrackKind::KernelDispatches,
            EventKind::KernelDispatch,
        ),
        (
            "memory_copies",
            "name",
            TrackKind::MemoryCopies,
            EventKind::MemoryCopy,
        ),
        (
            "memory_allocations",
            "type",
            TrackKind::MemoryAllocations,
            EventKind::MemoryAllocate,
        ),
        (
            "kernels",
            "name",
            TrackKind::Stream,
            EventKind::KernelDispatch,
        ),
        (
            "memory_copies",
            "name",
            TrackKind::Stream,
            EventKind::MemoryCopy,
        ),
    ];
    for (name, called, kind, event_kind) in sources {
        let mut events = BTreeMap::new();
        for track in reader.tracks().iter().filter(|track| track.kind == kind) {
            for event in reader.events(track.id).unwrap() {
                if event.kind == event_kind {
                    events.insert(event.id, (track, *event));
                }
            }
        }
        let rows = view(&views, &facts, name);
        assert!(!rows.is_empty());
        for row in rows {
            let (track, event) = events[&row["id"].as_u64().unwrap()];
            assert_eq!(row[called], event.name.as_str(), "{name}");
            assert_eq!(*row["start"], event.start, "{name}");
            let end = row.get("end").or_else(|| row.get("END")).unwrap();
            assert_eq!(**end, event.end, "{name}");
            match kind {
                TrackKind::Regions | TrackKind::Samples => {
                    assert_eq!(row["tid"].as_u64(), track.tid, "{name}");
                    assert_eq!(row["pid"].as_u64(), track.pid, "{name}");
                }
                TrackKind::Stream => {
                    let stream = track.stream_row.map(|row| row.0);
                    assert_eq!(row["stream_id"].as_i64(), stream, "{name}");
                }
                TrackKind::MemoryCopies => {
                    assert_eq!(row["dst_agent_abs_index"].as_u64(), track.agent, "{name}");
                }
                _ => assert_eq!(row["agent_abs_index"].as_u64(), track.agent, "{name}"),
            }
        }
    }
}

#[test]
fn counter_values_stand_at_the_start_of_their_dispatch() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let (views, facts) = (json("trace/views.json"), json("trace/facts.json"));
    let mut expected = BTreeMap::<i64, Vec<(u64, u64)>>::new();
    for row in view(&views, &facts, "pmc_events") {
        let value = row["counter_value"].as_f64().unwrap();
        let sample = (row["start"].as_u64().unwrap(), value.to_bits());
        expected
            .entry(row["pmc_id"].as_i64().unwrap())
            .or_default()
            .push(sample);
    }
    assert_eq!(expected.len(), 4);
    for (pmc, mut samples) in expected {
        samples.sort_unstable();
        let track = reader
            .tracks()
            .iter()
            .find(|t| t.pmc_row == Some(RowId(pmc)))
            .unwrap();
        let found = reader.samples(track.id).unwrap();
        assert!(found.is_sorted_by_key(|sample| sample.timestamp));
        let mut found: Vec<_> = found
            .iter()
            .map(|s| (s.timestamp, s.value.to_bits()))
            .collect();
        found.sort_unstable();
        assert_eq!(found, samples);
    }
    let cpu = reader
        .tracks()
        .iter()
        .find(|t| t.pmc_row == Some(RowId(999)))
        .unwrap();
    assert_eq!(
        (cpu.agent, cpu.count, cpu.values),
        (None, 12, Some((2400.0, 2411.0)))
    );
}

#[test]
fn two_guids_in_a_file_are_each_complete() {
    let path = golden("mpi-consolidated/out/pmc_perf_0/sdk_results.db");
    let reader = Reader::open(&path).unwrap();
    assert_eq!(reader.guids().len(), 2);
    for guid in 0..2 {
        let ids = event_ids(&reader, guid);
        let dispatches = &ids[&(TrackKind::KernelDispatches, EventKind::KernelDispatch)];
        assert!(!dispatches.is_empty());
        let tracks = || {
            reader
                .tracks()
                .iter()
                .filter(move |track| track.guid == guid)
        };
        let pids: Vec<_> = tracks().filter_map(|track| track.pid).collect();
        let own: Vec<_> = reader
            .info()
            .processes
            .iter()
            .filter(|p| p.guid == guid)
            .collect();
        assert_eq!(own.len(), 1);
        assert!(!pids.is_empty() && pids.iter().all(|&pid| Some(pid) == own[0].pid));
        // The same row id names another row in each guid.
        let row = RowId(dispatches[0]);
        let event = EventRef {
            guid,
            table: Table::KernelDispatch,
            row,
        };
        let details = reader.details(event).unwrap();
        let of_row = details
            .row
            .iter()
            .find(|cell| cell.column == "guid")
            .unwrap();
        let text = rocpd::reader::Cell::Text(reader.guids()[guid].guid.to_string());
        assert_eq!(of_row.value, text);
    }
    let page = reader.page(&Query::new(Table::KernelDispatch)).unwrap();
    let all: usize = (0..2)
        .map(|guid| event_ids(&reader, guid)[&(TrackKind::Stream, EventKind::KernelDispatch)].len())
        .sum();
    assert_eq!((page.total, page.rows.len()), (all as u64, all));
}

#[test]
fn what_the_probe_rejects_is_rejected_with_its_reason() {
    let expected = json("probe/expected.json");
    let mut seen = 0;
    for (name, about) in expected.as_object().unwrap() {
        let path = golden("probe").join(name);
        if !path.exists() {
            continue; // a foreign file that may not be carried along
        }
        let result = Reader::open(&path);
        match about["status"].as_str().unwrap() {
            // Its guids have a version each; here they are read.
            "supported" | "metadata_ambiguous" => {
                let reader = result.unwrap_or_else(|error| panic!("{name}: {error}"));
                let newer = about["version"]
                    .as_str()
                    .is_some_and(|version| version > "3.0.5");
                assert_eq!(!reader.warnings().is_empty(), newer, "{name}");
            }
            status => {
                let rocpd::Error::Rejected {
                    status: found,
                    reason,
                    ..
                } = result.err().unwrap()
                else {
                    panic!("{name}: another error");
                };
                assert_eq!(found.as_str(), status, "{name}");
                assert!(reason.contains(name), "{name}: {reason}");
            }
        }
        seen += 1;
    }
    assert!(seen > 20);
}

#[test]
fn reading_leaves_the_folder_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.db");
    std::fs::copy(golden("trace/trace.db"), &path).unwrap();
    // With a -wal beside it too: a writer was killed before its checkpoint.
    let wal = tempfile::tempdir().unwrap();
    let unfinished = wal.path().join("trace.db");
    std::fs::copy(golden("trace/trace.db"), &unfinished).unwrap();
    let live = Connection::open(&unfinished).unwrap();
    live.pragma_update(None, "journal_mode", "WAL").unwrap();
    live.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    live.execute_batch(
        "UPDATE rocpd_region_019b8fc6_fb58_7312_ae0c_ba84e4b293ec SET \"end\" = \"end\" + 1;",
    )
    .unwrap();
    for suffix in ["", "-wal"] {
        let from = wal.path().join(format!("trace.db{suffix}"));
        std::fs::copy(from, folder.path().join(format!("killed.db{suffix}"))).unwrap();
    }
    drop(live);

    let before = snapshot(folder.path());
    for (name, end) in [
        ("trace.db", 13_386_742_234_900_000),
        ("killed.db", 13_386_742_234_900_001),
    ] {
        let reader = Reader::open(&folder.path().join(name)).unwrap();
        assert_eq!(reader.events(reader.tracks()[0].id).unwrap()[0].end, end);
        for track in reader.tracks() {
            reader.events(track.id).unwrap();
            for event in reader.events_within(track.id, Window::ALL).unwrap() {
                reader.details(track.event_ref(&event)).unwrap();
                reader.related(track.event_ref(&event)).unwrap();
            }
        }
        let ids: Vec<_> = reader.tracks().iter().map(|track| track.id).collect();
        reader
            .intervals(10, Window { start: 0, end: 10 }, &ids)
            .unwrap();
        for table in [Table::Region, Table::PmcEvent] {
            reader.page(&Query::new(table)).unwrap();
        }
        reader.top_kernels(3).unwrap();
        assert_eq!(snapshot(folder.path()), before, "{name}, while open");
    }
    assert_eq!(snapshot(folder.path()), before, "after");
}

#[test]
fn details_have_every_column_the_arguments_and_the_json() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let event = EventRef {
        guid: 0,
        table: Table::Region,
        row: RowId(6),
    };
    let details = reader.details(event).unwrap();
    assert_eq!(details.name, "hipMemcpyAsync");
    assert_eq!(details.category.as_deref(), Some("HIP_RUNTIME_API"));
    let stack = r#"[{"function":"main","file":"train.cpp","line":41}]"#;
    assert_eq!(details.call_stack.as_deref(), Some(stack));
    assert_eq!(details.line_info.as_deref(), Some("[]"));
    let row: Vec<_> = details
        .row
        .iter()
        .map(|cell| cell.column.as_str())
        .collect();
    let columns = [
        "id", "guid", "nid", "pid", "tid", "start", "end", "name_id", "event_id",
    ];
    assert_eq!(row, [&columns[..], &["extdata"]].concat());
    let arguments: Vec<_> = details
        .arguments
        .iter()
        .map(|a| {
            (
                a.position,
                a.argument_type.as_str(),
                a.name.as_str(),
                a.value.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        arguments,
        [
            (0, "void*", "dst", Some("0x7f0000000001")),
            (1, "const void*", "src", Some("0x55aa")),
            (2, "size_t", "sizeBytes", Some("8192")),
            (3, "hipStream_t", "stream", Some("1")),
        ]
    );
    assert_eq!(
        details.arguments[3].extdata.as_deref(),
        Some(r#"{"stream_id":1}"#)
    );
}

#[test]
fn a_launch_is_related_to_its_dispatch_and_to_the_call_around_it() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    // hipLaunchKernel: stack 1010 in 1000. Its dispatch has stack 1010 too.
    let launch = EventRef {
        guid: 0,
        table: Table::Region,
        row: RowId(3),
    };
    let related = reader.related(launch).unwrap();
    let sql =
        Connection::open_with_flags(golden("trace/trace.db"), OpenFlags::SQLITE_OPEN_READ_ONLY)
            .unwrap();
    let tables = [
        (Table::Region, "rocpd_region"),
        (Table::KernelDispatch, "rocpd_kernel_dispatch"),
        (Table::MemoryCopy, "rocpd_memory_copy"),
        (Table::MemoryAllocate, "rocpd_memory_allocate"),
    ];
    for (relation, condition) in [
        (Relation::SameStack, "e.stack_id = 1010"),
        (Relation::Parent, "e.stack_id = 1000"),
        (
            Relation::Child,
            "e.parent_stack_id = 1010 AND e.stack_id NOT IN (1000, 1010)",
        ),
        (Relation::SameCorrelation, "0"), // 0 is no correlation
    ] {
        let mut expected = Vec::new();
        for (table, view) in tables {
            let query = format!(
                "SELECT r.id FROM {view} r JOIN rocpd_event e \
                 ON e.id = r.event_id AND e.guid = r.guid WHERE {condition}"
            );
            let mut statement = sql.prepare(&query).unwrap();
            let rows = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
            expected.extend(rows.map(|id| (table, id.unwrap())));
        }
        expected.retain(|event| *event != (Table::Region, 3));
        expected.sort_unstable();
        let found = related
            .iter()
            .filter(|related| related.relation == relation);
        let mut found: Vec<_> = found.map(|r| (r.event.table, r.event.row.0)).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{relation:?}");
    }
    assert!(
        related
            .iter()
            .any(|r| r.event.table == Table::KernelDispatch)
    );
    let outer = EventRef {
        row: RowId(1),
        ..launch
    };
    let children = reader.related(outer).unwrap();
    assert!(
        children
            .iter()
            .any(|r| r.event == launch && r.relation == Relation::Child)
    );
}
