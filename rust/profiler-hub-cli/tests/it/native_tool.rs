//! `native-tool` with real cmake and a real compiler, on a source tree so small that a build takes a second.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use assert_cmd::Command;
use serde_json::Value;

use super::profiler_hub;

/// Counts its configures in the file that FIXTURE_COUNT names, and stops half-way where FIXTURE_PAUSE names a FIFO.
const CMAKE_LISTS: &str = r#"
cmake_minimum_required(VERSION 3.21)
project(fixture LANGUAGES C)
file(APPEND "$ENV{FIXTURE_COUNT}" "configured\n")
if(DEFINED ENV{FIXTURE_PAUSE})
    execute_process(COMMAND sh -c "echo half-way > \"$FIXTURE_PAUSE\"; cat \"$FIXTURE_PAUSE\"")
endif()
add_library(profiler-hub-native-tool SHARED tool.c)
set_target_properties(profiler-hub-native-tool PROPERTIES
    OUTPUT_NAME rocprofiler-compute-tool LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
"#;

/// A source tree and a cache, in folders whose names have a space and a dollar sign.
struct Fixture {
    folder: tempfile::TempDir,
}

impl Fixture {
    fn new() -> Self {
        let fixture = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(fixture.source().join("src/lib")).unwrap();
        fixture.write("CMakeLists.txt", CMAKE_LISTS);
        fixture.write("tool.c", "int rocprofiler_configure(void) { return 0; }\n");
        fixture
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("the $ource tree")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("the $cache")
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.source().join("src/lib").join(name), content).unwrap();
    }

    fn arguments(&self) -> [PathBuf; 7] {
        let source = self.source();
        let cache = self.cache();
        [
            "native-tool".into(),
            "--build".into(),
            "--json".into(),
            "--source".into(),
            source,
            "--cache".into(),
            cache,
        ]
    }

    fn count_file(&self) -> PathBuf {
        self.folder.path().join("count")
    }

    fn command(&self) -> Command {
        let mut command = profiler_hub();
        command
            .args(self.arguments())
            .env("FIXTURE_COUNT", self.count_file());
        command
    }

    fn configures(&self) -> usize {
        fs::read_to_string(self.count_file())
            .unwrap_or_default()
            .lines()
            .count()
    }

    /// Runs and returns what it prints, with the exit code.
    fn run(&self) -> (Value, i32) {
        answer(&mut self.command())
    }

    /// Builds, and returns path and origin.
    fn build(&self) -> (PathBuf, String) {
        let (said, code) = self.run();
        assert_eq!(code, 0, "{said}");
        (PathBuf::from(text(&said, "path")), text(&said, "origin"))
    }
}

fn answer(command: &mut Command) -> (Value, i32) {
    let output = command.output().unwrap();
    let said = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
    (said, output.status.code().unwrap())
}

fn text(said: &Value, field: &str) -> String {
    said[field]
        .as_str()
        .unwrap_or_else(|| panic!("no {field} in {said}"))
        .to_owned()
}

/// All paths below a folder, with their contents.
fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(snapshot(&path));
        }
        all.push((path.clone(), fs::read(&path).unwrap_or_default()));
    }
    all.sort();
    all
}

#[test]
fn a_build_is_made_once_and_then_taken_from_the_cache_and_leaves_the_sources_alone() {
    let fixture = Fixture::new();
    let before = snapshot(&fixture.source());
    let (path, origin) = fixture.build();
    assert_eq!(origin, "built");
    assert!(fs::read(&path).unwrap().starts_with(b"\x7fELF"));
    assert_eq!(fixture.build(), (path, "cached".to_owned()));
    assert_eq!(fixture.configures(), 1);
    assert_eq!(snapshot(&fixture.source()), before);
}

#[test]
fn other_sources_another_rocm_and_a_damaged_result_get_a_new_build() {
    let fixture = Fixture::new();
    let (first, _) = fixture.build();
    fixture.write("tool.c", "int rocprofiler_configure(void) { return 1; }\n");
    let (second, origin) = fixture.build();
    assert_eq!(origin, "built");
    assert_ne!(first, second);

    let rocm = fixture.folder.path().join("rocm/.info");
    fs::create_dir_all(&rocm).unwrap();
    fs::write(rocm.join("version"), "7.1.0").unwrap();
    let (said, _) = answer(
        fixture
            .command()
            .env("ROCM_PATH", fixture.folder.path().join("rocm")),
    );
    assert_eq!(text(&said, "origin"), "built");
    assert_ne!(text(&said, "path"), second.display().to_string());

    fs::write(&second, b"\x7fELF").unwrap();
    assert_eq!(fixture.build(), (second, "built".to_owned()));
}

#[test]
fn eight_ranks_at_once_make_one_build() {
    let fixture = Fixture::new();
    let ranks: Vec<_> = (0..8)
        .map(|_| {
            process::Command::new(env!("CARGO_BIN_EXE_profiler-hub"))
                .args(fixture.arguments())
                .env("FIXTURE_COUNT", fixture.count_file())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut origins = Vec::new();
    for rank in ranks {
        let output = rank.wait_with_output().unwrap();
        assert!(output.status.success());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(Path::new(&text(&said, "path")).is_file());
        origins.push(text(&said, "origin"));
    }
    assert_eq!(fixture.configures(), 1);
    assert_eq!(
        origins.iter().filter(|origin| *origin == "built").count(),
        1,
        "{origins:?}"
    );
}

#[test]
fn a_killed_build_leaves_nothing_that_is_taken_for_a_result() {
    let fixture = Fixture::new();
    let fifo = fixture.folder.path().join("pause");
    assert!(
        process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let mut build = process::Command::new(env!("CARGO_BIN_EXE_profiler-hub"))
        .args(fixture.arguments())
        .env("FIXTURE_COUNT", fixture.count_file())
        .env("FIXTURE_PAUSE", &fifo)
        .process_group(0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(fs::File::open(&fifo).unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(line, "half-way\n");
    // The whole group, as a batch system does it.
    let group = format!("-{}", build.id());
    assert!(
        process::Command::new("kill")
            .args(["-KILL", "--", &group])
            .status()
            .unwrap()
            .success()
    );
    assert!(!build.wait().unwrap().success());

    let find = profiler_hub()
        .args(["native-tool", "--find", "--source"])
        .arg(fixture.source())
        .arg("--cache")
        .arg(fixture.cache())
        .env("ROCM_PATH", fixture.folder.path())
        .output()
        .unwrap();
    assert_eq!(
        find.status.code(),
        Some(3),
        "{}",
        String::from_utf8_lossy(&find.stdout)
    );
    let (_, origin) = fixture.build();
    assert_eq!(origin, "built");
    let leftovers: Vec<_> = fs::read_dir(fixture.cache())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".building-"))
        .collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}

#[test]
fn find_takes_what_was_built_before_and_builds_nothing() {
    let fixture = Fixture::new();
    let (path, _) = fixture.build();
    let (said, code) = answer(
        profiler_hub()
            .args(["native-tool", "--find", "--json", "--source"])
            .arg(fixture.source())
            .arg("--cache")
            .arg(fixture.cache()),
    );
    assert_eq!((code, text(&said, "origin")), (0, "cached".to_owned()));
    assert_eq!(text(&said, "path"), path.display().to_string());
    assert_eq!(fixture.configures(), 1);
}

#[test]
fn an_installed_tool_below_the_sdk_tools_root_is_found_first() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("lib64/rocprofiler-compute");
    fs::create_dir_all(&folder).unwrap();
    let tool = folder.join("librocprofiler-compute-tool.so");
    fs::copy(env!("CARGO_BIN_EXE_profiler-hub"), &tool).unwrap();
    let output = profiler_hub()
        .args(["native-tool", "--sdk-tool"])
        .arg(
            root.path()
                .join("lib64/rocprofiler-sdk/librocprofiler-sdk-tool.so"),
        )
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{}\n", tool.display())
    );
}

#[test]
fn each_failure_names_its_step_its_log_and_what_to_do() {
    let missing = |programs: &[&str]| {
        let fixture = Fixture::new();
        let bin = fixture.folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for program in programs {
            symlink("/bin/true", bin.join(program)).unwrap();
        }
        let mut command = fixture.command();
        command
            .env("PATH", bin)
            .env("HOME", "/nonexistent")
            .env_remove("CARGO_HOME")
            .env_remove("CC");
        let (said, code) = answer(&mut command);
        (said, code, fixture)
    };
    for (programs, message, remedy) in [
        (&[][..], "no cmake", "install CMake"),
        (&["cmake"][..], "no cargo", "install Rust"),
        (
            &["cmake", "cargo", "rustc"][..],
            "no C compiler",
            "install gcc or clang",
        ),
        (
            &["cmake", "cargo", "rustc", "cc"][..],
            "no ninja or make",
            "install ninja",
        ),
    ] {
        let (said, code, _fixture) = missing(programs);
        assert_eq!(
            (code, text(&said, "step").as_str()),
            (3, "toolchain"),
            "{said}"
        );
        assert!(
            text(&said, "message").contains(message) && text(&said, "message").contains(remedy),
            "{said}"
        );
    }

    let fixture = Fixture::new();
    fixture.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.21)\nproject(x NONE)\nmessage(FATAL_ERROR \"the reason\")\n");
    let (said, code) = fixture.run();
    assert_eq!(
        (code, text(&said, "step").as_str()),
        (3, "configure"),
        "{said}"
    );
    assert!(text(&said, "message").contains("the reason"), "{said}");
    assert!(
        fs::read_to_string(text(&said, "log"))
            .unwrap()
            .contains("the reason")
    );

    let fixture = Fixture::new();
    fixture.write("tool.c", "#error no such luck\n");
    let (said, code) = fixture.run();
    assert_eq!((code, text(&said, "step").as_str()), (3, "build"), "{said}");
    assert!(text(&said, "message").contains("see the log"), "{said}");
    assert!(
        fs::read_to_string(text(&said, "log"))
            .unwrap()
            .contains("no such luck")
    );

    // Below a file, no folder can be made, whoever asks.
    let fixture = Fixture::new();
    fs::write(fixture.cache(), "").unwrap();
    let (said, code) = fixture.run();
    assert_eq!((code, text(&said, "step").as_str()), (4, "cache"), "{said}");
    assert!(
        text(&said, "message").contains("PROFILER_HUB_CACHE_DIR"),
        "{said}"
    );

    let (said, code) = answer(profiler_hub().args([
        "native-tool",
        "--build",
        "--json",
        "--source",
        "/nonexistent",
    ]));
    assert_eq!(
        (code, text(&said, "step").as_str()),
        (3, "sources"),
        "{said}"
    );
    assert!(text(&said, "message").contains("--source"), "{said}");
}
