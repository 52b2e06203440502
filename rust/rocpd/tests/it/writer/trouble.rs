//! Crashes, forks, full disks, files that go away.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, mem};

use rocpd::probe::{Status, probe};
use rocpd::rusqlite::ErrorCode;
use rocpd::writer::PmcId;
use rocpd::{Error, Mode, Source};

use super::*;

/// Where a child process of one of these tests writes its file.
const CHILD_FOLDER: &str = "ROCPD_TEST_CHILD_FOLDER";

/// This test program, to run one of its ignored tests as another process.
fn child(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", "--nocapture", test])
        .env(CHILD_FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

fn child_fixture(mode: Mode) -> Option<Fixture> {
    let folder = env::var_os(CHILD_FOLDER)?;
    let path = Path::new(&folder).join("a.db");
    let storage = Storage::create(&path, Guid::new(), mode).unwrap();
    let mut fixture = Fixture {
        folder: tempfile::tempdir().unwrap(),
        path,
        writer: Writer::new(storage).unwrap(),
    };
    fixture.register_all();
    Some(fixture)
}

fn count(path: &Path, table: &str) -> i64 {
    Source::open(path)
        .unwrap()
        .connect()
        .unwrap()
        .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
            row.get(0)
        })
        .unwrap()
}

fn dispatches(writer: &mut Writer, ids: std::ops::Range<u64>) -> Result<(), Error> {
    for id in ids {
        writer.insert_counter_values(id, &[(PmcId::new(1), 1.0), (PmcId::new(1), 2.0)])?;
    }
    Ok(())
}

#[test]
fn what_was_committed_survives_a_killed_process() {
    for (mode, test) in [
        (Mode::Fast, "writer::trouble::child_that_is_killed_fast"),
        (
            Mode::Durable,
            "writer::trouble::child_that_is_killed_durable",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = child(test, folder.path()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let ready = stdout.lines().any(|line| line.unwrap().contains("ready"));
        assert!(ready, "{mode:?}: the child ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();

        let path = folder.path().join("a.db");
        assert_eq!(probe(&path).status, Status::Supported, "{mode:?}");
        assert_eq!(count(&path, "rocpd_pmc_event"), 6000, "{mode:?}");
        assert_eq!(count(&path, "rocpd_event"), 3000, "{mode:?}");
        assert_eq!(count(&path, "rocpd_info_pmc"), 1, "{mode:?}");
    }
}

#[expect(clippy::print_stdout, reason = "the other process waits for it")]
fn be_killed(mode: Mode) {
    let Some(mut fixture) = child_fixture(mode) else {
        return;
    };
    fixture.writer.checkpoint().unwrap();
    if mode == Mode::Durable {
        // Who reads the file alone sees what was registered.
        let copy = fixture.folder.path().join("copy.db");
        fs::copy(&fixture.path, &copy).unwrap();
        assert_eq!(count(&copy, "rocpd_info_pmc"), 1);
    }
    dispatches(&mut fixture.writer, 0..1000).unwrap();
    fixture.writer.commit().unwrap();
    dispatches(&mut fixture.writer, 1000..3000).unwrap();
    fixture.writer.commit().unwrap();
    // More than a batch, so that some of it is on its way into the file.
    dispatches(&mut fixture.writer, 3000..9000).unwrap();
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
#[ignore = "the other process of what_was_committed_survives_a_killed_process"]
fn child_that_is_killed_fast() {
    be_killed(Mode::Fast);
}

#[test]
#[ignore = "the other process of what_was_committed_survives_a_killed_process"]
fn child_that_is_killed_durable() {
    be_killed(Mode::Durable);
}

#[test]
fn a_forked_child_can_forget_the_writer() {
    for mode in [Mode::Fast, Mode::Durable] {
        let mut fixture = Fixture::new(mode);
        dispatches(&mut fixture.writer, 0..10).unwrap();
        fixture.writer.commit().unwrap();
        dispatches(&mut fixture.writer, 10..20).unwrap();
        // SAFETY: the child calls nothing but what is safe after a fork.
        let pid = unsafe { libc::fork() };
        if pid == 0 {
            mem::forget(fixture);
            // SAFETY: ends the child without running anything of the parent's.
            unsafe { libc::_exit(0) };
        }
        assert!(pid > 0);
        let mut status = 0;
        // SAFETY: `status` may be written.
        assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
        assert_eq!(status, 0);
        dispatches(&mut fixture.writer, 20..30).unwrap();
        assert_eq!(fixture.finish().count("rocpd_pmc_event"), 60, "{mode:?}");
    }
}

/// A limit to the size of files stands for a full disk: the system refuses to write on.
#[test]
fn a_full_disk_is_an_error_and_what_was_committed_stays() {
    for test in [
        "writer::trouble::child_whose_disk_is_full_fast",
        "writer::trouble::child_whose_disk_is_full_durable",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let output = child(test, folder.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}"
        );

        let path = folder.path().join("a.db");
        assert_eq!(probe(&path).status, Status::Supported, "{test}");
        let committed: i64 = fs::read_to_string(folder.path().join("committed"))
            .unwrap()
            .parse()
            .unwrap();
        assert!(committed > 0);
        assert_eq!(count(&path, "rocpd_pmc_event"), 2 * committed, "{test}");
        assert_eq!(count(&path, "rocpd_event"), committed, "{test}");
    }
}

fn fill_the_disk(mode: Mode) {
    let Some(mut fixture) = child_fixture(mode) else {
        return;
    };
    fixture.writer.checkpoint().unwrap();
    let limit = libc::rlimit {
        rlim_cur: 4 << 20,
        rlim_max: 4 << 20,
    };
    // SAFETY: a valid limit for this process, whose signal for it is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
    }
    let mut committed = 0;
    let error = loop {
        let result = dispatches(&mut fixture.writer, committed..committed + 1000)
            .and_then(|()| fixture.writer.commit());
        match result {
            Ok(()) => committed += 1000,
            Err(error) => break error.to_string(),
        }
        assert!(committed < 1_000_000, "there is no limit");
    };
    assert!(
        error.contains("a.db: ") && error.contains("; check the disk and its free space"),
        "{error}"
    );
    // Nothing that others refer to was lost, so it can go on when there is room again.
    let again = dispatches(&mut fixture.writer, 0..9000).and_then(|()| fixture.writer.commit());
    assert!(matches!(again, Err(Error::Write { .. })), "{again:?}");
    // But not if a registration was lost.
    let name = "x".repeat(5 << 20);
    let process = Process { pid: 6, ..PROCESS };
    fixture.writer.register_process(&process).unwrap();
    let lost = fixture.writer.register_string(&name).unwrap_err();
    assert!(matches!(lost, Error::Write { .. }), "{lost}");
    let lost = fixture.writer.register_string("short").unwrap_err();
    assert!(matches!(lost, Error::RolledBack { .. }), "{lost}");
    assert!(fixture.writer.close().is_err());

    let committed_file = fixture.path.with_file_name("committed");
    fs::File::create(committed_file)
        .unwrap()
        .write_all(committed.to_string().as_bytes())
        .unwrap();
}

#[test]
#[ignore = "the other process of a_full_disk_is_an_error_and_what_was_committed_stays"]
fn child_whose_disk_is_full_fast() {
    fill_the_disk(Mode::Fast);
}

#[test]
#[ignore = "the other process of a_full_disk_is_an_error_and_what_was_committed_stays"]
fn child_whose_disk_is_full_durable() {
    fill_the_disk(Mode::Durable);
}

#[test]
fn a_file_that_is_removed_or_replaced_is_noticed() {
    for replace in [false, true] {
        for mode in [Mode::Fast, Mode::Durable] {
            let mut fixture = Fixture::new(mode);
            fixture.writer.commit().unwrap();
            fs::remove_file(&fixture.path).unwrap();
            if replace {
                fs::write(&fixture.path, "another's").unwrap();
            }
            dispatches(&mut fixture.writer, 0..10).unwrap();
            let error = fixture.writer.close().unwrap_err();
            assert!(matches!(error, Error::Gone { .. }), "{mode:?}: {error}");
            if replace {
                assert_eq!(fs::read_to_string(&fixture.path).unwrap(), "another's");
            }
        }
    }
}

#[test]
fn a_node_with_another_nodes_machine_id_or_hash_harms_nothing_else() {
    let mut fixture = Fixture::new(Mode::Fast);
    dispatches(&mut fixture.writer, 0..10).unwrap();
    let id = NodeId::new(8);
    let same_machine = Node {
        id,
        hash: 8,
        ..NODE
    };
    let same_hash = Node {
        id,
        machine_id: "another",
        ..NODE
    };
    for (node, what) in [
        (same_machine, "machine_id '63b14d61'"),
        (same_hash, "hash "),
    ] {
        let error = fixture.writer.register_node(&node).unwrap_err();
        assert!(matches!(error, Error::Argument { .. }), "{error}");
        let said = error.to_string();
        assert!(said.starts_with(what), "{said}");
    }
    let written = fixture.finish();
    assert_eq!(written.count("rocpd_pmc_event"), 20);
    assert_eq!(written.count("rocpd_info_node"), 1);
}

#[test]
fn nobody_can_read_what_is_being_captured() {
    // A reader would move the log into the file and remove it under the writer's hands.
    let folder = tempfile::tempdir().unwrap();
    let test = "writer::trouble::child_that_captures";
    let mut child = child(test, folder.path()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("ready")));

    let reader = Connection::open(folder.path().join("a.db")).unwrap();
    reader.busy_timeout(Duration::ZERO).unwrap();
    let error = reader
        .query_row("SELECT count(*) FROM rocpd_event", [], |_| Ok(()))
        .unwrap_err();
    assert_eq!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy));

    drop(child.stdin.take());
    lines.for_each(drop);
    child.wait().unwrap();
}

#[test]
#[ignore = "the other process of nobody_can_read_what_is_being_captured"]
fn child_that_captures() {
    let Some(mut fixture) = child_fixture(Mode::Durable) else {
        return;
    };
    dispatches(&mut fixture.writer, 0..10).unwrap();
    fixture.writer.commit().unwrap();
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

#[test]
fn others_can_read_between_commits_in_fast_mode() {
    let mut fixture = Fixture::new(Mode::Fast);
    fixture.writer.commit().unwrap();
    let reader = Connection::open(&fixture.path).unwrap();
    let count = || -> i64 {
        reader
            .query_row("SELECT count(*) FROM rocpd_event", [], |row| row.get(0))
            .unwrap()
    };
    dispatches(&mut fixture.writer, 0..10).unwrap();
    assert_eq!(count(), 0);
    fixture.writer.commit().unwrap();
    assert_eq!(count(), 10);
}
