//! Which rows each call makes, and which it does not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rocpd::rusqlite::Connection;
use rocpd::rusqlite::types::Value;
use rocpd::writer::{
    Agent, AgentId, Arg, CodeObject, CodeObjectId, KernelDispatch, KernelSymbol, KernelSymbolId,
    MemoryAllocation, MemoryCopy, NodeId, Pmc, PmcEvent, PmcId, PmcSample, Process, ProcessId,
    Queue, QueueId, Region, Sample, Stream, StreamId, Thread, ThreadId, Track, TrackId,
};
use rocpd::{Error, Guid, Mode, Storage, Writer};

use super::*;

fn insert_one_of_each(w: &mut Writer) {
    let args = [
        Arg {
            position: 0,
            arg_type: "void*",
            name: "dst",
            value: Some("0x7f"),
            extdata: "",
        },
        Arg {
            position: 1,
            arg_type: "hipStream_t",
            name: "stream",
            value: None,
            extdata: "{\"stream_id\":0}",
        },
    ];
    w.insert_region(&Region {
        args: &args,
        track: Some(TrackId::new(1)),
        ..REGION
    })
    .unwrap();
    w.insert_kernel_dispatch(&DISPATCH).unwrap();
    w.insert_memory_copy(&COPY).unwrap();
    w.insert_memory_allocation(&ALLOCATION).unwrap();
    w.insert_sample(&Sample {
        track: TrackId::new(1),
        timestamp: 900,
        event: Some(EVENT),
        extdata: "",
    })
    .unwrap();
    w.insert_pmc_event(&VALUE).unwrap();
    w.insert_pmc_event(&PmcEvent {
        sample: Some(PmcSample {
            track: TrackId::new(1),
            timestamp: 901,
            extdata: "",
        }),
        ..VALUE
    })
    .unwrap();
    w.insert_counter_values(11, &[(PmcId::new(1), 2.0), (PmcId::new(1), 3.0)])
        .unwrap();
}

#[test]
fn every_kind_of_row_is_written_and_seen_in_the_views() {
    for mode in [Mode::Fast, Mode::Durable] {
        let mut fixture = Fixture::new(mode);
        insert_one_of_each(&mut fixture.writer);
        let written = fixture.finish();
        let expected = [
            ("rocpd_arg", 2),
            ("rocpd_event", 8),
            ("rocpd_info_agent", 1),
            ("rocpd_info_code_object", 1),
            ("rocpd_info_kernel_symbol", 1),
            ("rocpd_info_node", 1),
            ("rocpd_info_pmc", 1),
            ("rocpd_info_process", 1),
            ("rocpd_info_queue", 1),
            ("rocpd_info_stream", 1),
            ("rocpd_info_thread", 1),
            ("rocpd_kernel_dispatch", 1),
            ("rocpd_memory_allocate", 1),
            ("rocpd_memory_copy", 1),
            ("rocpd_metadata", 3),
            ("rocpd_pmc_event", 4),
            ("rocpd_region", 1),
            ("rocpd_sample", 3),
            ("rocpd_string", 5),
            ("rocpd_track", 1),
        ];
        let expected = expected.map(|(name, count)| (name.to_owned(), count));
        assert_eq!(written.counts(), BTreeMap::from(expected), "{mode:?}");
        for (view, rows) in [
            ("regions", 1),
            ("region_args", 2),
            ("events_args", 2),
            ("stream_args", 1),
            ("samples", 3),
            ("kernels", 1),
            ("memory_copies", 1),
            ("memory_allocations", 1),
            ("scratch_memory", 1),
            ("processes", 1),
            ("threads", 1),
            ("code_objects", 1),
            ("kernel_symbols", 1),
            ("pmc_info", 1),
        ] {
            assert_eq!(written.count(view), rows, "{view}");
        }
    }
}

#[test]
fn counter_values_of_a_dispatch_share_an_event_and_others_have_their_own() {
    let mut fixture = Fixture::new(Mode::Fast);
    let pmc = PmcId::new(1);
    let w = &mut fixture.writer;
    w.insert_counter_values(1, &[(pmc, 1.0), (pmc, 2.0)])
        .unwrap();
    w.insert_pmc_event(&VALUE).unwrap();
    w.insert_kernel_dispatch(&DISPATCH).unwrap();
    w.insert_counter_values(u64::MAX, &[(pmc, f64::NAN)])
        .unwrap();
    w.insert_counter_values(9, &[]).unwrap();
    w.insert_pmc_event(&PmcEvent {
        event: None,
        ..VALUE
    })
    .unwrap();
    let written = fixture.finish();
    let rows = written.rows(
        "SELECT p.id, e.id, e.correlation_id, value, p.extdata, e.call_stack, e.line_info, e.extdata
         FROM rocpd_pmc_event p LEFT JOIN rocpd_event e ON e.id = event_id ORDER BY p.id",
    );
    let row = |id: i64, event: i64, correlation: i64, value: Value| {
        let braces = || Value::Text("{}".into());
        vec![
            id.into(),
            event.into(),
            correlation.into(),
            value,
            braces(),
            braces(),
            braces(),
            braces(),
        ]
    };
    let mut alone = row(5, 0, 0, 1.5.into());
    alone[1] = Value::Null;
    alone[2] = Value::Null;
    alone[5..].fill(Value::Null);
    assert_eq!(
        rows,
        [
            row(1, 1, 1, 1.0.into()),
            row(2, 1, 1, 2.0.into()),
            row(3, 2, -1, 1.5.into()),
            row(4, 4, -1, Value::Null),
            alone,
        ]
    );
}

#[test]
fn registering_twice_is_harmless() {
    let mut fixture = Fixture::new(Mode::Fast);
    fixture.register_all();
    fixture.writer.commit().unwrap();
    fixture.register_all();
    let other = Agent {
        type_index: Some(1),
        ..AGENT
    };
    assert_eq!(fixture.writer.register_agent(&other).unwrap().get(), 2);
    assert_eq!(fixture.writer.register_agent(&AGENT).unwrap().get(), 1);
    let written = fixture.finish();
    assert_eq!(written.count("rocpd_info_agent"), 2);
    assert_eq!(written.count("rocpd_info_process"), 1);
    assert_eq!(written.count("rocpd_string"), 2);
}

#[test]
fn an_id_of_another_process_is_not_taken_over() {
    let mut fixture = Fixture::new(Mode::Fast);
    let process = fixture
        .writer
        .register_process(&Process { pid: 9, ..PROCESS })
        .unwrap();
    let error = fixture
        .writer
        .register_queue(&Queue { process, ..QUEUE })
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "queue 0 is registered already, for process 1; ids are unique in a file"
    );
}

#[test]
fn what_is_not_registered_is_named_and_leaves_no_row() {
    type Call = fn(&mut Writer) -> Result<(), Error>;
    let no_process = ProcessId::new(0);
    assert_eq!(no_process.get(), 0);
    let calls: &[(&str, Call)] = &[
        ("node 8", |w| {
            let node = NodeId::new(8);
            w.register_process(&Process {
                node,
                pid: 1,
                ..PROCESS
            })
            .map(drop)
        }),
        ("process 2", |w| {
            let process = ProcessId::new(2);
            w.register_thread(&Thread { process, ..THREAD }).map(drop)
        }),
        ("process 0", |w| {
            let process = ProcessId::new(0);
            w.register_agent(&Agent { process, ..AGENT }).map(drop)
        }),
        ("agent 2", |w| {
            let agent = Some(AgentId::new(2));
            w.register_pmc(&Pmc { agent, ..PMC }).map(drop)
        }),
        ("process 18446744073709551615", |w| {
            let process = ProcessId::new(u64::MAX);
            w.register_queue(&Queue { process, ..QUEUE }).map(drop)
        }),
        ("process 2", |w| {
            let process = ProcessId::new(2);
            w.register_stream(&Stream { process, ..STREAM }).map(drop)
        }),
        ("agent 5", |w| {
            let agent = Some(AgentId::new(5));
            w.register_code_object(&CodeObject {
                agent,
                ..CODE_OBJECT
            })
            .map(drop)
        }),
        ("code object 1", |w| {
            let code_object = CodeObjectId::new(1);
            w.register_kernel_symbol(&KernelSymbol {
                code_object,
                ..KERNEL_SYMBOL
            })
            .map(drop)
        }),
        ("thread 2", |w| {
            let thread = Some(ThreadId::new(2));
            w.register_track(&Track {
                thread,
                name: Some("new"),
                ..TRACK
            })
            .map(drop)
        }),
        ("thread 2", |w| {
            w.insert_region(&Region {
                thread: ThreadId::new(2),
                name: "new",
                ..REGION
            })
        }),
        ("track 2", |w| {
            w.insert_region(&Region {
                track: Some(TrackId::new(2)),
                name: "new",
                ..REGION
            })
        }),
        ("kernel symbol 4", |w| {
            w.insert_kernel_dispatch(&KernelDispatch {
                kernel: KernelSymbolId::new(4),
                ..DISPATCH
            })
        }),
        ("queue 1", |w| {
            w.insert_kernel_dispatch(&KernelDispatch {
                queue: QueueId::new(1),
                ..DISPATCH
            })
        }),
        ("stream 1", |w| {
            w.insert_kernel_dispatch(&KernelDispatch {
                stream: StreamId::new(1),
                ..DISPATCH
            })
        }),
        ("agent 2", |w| {
            w.insert_kernel_dispatch(&KernelDispatch {
                agent: AgentId::new(2),
                ..DISPATCH
            })
        }),
        ("agent 2", |w| {
            w.insert_memory_copy(&MemoryCopy {
                src_agent: Some(AgentId::new(2)),
                ..COPY
            })
        }),
        ("queue 3", |w| {
            let queue = Some(QueueId::new(3));
            w.insert_memory_allocation(&MemoryAllocation {
                queue,
                ..ALLOCATION
            })
        }),
        ("track 9", |w| {
            w.insert_sample(&Sample {
                track: TrackId::new(9),
                timestamp: 0,
                event: Some(EVENT),
                extdata: "",
            })
        }),
        ("PMC 2", |w| {
            w.insert_pmc_event(&PmcEvent {
                pmc: PmcId::new(2),
                ..VALUE
            })
        }),
        ("PMC 0", |w| {
            w.insert_counter_values(1, &[(PmcId::new(1), 1.0), (PmcId::new(0), 1.0)])
        }),
    ];
    let mut fixture = Fixture::new(Mode::Fast);
    for (name, call) in calls {
        let error = call(&mut fixture.writer).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{name} is not registered; register it before what refers to it")
        );
    }
    let written = fixture.finish();
    let before = Fixture::new(Mode::Fast).finish();
    assert_eq!(written.counts(), before.counts());
}

#[test]
fn what_was_not_committed_is_not_there() {
    for mode in [Mode::Fast, Mode::Durable] {
        let mut fixture = Fixture::new(mode);
        fixture.writer.commit().unwrap();
        fixture.writer.insert_pmc_event(&VALUE).unwrap();
        fixture.writer.insert_region(&REGION).unwrap();
        drop(fixture.writer);
        let connection = Connection::open(&fixture.path).unwrap();
        let counts: (i64, i64) = connection
            .query_row(
                "SELECT (SELECT count(*) FROM rocpd_info_pmc), (SELECT count(*) FROM rocpd_event)",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!(counts, (1, 0), "{mode:?}");
    }
}

#[test]
fn no_file_is_overwritten_and_a_failure_leaves_none() {
    let folder = tempfile::tempdir().unwrap();
    let create = |path: &Path| Storage::create(path, Guid::new(), Mode::Fast).unwrap_err();
    let path = folder.path().join("a.db");
    fs::write(&path, "mine").unwrap();
    let error = create(&path);
    assert!(matches!(error, Error::Exists { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let error = create(&folder.path().join("none/a.db"));
    assert!(
        error.to_string().contains("make its folder first"),
        "{error}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
