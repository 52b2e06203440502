//! What is counted: sets, multiplexing, filters, ranges, agents.

use preload_tests::Run;
use preload_tests::files::{self, number, texts, values};
use serde_json::json;

use crate::{a, b, two_gpus};

#[test]
fn every_value_of_every_instance_is_stored_under_its_dispatch_agent_and_counter() {
    let scenario = two_gpus(json!([{"agent": 1, "repeat": 3}, {"agent": 2, "repeat": 2}]));
    let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &["7"]);
    assert_eq!(ended.status.code(), Some(7));
    let mut expected = files::Values::new();
    for (dispatch, node) in [(1, 2), (2, 2), (3, 2), (4, 3), (5, 3)] {
        expected.insert((dispatch, node, "A".to_owned()), a(dispatch, node));
        expected.insert((dispatch, node, "B".to_owned()), b(dispatch, node));
    }
    assert_eq!(values(&ended.native_file()), expected);
    let end = ended.lines().pop().unwrap().to_owned();
    assert!(
        end.ends_with(
            "_native_counter_collection.db: 5 dispatches, 25 values; lost: 0 dispatches, 0 values"
        ),
        "{end}"
    );
}

#[test]
fn the_file_has_node_process_agents_and_counters_and_nothing_else() {
    let scenario = two_gpus(json!([{"agent": 1}]));
    let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &[]);
    let file = ended.native_file();
    let pid = file
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .split('_')
        .next()
        .unwrap();
    assert_eq!(
        number(&file, "SELECT \"pid\" FROM \"rocpd_info_process\"").to_string(),
        pid
    );
    assert_eq!(
        number(
            &file,
            "SELECT \"start\" > 0 AND \"start\" <= \"init\" AND \"init\" <= \"end\" FROM \"rocpd_info_process\""
        ),
        1
    );
    assert_eq!(
        texts(&file, "SELECT \"machine_id\" FROM \"rocpd_info_node\""),
        [std::fs::read_to_string("/etc/machine-id")
            .unwrap()
            .lines()
            .next()
            .unwrap()]
    );
    assert_eq!(
        texts(
            &file,
            "SELECT \"type\" || ' ' || \"absolute_index\" || ' ' || \"logical_index\" || ' ' || \"type_index\" || ' ' || \"uuid\"
             || ' ' || \"name\" || ' ' || \"vendor_name\" || ' ' || \"product_name\" || ' ' || \"model_name\"
             FROM \"rocpd_info_agent\" ORDER BY \"absolute_index\""
        ),
        [
            "CPU 0 0 0 0 EPYC AMD AMD Instinct MI300X ip discovery",
            "GPU 2 2 0 29857 gfx942 AMD AMD Instinct MI300X ip discovery",
            "GPU 3 3 1 29857 gfx950 AMD AMD Instinct MI300X ip discovery"
        ]
    );
    assert_eq!(
        texts(
            &file,
            "SELECT \"symbol\" || \"name\" || ' ' || \"target_arch\" || ' ' || \"block\" || ' ' || \"is_constant\" || \"is_derived\"
             || ' ' || (\"event_code\" IS NULL) FROM \"rocpd_info_pmc\" ORDER BY \"agent_id\", \"symbol\""
        ),
        ["AA GPU SQ 00 1", "BB GPU SQ 00 1", "AA GPU SQ 00 1", "BB GPU SQ 00 1"]
    );
    assert_eq!(number(&file, "SELECT count(*) FROM \"rocpd_event\""), 1);
    for table in [
        "string",
        "info_thread",
        "info_queue",
        "info_stream",
        "info_code_object",
        "info_kernel_symbol",
        "track",
        "region",
        "sample",
        "kernel_dispatch",
        "memory_copy",
        "memory_allocate",
        "arg",
    ] {
        assert_eq!(
            number(&file, &format!("SELECT count(*) FROM \"rocpd_{table}\"")),
            0,
            "{table}"
        );
    }
    // A single file, that others can open at once.
    assert!(!file.with_extension("db-wal").exists() && !file.with_extension("db-shm").exists());
    assert_eq!(texts(&file, "PRAGMA integrity_check"), ["ok"]);
    assert_eq!(texts(&file, "PRAGMA journal_mode"), ["delete"]);
}

#[test]
fn callbacks_of_many_threads_at_once_lose_nothing() {
    let mut dispatches: Vec<_> = (0..8)
        .map(|thread| json!({"agent": 1 + thread % 2, "thread": thread, "repeat": 2000}))
        .collect();
    dispatches.push(json!({"agent": 1, "thread": 8}));
    for completion in ["inline", "thread"] {
        let mut scenario = two_gpus(json!(dispatches));
        scenario["completion"] = json!(completion);
        let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &[]);
        let found = values(&ended.native_file());
        assert_eq!(found.len(), 2 * 16001, "{:?}", ended.lines());
        for ((dispatch, node, counter), values) in found {
            assert_eq!(
                values,
                if counter == "A" {
                    a(dispatch, node)
                } else {
                    b(dispatch, node)
                }
            );
        }
    }
}

/// Counters by dispatch, in the order of the dispatches.
fn counters(ended: &preload_tests::Ended, dispatches: u64) -> Vec<String> {
    let found = values(&ended.native_file());
    (1..=dispatches)
        .map(|dispatch| {
            let of = found.keys().filter(|(id, ..)| *id == dispatch);
            of.map(|(.., counter)| counter.as_str())
                .collect::<Vec<_>>()
                .join("+")
        })
        .collect()
}

#[test]
fn without_multiplexing_the_first_set_is_used() {
    let scenario = two_gpus(json!([{"agent": 1, "repeat": 3}]));
    let ended = Run::new(&scenario, "pmc: B, pmc: A B").app("vcopy", &[]);
    assert_eq!(counters(&ended, 3), ["B", "B", "B"]);
}

#[test]
fn sets_take_turns_as_the_multiplexing_says() {
    let launch =
        |kernel: u32, agent: u32, lds: u32| json!({"kernel": kernel, "agent": agent, "lds": lds});
    let mut scenario = two_gpus(json!([
        launch(0, 1, 0),
        launch(1, 1, 0),
        launch(0, 2, 0),
        launch(0, 1, 64),
        launch(0, 1, 0),
        launch(1, 1, 0)
    ]));
    scenario["kernels"] = json!([{"name": "_Z1av"}, {"name": "_Z1bv"}]);
    let cases = [
        ("simple", ["A", "B", "A", "A", "B", "A"]),
        ("kernel", ["A", "A", "A", "B", "A", "B"]),
        ("kernel_launch_params", ["A", "A", "A", "A", "B", "B"]),
    ];
    for (mode, expected) in cases {
        let run = Run::new(&scenario, "pmc: A, pmc: B").env("ROCPROF_ITERATION_MULTIPLEXING", mode);
        assert_eq!(counters(&run.app("vcopy", &[]), 6), expected, "{mode}");
    }
}

#[test]
fn launches_two_to_three_of_two_kernels_on_two_gpus_are_eight() {
    let mut dispatches = Vec::new();
    for _ in 0..4 {
        for (kernel, agent) in [(0, 1), (1, 1), (0, 2), (1, 2)] {
            dispatches.push(json!({"kernel": kernel, "agent": agent}));
        }
    }
    let mut scenario = two_gpus(json!(dispatches));
    scenario["kernels"] = json!([{"name": "_Z1av"}, {"name": "_Z1bv"}]);
    let ended = Run::new(&scenario, "pmc: B")
        .env("ROCPROF_KERNEL_FILTER_RANGE", "[2-3]")
        .app("vcopy", &[]);
    let found: Vec<u64> = values(&ended.native_file())
        .into_keys()
        .map(|(dispatch, ..)| dispatch)
        .collect();
    assert_eq!(found, [5, 6, 7, 8, 9, 10, 11, 12]);
}

#[test]
fn only_kernels_whose_demangled_name_matches_are_counted() {
    let mut scenario = two_gpus(
        json!([{"agent": 1, "kernel": 0}, {"agent": 1, "kernel": 1}, {"agent": 1, "kernel": 2}]),
    );
    scenario["kernels"] = json!([
        {"name": "_Z5vcopyPdS_i.kd"}, {"name": "_Z10vcopy_tailPdS_i.kd"}, {"name": "_ZN2at4copyIiEEvT_.kd"}
    ]);
    for (regex, expected) in [
        ("^vcopy$", &[1][..]),
        ("copy", &[1, 2, 3]),
        ("^at::copy<int>$", &[3]),
        (r"_\w+$", &[2]),
    ] {
        let ended = Run::new(&scenario, "pmc: B")
            .env("ROCPROF_KERNEL_FILTER_INCLUDE_REGEX", regex)
            .app("vcopy", &[]);
        let found: Vec<u64> = values(&ended.native_file())
            .into_keys()
            .map(|(dispatch, ..)| dispatch)
            .collect();
        assert_eq!(found, expected, "{regex}");
    }
    let ended = Run::new(&scenario, "pmc: B")
        .env("ROCPROF_KERNEL_FILTER_INCLUDE_REGEX", r"\(")
        .app("vcopy", &[]);
    assert_eq!(
        ended.run.native_files().len(),
        0,
        "the argument list is not searched"
    );
    assert!(
        ended
            .lines()
            .pop()
            .unwrap()
            .contains("nothing was counted, no file was written")
    );
}

#[test]
fn counters_that_an_agent_lacks_are_one_line_for_the_agent_and_the_rest_is_collected() {
    let mut scenario = two_gpus(json!([{"agent": 1}, {"agent": 2}]));
    scenario["agents"][2]["counters"] = json!(["B"]);
    let ended = Run::new(&scenario, "pmc: A B C D").app("vcopy", &[]);
    let found = values(&ended.native_file());
    let expected = [(1, 2, "A"), (1, 2, "B"), (2, 3, "B")].map(|(d, n, c)| (d, n, c.to_owned()));
    assert_eq!(found.into_keys().collect::<Vec<_>>(), expected);
    assert_eq!(
        ended.complaints(),
        [
            "agent 2 (gfx942) has no counter of these names, the rest is collected: C D",
            "agent 3 (gfx950) has no counter of these names, the rest is collected: A C D"
        ]
    );
}

#[test]
fn counters_that_do_not_fit_one_pass_are_said_before_the_first_dispatch() {
    let mut scenario = two_gpus(json!([{"agent": 1}]));
    scenario["max_counters_per_pass"] = json!(1);
    let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &["4"]);
    assert_eq!(ended.status.code(), Some(4));
    let complaints = ended.complaints();
    assert_eq!(complaints.len(), 3, "{complaints:?}");
    assert!(
        complaints[0].contains("agent 2")
            && complaints[0].contains(": A B:")
            && complaints[0].contains("Exceeds hardware limits for collection")
            && complaints[0].ends_with("split the set"),
        "{complaints:?}"
    );
    assert!(ended.run.native_files().is_empty());
    // With multiplexing the sets that fit are used.
    let run =
        Run::new(&scenario, "pmc: A B, pmc: B").env("ROCPROF_ITERATION_MULTIPLEXING", "simple");
    let ended = run.app("vcopy", &[]);
    assert_eq!(
        values(&ended.native_file())
            .into_keys()
            .map(|(.., c)| c)
            .collect::<Vec<_>>(),
        ["B"]
    );
}

#[test]
fn seventy_agents_are_told_apart() {
    let agents: Vec<_> = (0..70)
        .map(|node| json!({"node_id": node, "logical_node_type_id": node}))
        .collect();
    let hidden: Vec<_> = (0..70)
        .map(|node| json!({"node_id": node, "logical_node_id": -1, "logical_node_type_id": -1}))
        .collect();
    for agents in [agents, hidden] {
        let dispatches: Vec<_> = (0..70).map(|agent| json!({"agent": agent})).collect();
        let mut scenario = two_gpus(json!(dispatches));
        scenario["agents"] = json!(agents);
        let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &[]);
        let found = values(&ended.native_file());
        assert_eq!(found.len(), 140);
        for ((dispatch, node, counter), values) in found {
            assert_eq!(u64::from(node) + 1, dispatch);
            assert_eq!(
                values,
                if counter == "A" {
                    a(dispatch, node)
                } else {
                    b(dispatch, node)
                }
            );
        }
    }
}

#[test]
fn records_that_leave_the_agent_out_of_their_id_are_matched_by_name() {
    let mut scenario = two_gpus(json!([{"agent": 1}, {"agent": 2}, {"agent": 1}]));
    scenario["record_ids"] = json!("base");
    let found = values(
        &Run::new(&scenario, "pmc: A B")
            .app("vcopy", &[])
            .native_file(),
    );
    assert_eq!(found.len(), 6);
    for ((dispatch, node, counter), values) in found {
        assert_eq!(
            values,
            if counter == "A" {
                a(dispatch, node)
            } else {
                b(dispatch, node)
            }
        );
    }
}

#[test]
fn a_dispatch_of_more_values_than_a_buffer_holds_is_stored_whole() {
    let mut scenario = two_gpus(json!([{"agent": 1, "repeat": 3}]));
    scenario["counters"] = json!([{"name": "WIDE", "instances": 5000, "per_instance": 1.0}]);
    let found = values(
        &Run::new(&scenario, "pmc: WIDE")
            .app("vcopy", &[])
            .native_file(),
    );
    assert_eq!(found.len(), 3);
    for ((dispatch, ..), values) in found {
        assert_eq!(values.len(), 5000);
        assert_eq!(values[4999], dispatch as f64 + 4999.0);
    }
}

#[test]
fn odd_values_are_stored_as_they_are() {
    let mut scenario = two_gpus(json!([{"agent": 1}]));
    scenario["counters"] = json!([
        {"name": "HUGE", "base": 1e308, "per_dispatch": 0.0}, {"name": "NEGATIVE", "base": -1.0, "per_dispatch": 0.0},
        {"name": "EXACT", "base": 9007199254740993.0_f64, "per_dispatch": 0.0}
    ]);
    let found = values(
        &Run::new(&scenario, "pmc: HUGE NEGATIVE EXACT")
            .app("vcopy", &[])
            .native_file(),
    );
    assert_eq!(
        found.into_values().flatten().collect::<Vec<_>>(),
        [9007199254740992.0, 1e308, -1.0]
    );
}
