//! Other processes that change the checkout at the same time.

use std::fs::{self, File};
use std::process::{Child, Stdio};

use crate::lab::{CMAKE, RUST, SOURCE, with_each_git};

#[test]
fn a_lock_that_nobody_holds_is_named_with_the_remedy() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        for name in ["index.lock", "info/sparse-checkout.lock"] {
            let lock = clone.join(".git").join(name);
            File::create(&lock).unwrap();
            let outcome = lab.guard(&clone, &["--wait", "0", RUST]);
            outcome.incomplete(&[name, "no process", &format!("rm {}", lock.display())]);
            assert!(!clone.join(RUST).exists());
            // A check does not need it, nor does a path that is there.
            lab.guard(&clone, &["--wait", "0", "--check", RUST])
                .incomplete(&["add"]);
            lab.guard(&clone, &["--wait", "0", SOURCE]).complete();
            fs::remove_file(&lock).unwrap();
        }
        lab.same_as_git(&clone, &[RUST], &[RUST]);
    });
}

struct Holder(Child);

impl Drop for Holder {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn who_holds_a_lock_is_said() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let lock = clone.join(".git/index.lock");
        let file = File::create(&lock).unwrap();
        let mut sleep = lab.program("sleep", &clone);
        sleep
            .arg("1000")
            .stdin(Stdio::from(file))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let holder = Holder(sleep.spawn().unwrap());
        let pid = format!("process {} (sleep 1000)", holder.0.id());
        lab.guard(&clone, &["--wait", "0", RUST])
            .incomplete(&["index.lock", &pid]);
        fs::remove_file(&lock).unwrap();

        let folder = File::open(clone.join(".git")).unwrap();
        folder.lock().unwrap();
        let pid = format!("process {} ", std::process::id());
        lab.guard(&clone, &["--wait", "0", RUST])
            .incomplete(&[".git is locked", &pid]);
        folder.unlock().unwrap();
        lab.guard(&clone, &["--wait", "0", RUST]).complete();
    });
}

#[test]
fn a_lock_that_is_given_back_is_waited_for() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let folder = File::open(clone.join(".git")).unwrap();
        folder.lock().unwrap();
        let mut guard = lab.guard_command(&clone, &[RUST]);
        let mut guard = guard.stdout(Stdio::null()).spawn().unwrap();
        assert!(guard.try_wait().unwrap().is_none());
        folder.unlock().unwrap();
        assert!(guard.wait().unwrap().success());
        assert!(clone.join(RUST).exists());
    });
}

#[test]
fn many_at_once_leave_what_one_leaves() {
    with_each_git(|lab| {
        let clone = lab.cone(&lab.origin(), "clone", &[SOURCE]);
        let theirs = lab.copy(&clone, "theirs");
        lab.git(
            &theirs,
            &["sparse-checkout", "add", RUST, CMAKE, "tools/a", "tools/b"],
        );
        let guards: Vec<_> = [
            RUST, CMAKE, "tools/a", "tools/b", RUST, CMAKE, "tools/a", "tools/b",
        ]
        .iter()
        .map(|path| {
            let mut guard = lab.guard_command(&clone, &[path]);
            guard.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
        for mut guard in guards {
            assert!(guard.wait().unwrap().success());
        }
        assert_eq!(lab.snapshot(&clone), lab.snapshot(&theirs));
    });
}
