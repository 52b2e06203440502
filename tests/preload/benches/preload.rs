//! What the tool costs an application: memory, time, the size of the file, and nothing where
//! nothing is counted.
//!
//! `cargo bench -p preload-tests`
//!
//! Applications are run with and without the tool in turn. Times are ratios within this run;
//! nothing of this says anything of a GPU.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it measures"
)]

use std::mem::MaybeUninit;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use preload_tests::{Run, app, files, tool_library};
use serde_json::{Value, json};

/// What a process used.
struct Used {
    wall: Duration,
    /// User and system, with its children.
    cpu: Duration,
    /// Peak of the resident set, bytes.
    memory: u64,
}

fn run(mut command: Command) -> Used {
    let begin = Instant::now();
    #[expect(
        clippy::zombie_processes,
        reason = "wait4 waits for it, and tells what it used"
    )]
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    let mut status = 0;
    // SAFETY: our own child, and room for the answers.
    let usage = unsafe {
        let pid = child.id().cast_signed();
        assert_eq!(
            libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()),
            pid
        );
        usage.assume_init()
    };
    assert!(ExitStatus::from_raw(status).success());
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec.unsigned_abs())
            + Duration::from_micros(time.tv_usec.unsigned_abs())
    };
    Used {
        wall: begin.elapsed(),
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        memory: usage.ru_maxrss.unsigned_abs() * 1024,
    }
}

/// The median of several runs of each, in turn.
fn compare<const N: usize>(rounds: usize, mut runs: [&mut dyn FnMut() -> f64; N]) -> [f64; N] {
    let mut found = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (run, found) in runs.iter_mut().zip(&mut found) {
            found.push(run());
        }
    }
    found.map(|mut values| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    })
}

/// Hundred values for each dispatch.
fn scenario(threads: usize, dispatches: usize, interval_us: u64) -> Value {
    let counters: Vec<_> = (0..10)
        .map(|n| json!({"name": format!("C{n}"), "instances": 10, "per_instance": 1.5}))
        .collect();
    let launches: Vec<_> = (0..threads)
        .map(|thread| json!({"thread": thread, "repeat": dispatches / threads}))
        .collect();
    json!({"counters": counters, "dispatches": launches, "interval_us": interval_us})
}

const COUNTERS: &str = "pmc: C0 C1 C2 C3 C4 C5 C6 C7 C8 C9";

fn with_tool(scenario: &Value) -> Run {
    Run::new(scenario, COUNTERS).env("SIM_SDK_CALLS", "/dev/null")
}

fn ten_million() {
    // The pause makes it a rate that the disk can take; an application's kernels take longer.
    let scenario = scenario(4, 100_000, 500);
    let tool = with_tool(&scenario);
    let with = run(tool.command(&app("vcopy")));
    let file = tool.native_files().pop().unwrap();
    let values = files::number(&file, "SELECT count(*) FROM \"rocpd_pmc_event\"");
    let bytes = std::fs::metadata(&file).unwrap().len();
    // Without the tool nothing is counted: the simulation makes no records.
    let without = run(Run::without_tool(&scenario)
        .env("SIM_SDK_CALLS", "/dev/null")
        .command(&app("vcopy")));
    println!(
        "10 M values, 4 threads: {values} stored, {:.1} bytes per value, memory grew by {:.1} MB ({:.1} to {:.1})",
        bytes as f64 / values as f64,
        (with.memory as f64 - without.memory as f64) / 1e6,
        without.memory as f64 / 1e6,
        with.memory as f64 / 1e6
    );
}

fn wall() {
    // 8 threads, each launches every millisecond: 100 values a launch, 800,000 a second.
    let scenario = scenario(8, 8_000, 1000);
    let mut with = || {
        run(with_tool(&scenario).command(&app("vcopy")))
            .wall
            .as_secs_f64()
    };
    let mut without = || {
        run(Run::without_tool(&scenario)
            .env("SIM_SDK_CALLS", "/dev/null")
            .command(&app("vcopy")))
        .wall
        .as_secs_f64()
    };
    let [with, without] = compare(5, [&mut with, &mut without]);
    println!(
        "8 threads, 1000 launches a second each, 100 values a launch: {with:.2} s with the tool, {without:.2} s without, ratio {:.2}",
        with / without
    );
}

/// Many runs of a program that uses no GPU, in one shell.
fn startup(preload: &[&Path], counters: &str) -> f64 {
    let mut command = Command::new("/bin/sh");
    let list: Vec<_> = preload.iter().map(|path| path.to_str().unwrap()).collect();
    command.arg("-c").arg("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do LD_PRELOAD=$LIST /bin/true; done");
    command
        .env("LIST", list.join(":"))
        .env("ROCPROF_COUNTERS", counters);
    run(command).cpu.as_secs_f64() / 20.0 * 1000.0
}

/// A library with nothing in it that needs what the tool needs.
fn empty_library(folder: &Path) -> PathBuf {
    let path = folder.join("libempty.so");
    let output = Command::new("readelf")
        .args(["-d", tool_library().to_str().unwrap()])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let needed = text
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .map(|line| format!("-l:{}", line.split(['[', ']']).nth(1).unwrap()));
    let needed: Vec<String> = needed.filter(|name| !name.contains("ld-linux")).collect();
    let status = Command::new("cc")
        .args(["-shared", "-nostdlib", "-x", "c", "/dev/null", "-o"])
        .arg(&path)
        .arg("-Wl,--no-as-needed")
        .args(&needed)
        .status()
        .unwrap();
    assert!(status.success());
    println!(
        "an empty library with the same NEEDED entries: {}",
        needed.join(" ")
    );
    path
}

fn shells(empty: &Path) {
    let subshells = |library: &Path| {
        let mut command = Command::new("/bin/bash");
        command
            .args(["-c", "for ((i = 0; i < 200; i++)); do (true); done"])
            .env("LD_PRELOAD", library);
        run(command).cpu.as_secs_f64() * 1000.0
    };
    let tool = tool_library();
    let [with, without] = compare(15, [&mut || subshells(&tool), &mut || subshells(empty)]);
    println!(
        "bash with 200 subshells: {with:.1} ms of CPU time with the tool, {without:.1} ms with the empty library, ratio {:.2}",
        with / without
    );
    let [with, without] = compare(
        15,
        [&mut || startup(&[&tool], ""), &mut || startup(&[empty], "")],
    );
    println!(
        "a program without a GPU: {with:.2} ms of CPU time with the tool, {without:.2} ms with the empty library"
    );
}

/// Process time of a program that uses the simulated GPU, where no counters are asked for.
fn idle_tool() {
    let once = |tool: bool| {
        let run = Run::without_tool(&json!({"dispatches": []}));
        let run = if tool {
            run.preload(tool_library())
        } else {
            run
        };
        self::run(run.command(&app("vcopy"))).cpu.as_secs_f64() * 1000.0
    };
    let [with, without] = compare(31, [&mut || once(true), &mut || once(false)]);
    println!(
        "no counters asked for: {with:.2} ms of CPU time with the tool, {without:.2} ms without"
    );
}

fn size() {
    let folder = tempfile::tempdir().unwrap();
    let stripped = folder.path().join("stripped.so");
    let status = Command::new("strip")
        .arg("-o")
        .arg(&stripped)
        .arg(tool_library())
        .status()
        .unwrap();
    assert!(status.success());
    let bytes = std::fs::metadata(stripped).unwrap().len();
    println!("the tool, stripped: {:.2} MB", bytes as f64 / 1e6);
    assert!(bytes < 3_000_000, "the tool has to stay under 3 MB");
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    size();
    shells(&empty_library(folder.path()));
    idle_tool();
    wall();
    ten_million();
}
