//! The ways in: the function of CMake, in both entry points, and the script for a person's hand.
//!
//! The repository is a small project with this guard in its place; the guard itself is put into the
//! user's cache, as an earlier configure leaves it there. What building it takes is tried apart.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::lab::{Lab, text, with_each_git, write};

const GUARD: &str = "hub/src/lib/sparse-guard";

const TOP: &str = "cmake_minimum_required(VERSION 3.21)\nproject(TOP LANGUAGES NONE)\n\
                   add_subdirectory(src/lib)\ninclude(cmake/more.cmake)\n";
const LIB: &str = "cmake_minimum_required(VERSION 3.21)\nproject(LIB LANGUAGES NONE)\n\
                   include(${CMAKE_CURRENT_SOURCE_DIR}/sparse-guard/SparseGuard.cmake)\n\
                   profiler_hub_ensure_sources(../../cmake ../../rust)\n\
                   include(${CMAKE_CURRENT_SOURCE_DIR}/../../cmake/more.cmake)\n\
                   file(READ ../../rust/lib.rs content)\n";

/// The files of this project that the small one needs.
fn project_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn origin(lab: &Lab) -> PathBuf {
    let origin = lab.at("origin");
    fs::create_dir(&origin).unwrap();
    lab.git(&origin, &["init", "-q", "-b", "main"]);
    for name in [
        "Cargo.toml",
        "Cargo.lock",
        "guard.sh",
        "SparseGuard.cmake",
        "src/main.rs",
    ] {
        let content = fs::read_to_string(project_file(name)).unwrap();
        write(&origin.join(GUARD).join(name), &content);
    }
    let script = fs::read_to_string(project_file("../../../scripts/sparse-checkout.sh")).unwrap();
    write(&origin.join("hub/scripts/sparse-checkout.sh"), &script);
    write(
        &origin.join("hub/Cargo.toml"),
        "[workspace]\nmembers = [\n    \"tests/one\",\n]\n",
    );
    write(&origin.join("hub/tests/one/Cargo.toml"), "");
    write(&origin.join("hub/CMakeLists.txt"), TOP);
    write(&origin.join("hub/src/lib/CMakeLists.txt"), LIB);
    write(&origin.join("hub/cmake/more.cmake"), "");
    write(&origin.join("hub/rust/lib.rs"), "");
    write(&origin.join("hub/rust/deep/lib.rs"), "");
    write(&origin.join("other/x"), "");
    lab.commit(&origin, "first");
    origin
}

/// The value that names this guard.
const BUILT: &str = env!("CARGO_BIN_EXE_sparse-guard");

fn configure(lab: &Lab, source: &Path, guard: &str) -> Output {
    let build = lab.at("build");
    if build.exists() {
        fs::remove_dir_all(&build).unwrap();
    }
    let mut cmake = lab.program("cmake", &lab.at(""));
    cmake.arg("-S").arg(source).arg("-B").arg(build);
    // No cargo is on this PATH: what is not there already is not built.
    cmake
        .env("PROFILER_HUB_SPARSE_GUARD", guard)
        .output()
        .unwrap()
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|said| String::from_utf8_lossy(said))
        .concat()
}

#[test]
fn both_entry_points_bring_what_is_missing() {
    with_each_git(|lab| {
        let origin = origin(lab);
        for (at, entry) in ["hub/src/lib", "hub"].iter().enumerate() {
            let clone = lab.cone(&origin, &format!("clone{at}"), &["hub/src/lib"]);
            let output = configure(lab, &clone.join(entry), BUILT);
            succeeds(&output);
            assert!(said(&output).contains("by git2"), "{}", said(&output));
            assert!(clone.join("hub/rust/deep/lib.rs").exists());
            let list = lab.git(&clone, &["sparse-checkout", "list"]);
            assert_eq!(list, "hub/cmake\nhub/rust\nhub/src/lib\n");
            assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
            // From now on it costs a look.
            let output = configure(lab, &clone.join(entry), "");
            succeeds(&output);
            assert!(
                !said(&output).contains("profiler-hub:"),
                "{}",
                said(&output)
            );
        }
    });
}

#[test]
fn a_folder_that_is_there_in_part_is_completed() {
    with_each_git(|lab| {
        let clone = lab.cone(&origin(lab), "clone", &["hub/src/lib", "hub/cmake"]);
        fs::create_dir_all(clone.join("hub/rust")).unwrap();
        write(&clone.join("hub/rust/lib.rs"), "");
        succeeds(&configure(lab, &clone.join("hub/src/lib"), BUILT));
        assert!(clone.join("hub/rust/deep/lib.rs").exists());
    });
}

#[test]
fn full_checkouts_and_tarballs_need_no_guard() {
    with_each_git(|lab| {
        let origin = origin(lab);
        let turned_off = lab.cone(&origin, "off", &["hub/src/lib"]);
        lab.git(&turned_off, &["sparse-checkout", "disable"]);
        let linked = lab.at("linked");
        lab.git(
            &origin,
            &["worktree", "add", "-q", "-b", "side", &text(&linked)],
        );
        let tarball = lab.at("tarball");
        lab.git(
            &origin,
            &[
                "archive",
                "--format=tar",
                "-o",
                &text(&lab.at("t.tar")),
                "main",
            ],
        );
        fs::create_dir(&tarball).unwrap();
        let mut tar = Command::new("tar");
        tar.arg("-xf").arg(lab.at("t.tar")).arg("-C").arg(&tarball);
        assert!(tar.status().unwrap().success());
        let cone = lab.cone(&origin, "cone", &["other"]);
        let inside = cone.join("other/tarball");
        assert!(
            Command::new("cp")
                .arg("-a")
                .arg(&tarball)
                .arg(&inside)
                .status()
                .unwrap()
                .success()
        );
        for source in [origin, turned_off, linked, tarball.clone(), inside.clone()] {
            for entry in ["hub/src/lib", "hub"] {
                let output = configure(lab, &source.join(entry), "/nowhere");
                succeeds(&output);
                assert!(
                    !said(&output).contains("profiler-hub:"),
                    "{}",
                    said(&output)
                );
            }
        }
        for source in [tarball, inside] {
            fs::remove_dir_all(source.join("hub/cmake")).unwrap();
            let output = configure(lab, &source.join("hub/src/lib"), BUILT);
            assert!(!output.status.success());
            assert!(
                said(&output).contains("not in this source"),
                "{}",
                said(&output)
            );
        }
    });
}

#[test]
fn without_guard_and_cargo_git_does_it() {
    with_each_git(|lab| {
        let origin = origin(lab);
        for (at, guard) in ["git", ""].iter().enumerate() {
            let clone = lab.cone(&origin, &format!("clone{at}"), &["hub/src/lib"]);
            let output = configure(lab, &clone.join("hub/src/lib"), guard);
            succeeds(&output);
            assert_eq!(
                said(&output).contains("there is no cargo"),
                guard.is_empty()
            );
            let list = lab.git(&clone, &["sparse-checkout", "list"]);
            assert_eq!(list, "hub/cmake\nhub/rust\nhub/src/lib\n");
            assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
        }
        // Where git refuses, configure stops with the command.
        let clone = lab.cone(&origin, "locked", &["hub/src/lib"]);
        fs::write(clone.join(".git/index.lock"), "").unwrap();
        let output = configure(lab, &clone.join("hub/src/lib"), "git");
        assert!(!output.status.success());
        let command = format!(
            "git -C '{}' sparse-checkout add hub/cmake hub/rust",
            clone.display()
        );
        assert!(said(&output).contains(&command), "{}", said(&output));
    });
}

#[test]
fn partial_clones_are_fetched_from_unless_that_is_turned_off() {
    with_each_git(|lab| {
        let origin = origin(lab);
        lab.git(&origin, &["config", "uploadpack.allowFilter", "true"]);
        lab.git(
            &origin,
            &["config", "uploadpack.allowAnySHA1InWant", "true"],
        );
        let url = format!("file://{}", text(&origin));
        let clone = lab.at("clone");
        let clone_it = [
            "clone",
            "-q",
            "--no-checkout",
            "--filter=blob:none",
            &url,
            "clone",
        ];
        lab.git(&lab.at(""), &clone_it);
        lab.git(&clone, &["sparse-checkout", "set", "--cone", "hub/src/lib"]);
        lab.git(&clone, &["checkout", "-q", "main"]);
        let source = clone.join("hub/src/lib");
        let mut cmake = lab.program("cmake", &lab.at(""));
        cmake
            .args(["-DPROFILER_HUB_SPARSE_FETCH=OFF", "-S"])
            .arg(&source)
            .arg("-B");
        let output = cmake
            .arg(lab.at("off"))
            .env("PROFILER_HUB_SPARSE_GUARD", BUILT)
            .output();
        let output = output.unwrap();
        assert!(!output.status.success());
        assert!(
            said(&output).contains("have to be fetched"),
            "{}",
            said(&output)
        );
        succeeds(&configure(lab, &source, BUILT));
        assert!(clone.join("hub/rust/deep/lib.rs").exists());
    });
}

#[test]
fn the_script_brings_what_a_configure_needs() {
    with_each_git(|lab| {
        let origin = origin(lab);
        let clone = lab.cone(&origin, "clone", &["hub/scripts"]);
        let script = |arguments: &[&str], guard: &str| {
            let mut script = lab.program("sh", &clone.join("hub"));
            script.arg("scripts/sparse-checkout.sh").args(arguments);
            script
                .env("PROFILER_HUB_SPARSE_GUARD", guard)
                .output()
                .unwrap()
        };
        // It brings the guard first where not even that is on disk.
        let output = script(&["--check"], BUILT);
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(
            said(&output).contains("sparse-checkout add"),
            "{}",
            said(&output)
        );
        succeeds(&script(&[], BUILT));
        let list = lab.git(&clone, &["sparse-checkout", "list"]);
        assert_eq!(
            list,
            "hub/cmake\nhub/rust\nhub/scripts\nhub/src/lib\nhub/tests/one\n"
        );
        succeeds(&script(&["--check"], BUILT));
        succeeds(&script(&["--check"], "git"));
        assert!(!script(&["--check", "../other"], "git").status.success());
        succeeds(&script(&["../other"], "git"));
        assert!(clone.join("other/x").exists());
        assert_eq!(lab.git(&clone, &["status", "--porcelain"]), "");
    });
}

#[test]
fn an_installed_guard_is_used_and_one_of_another_version_is_not() {
    with_each_git(|lab| {
        let clone = lab.cone(&origin(lab), "clone", &["hub/src/lib"]);
        let bin = lab.at("bin");
        write(
            &bin.join("sparse-guard"),
            "#!/bin/sh\necho sparse-guard 0.0.0\n",
        );
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(bin.join("sparse-guard"), mode).unwrap();
        let output = configure(lab, &clone.join("hub/src/lib"), "");
        assert!(
            said(&output).contains("there is no cargo"),
            "{}",
            said(&output)
        );
        lab.git(&clone, &["sparse-checkout", "set", "hub/src/lib"]);
        // An installed one is on PATH.
        fs::remove_file(bin.join("sparse-guard")).unwrap();
        symlink(BUILT, bin.join("sparse-guard")).unwrap();
        let output = configure(lab, &clone.join("hub/src/lib"), "");
        succeeds(&output);
        assert!(said(&output).contains("by git2"), "{}", said(&output));
    });
}

#[test]
fn a_guard_is_built_once_and_kept_in_the_cache() {
    with_each_git(|lab| {
        let origin = origin(lab);
        // Stands for cargo: what it would build is there already.
        let cargo = lab.at("bin/cargo");
        let build = "mkdir -p \"$2/debug\" && cp \"$BUILT\" \"$2/debug/sparse-guard\"";
        let find = "while [ \"$1\" != --target-dir ]; do shift; done";
        write(
            &cargo,
            &format!("#!/bin/sh\nBUILT='{BUILT}'\n{find}\n{build}\n"),
        );
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&cargo, mode).unwrap();
        for turn in 0..2 {
            let clone = lab.cone(&origin, &format!("clone{turn}"), &["hub/src/lib"]);
            let output = configure(lab, &clone.join("hub/src/lib"), "");
            succeeds(&output);
            let said = said(&output);
            assert!(said.contains("by git2"), "{said}");
            assert_eq!(said.contains("building it"), turn == 0, "{said}");
            if turn == 0 {
                fs::remove_file(&cargo).unwrap();
            }
        }
        // Sources of another state have another place.
        write(&origin.join(GUARD).join("src/main.rs"), "// another");
        lab.commit(&origin, "another");
        let clone = lab.cone(&origin, "another", &["hub/src/lib"]);
        let output = configure(lab, &clone.join("hub/src/lib"), "");
        assert!(
            said(&output).contains("there is no cargo"),
            "{}",
            said(&output)
        );
    });
}

#[test]
fn a_build_that_fails_says_why_and_git_does_it() {
    with_each_git(|lab| {
        let clone = lab.cone(&origin(lab), "clone", &["hub/src/lib"]);
        let cargo = lab.at("bin/cargo");
        write(&cargo, "#!/bin/sh\necho no such crate >&2\nexit 101\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&cargo, mode).unwrap();
        let output = configure(lab, &clone.join("hub/src/lib"), "");
        succeeds(&output);
        let said = said(&output);
        for word in [
            "cargo failed",
            "build.log",
            "no such crate",
            "git's own command",
        ] {
            assert!(said.contains(word), "{word} is not said in {said}");
        }
        assert!(clone.join("hub/rust/deep/lib.rs").exists());
    });
}
