//! A run that is killed, at each of its changes to the file system in turn.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::lab::{Lab, RUST, SOURCE, with_each_git};

/// The system calls that change something. strace stops the guard at one of them.
const CHANGES: &str = "mkdir,write,symlink,link,linkat,rename,renameat,renameat2,unlink,\
                       unlinkat,rmdir,chmod,fchmod,copy_file_range,sendfile";

fn traced(lab: &Lab, clone: &Path, options: &[&str]) -> Command {
    let mut strace = lab.program("strace", clone);
    strace
        .args(options)
        .arg(env!("CARGO_BIN_EXE_sparse-guard"))
        .args(["ensure", RUST]);
    strace
}

/// The calls of a whole run, each with how often it came so far.
fn calls(lab: &Lab, clone: &Path) -> Vec<(String, usize)> {
    let clone = lab.copy(clone, "counted");
    let log = lab.at("log");
    let trace = format!("trace={CHANGES}");
    let done = traced(lab, &clone, &["-o", log.to_str().unwrap(), "-e", &trace]).output();
    let done = done.expect("strace is needed: apt-get install strace");
    assert!(done.status.success(), "{done:?}");
    let mut seen = HashMap::new();
    let log = fs::read_to_string(log).unwrap();
    let names = log
        .lines()
        .filter_map(|line| line.split_once('('))
        .map(|(name, _)| name);
    names
        .map(|name| {
            let count = seen.entry(name.to_owned()).or_default();
            *count += 1;
            (name.to_owned(), *count)
        })
        .collect()
}

#[test]
fn git_goes_on_by_itself() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let theirs = lab.copy(&clone, "theirs");
        lab.git(&theirs, &["sparse-checkout", "add", RUST]);
        let expected = lab.snapshot(&theirs);
        let calls = calls(lab, &clone);
        assert!(calls.len() > 20, "{calls:?} make no whole run");
        let mut left_locks = 0;
        for (name, count) in calls {
            let at = format!("{name} {count}");
            let killed = lab.copy(&clone, "killed");
            let inject = format!("inject={name}:signal=SIGKILL:when={count}");
            let run = traced(lab, &killed, &["-o", "/dev/null", "-e", &inject])
                .output()
                .unwrap();
            assert!(!run.status.success(), "{at} did not come");
            let git_dir = killed.join(".git");
            let locks = ["index.lock", "info/sparse-checkout.lock"].map(|name| git_dir.join(name));
            let locked = locks.iter().any(|lock| lock.exists());
            left_locks += usize::from(locked);
            // Nothing looks changed, and git sets the checkout right without help.
            assert_eq!(lab.git(&killed, &["status", "--porcelain"]), "", "{at}");
            if !locked {
                let again = lab.copy(&killed, "again");
                lab.git(&again, &["sparse-checkout", "reapply"]);
                assert_eq!(lab.git(&again, &["status", "--porcelain"]), "", "{at}");
                lab.git(&again, &["fsck"]);
                lab.git(&again, &["sparse-checkout", "add", RUST]);
                assert_eq!(lab.snapshot(&again), expected, "{at}");
                fs::remove_dir_all(again).unwrap();
            }
            // The next run finishes what the killed one began.
            lab.guard(&killed, &["--wait", "0", RUST]).complete();
            assert_eq!(lab.snapshot(&killed), expected, "{at}");
            lab.git(&killed, &["sparse-checkout", "reapply"]);
            assert_eq!(lab.snapshot(&killed), expected, "{at}");
            fs::remove_dir_all(killed).unwrap();
        }
        // Between the making of a lock and the rename that ends it there is no other call.
        assert!(left_locks <= 2, "{left_locks} kills left a lock");
    });
}
