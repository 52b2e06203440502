//! A disk that does not take the values, and names that are taken.

use std::os::unix::process::CommandExt;

use preload_tests::files::{texts, values};
use preload_tests::{Run, app};
use serde_json::json;

use crate::{a, b, two_gpus};

fn four() -> serde_json::Value {
    two_gpus(json!([{"agent": 1, "repeat": 4}]))
}

#[test]
fn a_folder_that_cannot_be_made_is_one_line_and_the_application_goes_on() {
    for folder in ["/proc/none/here", "/dev/null/here"] {
        let ended = Run::new(&four(), "pmc: A B")
            .env("ROCPROF_OUTPUT_PATH", folder)
            .app("vcopy", &["6"]);
        assert_eq!(
            (ended.status.code(), ended.stdout.as_str()),
            (Some(6), "copied 4 times\n")
        );
        let [line] = &ended.complaints()[..] else {
            panic!("{:?}", ended.stderr)
        };
        assert!(
            line.contains(folder) && line.contains("are not stored any more"),
            "{line}"
        );
        assert!(
            ended
                .lines()
                .pop()
                .unwrap()
                .contains("0 dispatches, 0 values; lost: 4 dispatches, 20 values"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_folder_that_is_not_there_is_made() {
    let run = Run::new(&four(), "pmc: A B");
    let folder = run.path().join("out/pmc_perf_0/a b/c");
    let ended = run.env("ROCPROF_OUTPUT_PATH", &folder).app("vcopy", &[]);
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "{}",
        ended.stderr
    );
}

/// The limit on a file's size stands for a full disk; both are errors of the same write.
#[test]
fn a_full_disk_is_one_line_and_what_was_stored_before_stays() {
    let mut dispatches: Vec<_> = (0..4)
        .map(|thread| json!({"agent": 1, "thread": thread, "repeat": 50_000}))
        .collect();
    dispatches.push(json!({"agent": 1, "thread": 0}));
    let run = Run::new(&two_gpus(json!(dispatches)), "pmc: A B").env("SIM_SDK_CALLS", "/dev/null");
    let mut command = run.command(&app("vcopy"));
    command.arg("6");
    // SAFETY: setrlimit may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit {
                rlim_cur: 6 << 20,
                rlim_max: 6 << 20,
            };
            match libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    let ended = run.end(command);
    assert_eq!(
        (ended.status.code(), ended.stdout.as_str()),
        (Some(6), "copied 200001 times\n"),
        "{}",
        ended.stderr
    );
    let [line] = &ended.complaints()[..] else {
        panic!("{:?}", ended.stderr)
    };
    assert!(line.contains("are not stored any more"), "{line}");
    let found = values(&ended.native_file());
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
    let (stored, lost) = (found.len() / 2, 200_001 - found.len() / 2);
    let end = ended.lines().pop().unwrap().to_owned();
    assert!(
        end.contains(&format!(
            "{stored} dispatches, {} values; lost: {lost} dispatches",
            stored * 5
        )),
        "{end}"
    );
}

/// A program that replaces itself keeps its pid, and a pid may come again.
#[test]
fn a_file_that_is_there_is_never_overwritten() {
    let run = Run::new(&four(), "pmc: A B");
    let mut shell = run.command(std::path::Path::new("/bin/bash"));
    let program = app("vcopy");
    let out = run.out();
    shell.arg("-c").arg(format!(
        "mkdir -p '{0}'; echo precious > '{0}'/$$_native_counter_collection.db; exec '{1}' 6",
        out.display(),
        program.display()
    ));
    let ended = run.end(shell);
    assert_eq!(ended.status.code(), Some(6));
    let files = ended.run.native_files();
    assert_eq!(files.len(), 2, "{files:?}");
    let (precious, ours): (Vec<_>, Vec<_>) = files
        .into_iter()
        .partition(|file| std::fs::read(file).unwrap().starts_with(b"precious"));
    assert_eq!((precious.len(), ours.len()), (1, 1));
    assert!(
        ours[0]
            .to_str()
            .unwrap()
            .ends_with("_native_counter_collection_2.db"),
        "{ours:?}"
    );
    assert_eq!(values(&ours[0]).len(), 8);
    assert_eq!(texts(&ours[0], "PRAGMA integrity_check"), ["ok"]);
    let [line] = &ended.complaints()[..] else {
        panic!("{:?}", ended.stderr)
    };
    assert!(
        line.contains("is taken") && line.contains("_2.db"),
        "{line}"
    );
}
