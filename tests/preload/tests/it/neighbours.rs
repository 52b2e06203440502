//! What else is in the process: another SQLite, thread-locals, an SDK that others loaded.

use std::process::Command;

use preload_tests::files::{texts, values};
use preload_tests::{Run, library_folder, python, tool_library};
use serde_json::json;

use crate::{a, b, two_gpus};

#[test]
fn python_with_its_own_sqlite_works_and_so_does_the_tool() {
    let scenario =
        two_gpus(json!([{"agent": 1, "repeat": 3000}, {"agent": 2, "repeat": 3000, "thread": 1}]));
    let run =
        Run::new(&scenario, "pmc: A B").preload(library_folder().join("librocprofiler-sdk.so.1"));
    let mut command = run.command(python());
    command
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../apps/vcopy.py"))
        .arg(run.path());
    let ended = run.end(command);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
    let words: Vec<&str> = ended.stdout.split_whitespace().collect();
    assert_eq!(words[1..], ["49995000", "ok"]);
    assert_ne!(
        words[0],
        rusqlite::version(),
        "the test is worth nothing with one and the same SQLite"
    );
    let found = values(&ended.native_file());
    assert_eq!(found.len(), 12000);
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
    // Each can read the other's file.
    let own = ended.run.path().join("own.db");
    assert_eq!(texts(&own, "PRAGMA integrity_check"), ["ok"]);
    let script = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM rocpd_pmc_event').fetchone())";
    let output = Command::new(python())
        .args(["-c", script])
        .arg(ended.native_file())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "30000\n");
}

#[test]
fn an_sdk_in_a_scope_of_its_own_is_found_and_not_loaded_again() {
    let run = Run::new(&two_gpus(json!([{"agent": 1}])), "pmc: A B");
    let script = "import ctypes, os, sys\nsdk = ctypes.CDLL(sys.argv[1], mode=os.RTLD_LOCAL | os.RTLD_NOW)\nsdk.sim_run()\n\
        print(len({line.split()[-1] for line in open('/proc/self/maps') if 'rocprofiler-sdk' in line or 'sim_sdk' in line}))";
    let mut command = run.command(python());
    command
        .args(["-c", script])
        .arg(library_folder().join("librocprofiler-sdk.so.1"));
    let ended = run.end(command);
    assert_eq!(ended.stdout, "1\n", "{}", ended.stderr);
    assert_eq!(values(&ended.native_file()).len(), 2);
}

/// One SDK is in the global scope and does nothing; another copy, under a name of its own, calls.
#[test]
fn of_two_sdks_the_one_that_calls_is_used_and_a_second_caller_is_refused() {
    let idle = library_folder().join("librocprofiler-sdk.so.1");
    let folder = tempfile::TempDir::new().unwrap();
    let copy = folder.path().join("libanother.so.1");
    std::fs::copy(&idle, &copy).unwrap();
    let script = "import ctypes, os, sys\nfor path in sys.argv[1:]: ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW).sim_run()";
    for second in [false, true] {
        let run = Run::new(&two_gpus(json!([{"agent": 1}])), "pmc: A B").preload(idle.clone());
        let mut command = run.command(python());
        command.args(["-c", script]).arg(&copy);
        if second {
            command.arg(&idle);
        }
        let ended = run.end(command);
        assert_eq!(ended.status.code(), Some(0), "{}", ended.stderr);
        assert_eq!(values(&ended.native_file()).len(), 2, "{}", ended.stderr);
        let complaints = ended.complaints();
        assert_eq!(complaints.len(), usize::from(second), "{complaints:?}");
        assert!(
            complaints
                .iter()
                .all(|line| line.contains("a second rocprofiler-sdk"))
        );
    }
}

#[test]
fn the_tool_exports_one_symbol() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only"])
        .arg(tool_library())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(names, ["rocprofiler_configure"]);
}
