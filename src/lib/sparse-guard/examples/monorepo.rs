//! The figures: a check, and the adding of 5,000 files, in a monorepo of 200,000, beside git.
//!
//! `cargo run --example monorepo` writes a table. Both sides of a ratio are measured in turn, as CPU
//! time of the processes (user and system), so that a busy machine does not decide. TMPDIR says
//! where the repositories are made; a folder in memory leaves the disk out.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that fails has nothing to say"
)]
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const COMPONENTS: usize = 40;
const MODULES: usize = 50;
const FILES: usize = 100;
/// The kernel counts the time of child processes in these.
const TICK: Duration = Duration::from_millis(10);

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let clone = monorepo(folder.path());
    let guard = guard();
    let work = folder.path().join("work");

    let (mut checked, mut listed) = (Vec::new(), Vec::new());
    let path = "projects/component03";
    for _ in 0..40 {
        checked.push(measure(&clone, &[&[&guard, "ensure", "--check", path]]));
        let list = ["git", "sparse-checkout", "list"];
        listed.push(measure(&clone, &[&list, &["git", "ls-files", path]]));
    }
    let (mut added, mut by_git) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        copy(&clone, &work);
        added.push(measure(&work, &[&[&guard, "ensure", path]]));
        copy(&clone, &work);
        by_git.push(measure(&work, &[&["git", "sparse-checkout", "add", path]]));
    }
    println!("| | CPU, ms | least, ms | time, ms | CPU to git's |");
    println!("|---|---|---|---|---|");
    row("--check", &checked, &listed);
    row("git sparse-checkout list + git ls-files", &listed, &listed);
    row("add 5,000 files", &added, &by_git);
    row("git sparse-checkout add", &by_git, &by_git);
}

#[derive(Clone, Copy)]
struct Taken {
    cpu: Duration,
    time: Duration,
}

fn row(what: &str, taken: &[Taken], git: &[Taken]) {
    let cpu = |taken: &[Taken]| mean(taken.iter().map(|taken| taken.cpu));
    let least = taken.iter().map(|taken| taken.cpu).min().unwrap();
    let time = mean(taken.iter().map(|taken| taken.time));
    let ratio = cpu(taken).as_secs_f64() / cpu(git).as_secs_f64();
    println!(
        "| {what} | {} | {} | {} | {ratio:.2} |",
        cpu(taken).as_millis(),
        least.as_millis(),
        time.as_millis()
    );
}

fn mean(all: impl ExactSizeIterator<Item = Duration>) -> Duration {
    let count = u32::try_from(all.len()).unwrap();
    all.sum::<Duration>() / count
}

fn measure(folder: &Path, commands: &[&[&str]]) -> Taken {
    let (cpu, time) = (cpu_of_children(), Instant::now());
    for command in commands {
        let mut started = Command::new(command[0]);
        started
            .args(&command[1..])
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        started.status().unwrap();
    }
    Taken {
        cpu: cpu_of_children() - cpu,
        time: time.elapsed(),
    }
}

/// User and system time of the children that were waited for.
fn cpu_of_children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    fields[13..15]
        .iter()
        .map(|ticks| TICK * ticks.parse::<u32>().unwrap())
        .sum()
}

/// The program that was built beside this one.
fn guard() -> String {
    let here = std::env::current_exe().unwrap();
    let built = here.ancestors().nth(2).unwrap().join("sparse-guard");
    assert!(built.exists(), "cargo build makes {}", built.display());
    built.into_os_string().into_string().unwrap()
}

fn copy(from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).unwrap();
    }
    run(Command::new("cp").arg("-a").arg(from).arg(to));
    // Fresh times, as after a checkout.
    run(Command::new("git")
        .arg("status")
        .current_dir(to)
        .stdout(Stdio::null()));
}

fn monorepo(folder: &Path) -> PathBuf {
    let (bare, clone) = (folder.join("bare.git"), folder.join("clone"));
    let git = |folder: &Path, arguments: &[&str]| {
        run(Command::new("git").args(arguments).current_dir(folder));
    };
    git(folder, &["init", "-q", "--bare", "-b", "main", "bare.git"]);
    let mut import = Command::new("git");
    import
        .args(["fast-import", "--quiet"])
        .current_dir(&bare)
        .stdin(Stdio::piped());
    let mut import = import.spawn().unwrap();
    let mut stream = std::io::BufWriter::new(import.stdin.take().unwrap());
    let author = "committer Somebody <somebody@example.com> 1700000000 +0000";
    write!(stream, "commit refs/heads/main\n{author}\ndata 1\nm\n").unwrap();
    for component in 0..COMPONENTS {
        for module in 0..MODULES {
            for file in 0..FILES {
                let name = format!(
                    "projects/component{component:02}/source/module{module:02}/file_{file:03}.cpp"
                );
                let content = format!("// {name}\n{}", "int value;\n".repeat(60));
                let length = content.len();
                write!(stream, "M 100644 inline {name}\ndata {length}\n{content}\n").unwrap();
            }
        }
    }
    drop(stream);
    assert!(import.wait().unwrap().success());
    git(
        folder,
        &["clone", "-q", "--no-checkout", "bare.git", "clone"],
    );
    let set = [
        "sparse-checkout",
        "set",
        "--cone",
        "--no-sparse-index",
        "projects/component01",
    ];
    git(&clone, &set);
    git(&clone, &["checkout", "-q", "main"]);
    clone
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?}");
}
