//! An SDK that fails, call by call. The application never notices.

use preload_tests::files::values;
use preload_tests::{Ended, Run, app, library_folder};
use serde_json::{Value, json};

use crate::{a, b, two_gpus};

fn with_fault(mut scenario: Value, fault: Value) -> Value {
    scenario["faults"] = json!([fault]);
    scenario
}

fn is_untouched(ended: &Ended) {
    assert_eq!(ended.status.code(), Some(6), "{}", ended.stderr);
    assert_eq!(ended.stdout, "copied 4 times\n");
}

fn four() -> Value {
    two_gpus(json!([{"agent": 1, "repeat": 2}, {"agent": 2, "repeat": 2}]))
}

#[test]
fn any_call_may_fail_always_or_once() {
    let calls = [
        "rocprofiler_create_context",
        "rocprofiler_start_context",
        "rocprofiler_query_available_agents",
        "rocprofiler_iterate_agent_supported_counters",
        "rocprofiler_query_counter_info",
        "rocprofiler_create_counter_config",
        "rocprofiler_configure_callback_dispatch_counting_service",
        "rocprofiler_query_record_counter_id",
    ];
    for call in calls {
        for times in [None, Some(1)] {
            let fault = json!({"call": call, "status": 1, "times": times});
            let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
            is_untouched(&ended);
            let complaint = ended.complaints().join("\n");
            assert!(
                complaint.contains(call)
                    && complaint.contains("ROCPROFILER_STATUS_ERROR: General error"),
                "{complaint}"
            );
            // Whatever is stored is right and whole.
            for file in ended.run.native_files() {
                for ((dispatch, node, counter), values) in values(&file) {
                    assert_eq!(
                        values,
                        if counter == "A" {
                            a(dispatch, node)
                        } else {
                            b(dispatch, node)
                        },
                        "{call}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_failing_registration_for_the_hsa_table_starts_counting_in_initialize() {
    let fault = json!({"call": "rocprofiler_at_intercept_table_registration", "status": 16});
    let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
    is_untouched(&ended);
    assert_eq!(values(&ended.native_file()).len(), 8);
    assert!(ended.complaints().is_empty());
    let calls = ended.run.calls();
    assert!(
        calls.contains(&"rocprofiler_start_context initializing".to_owned()),
        "{calls:?}"
    );
}

#[test]
fn the_context_is_started_when_the_hsa_table_is_registered() {
    let ended = Run::new(&four(), "pmc: A B").app("vcopy", &["6"]);
    let calls = ended.run.calls();
    let position = |name: &str| calls.iter().position(|call| call == name);
    assert!(
        position("table 1") < position("rocprofiler_start_context running"),
        "{calls:?}"
    );
    assert!(
        position("rocprofiler_query_available_agents running") > position("table 1"),
        "{calls:?}"
    );
    let count = calls
        .iter()
        .filter(|call| call.starts_with("rocprofiler_query_available_agents"))
        .count();
    assert_eq!(count, 1);
}

#[test]
fn without_code_objects_everything_is_counted_and_a_filter_is_off() {
    let fault = json!({"call": "rocprofiler_configure_callback_tracing_service", "status": 17});
    let run = Run::new(&with_fault(four(), fault), "pmc: A B")
        .env("ROCPROF_KERNEL_FILTER_INCLUDE_REGEX", "nothing");
    let ended = run.app("vcopy", &["6"]);
    is_untouched(&ended);
    assert_eq!(values(&ended.native_file()).len(), 8);
    let [line] = &ended.complaints()[..] else {
        panic!("{:?}", ended.complaints())
    };
    assert!(
        line.contains("rocprofiler_configure_callback_tracing_service")
            && line.ends_with("all kernels are counted"),
        "{line}"
    );
}

#[test]
fn an_agent_that_answers_an_error_is_left_out_and_the_others_are_complete() {
    for call in [
        "rocprofiler_iterate_agent_supported_counters",
        "rocprofiler_create_counter_config",
    ] {
        let fault = json!({"call": call, "status": 39, "node_id": 2});
        let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
        is_untouched(&ended);
        let found = values(&ended.native_file());
        assert_eq!(found.len(), 4);
        assert!(found.keys().all(|(_, node, _)| *node == 3));
        let [line] = &ended.complaints()[..] else {
            panic!("{:?}", ended.complaints())
        };
        assert!(
            line.contains("agent 2 (gfx942)")
                && line.contains(call)
                && line.contains("39")
                && line.contains("Agent HW architecture is not supported"),
            "{line}"
        );
    }
}

#[test]
fn a_record_that_could_not_be_told_once_costs_one_dispatch() {
    let call = "rocprofiler_query_record_counter_id";
    let fault = json!({"call": call, "status": 1, "times": 1});
    let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
    is_untouched(&ended);
    assert_eq!(values(&ended.native_file()).len(), 6, "{}", ended.stderr);

    let fault = json!({"call": call, "status": 1});
    let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
    is_untouched(&ended);
    assert_eq!(ended.complaints().len(), 1, "{}", ended.stderr);
}

#[test]
fn a_counter_that_the_sdk_does_not_tell_costs_only_itself() {
    let fault = json!({"call": "rocprofiler_query_counter_info", "status": 1, "times": 1});
    for (counters, rows, complaints) in [("pmc: A B", 6, 1), ("pmc: B", 4, 0)] {
        let scenario = with_fault(four(), fault.clone());
        let ended = Run::new(&scenario, counters).app("vcopy", &["6"]);
        is_untouched(&ended);
        assert_eq!(values(&ended.native_file()).len(), rows, "{}", ended.stderr);
        assert_eq!(ended.complaints().len(), complaints, "{}", ended.stderr);
    }
}

#[test]
fn where_nothing_is_counted_the_reason_is_the_right_one() {
    for call in [
        "rocprofiler_query_available_agents",
        "rocprofiler_iterate_agent_supported_counters",
        "rocprofiler_create_counter_config",
    ] {
        let fault = json!({"call": call, "status": 38});
        let ended = Run::new(&with_fault(four(), fault), "pmc: A B").app("vcopy", &["6"]);
        is_untouched(&ended);
        assert!(ended.stderr.contains(call), "{}", ended.stderr);
        let last = ended.complaints().pop().unwrap();
        assert_eq!(last, "nothing is counted, for the reason said above");
    }
}

#[test]
fn a_missing_function_is_named_in_one_line_if_it_is_needed() {
    // The library with a name spoilt in its string table: the function is not there.
    let original = std::fs::read(library_folder().join("librocprofiler-sdk.so.1")).unwrap();
    let needed = [
        "rocprofiler_create_context",
        "rocprofiler_start_context",
        "rocprofiler_query_available_agents",
        "rocprofiler_iterate_agent_supported_counters",
        "rocprofiler_query_counter_info",
        "rocprofiler_create_counter_config",
        "rocprofiler_configure_callback_dispatch_counting_service",
        "rocprofiler_query_record_counter_id",
    ];
    let optional = [
        "rocprofiler_at_intercept_table_registration",
        "rocprofiler_configure_callback_tracing_service",
        "rocprofiler_get_status_name",
        "rocprofiler_get_status_string",
    ];
    for name in needed.into_iter().chain(optional) {
        let mut library = original.clone();
        // The names that are looked up lie at the beginning of the file.
        let names = &original[..1 << 16];
        let symbol = format!("\0{name}\0").into_bytes();
        let at: Vec<usize> = (0..names.len() - symbol.len())
            .filter(|at| names[*at..].starts_with(&symbol))
            .collect();
        assert_eq!(at.len(), 1);
        for at in at {
            library[at + 1] = b'X';
        }
        let run = Run::new(&four(), "pmc: A B");
        std::fs::write(run.path().join("librocprofiler-sdk.so.1"), library).unwrap();
        let mut command = run.command(&app("vcopy"));
        // The program's own path to the library comes first: preloading comes before that.
        let tool = preload_tests::tool_library();
        let sdk = run.path().join("librocprofiler-sdk.so.1");
        command.arg("6").env(
            "LD_PRELOAD",
            format!("{} {}", sdk.display(), tool.display()),
        );
        let ended = run.end(command);
        is_untouched(&ended);
        if optional.contains(&name) {
            assert_eq!(values(&ended.native_file()).len(), 8, "{name}");
            assert!(ended.complaints().is_empty(), "{:?}", ended.complaints());
        } else {
            let [line] = &ended.complaints()[..] else {
                panic!("{name}: {:?}", ended.stderr)
            };
            assert!(
                line.contains(&format!("has no {name};")) && line.ends_with("nothing is counted"),
                "{line}"
            );
            assert!(ended.run.native_files().is_empty());
        }
    }
}

#[test]
fn an_sdk_of_another_major_version_is_refused() {
    for version in [600, 20000] {
        let mut scenario = four();
        scenario["sdk_version"] = json!(version);
        let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &["6"]);
        is_untouched(&ended);
        let [line] = &ended.lines()[..] else {
            panic!("{:?}", ended.stderr)
        };
        assert!(
            line.starts_with("cannot work with rocprofiler-sdk")
                && line.ends_with("nothing is counted"),
            "{line}"
        );
    }
    let mut scenario = four();
    scenario["sdk_version"] = json!(10203);
    assert_eq!(
        values(
            &Run::new(&scenario, "pmc: A B")
                .app("vcopy", &["6"])
                .native_file()
        )
        .len(),
        8
    );
}

#[test]
fn records_after_the_end_are_counted_and_nothing_is_called_from_finalize() {
    for twice in [false, true] {
        let mut scenario = four();
        scenario["late_dispatches"] = json!(2);
        scenario["finalize_twice"] = json!(twice);
        let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &["6"]);
        is_untouched(&ended);
        assert_eq!(
            values(&ended.native_file()).len(),
            4,
            "the first two dispatches come too late"
        );
        let said = ended.stderr.contains("2 dispatches came after the end");
        assert_eq!(said, twice, "{}", ended.stderr);
        let calls = ended.run.calls();
        assert!(
            !calls
                .iter()
                .any(|call| call.starts_with("rocprofiler_") && call.ends_with(" finalizing")),
            "{calls:?}"
        );
        assert_eq!(
            ended
                .lines()
                .iter()
                .filter(|line| line.contains("lost: "))
                .count(),
            1
        );
    }
}

#[test]
fn records_that_come_while_the_program_ends_are_stored_whole_or_counted_as_lost() {
    let dispatches: Vec<_> = (0..4)
        .map(|thread| json!({"agent": 1, "thread": thread, "repeat": 1_000_000}))
        .collect();
    let ended = Run::new(&two_gpus(json!(dispatches)), "pmc: A B").app("background", &[]);
    assert_eq!(ended.status.code(), Some(5));
    assert_eq!(ended.stdout, "leaving\n");
    let found = values(&ended.native_file());
    assert!(found.len() >= 2 * 900, "{}", found.len());
    for ((dispatch, node, counter), values) in &found {
        assert_eq!(
            *values,
            if counter == "A" {
                a(*dispatch, *node)
            } else {
                b(*dispatch, *node)
            }
        );
    }
    let stored = found.len() / 2;
    assert!(
        ended
            .lines()
            .pop()
            .unwrap()
            .contains(&format!(": {stored} dispatches, {} values;", stored * 5))
    );
}
