//! Applications with the native tool preloaded, on the simulated SDK. No test waits for a time: what
//! has to have happened is looked for until it has.

#![expect(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a test fails by panicking; scenarios have small numbers"
)]

mod capture;
mod death;
mod disk;
mod faults;
mod forks;
mod neighbours;
mod output;
mod quiet;

use std::io::{BufRead, BufReader};
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Two GPUs and a CPU; the counter A has four instances, B one. Launches as in `dispatches`.
fn two_gpus(dispatches: Value) -> Value {
    json!({
        "agents": [
            {"type": "CPU", "node_id": 0, "name": "EPYC", "device_id": 0},
            {"node_id": 2, "logical_node_type_id": 0},
            {"node_id": 3, "logical_node_type_id": 1, "name": "gfx950"}
        ],
        "counters": [
            {"name": "A", "instances": 4, "base": 0.25, "per_dispatch": 100.0, "per_agent": 10000.0, "per_instance": 1.0},
            {"name": "B", "base": 7.0, "per_dispatch": 10.0, "per_agent": 1000.0}
        ],
        "garbage_records": 5,
        "dispatches": dispatches
    })
}

/// What [`two_gpus`] gives for the counter A.
fn a(dispatch: u64, node: u32) -> Vec<f64> {
    (0..4)
        .map(|instance| {
            0.25 + 100.0 * dispatch as f64 + 10000.0 * f64::from(node) + f64::from(instance)
        })
        .collect()
}

/// What [`two_gpus`] gives for the counter B.
fn b(dispatch: u64, node: u32) -> Vec<f64> {
    vec![7.0 + 10.0 * dispatch as f64 + 1000.0 * f64::from(node)]
}

/// Reads the one line that a program prints before it waits.
fn wait_until(child: &mut Child, word: &str) {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line.trim(), word);
}

/// Tries until there is an answer; gives up after a time in which nothing can still be under way.
fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "waited in vain for {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
