//! What a call costs: directly, through a table, and through wrappers, in Rust and in C, in one run.
//!
//! `cargo bench -p profiler-hub-intercept --bench calls`
//!
//! Every way is a call of a function in a shared library through a pointer. The ways take turns, and
//! each shows the CPU time of its fastest turn.

#![expect(
    clippy::cast_precision_loss,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops where it cannot go on"
)]

use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};

type Next = unsafe extern "C" fn(c_int) -> c_int;

const CALLS: u32 = 1_000_000;
const TURNS: usize = 40;

/// A cdylib as cargo built it for this benchmark.
fn cdylib(name: &str) -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .with_file_name(format!("lib{name}.so"))
}

fn load(path: &Path, scope: c_int) -> &'static Library {
    // SAFETY: the libraries' initialisers do nothing.
    Box::leak(Box::new(
        unsafe { Library::open(Some(path), RTLD_NOW | scope) }.unwrap(),
    ))
}

/// CPU time of this thread, ns.
fn cpu_time() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the answer.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    u64::try_from(time.tv_sec).unwrap() * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap()
}

/// One turn: each call gets what the last one returned. ns per call.
fn turn(function: Next) -> f64 {
    let function = std::hint::black_box(function);
    let start = cpu_time();
    let mut value = 0;
    for _ in 0..CALLS {
        // SAFETY: takes any value.
        value = unsafe { function(value) };
    }
    let time = cpu_time() - start;
    assert_eq!(value, c_int::try_from(CALLS).unwrap());
    time as f64 / f64::from(CALLS)
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let c = folder.path().join("libplain.so");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/demo-runtime-c/plain.c"
    );
    let compiled = Command::new("cc")
        .args([
            "-O2", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", source, "-o",
        ])
        .arg(&c)
        .args(["-ldl", "-lpthread"])
        .status()
        .unwrap();
    assert!(compiled.success());
    // The loader takes each copy for a library of its own.
    let copy = |of: &Path, name: &str| {
        let path = folder.path().join(name);
        std::fs::copy(of, &path).unwrap();
        load(&path, RTLD_LOCAL)
    };
    let call = |library: &'static Library| {
        // SAFETY: the function has this type in all of them.
        let function = unsafe { *library.get::<Next>(b"plain_next").unwrap() };
        // The first call constructs. SAFETY: takes any value.
        assert_eq!(unsafe { function(41) }, 42);
        function
    };
    let counted = |library: &'static Library, name: &str| {
        // SAFETY: the function has this type.
        unsafe {
            library
                .get::<unsafe extern "C" fn() -> u64>(name.as_bytes())
                .unwrap()()
        }
    };

    let rust = cdylib("demo_runtime");
    let direct = load(&c, RTLD_LOCAL);
    // SAFETY: the function has this type.
    let real = unsafe {
        direct
            .get::<unsafe extern "C" fn() -> Next>(b"plain_real")
            .unwrap()()
    };
    // No SDK in the process so far, and so no tools.
    let c_table = call(copy(&c, "c-table.so"));
    let rust_table = call(copy(&rust, "rust-table.so"));
    // The C library wrapped by the C tool: the next function is the same for all.
    let [c_replacing, c_observing] = ["plain_replace", "plain_observe"].map(|wrap| {
        let library = copy(&c, wrap);
        // SAFETY: takes and returns nothing.
        unsafe {
            library
                .get::<unsafe extern "C" fn()>(wrap.as_bytes())
                .unwrap()()
        };
        let function = call(library);
        assert!(counted(library, "plain_counted") > 0, "{wrap}");
        function
    });
    // From here on the simulated SDK hands over to the Rust tool.
    load(&cdylib("sim_sdk"), RTLD_GLOBAL);
    let tool = load(&cdylib("demo_runtime_tool"), RTLD_LOCAL);
    let rust_replacing = call(copy(&c, "rust-replacing.so"));
    assert_eq!(counted(tool, "demo_tool_counted"), 1);
    let rust_observing = call(copy(&c, "rust-observing.so"));
    assert_eq!(counted(tool, "demo_tool_counted"), 3);

    let ways = [
        ("direct call", real),
        ("table, C", c_table),
        ("table, Rust", rust_table),
        ("replacement, C", c_replacing),
        ("replacement, Rust", rust_replacing),
        ("observer, C", c_observing),
        ("observer, Rust", rust_observing),
    ];
    let mut best = [f64::INFINITY; 7];
    for _ in 0..TURNS {
        for (best, (_, function)) in best.iter_mut().zip(ways) {
            *best = best.min(turn(function));
        }
    }
    println!(
        "{:<20} {:>8} {:>12} {:>10}",
        "a call", "ns", "over direct", "over C"
    );
    for (index, (name, _)) in ways.iter().enumerate() {
        let over_c = match index {
            2 | 4 | 6 => format!("{:.2}", best[index] / best[index - 1]),
            _ => String::new(),
        };
        println!(
            "{name:<20} {:>8.2} {:>12.2} {over_c:>10}",
            best[index],
            best[index] / best[0]
        );
    }
}
