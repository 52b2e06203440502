//! The application dies: what was stored before stays, whole.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;

use preload_tests::Run;
use preload_tests::files::{self, number, values};
use serde_json::json;

use crate::{a, b, eventually, two_gpus, wait_until};

fn check(found: &files::Values) {
    for ((dispatch, node, counter), values) in found {
        assert_eq!(
            *values,
            if counter == "A" {
                a(*dispatch, *node)
            } else {
                b(*dispatch, *node)
            }
        );
    }
}

#[test]
fn a_killed_application_leaves_all_that_was_counted() {
    let deaths = [
        ("pause", Some(libc::SIGKILL)),
        ("segv", Some(libc::SIGSEGV)),
        ("abort", Some(libc::SIGABRT)),
        ("_exit", None),
    ];
    for (how, signal) in deaths {
        let run = Run::new(
            &two_gpus(json!([{"agent": 1, "repeat": 100}, {"agent": 2, "repeat": 20}])),
            "pmc: A B",
        );
        let mut child = run.start("dies", &[how]);
        wait_until(&mut child, "ready");
        // The program does nothing more, and still all of it gets into the file.
        eventually("the values", || {
            let file = run.native_files().pop()?;
            files::try_values(&file)
                .ok()
                .filter(|found| found.len() == 240)
        });
        if how == "pause" {
            child.kill().unwrap();
        } else {
            child.stdin.take().unwrap().write_all(b"x").unwrap();
        }
        let status = child.wait().unwrap();
        match signal {
            Some(signal) => assert_eq!(status.signal(), Some(signal)),
            None => assert_eq!(status.code(), Some(3)),
        }
        let file = run.native_files().pop().unwrap();
        let found = values(&file);
        assert_eq!(found.len(), 240, "{how}");
        check(&found);
        assert_eq!(
            number(&file, "SELECT \"end\" IS NULL FROM \"rocpd_info_process\""),
            1,
            "{how}"
        );
        // What was known before the first value is in the file itself.
        let alone = run.path().join("alone.db");
        std::fs::copy(&file, &alone).unwrap();
        assert_eq!(
            number(&alone, "SELECT count(*) FROM \"rocpd_info_pmc\""),
            4,
            "{how}"
        );
        assert!(
            !file.with_extension("db-shm").exists(),
            "no shared memory file is needed"
        );
    }
}

#[test]
fn an_application_killed_in_the_midst_of_capture_leaves_whole_dispatches() {
    for _ in 0..5 {
        // The program launches on agent 0; that has to be a GPU here. A file that grows too fast
        // cannot be looked at while it grows.
        let mut scenario = two_gpus(json!([]));
        scenario["agents"].as_array_mut().unwrap().remove(0);
        scenario["interval_us"] = json!(100);
        let run = Run::new(&scenario, "pmc: A B").env("SIM_SDK_CALLS", "/dev/null");
        let mut child = run.start("dies", &["forever"]);
        wait_until(&mut child, "running");
        let seen = eventually("values", || {
            let file = run.native_files().pop()?;
            files::try_values(&file)
                .ok()
                .filter(|found| found.len() > 2000)
        });
        child.kill().unwrap();
        child.wait().unwrap();
        let found = values(&run.native_files().pop().unwrap());
        check(&found);
        assert_eq!(found.len() % 2, 0);
        assert!(
            found.len() >= seen.len(),
            "what was there before the death is there after it"
        );
        assert!(seen.keys().all(|key| found.contains_key(key)));
    }
}

#[test]
fn the_exit_status_is_the_applications() {
    for (how, code) in [("exit", 3), ("return", 3)] {
        let run = Run::new(&two_gpus(json!([{"agent": 1, "repeat": 10}])), "pmc: A B");
        let mut child = run.start("dies", &[how]);
        wait_until(&mut child, "ready");
        drop(child.stdin.take());
        let mut rest = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut rest)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code));
        let file = run.native_files().pop().unwrap();
        assert_eq!(values(&file).len(), 20);
        assert_eq!(
            number(&file, "SELECT \"end\" IS NULL FROM \"rocpd_info_process\""),
            0
        );
    }
}
