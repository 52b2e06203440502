//! `profiler-hub analyze` and `merge` from the outside: exit codes, locks, signals, full disks, kills.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rusqlite::Connection;

use crate::golden;

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_profiler-hub"))
}

struct Workload {
    folder: tempfile::TempDir,
    sdk: PathBuf,
    native: PathBuf,
}

/// A copy of a golden pair of files, that can be written.
fn workload() -> Workload {
    let folder = tempfile::tempdir().unwrap();
    let pass = folder.path().join("w/out/pass");
    fs::create_dir_all(&pass).unwrap();
    let from = golden("shared-events/out/pmc_perf_0/node01");
    let copy = |name: &str| {
        let to = pass.join(name);
        fs::write(&to, fs::read(from.join(name)).unwrap()).unwrap();
        to
    };
    Workload {
        sdk: copy("8301_results.db"),
        native: copy("8301_native_counter_collection.db"),
        folder,
    }
}

impl Workload {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn analyze(&self, more: &[&str]) -> Output {
        command()
            .arg("analyze")
            .arg(self.path("w"))
            .arg("-o")
            .arg(self.path("t.csv"))
            .args(more)
            .output()
            .unwrap()
    }

    fn table(&self) -> String {
        fs::read_to_string(self.path("t.csv")).unwrap()
    }

    /// Gives the native file so many more values for the dispatches and counters it has.
    fn grow(&self, values: u32) {
        let connection = Connection::open(&self.native).unwrap();
        let table = physical_table(&connection, "rocpd_pmc_event_");
        let sql = format!(
            "INSERT INTO \"{table}\" (guid, event_id, pmc_id, value, extdata)
             WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {values} - 1)
             SELECT (SELECT guid FROM \"{table}\" LIMIT 1), i % 3 + 1, i % 20 + 1, i, '{{}}' FROM n"
        );
        connection
            .pragma_update(None, "foreign_keys", false)
            .unwrap();
        connection.execute_batch(&sql).unwrap();
    }
}

fn physical_table(connection: &Connection, begins: &str) -> String {
    connection
        .query_row(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, ?2) = ?1",
            (begins, i64::try_from(begins.len()).unwrap()),
            |row| row.get(0),
        )
        .unwrap()
}

fn values_in(path: &Path) -> i64 {
    let connection = Connection::open(path).unwrap();
    let sound: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    let table = physical_table(&connection, "rocpd_pmc_event_");
    connection
        .query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| {
            row.get(0)
        })
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn analyze_writes_the_table_and_says_what_it_did() {
    let workload = workload();
    let report = workload.path("r.json");
    let output = workload.analyze(&["--json-report", report.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert!(
        stderr(&output).contains("values merged"),
        "{}",
        stderr(&output)
    );
    assert_eq!(workload.table().lines().count(), 61);
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["merged_values"], 319);
    assert_eq!(report["exit_code"], 0);
}

#[test]
fn merge_is_once() {
    let workload = workload();
    for earlier in [false, true] {
        let output = command()
            .arg("merge")
            .args([&workload.sdk, &workload.native])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(stderr(&output).contains("by an earlier run"), earlier);
        assert_eq!(values_in(&workload.sdk), 319);
    }
}

#[test]
fn exit_codes_are_those_of_the_manual() {
    let workload = workload();
    let usage = command().arg("analyze").output().unwrap();
    assert_eq!(usage.status.code(), Some(2));
    let both = workload.analyze(&["--force", "--read-only"]);
    assert_eq!(both.status.code(), Some(2));
    let missing = command().args(["analyze", "/not/there"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(3));
    let no_folder = command()
        .arg("analyze")
        .arg(workload.path("w"))
        .args(["-o", "/not/there/t.csv"])
        .output()
        .unwrap();
    assert_eq!(no_folder.status.code(), Some(4));
    assert!(stderr(&no_folder).contains("does not exist"));
    assert_eq!(
        values_in(&workload.sdk),
        0,
        "nothing is merged before that is known"
    );
    fs::write(workload.sdk.with_file_name("empty.db"), "").unwrap();
    let look = workload.analyze(&[]);
    assert_eq!(look.status.code(), Some(1));
    assert!(stderr(&look).contains("empty.db"));
}

#[test]
fn a_full_disk_leaves_no_half_a_table() {
    let workload = workload();
    let output = command()
        .arg("analyze")
        .arg(workload.path("w"))
        .args(["--read-only", "-o", "/dev/full"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // A file may be as big as the first kilobytes of the table.
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"])
        .arg(command().get_program())
        .arg("analyze")
        .arg(workload.path("w"))
        .arg("--read-only")
        .arg("-o")
        .arg(workload.path("t.csv"))
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(4), "{}", stderr(&limited));
    let mut left: Vec<_> = fs::read_dir(workload.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["w"]);
}

#[test]
fn a_table_can_go_to_a_pipe() {
    let workload = workload();
    let output = command()
        .arg("analyze")
        .arg(workload.path("w"))
        .args(["--read-only", "-o", "/dev/stdout"])
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        output.stdout.iter().filter(|byte| **byte == b'\n').count(),
        61
    );
}

#[test]
fn a_locked_file_is_named_with_its_holder() {
    let workload = workload();
    // Another process, for locks of one's own do not count.
    let mut holder = Command::new("python3")
        .args([
            "-c",
            "import sqlite3, sys\n\
             c = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
             c.execute('BEGIN EXCLUSIVE')\n\
             print('locked', flush=True)\n\
             sys.stdin.read()",
        ])
        .arg(&workload.sdk)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let output = command()
        .arg("merge")
        .args([&workload.sdk, &workload.native])
        .output()
        .unwrap();
    drop(holder.stdin.take());
    let pid = holder.id();
    holder.wait().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains(&format!("process {pid} (python3)")),
        "{}",
        stderr(&output)
    );
    assert_eq!(values_in(&workload.sdk), 0);
}

/// How far a merge is, seen from the outside.
fn begun(moment: u32, sdk: &Path, size: u64) -> bool {
    let journal = sdk.with_extension("db-journal");
    let length = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    match moment {
        0 => true,
        1 => journal.exists(),
        2 => length(&journal) > 0,
        // The cache is full, and pages go to the file before the end.
        n => length(sdk) > size + u64::from(n - 2) * 4_000_000,
    }
}

#[test]
fn a_killed_merge_leaves_the_file_as_it_was() {
    let grown = workload();
    grown.grow(200_000);
    let native = fs::read(&grown.native).unwrap();
    let expected = {
        let output = grown.analyze(&["--read-only"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        grown.table()
    };
    let mut rolled_back = 0;
    for moment in 0..5 {
        let workload = workload();
        fs::write(&workload.native, &native).unwrap();
        let before = fs::read(&workload.sdk).unwrap();
        let size = u64::try_from(before.len()).unwrap();
        let mut merge = command()
            .arg("merge")
            .args([&workload.sdk, &workload.native])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !begun(moment, &workload.sdk, size) && merge.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
        merge.kill().unwrap();
        merge.wait().unwrap();

        // First as it was left, perhaps with its journal: nothing is touched, and all is there.
        let left = fs::read(&workload.sdk).unwrap();
        let output = workload.analyze(&["--read-only"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(workload.table(), expected, "moment {moment}");
        assert_eq!(fs::read(&workload.sdk).unwrap(), left);
        // Then opened by anybody: it is rolled back, or the merge was through.
        match values_in(&workload.sdk) {
            0 => {
                rolled_back += 1;
                let dump = |bytes: &[u8]| {
                    let path = workload.path("dump.db");
                    fs::write(&path, bytes).unwrap();
                    content(&path)
                };
                let now = fs::read(&workload.sdk).unwrap();
                assert_eq!(dump(&now), dump(&before), "moment {moment}");
            }
            values => assert_eq!(values, 200_319),
        }
        let output = workload.analyze(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(workload.table(), expected);
        assert_eq!(values_in(&workload.sdk), 200_319);
    }
    // Else the test has not seen what it is for.
    assert!(rolled_back > 0);
}

/// All rows of all tables.
fn content(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let tables: Vec<String> = connection
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut rows = Vec::new();
    for table in tables {
        let mut statement = connection
            .prepare(&format!("SELECT * FROM \"{table}\""))
            .unwrap();
        let columns = statement.column_count();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let row: Vec<_> = (0..columns)
                .map(|column| row.get_ref(column).unwrap())
                .collect();
            rows.push(format!("{table} {row:?}"));
        }
    }
    rows
}

#[test]
fn an_interrupt_ends_the_run_with_nothing_left_behind() {
    let workload = workload();
    workload.grow(200_000);
    let mut analyze = command()
        .arg("analyze")
        .arg(workload.path("w"))
        .arg("-o")
        .arg(workload.path("t.csv"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let journal = workload.sdk.with_extension("db-journal");
    while !journal.exists() && analyze.try_wait().unwrap().is_none() {
        std::hint::spin_loop();
    }
    let killed = Command::new("kill")
        .args(["-INT", &analyze.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = analyze.wait_with_output().unwrap();
    let mut left: Vec<_> = fs::read_dir(workload.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert!(!journal.exists());
    // Where it was through before the signal came, that is right too.
    match output.status.code() {
        Some(0) => assert_eq!(left, ["t.csv", "w"]),
        _ => {
            assert_eq!(output.status.signal(), Some(2), "{}", stderr(&output));
            assert_eq!(left, ["w"]);
            assert_eq!(values_in(&workload.sdk), 0);
        }
    }
}

#[test]
fn a_closed_stderr_is_no_trouble() {
    let workload = workload();
    let mut analyze = command()
        .arg("analyze")
        .arg(workload.path("w"))
        .arg("-o")
        .arg(workload.path("t.csv"))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(analyze.stderr.take());
    assert_eq!(analyze.wait().unwrap().code(), Some(0));
    assert_eq!(workload.table().lines().count(), 61);
}
