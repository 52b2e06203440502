//! Opening for reading: what is seen, and that nothing is touched.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rocpd::rusqlite::{Connection, OpenFlags};
use rocpd::{Error, Source};

/// Every file of a folder with its content.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

fn rows(connection: &Connection, schema: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {schema}.t");
    connection.query_row(&sql, [], |row| row.get(0)).unwrap()
}

/// A database of `before` committed rows, and what a writer leaves that dies after `journal_mode`
/// and `then`: its files, copied while it is alive.
fn crashed(
    name: &str,
    journal_mode: &str,
    before: u32,
    then: &str,
) -> (tempfile::TempDir, PathBuf) {
    let alive = tempfile::tempdir().unwrap();
    let writer = Connection::open(alive.path().join(name)).unwrap();
    writer
        .execute_batch(&format!(
            "CREATE TABLE t (x); \
             WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {before}) \
             INSERT INTO t SELECT randomblob(400) FROM n; \
             PRAGMA journal_mode = {journal_mode}; PRAGMA wal_autocheckpoint = 0; \
             PRAGMA cache_size = 2; PRAGMA cache_spill = 1;"
        ))
        .unwrap();
    writer.execute_batch(then).unwrap();
    let dead = tempfile::tempdir().unwrap();
    for path in contents(alive.path()).into_keys() {
        fs::copy(&path, dead.path().join(path.file_name().unwrap())).unwrap();
    }
    let path = dead.path().join(name);
    (dead, path)
}

#[test]
fn what_is_seen_and_that_nothing_is_touched() {
    let insert = "INSERT INTO t SELECT randomblob(500) FROM t LIMIT 100;";
    let table = [
        ("plain.db", "DELETE", String::new(), 1000, false),
        ("wal-mode.db", "WAL", String::new(), 1000, false),
        (
            "100% run #1?mode=rwc.db",
            "DELETE",
            String::new(),
            1000,
            false,
        ),
        ("wal.db", "WAL", insert.to_owned(), 1100, true),
        (
            "wal-open-transaction.db",
            "WAL",
            format!("{insert} BEGIN; DELETE FROM t;"),
            1100,
            true,
        ),
        (
            "wal-nothing-committed.db",
            "WAL",
            format!("PRAGMA wal_checkpoint(TRUNCATE); BEGIN; {insert} DELETE FROM t;"),
            1000,
            true,
        ),
        (
            "wal-begun-again.db",
            "WAL",
            format!("{insert} PRAGMA wal_checkpoint(RESTART); BEGIN; DELETE FROM t;"),
            1100,
            true,
        ),
        (
            "hot journal.db",
            "DELETE",
            "BEGIN; UPDATE t SET x = randomblob(400);".into(),
            1000,
            true,
        ),
        (
            "finished-journal.db",
            "PERSIST",
            insert.to_owned(),
            1100,
            false,
        ),
    ];
    for (name, mode, then, expected, unfinished) in table {
        let (folder, path) = crashed(name, mode, 1000, &then);
        let before = contents(folder.path());
        {
            let source = Source::open(&path).unwrap();
            assert_eq!(source.is_unfinished(), unfinished, "{name}");
            let (one, two) = (source.connect().unwrap(), source.connect().unwrap());
            assert_eq!(
                (rows(&one, "main"), rows(&two, "main")),
                (expected, expected),
                "{name}"
            );
            one.query_row("PRAGMA integrity_check", [], |row| {
                assert_eq!(row.get::<_, String>(0)?, "ok", "{name}");
                Ok(())
            })
            .unwrap();
            assert!(
                one.execute("INSERT INTO t VALUES (1)", []).is_err(),
                "{name}"
            );

            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI;
            let memory = Connection::open_with_flags(":memory:", flags).unwrap();
            source.attach(&memory, "other").unwrap();
            assert_eq!(rows(&memory, "other"), expected, "{name}");
            source.verify_unchanged().unwrap();
        }
        assert!(
            contents(folder.path()) == before,
            "{name}: the folder changed"
        );
    }
}

#[test]
fn a_change_while_reading_is_noticed() {
    let (_folder, path) = crashed("a.db", "DELETE", 10, "");
    let source = Source::open(&path).unwrap();
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(b"x")
        .unwrap();
    assert!(matches!(
        source.verify_unchanged(),
        Err(Error::Changed { .. })
    ));
}

#[test]
fn what_is_no_file_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let fifo = folder.path().join("fifo.db");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let open = |path: &Path| Source::open(path).unwrap_err();
    assert!(matches!(
        open(&folder.path().join("no.db")),
        Error::NotFound { .. }
    ));
    assert!(matches!(
        open(folder.path()),
        Error::NotAFile {
            found: "a directory",
            ..
        }
    ));
    assert!(matches!(
        open(&fifo),
        Error::NotAFile {
            found: "a special file",
            ..
        }
    ));
}

#[test]
fn a_living_writer_is_named() {
    let (_folder, path) = crashed("a.db", "DELETE", 10, "");
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "open::child_that_holds_a_lock",
            "--ignored",
            "--nocapture",
        ])
        .env("ROCPD_TEST_LOCK", &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("locked")));

    let error = Source::open_within(&path, Duration::ZERO).unwrap_err();
    let expected = format!("process {} (", writer.id());
    assert!(
        matches!(&error, Error::Locked { holder, .. } if holder.starts_with(&expected)),
        "{error}"
    );

    drop(writer.stdin.take());
    assert!(Source::open(&path).is_ok(), "the writer has let go");
    writer.wait().unwrap();
}

#[test]
#[ignore = "the other process of a_living_writer_is_named"]
fn child_that_holds_a_lock() {
    let Some(path) = std::env::var_os("ROCPD_TEST_LOCK") else {
        return;
    };
    let connection = Connection::open(path).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    println!("locked");
    std::io::stdin().lines().for_each(drop);
    connection.execute_batch("ROLLBACK").unwrap();
}
