//! Opening and reading a large trace, against a bare loop over SQLite's C API in the same run.
//!
//! `cargo bench -p rocpd --bench reader`; `ROCPD_BENCH_EVENTS` sets how many events the trace has
//! (5,000,000 if unset). It is made in a temporary folder (`TMPDIR` names another place).

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a measurement that cannot go on ends, and prints what it found"
)]

use std::ffi::{CString, c_int};
use std::path::Path;
use std::time::{Duration, Instant};

use rocpd::reader::{Reader, TrackId, Window};
use rocpd::rusqlite::{Connection, ffi};
use rocpd::{Guid, schema};

const GUID: &str = "0190d1a2-77f3-7cc0-8000-000000000001";

/// Columns of a bare loop over one table.
struct Loop {
    table: &'static str,
    open: &'static str,
    read: &'static str,
}

const LOOPS: [Loop; 4] = [
    Loop {
        table: "rocpd_region",
        open: "nid, pid, tid, start, \"end\"",
        read: "nid, pid, tid, start, \"end\", id, name_id",
    },
    Loop {
        table: "rocpd_kernel_dispatch",
        open: "nid, agent_id, queue_id, start, \"end\", pid, stream_id",
        read: "nid, agent_id, queue_id, start, \"end\", pid, stream_id, id, kernel_id, \
               region_name_id",
    },
    Loop {
        table: "rocpd_memory_copy",
        open: "nid, dst_agent_id, queue_id, start, \"end\", pid, stream_id",
        read: "nid, dst_agent_id, queue_id, start, \"end\", pid, stream_id, id, name_id",
    },
    Loop {
        table: "rocpd_memory_allocate",
        open: "nid, agent_id, queue_id, start, \"end\", pid, stream_id",
        read: "nid, agent_id, queue_id, start, \"end\", pid, stream_id, id, type",
    },
];

fn generate(path: &Path, events: i64) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN;")
        .unwrap();
    let guid = Guid::parse(GUID).unwrap();
    schema::create(&connection, &guid).unwrap();
    let t = guid.table_suffix();
    connection
        .execute_batch(&format!(
            "INSERT INTO rocpd_info_node{t} (id, hash, machine_id) VALUES (1, 1, 'm');
             INSERT INTO rocpd_info_process{t} (id, nid, pid) VALUES (1, 1, 100);
             WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 8)
               INSERT INTO rocpd_info_thread{t} (id, nid, pid, tid) SELECT i, 1, 1, 100 + i FROM n;
             WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
               INSERT INTO rocpd_string{t} (id, string) SELECT i, 'some_function_' || i FROM n;
             WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 40)
               INSERT INTO rocpd_info_kernel_symbol{t} (id, nid, pid, code_object_id, display_name)
               SELECT i, 1, 1, 1, 'void kernel<' || i || '>(float*, int)' FROM n;"
        ))
        .unwrap();
    let insert = |sql: &str, count: i64, row: &dyn Fn(i64) -> [i64; 7]| {
        let mut statement = connection.prepare(&sql.replace("{t}", &t)).unwrap();
        for i in 0..count {
            statement.execute(row(i)).unwrap();
        }
    };
    // Inner calls are stored before the outer one, as profilers do: starts are out of order.
    insert(
        "INSERT INTO rocpd_region{t} (nid, pid, tid, start, \"end\", name_id, event_id) \
         VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6 + ?7)",
        events * 60 / 100,
        &|i| {
            let (call, part) = (i / 4, i % 4);
            let at = 1_000_000 + call * 10_000;
            let (start, end) = if part == 3 {
                (0, 9_000)
            } else {
                (part * 2_500 + 100, part * 2_500 + 2_000)
            };
            [1, 1 + call % 8, at + start, at + end, 1 + i % 200, i, 1]
        },
    );
    insert(
        "INSERT INTO rocpd_kernel_dispatch{t} (nid, pid, tid, agent_id, kernel_id, dispatch_id, \
         queue_id, stream_id, start, \"end\", workgroup_size_x, workgroup_size_y, \
         workgroup_size_z, grid_size_x, grid_size_y, grid_size_z) \
         VALUES (1, 1, 1 + ?6 % 8, ?1, ?2, ?6, ?3, ?4, ?5, ?5 + ?7, 256, 1, 1, 65536, 1, 1)",
        events * 24 / 100,
        &|i| {
            [
                1 + i % 2,
                1 + i % 40,
                1 + i % 4,
                1 + i % 8,
                1_000_000 + i * 25_000,
                i,
                30_000,
            ]
        },
    );
    insert(
        "INSERT INTO rocpd_memory_copy{t} (nid, pid, tid, start, \"end\", name_id, dst_agent_id, \
         src_agent_id, size, queue_id, stream_id) \
         VALUES (1, 1, ?1, ?2, ?2 + 9000, ?3, ?4, 0, ?5, ?6, ?7)",
        events * 8 / 100,
        &|i| {
            [
                1 + i % 8,
                1_000_000 + i * 75_000,
                1 + i % 4,
                1 + i % 2,
                i,
                1 + i % 4,
                1 + i % 8,
            ]
        },
    );
    insert(
        "INSERT INTO rocpd_memory_allocate{t} (nid, pid, tid, agent_id, type, level, start, \
         \"end\", size, queue_id, stream_id) VALUES (1, 1, ?1, ?2, 'ALLOC', 'REAL', ?3, ?3 + ?4, \
         ?5, nullif(?6, 0), nullif(?7, 0))",
        events * 8 / 100,
        &|i| {
            [
                1 + i % 8,
                1 + i % 2,
                1_000_000 + i * 75_000,
                4_000,
                4_096,
                i % 2,
                i % 3,
            ]
        },
    );
    connection.execute_batch("COMMIT").unwrap();
}

/// Steps through the rows of all tables and looks at each column.
fn bare_loop(path: &Path, columns: impl Fn(&Loop) -> &'static str) -> i64 {
    let suffix = Guid::parse(GUID).unwrap().table_suffix();
    let uri = CString::new(format!("file:{}?immutable=1", path.display())).unwrap();
    let mut rows = 0_i64;
    // SAFETY: the calls follow SQLite's documentation; every pointer comes from the call before.
    unsafe {
        let mut database = std::ptr::null_mut();
        let flags = ffi::SQLITE_OPEN_READONLY | ffi::SQLITE_OPEN_URI | ffi::SQLITE_OPEN_NOMUTEX;
        let opened = ffi::sqlite3_open_v2(uri.as_ptr(), &raw mut database, flags, std::ptr::null());
        assert_eq!(opened, ffi::SQLITE_OK);
        for one in &LOOPS {
            let sql = format!("SELECT {} FROM {}{suffix}", columns(one), one.table);
            let sql = CString::new(sql).unwrap();
            let mut statement = std::ptr::null_mut();
            let prepared = ffi::sqlite3_prepare_v2(
                database,
                sql.as_ptr(),
                -1,
                &raw mut statement,
                std::ptr::null_mut(),
            );
            assert_eq!(prepared, ffi::SQLITE_OK);
            let count: c_int = ffi::sqlite3_column_count(statement);
            let mut sum = 0_i64;
            while ffi::sqlite3_step(statement) == ffi::SQLITE_ROW {
                rows += 1;
                for column in 0..count {
                    sum = sum.wrapping_add(ffi::sqlite3_column_int64(statement, column));
                }
            }
            std::hint::black_box(sum);
            ffi::sqlite3_finalize(statement);
        }
        ffi::sqlite3_close(database);
    }
    rows
}

/// Time on the clock, and time of all threads on processors.
#[derive(Clone, Copy, Debug)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

impl Took {
    fn ratio(self, to: Self) -> String {
        let of = |ours: Duration, theirs: Duration| ours.as_secs_f64() / theirs.as_secs_f64();
        let (wall, cpu) = (of(self.wall, to.wall), of(self.cpu, to.cpu));
        format!("{wall:.2} times on the clock, {cpu:.2} times in CPU time")
    }
}

fn cpu_time() -> Duration {
    // SAFETY: all-zero bytes are a valid `timespec`, and the call fills it.
    let now = unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut now);
        now
    };
    let (seconds, rest) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap(), rest.unwrap())
}

fn timed<T>(work: impl FnOnce() -> T) -> (Took, T) {
    let (begin, cpu) = (Instant::now(), cpu_time());
    let result = work();
    let took = Took {
        wall: begin.elapsed(),
        cpu: cpu_time() - cpu,
    };
    (took, result)
}

/// Bytes that are allocated, as the C library counts them.
fn allocated() -> f64 {
    // SAFETY: the call only reads counters.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as f64
}

fn main() {
    let events = std::env::var("ROCPD_BENCH_EVENTS").ok();
    let events: i64 = events
        .and_then(|text| text.parse().ok())
        .unwrap_or(5_000_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.db");
    let (made, ()) = timed(|| generate(&path, events));
    let size = std::fs::metadata(&path).unwrap().len();
    println!(
        "{events} events, {} MB, made in {made:.1?}",
        size / 1_000_000
    );

    bare_loop(&path, |one| one.open); // the file comes into the system's cache
    for round in 1..=3 {
        println!("round {round}");
        let (bare_open, rows) = timed(|| bare_loop(&path, |one| one.open));
        let before = allocated();
        let (open, reader) = timed(|| Reader::open(&path).unwrap());
        let opened = allocated();
        println!(
            "  open, all tracks: {:.2?}, bare loop {:.2?}: {} (limit 1.5)",
            open.wall,
            bare_open.wall,
            open.ratio(bare_open)
        );
        let tracks: Vec<TrackId> = reader.tracks().iter().map(|track| track.id).collect();
        let (start, end) = reader.time_range().unwrap();
        let whole = Window { start, end };
        let (scan, _) = timed(|| reader.intervals(1000, whole, &tracks).unwrap());
        println!(
            "  histogram by a scan: {:.2?}: {} (limit 1)",
            scan.wall,
            scan.ratio(bare_open)
        );

        let (bare_read, _) = timed(|| bare_loop(&path, |one| one.read));
        let (read, entries) = timed(|| {
            let lengths = tracks
                .iter()
                .map(|&track| reader.events(track).unwrap().len());
            lengths.sum::<usize>()
        });
        println!(
            "  every track whole: {:.2?}, bare loop {:.2?}: {} (limit 1.3)",
            read.wall,
            bare_read.wall,
            read.ratio(bare_read)
        );
        let kept = allocated() - before;
        println!(
            "  kept: {:.1} bytes for each of {rows} events ({:.1} for each of {entries} entries \
             of tracks); {:.1} after opening",
            kept / rows as f64,
            kept / entries as f64,
            (opened - before) / rows as f64
        );

        let longest = reader
            .tracks()
            .iter()
            .max_by_key(|track| track.count)
            .unwrap();
        let (first, last) = longest.first.zip(longest.last).unwrap();
        let width = (last - first) / 100;
        let window = Window {
            start: first + 50 * width,
            end: first + 51 * width,
        };
        let (copied, all) = timed(|| reader.events_within(longest.id, whole).unwrap().len());
        let (windowed, some) = timed(|| reader.events_within(longest.id, window).unwrap().len());
        println!(
            "  a window of 1 %: {some} of {all} events in {:.2?}, the whole track copied {:.2?}: \
             {:.1} % (limit 5 %)",
            windowed.wall,
            copied.wall,
            100.0 * windowed.wall.as_secs_f64() / copied.wall.as_secs_f64()
        );
        let (histogram, _) = timed(|| reader.intervals(1000, whole, &tracks).unwrap());
        println!(
            "  histogram in memory, 1000 buckets: {:.2?} (limit 500 ms)",
            histogram.wall
        );
    }
}
