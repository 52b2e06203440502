//! What recording costs the application: CPU time on the calling thread, ns per call.
//!
//! `cargo bench -p profiler-hub-api-trace --bench recording`
//!
//! A C program (`tests/demo-runtime-c/bench_calls.c`) makes the calls without a recorder and with it
//! preloaded, from one thread and from eight, in one run. What a thread does alone and what it does
//! among others costs the same where nothing is shared.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A cdylib as cargo built it for this benchmark.
fn cdylib(name: &str) -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .with_file_name(format!("lib{name}.so"))
}

fn compile(folder: &Path, file: &str, to: &str, flags: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/demo-runtime-c");
    let status = Command::new("cc")
        .args(["-O2", "-Wall", "-Wextra", "-Werror"])
        .arg(source.join(file))
        .arg("-o")
        .arg(folder.join(to))
        .args(flags)
        .args(["-ldl", "-lpthread"])
        .status()
        .unwrap();
    assert!(status.success());
}

/// What each kind of call costs.
fn measure(folder: &Path, recorder: bool, threads: u32, calls: u32) -> Vec<(String, f64)> {
    let mut command = Command::new(folder.join("bench_calls"));
    command.args([threads.to_string(), calls.to_string(), "5".to_owned()]);
    if recorder {
        let preload = [cdylib("sim_sdk"), cdylib("profiler_hub_api_trace")];
        let preload: Vec<_> = preload.iter().map(|path| path.as_os_str()).collect();
        command
            .env("LD_PRELOAD", preload.join(std::ffi::OsStr::new(":")))
            .env("ROCPROF_OUTPUT_PATH", folder.join("out"))
            .env("PROFILER_HUB_API_TABLES", "roctx,hip");
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("lost"), "{said}");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let (name, ns) = line.split_once(' ').unwrap();
            (name.to_owned(), ns.parse().unwrap())
        })
        .collect()
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    compile(
        folder,
        "fake_rocm.c",
        "libfake_rocm.so",
        &["-shared", "-fPIC"],
    );
    std::fs::copy(cdylib("demo_runtime"), folder.join("libdemo_runtime.so")).unwrap();
    let here = format!("-L{}", folder.display());
    let libraries = [&here, "-lfake_rocm", "-ldemo_runtime", "-Wl,-rpath,$ORIGIN"];
    compile(folder, "bench_calls.c", "bench_calls", &libraries);

    let bare = measure(folder, false, 1, 100_000);
    let one = measure(folder, true, 1, 100_000);
    let eight = measure(folder, true, 8, 20_000);
    println!(
        "{:<22} {:>10} {:>14} {:>14} {:>8}",
        "CPU ns a call", "bare", "1 thread", "8 threads", "8 / 1"
    );
    for ((bare, one), eight) in bare.iter().zip(&one).zip(&eight) {
        println!(
            "{:<22} {:>10.1} {:>14.1} {:>14.1} {:>8.2}",
            bare.0,
            bare.1,
            one.1,
            eight.1,
            eight.1 / one.1
        );
    }

    // The writer's pace: what a program that does nothing else waits for.
    let begun = Instant::now();
    let output = Command::new(folder.join("bench_calls"))
        .args(["4", "250000", "1"])
        .env(
            "LD_PRELOAD",
            [cdylib("sim_sdk"), cdylib("profiler_hub_api_trace")]
                .map(|path| path.into_os_string().into_string().unwrap())
                .join(":"),
        )
        .env("ROCPROF_OUTPUT_PATH", folder.join("pace"))
        .env("PROFILER_HUB_API_TABLES", "roctx,hip")
        .output()
        .unwrap();
    let seconds = begun.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said
        .lines()
        .find(|line| line.contains("regions of"))
        .unwrap_or(&said);
    let file = std::fs::read_dir(folder.join("pace"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let bytes = file.metadata().unwrap().len();
    println!("{line}: {seconds:.1} s in all, {bytes} bytes");
}
