//! The reader, on the golden data and on small traces made here.
#![expect(
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "tests, on small numbers"
)]

mod edges;
mod golden;
mod queries;
mod sharing;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rocpd::reader::{EventKind, Reader, TrackKind};
use rocpd::rusqlite::Connection;
use rocpd::{Guid, schema};
use tempfile::TempDir;

/// A trace that is written by SQL, row by row; `{t}` in the SQL stands for the table suffix.
struct Trace {
    folder: TempDir,
    connection: Connection,
    guid: Guid,
}

const GUID: &str = "0190d1a2-77f3-7cc0-8000-000000000001";

impl Trace {
    /// A file with the tables of schema 3.0.0, and no rows but the metadata's.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("trace.db")).unwrap();
        // Rows that name missing rows are what these traces are for.
        connection
            .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;")
            .unwrap();
        let guid = Guid::parse(GUID).unwrap();
        schema::create(&connection, &guid).unwrap();
        Self {
            folder,
            connection,
            guid,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("trace.db")
    }

    fn run(&self, sql: &str) -> &Self {
        let sql = sql.replace("{t}", &self.guid.table_suffix());
        self.connection.execute_batch(&sql).unwrap();
        self
    }

    fn open(&self) -> Reader {
        Reader::open(&self.path()).unwrap()
    }

    /// Regions of one thread, with these times.
    fn with_regions(times: &[(u64, u64)]) -> Self {
        let trace = Self::new();
        trace.run(
            "INSERT INTO rocpd_string{t} (id, string) VALUES (0, 'zero'), (1, 'one');
             INSERT INTO rocpd_info_node{t} (id, hash, machine_id) VALUES (0, 0, 'm');
             INSERT INTO rocpd_info_process{t} (id, nid, pid) VALUES (0, 0, 77);
             INSERT INTO rocpd_info_thread{t} (id, nid, pid, tid) VALUES (0, 0, 0, 78);",
        );
        let mut rows = String::from("BEGIN;");
        for (i, &(start, end)) in times.iter().enumerate() {
            let (start, end) = (start.cast_signed(), end.cast_signed());
            rows.push_str(&format!(
                "INSERT INTO rocpd_region{{t}} (id, nid, pid, tid, start, \"end\", name_id) \
                 VALUES ({i}, 0, 0, 0, {start}, {end}, {});",
                i % 2
            ));
        }
        rows.push_str("COMMIT;");
        trace.run(&rows);
        trace
    }
}

/// The bytes of every file of a folder.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files
        .map(|path| (path.clone(), std::fs::read(&path).unwrap()))
        .collect()
}

/// The ids of all events of a guid by track kind and event kind, sorted.
fn event_ids(reader: &Reader, guid: usize) -> BTreeMap<(TrackKind, EventKind), Vec<i64>> {
    let mut ids = BTreeMap::<_, Vec<i64>>::new();
    for track in reader.tracks().iter().filter(|track| track.guid == guid) {
        for event in reader.events(track.id).unwrap() {
            ids.entry((track.kind, event.kind))
                .or_default()
                .push(event.id.cast_signed());
        }
    }
    ids.values_mut().for_each(|ids| ids.sort_unstable());
    ids
}
