//! Merging, export and the analysis as a whole, each beside its limit, in one run.
//!
//! `cargo bench -p profiler-hub-analyze --bench figures -- [values …]`, 1000000 where nothing is
//! given. Every measurement is a process of its own: CPU time and peak memory are what the system
//! says of it. Databases and tables go to the temporary folder (TMPDIR names another one).
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot go on stops; what it prints is what it is for"
)]

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;

use profiler_hub_analyze::{AnalyzeOptions, MergeOptions, Unwatched, analyze, merge};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

const SDK: &str = "019b8778-33d7-7db1-b953-f1bb5d1b9c82";
const NATIVE: &str = "019ba5bb-f600-74af-a6ca-3c73eef34088";
const COUNTERS: u64 = 50;

fn main() {
    let mut arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    if arguments.first().is_some_and(|first| first == "--one") {
        one(&arguments[1], Path::new(&arguments[2]));
        return;
    }
    if arguments.is_empty() {
        arguments.push("1000000".into());
    }
    for values in arguments {
        figures(values.parse().unwrap());
    }
}

/// How often a measurement is taken, in turn with its limit: the least counts.
const ROUNDS: usize = 3;

/// What a process took.
struct Taken {
    cpu_s: f64,
    peak_mb: f64,
}

/// Runs this program again for one measurement.
fn measure(what: &str, folder: &Path) -> Taken {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--one", what]).arg(folder);
    run(command)
}

/// Takes measurements in turn; the least CPU time of each.
fn in_turn<const N: usize>(what: [&str; N], folder: &Path, before: impl Fn(&str)) -> [Taken; N] {
    let round = || {
        what.map(|what| {
            before(what);
            measure(what, folder)
        })
    };
    (1..ROUNDS).fold(round(), |mut best, _| {
        for (best, taken) in best.iter_mut().zip(round()) {
            if taken.cpu_s < best.cpu_s {
                *best = taken;
            }
        }
        best
    })
}

#[expect(
    clippy::zombie_processes,
    reason = "wait4 waits for it, and tells what it took"
)]
fn run(mut command: Command) -> Taken {
    let child = command.spawn().unwrap();
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    let mut status = 0;
    // SAFETY: all-zero bytes are a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the child is ours and not waited for yet; both places may be written.
    let waited = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
    assert_eq!((waited, status), (pid, 0), "{command:?}");
    let seconds = |time: libc::timeval| {
        let micros = u32::try_from(time.tv_usec).unwrap();
        f64::from(u32::try_from(time.tv_sec).unwrap()) + f64::from(micros) / 1e6
    };
    Taken {
        cpu_s: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        peak_mb: f64::from(u32::try_from(usage.ru_maxrss).unwrap()) / 1024.0,
    }
}

fn figures(values: u32) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let size = |name: &str| {
        fs::metadata(folder.join(name))
            .map(|m| m.len())
            .unwrap_or_default()
    };
    for shuffled in [false, true] {
        for name in ["sdk.db", "native.db"] {
            let _ = fs::remove_file(folder.join(name));
        }
        generate(folder, values, shuffled);
        fs::copy(folder.join("sdk.db"), folder.join("fresh.db")).unwrap();
        let order = if shuffled { "shuffled" } else { "in order" };
        let rate = |taken: &Taken| f64::from(values) / 1e6 / taken.cpu_s;
        println!("{values} values, {order}:");
        let show = |what: &str, ours: &Taken, limit: &Taken| {
            println!(
                "  {what:<8} {:6.2} M/s, limit {:6.2} M/s, ratio {:4.2}, {:5.1} MB",
                rate(ours),
                rate(limit),
                limit.cpu_s / ours.cpu_s,
                ours.peak_mb,
            );
        };
        let fresh = || {
            fs::copy(folder.join("fresh.db"), folder.join("sdk.db")).unwrap();
        };
        // Merged by the last of the rounds, and so it stays for the export.
        let [limit, ours] = in_turn(["merge-limit", "merge"], folder, |_| fresh());
        show("merge", &ours, &limit);
        // Every round begins without tables: writing over one that is there is cheaper.
        let [limit, ours] = in_turn(["export-limit", "export"], folder, |what| {
            if what == "export-limit" {
                let _ = fs::remove_file(folder.join("limit.csv"));
                let _ = fs::remove_file(folder.join("export.csv"));
            }
        });
        show("export", &ours, &limit);
        let bytes = size("export.csv").abs_diff(size("limit.csv"));
        assert!(bytes * 50 < size("limit.csv"), "not the same work");
        fresh();
        let [read_only] = in_turn(["export"], folder, |_| ());
        println!(
            "  read-only, not merged: {:.2} M/s, {:.1} MB",
            rate(&read_only),
            read_only.peak_mb
        );
        let [whole] = in_turn(["analyze"], folder, |_| fresh());
        fresh();
        print!(
            "  analyze  {:6.2} M/s, {:.1} MB",
            rate(&whole),
            whole.peak_mb
        );
        if values <= 1_000_000 {
            let mut python = Command::new("python3");
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/python_way.py");
            python
                .arg(script)
                .args(["sdk.db", "native.db", "python.csv"])
                .current_dir(folder);
            let python = run(python);
            print!(
                ", {:.0} times as fast as the Python way",
                python.cpu_s / whole.cpu_s
            );
        }
        println!();
    }
}

fn one(what: &str, folder: &Path) {
    let options = |output: &str, read_only| AnalyzeOptions {
        paths: vec![folder.join("sdk.db"), folder.join("native.db")],
        output: folder.join(output),
        json_report: None,
        read_only,
        force: false,
        jobs: NonZeroUsize::MIN,
    };
    let report = match what {
        "merge" => merge(
            &MergeOptions {
                sdk: folder.join("sdk.db"),
                native: folder.join("native.db"),
                json_report: None,
                force: false,
            },
            &Unwatched,
        ),
        "export" => analyze(&options("export.csv", true), &Unwatched),
        "analyze" => analyze(&options("analyze.csv", false), &Unwatched),
        "merge-limit" => return merge_limit(folder),
        "export-limit" => return export_limit(folder),
        _ => unreachable!("measurements are named above"),
    };
    assert_eq!(report.unwrap().exit_code, 0);
}

fn open(path: PathBuf) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).unwrap();
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection
        .pragma_update(None, "temp_store", "MEMORY")
        .unwrap();
    connection
}

/// One scan of the native values through prepared maps with integer keys, into the SDK's table.
fn merge_limit(folder: &Path) {
    let connection = open(folder.join("sdk.db"));
    let (sdk, native) = (suffix(SDK), suffix(NATIVE));
    let path = folder.join("native.db");
    connection
        .execute("ATTACH ?1 AS n", [path.to_str().unwrap()])
        .unwrap();
    connection
        .execute_batch(&format!(
            "CREATE TEMP TABLE launch (id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL);
             INSERT INTO launch SELECT dispatch_id, event_id FROM rocpd_kernel_dispatch{sdk};
             CREATE TEMP TABLE pmc (id INTEGER PRIMARY KEY, sdk INTEGER NOT NULL);
             INSERT INTO pmc SELECT n.id, s.id FROM n.rocpd_info_pmc{native} n
                 JOIN rocpd_info_pmc{sdk} s ON s.symbol = n.symbol;
             BEGIN IMMEDIATE;
             INSERT INTO rocpd_pmc_event{sdk} (guid, event_id, pmc_id, value, extdata)
                 SELECT '{SDK}', l.event_id, p.sdk, v.value, v.extdata
                 FROM n.rocpd_pmc_event{native} v
                 CROSS JOIN n.rocpd_event{native} e ON e.id = v.event_id
                 CROSS JOIN temp.launch l ON l.id = e.correlation_id
                 CROSS JOIN temp.pmc p ON p.id = v.pmc_id;
             COMMIT;"
        ))
        .unwrap();
}

/// A scan of the same tables; each value is written as the row that it is in the table, without a
/// look at what belongs together.
fn export_limit(folder: &Path) {
    let connection = open(folder.join("sdk.db"));
    let sdk = suffix(SDK);
    let starts: i64 = connection
        .prepare(&format!(
            "SELECT d.id, e.stack_id, d.start, d.\"end\", k.display_name
             FROM rocpd_kernel_dispatch{sdk} d
             JOIN rocpd_event{sdk} e ON e.id = d.event_id
             JOIN rocpd_info_kernel_symbol{sdk} k ON k.id = d.kernel_id"
        ))
        .unwrap()
        .query_map([], |row| row.get::<_, i64>(2))
        .unwrap()
        .map(Result::unwrap)
        .fold(0, i64::wrapping_add);
    std::hint::black_box(starts);
    let mut statement = connection
        .prepare(&format!(
            "SELECT event_id, pmc_id, value FROM rocpd_pmc_event{sdk} ORDER BY id"
        ))
        .unwrap();
    let mut file = std::io::BufWriter::with_capacity(
        256 * 1024,
        fs::File::create(folder.join("limit.csv")).unwrap(),
    );
    file.write_all(HEADER.as_bytes()).unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut row_bytes = Vec::new();
    let mut integers = itoa::Buffer::new();
    while let Some(row) = rows.next().unwrap() {
        let event: i64 = row.get(0).unwrap();
        let pmc: i64 = row.get(1).unwrap();
        let value = match row.get_ref(2).unwrap() {
            ValueRef::Real(value) => value,
            _ => 0.0,
        };
        row_bytes.clear();
        row_bytes.extend_from_slice(b"2,");
        row_bytes.extend_from_slice(SDK.as_bytes());
        row_bytes.extend_from_slice(b",100,");
        row_bytes.extend_from_slice(integers.format(event - 1).as_bytes());
        row_bytes.extend_from_slice(b",1048576,256,0,0,4,4,16,\"");
        row_bytes.extend_from_slice(KERNEL.as_bytes());
        row_bytes.extend_from_slice(b"\",13386742234691895,13386742234700548,0,COUNTER_NAME_");
        row_bytes.extend_from_slice(integers.format(pmc).as_bytes());
        row_bytes.push(b',');
        row_bytes.extend_from_slice(ryu::Buffer::new().format_finite(value).as_bytes());
        row_bytes.push(b'\n');
        file.write_all(&row_bytes).unwrap();
    }
    file.flush().unwrap();
}

const HEADER: &str = "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,\
LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,\
End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n";

const KERNEL: &str = "vecCopy(double*, double*, double*, int, int)";

fn suffix(guid: &str) -> String {
    format!("_{}", guid.replace('-', "_"))
}

/// The two files of a pass: an event for each value, and every value one row of the table.
fn generate(folder: &Path, values: u32, shuffled: bool) {
    let dispatches = u64::from(values) / COUNTERS;
    let numbers = |count: u64| {
        format!(
            "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count} - 1)"
        )
    };
    for (name, guid) in [("sdk.db", SDK), ("native.db", NATIVE)] {
        let connection = open(folder.join(name));
        connection
            .execute_batch("PRAGMA page_size = 4096; PRAGMA synchronous = OFF; BEGIN")
            .unwrap();
        rocpd::schema::create(&connection, &rocpd::Guid::parse(guid).unwrap()).unwrap();
        let s = suffix(guid);
        let is_sdk = guid == SDK;
        let (process, pmc, agent) = if is_sdk { (4711, 1000, 2) } else { (1, 0, 1) };
        let mut sql = format!(
            "INSERT INTO rocpd_info_node{s} (id, hash, machine_id) VALUES (7, 7, 'machine');
             INSERT INTO rocpd_info_process{s} (id, nid, pid) VALUES ({process}, 7, 4711);
             INSERT INTO rocpd_info_agent{s} (id, nid, pid, type, absolute_index)
                 VALUES ({agent}, 7, {process}, 'GPU', 2);
             {} INSERT INTO rocpd_info_pmc{s} (id, nid, pid, agent_id, target_arch, name, symbol)
                 SELECT {pmc} + i, 7, {process}, {agent}, 'GPU', 'COUNTER_NAME_' || (1000 + i),
                        'COUNTER_NAME_' || (1000 + i) FROM n;",
            numbers(COUNTERS)
        );
        if is_sdk {
            sql += &format!(
                "INSERT INTO rocpd_info_thread{s} (id, nid, pid, tid) VALUES (1, 7, 4711, 1);
                 INSERT INTO rocpd_info_queue{s} (id, nid, pid) VALUES (0, 7, 4711);
                 INSERT INTO rocpd_info_stream{s} (id, nid, pid) VALUES (0, 7, 4711);
                 INSERT INTO rocpd_info_code_object{s} (id, nid, pid, agent_id) VALUES (1, 7, 4711, 2);
                 INSERT INTO rocpd_info_kernel_symbol{s} (id, nid, pid, code_object_id, kernel_name,
                     display_name, sgpr_count, arch_vgpr_count, accum_vgpr_count)
                     VALUES (12, 7, 4711, 1, '_Z7vecCopyPdS_S_ii.kd', '{KERNEL}', 16, 4, 4);
                 {n} INSERT INTO rocpd_event{s} (id, stack_id) SELECT i + 1, 100 FROM n;
                 {n} INSERT INTO rocpd_kernel_dispatch{s} (id, nid, pid, tid, agent_id, kernel_id,
                     dispatch_id, queue_id, stream_id, start, \"end\", private_segment_size,
                     group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z,
                     grid_size_x, grid_size_y, grid_size_z, event_id)
                     SELECT i + 1, 7, 4711, 1, 2, 12, i + 1, 0, 0, 13386742000000000 + 900 * i,
                            13386742000000400 + 900 * i, 0, 0, 256, 1, 1, 1048576, 1, 1, i + 1 FROM n;",
                n = numbers(dispatches)
            );
        } else {
            // Multiplying by an odd number that has no factor in common goes through all places.
            let place = if shuffled {
                format!("(i * 7919 + 13) % {values}")
            } else {
                "i".into()
            };
            sql += &format!(
                "{n} INSERT INTO rocpd_event{s} (id, correlation_id)
                     SELECT i + 1, {place} / {COUNTERS} + 1 FROM n;
                 {n} INSERT INTO rocpd_pmc_event{s} (event_id, pmc_id, value)
                     SELECT i + 1, {place} % {COUNTERS}, (i * 7919) % 100003 + 0.0 FROM n;",
                n = numbers(u64::from(values))
            );
        }
        connection.execute_batch(&sql).unwrap();
        connection.execute_batch("COMMIT").unwrap();
    }
}
