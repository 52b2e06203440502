//! Chains of tools over the runtimes: results, order, threads, wrappers that misbehave.

use crate::process::{Runtime, Stage};

const RUNTIMES: [Runtime; 2] = [Runtime::C(""), Runtime::Rust];
const CALLS: [&str; 6] = ["foo", "point", "swap", "copy", "tick", "each"];

/// The layers of a call, outermost first: the last tool is on top, the SDK below the first.
fn layers(tools: &[&str]) -> String {
    let mut layers: Vec<&str> = tools.to_vec();
    layers.reverse();
    layers.extend(["sdk", "real"]);
    layers.join(" ")
}

#[test]
fn chains_of_none_to_three_tools_keep_order_and_results() {
    for runtime in RUNTIMES {
        for (count, mode) in [
            (0, ""),
            (1, "replace"),
            (1, "observe"),
            (2, "replace"),
            (2, "tool-b=observe"),
            (3, "replace"),
            (3, "observe"),
            (3, "tool-b=observe"),
        ] {
            let tools = &["tool-a", "tool-b", "tool-c"][..count];
            let stage = Stage::new(tools, mode);
            let library = stage.runtime(runtime);
            let (all, no_sdk) = (layers(tools), layers(tools).replace("sdk ", ""));
            let mut arguments = vec!["load", &library, "expect", &all];
            arguments.extend(&CALLS[..5]);
            // The simulated SDK wraps neither of these two.
            let nested = format!("{no_sdk} {all}");
            arguments.extend(["expect", &no_sdk, "each", "expect", &nested, "nested"]);
            stage.passes(&arguments);
        }
    }
}

#[test]
fn an_offering_library_exports_its_functions_and_nothing_else() {
    let output = std::process::Command::new("readelf")
        .args(["-W", "--dyn-syms"])
        .arg(crate::process::cdylib("demo_runtime"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let exported: Vec<&str> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|fields| fields.len() >= 8 && fields[6] != "UND" && fields[4] == "GLOBAL")
        .filter(|fields| ["FUNC", "OBJECT", "TLS"].contains(&fields[3]))
        .map(|fields| fields[7])
        .collect();
    for name in [
        "demo_foo",
        "demo_each",
        "roctxMarkA",
        "roctxNameHipStream",
        "plain_next",
    ] {
        assert!(exported.contains(&name), "{name} is not exported");
    }
    let foreign = |name: &&&str| {
        !["demo_", "roctx", "plain_"]
            .iter()
            .any(|own| name.starts_with(own))
    };
    assert_eq!(exported.iter().find(foreign), None);
    assert_eq!(exported.len(), 8 + 12 + 1);
}

#[test]
fn without_an_sdk_the_real_functions_are_called() {
    for runtime in RUNTIMES {
        let stage = Stage::without_sdk();
        let library = stage.runtime(runtime);
        let mut arguments = vec!["load", &library, "expect", "real"];
        arguments.extend(CALLS);
        stage.passes(&arguments);
    }
}

#[test]
fn tools_without_an_sdk_do_nothing() {
    let mut stage = Stage::without_sdk();
    stage.preload_first(crate::process::cdylib("demo_runtime_tool"));
    let library = stage.runtime(Runtime::Rust);
    stage.passes(&["load", &library, "expect", "real", "foo", "tick"]);
    assert_eq!(stage.log(), "", "nobody has called the tool");
}

#[test]
fn roctx_is_wrapped_with_its_own_types() {
    let stage = Stage::new(&["tool-a", "tool-b"], "tool-a=observe");
    let library = stage.runtime(Runtime::Rust);
    let all = layers(&["tool-a", "tool-b"]);
    let log = stage.passes(&[
        "load", &library, "expect", &all, "mark", "m", "push", "outer", "push", "inner", "pop",
        "1", "pop", "0", "pop", "-1", "start", "s", "stop",
    ]);
    assert!(
        log.contains("handover kind 8 version 40100 instance 0 tables 1"),
        "{log}"
    );
}

#[test]
fn eight_threads_with_a_million_calls_each_lose_none() {
    for runtime in RUNTIMES {
        let stage = Stage::new(&["tool-a", "tool-b", "tool-c"], "tool-b=observe");
        let library = stage.runtime(runtime);
        stage.passes(&[
            "load", &library, "threads", "8", "1000000", "ticks", "8000000",
        ]);
    }
}

#[test]
fn threads_that_make_the_first_call_together_all_pass_the_tools() {
    for runtime in RUNTIMES {
        let stage = Stage::new(&["tool-a"], "");
        let library = stage.runtime(runtime);
        let all = layers(&["tool-a"]);
        for run in 1..=20 {
            let log = stage.passes(&["load", &library, "expect", &all, "starters", "8"]);
            assert_eq!(log.matches("handover").count(), run, "{log}");
        }
    }
}

#[test]
fn tool_code_that_calls_the_api_is_not_wrapped_itself() {
    let mut stage = Stage::new(&["tool-a", "tool-b"], "tool-b=reenter");
    let library = stage.runtime(Runtime::C(""));
    // Preloaded, so that the tool finds the public function. Its tick goes through the chain: tool-b
    // is in its own code and is passed by, the others are not.
    stage.preload_first(library.clone().into());
    stage.passes(&[
        "load",
        &library,
        "expect",
        "tool-b tool-a sdk real tool-a sdk real",
        "foo",
        "ticks",
        "1",
    ]);
}

#[test]
fn a_replacement_may_change_arguments_and_call_as_often_as_it_likes() {
    let stage = Stage::new(&["tool-a", "tool-b"], "tool-b=twice");
    let library = stage.runtime(Runtime::C(""));
    let layers = "tool-b tool-a sdk real tool-a sdk real";
    stage.passes(&["load", &library, "expect", layers, "foo=", "42", "10"]);
}

#[test]
fn a_panicking_wrapper_is_passed_by_and_the_call_is_made_once() {
    for (mode, name) in [
        ("tool-b=panic-before", "before the next function"),
        ("tool-b=panic-after", "after the next function returned 85"),
        ("tool-b=panic-observer", "42 gave 85 in instance 0"),
    ] {
        let stage = Stage::new(&["tool-a", "tool-b", "tool-c"], mode);
        let library = stage.runtime(Runtime::C(""));
        let all = layers(&["tool-a", "tool-b", "tool-c"]);
        let without = layers(&["tool-a", "tool-c"]);
        let output = stage.drive(&[
            "load", &library, "expect", &all, "foo", "expect", &without, "foo", "foo", "expect",
            &all, "tick",
        ]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{mode}: {:?} {stderr}",
            output.status
        );
        assert_eq!(stderr.matches(name).count(), 1, "said once: {stderr}");
    }
}

#[test]
fn a_panic_in_a_handover_leaves_the_other_tools_alone() {
    let stage = Stage::new(&["tool-a", "tool-b"], "tool-a=panic-in-handover");
    let library = stage.runtime(Runtime::Rust);
    let all = layers(&["tool-b"]);
    let output = stage.drive(&["load", &library, "expect", &all, "foo", "point"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_panicking_real_function_returns_the_value_it_names() {
    let stage = Stage::new(&["tool-a"], "");
    let library = stage.runtime(Runtime::Rust);
    let all = layers(&["tool-a"]);
    let largest = i32::MAX.to_string();
    let output = stage.drive(&["load", &library, "expect", &all, "foo=", "-1", &largest]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
