//! What is said, and what is not.

use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Stdio;

use preload_tests::files::values;
use preload_tests::{Run, app};
use serde_json::json;

use crate::{eventually, two_gpus};

fn four() -> serde_json::Value {
    two_gpus(json!([{"agent": 1, "repeat": 4}]))
}

#[test]
fn stderr_has_one_line_at_the_start_and_one_at_the_end_and_stdout_none() {
    let ended = Run::new(&four(), "pmc: A B").app("vcopy", &[]);
    assert_eq!(ended.stdout, "copied 4 times\n");
    let lines = ended.lines();
    let [start, end] = &lines[..] else {
        panic!("{}", ended.stderr)
    };
    let file = ended.native_file();
    assert!(
        start.starts_with("version ")
            && start.contains("2 of 3 agents")
            && start.ends_with(file.to_str().unwrap()),
        "{start}"
    );
    assert_eq!(
        *end,
        format!(
            "{}: 4 dispatches, 20 values; lost: 0 dispatches, 0 values",
            file.display()
        )
    );
    assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
}

#[test]
fn without_counters_there_is_no_call_no_file_and_no_word() {
    for counters in ["", "\u{0}unset"] {
        let run = Run::new(&four(), "");
        let mut command = run.command(&app("vcopy"));
        if counters.contains("unset") {
            command.env_remove("ROCPROF_COUNTERS");
        }
        let ended = run.end(command);
        assert_eq!(ended.stdout, "copied 4 times\n");
        assert_eq!(ended.stderr, "");
        assert!(!ended.run.out().exists());
        let calls = ended.run.calls();
        assert!(
            !calls.iter().any(|call| call.starts_with("rocprofiler_")),
            "{calls:?}"
        );
        assert!(calls.contains(&"finalize-done".to_owned()));
    }
}

#[test]
fn nothing_counted_is_no_file() {
    let mut scenario = four();
    scenario["dispatches"] = json!([]);
    let ended = Run::new(&scenario, "pmc: A B").app("vcopy", &[]);
    assert!(!ended.run.out().exists());
    assert_eq!(
        ended.lines()[1..],
        ["nothing was counted, no file was written"]
    );
}

#[test]
fn a_bad_value_is_one_line_at_the_start() {
    let cases = [
        ("ROCPROF_KERNEL_FILTER_RANGE", "[0]", 4),
        ("ROCPROF_KERNEL_FILTER_RANGE", "[-1]", 4),
        ("ROCPROF_KERNEL_FILTER_RANGE", "[3:2]", 4),
        ("ROCPROF_KERNEL_FILTER_RANGE", "[x]", 4),
        ("ROCPROF_KERNEL_FILTER_INCLUDE_REGEX", "(", 4),
        ("ROCPROF_ITERATION_MULTIPLEXING", "some", 4),
        ("ROCPROF_COUNTERS", "A B", 0),
    ];
    for (variable, value, dispatches) in cases {
        let ended = Run::new(&four(), "pmc: B")
            .env(variable, value)
            .app("vcopy", &["6"]);
        assert_eq!(
            (ended.status.code(), ended.stdout.as_str()),
            (Some(6), "copied 4 times\n")
        );
        let lines = ended.lines();
        assert!(
            lines[0].contains(&format!("{variable}={value:?}")),
            "{lines:?}"
        );
        assert_eq!(ended.complaints().len(), 1, "{lines:?}");
        let stored: usize = ended
            .run
            .native_files()
            .iter()
            .map(|file| values(file).len())
            .sum();
        assert_eq!(stored, dispatches, "{variable}={value}");
    }
}

#[test]
fn without_an_output_folder_the_current_one_is_used_and_that_is_said() {
    let run = Run::new(&four(), "pmc: B").env("ROCPROF_OUTPUT_PATH", "");
    let ended = run.app("vcopy", &[]);
    assert!(
        ended.complaints()[0].ends_with("the current directory is used"),
        "{}",
        ended.stderr
    );
    let found = std::fs::read_dir(ended.run.path())
        .unwrap()
        .filter(|entry| {
            entry
                .as_ref()
                .unwrap()
                .file_name()
                .to_str()
                .unwrap()
                .ends_with("_native_counter_collection.db")
        });
    assert_eq!(found.count(), 1);
}

#[test]
fn a_closed_or_broken_stderr_changes_nothing() {
    // Closed; a pipe whose reader is gone; full.
    for redirect in ["2>&-", "2> >(exec 0<&-; exit 0)", "2>/dev/full"] {
        let run = Run::new(&four(), "pmc: A B");
        let mut shell = run.command(Path::new("/bin/bash"));
        shell.env_remove("LD_PRELOAD");
        let tool = preload_tests::tool_library();
        shell.arg("-c").arg(format!(
            "LD_PRELOAD='{}' '{}' 6 {redirect}",
            tool.display(),
            app("vcopy").display()
        ));
        let ended = run.end(shell);
        assert_eq!(
            (ended.status.code(), ended.stdout.as_str()),
            (Some(6), "copied 4 times\n"),
            "{redirect}"
        );
        assert_eq!(values(&ended.native_file()).len(), 8, "{redirect}");
    }
}

/// A file that the application opens gets the number of the stderr that it has closed.
#[test]
fn a_file_that_takes_the_place_of_stderr_is_not_written_to() {
    let run = Run::new(&four(), "pmc: A B")
        .preload(preload_tests::library_folder().join("librocprofiler-sdk.so.1"));
    let script = "import ctypes, os, sys\nsim = ctypes.CDLL(None)\nsim.sim_gpu_init()\nos.close(2)\n\
        assert os.open('precious', os.O_CREAT | os.O_RDWR) == 2\nsim.sim_run()";
    let mut command = run.command(preload_tests::python());
    command.args(["-c", script]);
    let ended = run.end(command);
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(ended.lines().len(), 1, "{}", ended.stderr);
    assert_eq!(
        std::fs::read(ended.run.path().join("precious")).unwrap(),
        b""
    );
    assert_eq!(values(&ended.native_file()).len(), 8);
}

#[test]
fn a_full_pipe_that_nobody_reads_does_not_keep_the_application() {
    let (_reader, writer) = std::io::pipe().unwrap();
    let fd = writer.as_raw_fd();
    // SAFETY: the descriptor is open, and the buffer is valid for its length.
    unsafe {
        libc::fcntl(fd, libc::F_SETFL, libc::O_NONBLOCK);
        while libc::write(fd, [b'x'; 512].as_ptr().cast(), 512) > 0 {}
        libc::fcntl(fd, libc::F_SETFL, 0);
    }
    let run = Run::new(&four(), "pmc: A B");
    let mut command = run.command(&app("vcopy"));
    let mut child = command
        .stderr(writer)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = eventually("the end", || child.try_wait().unwrap());
    assert_eq!(status.code(), Some(0));
    assert_eq!(values(&run.native_files()[0]).len(), 8);
}
