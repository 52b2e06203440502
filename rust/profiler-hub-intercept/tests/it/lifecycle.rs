//! Runtimes that come late, twice, old, new, and go; registration that comes too late.

use crate::process::{Runtime, Stage};

const ALL: &str = "tool-b tool-a sdk real";
const TOOLS: [&str; 2] = ["tool-a", "tool-b"];

#[test]
fn a_second_copy_of_a_runtime_has_its_own_chain() {
    for runtime in [Runtime::C(""), Runtime::Rust] {
        let stage = Stage::new(&TOOLS, "tool-a=observe");
        let first = stage.runtime(runtime);
        let second = stage.copy(&first, "libsecond.so");
        // The simulated SDK wraps the first copy only.
        let log = stage.passes(&[
            "load",
            &first,
            "expect",
            ALL,
            "foo",
            "tick",
            "tick",
            "load",
            &second,
            "expect",
            "tool-b tool-a real",
            "foo",
            "tick",
            "ticks",
            "1",
            "load",
            &first,
            "expect",
            ALL,
            "foo",
            "ticks",
            "2",
        ]);
        for instance in ["instance 0", "instance 1"] {
            let line = format!("handover kind 65536 version 10203 {instance}");
            assert_eq!(log.matches(&line).count(), 2, "{log}");
        }
    }
}

#[test]
fn more_copies_than_there_is_room_for_are_refused_and_left_alone() {
    let stage = Stage::new(&["tool-a"], "");
    let first = stage.runtime(Runtime::C(""));
    let copies: Vec<String> = (1..6)
        .map(|number| stage.copy(&first, &format!("lib{number}.so")))
        .collect();
    let mut arguments = vec!["load", &first, "expect", "tool-a sdk real", "foo"];
    for (number, copy) in copies.iter().enumerate() {
        // Room for four: the first and three copies.
        let layers = if number < 3 { "tool-a real" } else { "real" };
        arguments.extend(["load", copy, "expect", layers, "foo", "tick"]);
    }
    let log = stage.passes(&arguments);
    assert!(
        log.contains("4 copies of its runtime are wrapped already"),
        "{log}"
    );
}

#[test]
fn an_older_table_is_not_read_past_its_end() {
    let stage = Stage::new(&TOOLS, "");
    let library = stage.runtime(Runtime::C("-DOLD_TABLE"));
    let log = stage.passes(&[
        "load", &library, "expect", ALL, "foo", "point", "expect", "real", "swap", "copy", "tick",
    ]);
    assert!(
        log.contains(
            "the slot demo_swap of demo_table_t is at byte 24, but the runtime's table has 24 bytes"
        ),
        "{log}"
    );
    assert!(log.contains("tool-a: size 24 unknown slots 0"), "{log}");
}

#[test]
fn a_newer_table_keeps_what_is_unknown() {
    let stage = Stage::new(&TOOLS, "");
    let library = stage.runtime(Runtime::C("-DNEW_TABLE"));
    let log = stage.passes(&["load", &library, "expect", ALL, "foo", "copy", "tick"]);
    assert!(log.contains("tool-a: size 80 unknown slots 1"), "{log}");
}

#[test]
fn a_null_slot_is_reported_and_left_alone() {
    let stage = Stage::new(&TOOLS, "");
    let library = stage.runtime(Runtime::C("-DNULL_SLOT"));
    let log = stage.passes(&["load", &library, "expect", ALL, "foo", "swap", "tick"]);
    assert!(
        log.contains("the slot demo_copy of demo_table_t holds NULL"),
        "{log}"
    );
}

#[test]
fn a_wrapper_goes_into_a_chain_once() {
    for mode in ["replace", "observe"] {
        let stage = Stage::new(&["tool-a"], mode);
        let library = stage.runtime(Runtime::C(""));
        let layers = "tool-a sdk real";
        let log = stage.passes(&["load", &library, "expect", layers, "foo", "tick"]);
        assert!(
            log.contains("this wrapper is in the chain of this table already"),
            "{log}"
        );
    }
}

#[test]
fn registration_after_the_lock_is_refused_with_its_status() {
    let stage = Stage::new(&["tool-a"], "");
    let library = stage.runtime(Runtime::Rust);
    let tool = stage
        .path("tool-a.so")
        .into_os_string()
        .into_string()
        .unwrap();
    let log = stage.passes(&[
        "load",
        &library,
        "expect",
        "tool-a sdk real",
        "foo",
        "tool",
        &tool,
        "demo_tool_register",
        "1",
    ]);
    let refusals = log
        .matches(
            "returned 16 (ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED: Configuration request \
             occurred outside of valid configuration period); the tools are configured already",
        )
        .count();
    assert_eq!(
        refusals, 2,
        "once in initialize, once by the program: {log}"
    );
    assert!(log.starts_with("tool-a: registered\n"), "{log}");
}

#[test]
fn registration_without_an_sdk_says_so() {
    let mut stage = Stage::without_sdk();
    let tool = crate::process::cdylib("demo_runtime_tool");
    stage.preload_first(tool.clone());
    let tool = tool.into_os_string().into_string().unwrap();
    let log = stage.passes(&["tool", &tool, "demo_tool_register", "1"]);
    assert!(log.contains("is rocprofiler-sdk in this process?"), "{log}");
}

#[test]
fn unwrapping_works_on_top_and_only_there() {
    let stage = Stage::new(&TOOLS, "tool-a=observe");
    let library = stage.runtime(Runtime::Rust);
    let path = |tool: &str| stage.path(tool).into_os_string().into_string().unwrap();
    let (a, b) = (path("tool-a.so"), path("tool-b.so"));
    let log = stage.passes(&[
        "load",
        &library,
        "expect",
        ALL,
        "foo",
        "mark",
        "m", // 7 and 5 functions are wrapped
        "tool",
        &a,
        "demo_tool_remove",
        "12",
        "foo",
        "tick",
        "tool",
        &b,
        "demo_tool_remove",
        "0",
        "expect",
        "tool-a sdk real",
        "foo",
        "tick",
        "mark",
        "m",
        "tool",
        &b,
        "demo_tool_remove",
        "12",
        "tool",
        &a,
        "demo_tool_remove",
        "0",
        "expect",
        "sdk real",
        "foo",
        "tick",
        "mark",
        "m",
    ]);
    assert!(
        log.contains("tool-a: cannot unwrap demo_foo: somebody wrapped it after us"),
        "{log}"
    );
    assert!(
        log.contains("tool-b: cannot unwrap demo_foo: this wrapper is not in its slot any more"),
        "{log}"
    );
}

#[test]
fn a_runtime_that_is_unloaded_and_back_is_wrapped_again() {
    let stage = Stage::new(&TOOLS, "tool-b=observe");
    let library = stage.runtime(Runtime::C(""));
    let mut arguments = vec![
        "load", &library, "expect", ALL, "foo", "unload", "gone", &library,
    ];
    // More often than there are instances to keep apart.
    for _ in 0..6 {
        arguments.extend([
            "load",
            &library,
            "expect",
            "tool-b tool-a real",
            "foo",
            "tick",
        ]);
        arguments.extend(["ticks", "1", "unload", "gone", &library]);
    }
    let log = stage.passes(&arguments);
    assert!(log.contains("instance 6"), "{log}");
}

#[test]
fn unwrapping_after_the_runtime_is_gone_says_so() {
    let stage = Stage::new(&["tool-a"], "");
    let library = stage.runtime(Runtime::C(""));
    let tool = stage
        .path("tool-a.so")
        .into_os_string()
        .into_string()
        .unwrap();
    let log = stage.passes(&[
        "load",
        &library,
        "expect",
        "tool-a sdk real",
        "foo",
        "unload",
        "gone",
        &library,
        "tool",
        &tool,
        "demo_tool_remove",
        "7",
    ]);
    assert!(
        log.contains("its runtime has been unloaded, and the table with it"),
        "{log}"
    );
}

#[test]
fn a_tool_that_is_closed_stays_while_tables_point_into_it() {
    // Loaded by the SDK from ROCP_TOOL_LIBRARIES, then closed as often as it was opened.
    let stage = Stage::new(&[], "");
    let library = stage.runtime(Runtime::C(""));
    let tool = stage.copy(
        &crate::process::cdylib("demo_runtime_tool")
            .into_os_string()
            .into_string()
            .unwrap(),
        "tool-a.so",
    );
    let output = stage
        .command("driver")
        .env("ROCP_TOOL_LIBRARIES", &tool)
        .args([
            "load",
            &library,
            "expect",
            "tool-a sdk real",
            "foo",
            "close",
            &tool,
            "foo",
            "tick",
        ])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_forked_child_calls_through_the_same_chain() {
    for runtime in [Runtime::C(""), Runtime::Rust] {
        let stage = Stage::new(&TOOLS, "");
        let library = stage.runtime(runtime);
        stage.passes(&[
            "load", &library, "expect", ALL, "foo", "fork", "foo", "point", "tick",
        ]);
        // And one that makes the first call itself.
        stage.passes(&["load", &library, "fork", "expect", ALL, "foo", "tick"]);
    }
}
