//! C and C++ programs, compiled and run as a client would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const STRICT: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Where this build's libprofiler_hub.so lies.
pub(crate) fn library_folder() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

fn golden() -> PathBuf {
    Path::new(CRATE)
        .join("../../tests/golden")
        .canonicalize()
        .unwrap()
}

fn compiler(source: &Path) -> &'static str {
    if source.extension().is_some_and(|extension| extension == "c") {
        "gcc"
    } else {
        "g++"
    }
}

/// Compiles one source file against the headers; with `link`, to a program.
fn compile(standard: &str, source: &Path, out: &Path, link: bool, flags: &[&str]) {
    let mut command = Command::new(compiler(source));
    command
        .arg(format!("-std={standard}"))
        .args(STRICT)
        .args(flags)
        .arg("-I")
        .arg(Path::new(CRATE).join("include"))
        .arg(source)
        .arg("-o")
        .arg(out);
    if link {
        let folder = library_folder();
        command
            .arg("-L")
            .arg(&folder)
            .arg("-lprofiler_hub")
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            .args(["-pthread", "-lm"]);
    } else {
        command.arg("-c");
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
}

/// Compiles a text as a source file of that name.
pub(crate) fn compile_text(standard: &str, name: &str, text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(name);
    std::fs::write(&source, text).unwrap();
    compile(standard, &source, &folder.path().join("out.o"), false, &[]);
}

/// A program that was built for a test, with the folder it lies in.
struct Program {
    _folder: TempDir,
    file: PathBuf,
}

fn program(standard: &str, source: &str, flags: &[&str]) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program");
    compile(standard, &Path::new(CRATE).join(source), &file, true, flags);
    Program {
        _folder: folder,
        file,
    }
}

impl Program {
    fn run(&self, arguments: &[&Path]) -> Output {
        // Cargo's search path begins where `cargo build` may have left an older library.
        let mut command = Command::new(&self.file);
        command.args(arguments).env_remove("LD_LIBRARY_PATH");
        command.output().unwrap()
    }

    fn must_pass(&self, arguments: &[&Path]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{arguments:?}: {}\n{said}",
            output.status
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

#[test]
fn headers_compile_alone_and_twice_in_every_language() {
    let headers = [
        (
            "c/profiler_hub_types.h",
            &["c11", "c17", "c++17", "c++20"][..],
        ),
        ("c/profiler_hub.h", &["c11", "c17", "c++17", "c++20"]),
        ("cpp/error.hpp", &["c++17", "c++20"]),
        ("cpp/probe.hpp", &["c++17", "c++20"]),
        ("cpp/reader.hpp", &["c++17", "c++20"]),
        ("cpp/storage.hpp", &["c++17", "c++20"]),
        ("cpp/writer.hpp", &["c++17", "c++20"]),
        ("cpp/writer_types.hpp", &["c++17", "c++20"]),
    ];
    for (header, standards) in headers {
        let include = format!("#include <profiler-hub/{header}>\n");
        let text = format!("{include}{include}int main(void) {{ return 0; }}\n");
        for standard in standards {
            let name = if standard.starts_with("c++") {
                "main.cpp"
            } else {
                "main.c"
            };
            compile_text(standard, name, &text);
        }
    }
}

#[test]
fn names_values_and_layout_are_those_that_clients_were_built_for() {
    program("c11", "tests/it/c/layout.c", &[]);
}

#[test]
fn golden_trace_and_workloads_through_c() {
    fn databases(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                databases(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "db") {
                found.push(path);
            }
        }
    }
    let golden = golden();
    let mut files = Vec::new();
    for workload in std::fs::read_dir(&golden).unwrap() {
        let out = workload.unwrap().path().join("out");
        if out.is_dir() {
            databases(&out, &mut files);
        }
    }
    // Merged files of several guids, and what is no rocpd file, are refused: not for this program.
    files.retain(|file| rocpd::probe::probe(file).status == rocpd::probe::Status::Supported);
    files.retain(|file| {
        rocpd::reader::Reader::open(file).is_ok_and(|reader| !reader.tracks().is_empty())
    });
    assert!(
        files.len() > 20,
        "the workloads were found: {}",
        files.len()
    );
    let mut arguments = vec![golden.as_path()];
    arguments.extend(files.iter().map(PathBuf::as_path));
    program("c11", "tests/it/c/golden.c", &[]).must_pass(&arguments);
}

#[test]
fn what_is_wrong_gives_its_code() {
    program("c11", "tests/it/c/boundary.c", &[]).must_pass(&[&golden()]);
}

#[test]
fn every_file_to_probe_gives_its_status_code_and_a_reason() {
    let program = program("c11", "tests/it/c/probe.c", &[]);
    let text = std::fs::read(golden().join("probe/expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let statuses = [
        "supported",
        "file_not_found",
        "unreadable",
        "not_sqlite",
        "metadata_missing",
        "metadata_ambiguous",
        "metadata_malformed",
        "unsupported_schema_version",
    ];
    let mut seen = 0;
    for (name, about) in expected.as_object().unwrap() {
        let file = golden().join("probe").join(name);
        if !file.exists() {
            continue; // a foreign file that may not be carried along
        }
        let said = program.must_pass(&[&file]);
        let (first, message) = said.split_once('\n').unwrap();
        let mut words = first.split(' ');
        assert_eq!(words.next(), about["result"].as_str(), "{name}");
        let status: usize = words.next().unwrap().parse().unwrap();
        assert_eq!(Some(statuses[status]), about["status"].as_str(), "{name}");
        assert_eq!(
            words.next(),
            Some(about["version"].as_str().unwrap_or("")),
            "{name}"
        );
        assert!(message.contains(name), "{name}: {message}");
        seen += 1;
    }
    assert!(seen > 20);
}

#[test]
fn a_context_is_used_from_many_threads() {
    program("c11", "tests/it/c/threads.c", &[]).must_pass(&[&golden()]);
}

#[test]
fn address_sanitizer_finds_nothing_in_a_client() {
    let flags = ["-fsanitize=address,undefined", "-g"];
    program(
        "c11",
        "tests/it/c/golden.c",
        &[&flags[..], &["-lm"]].concat(),
    )
    .must_pass(&[&golden()]);
    program("c11", "tests/it/c/boundary.c", &flags).must_pass(&[&golden()]);
}

#[test]
fn c_writer_with_batches() {
    let folder = tempfile::tempdir().unwrap();
    program("c11", "tests/it/c/writer.c", &[]).must_pass(&[folder.path()]);
}

#[test]
fn a_forked_child_leaves_the_parents_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let program = program("c11", "tests/it/c/fork.c", &[]);
    program.must_pass(&[&golden(), folder.path()]);
    let mut left: Vec<_> = (std::fs::read_dir(folder.path()).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["child.db", "parent.db"]);
}

#[test]
fn a_forked_child_lets_go_of_the_parents_context_without_a_word() {
    let program = program("c11", "tests/it/c/fork.c", &[]);
    let output = program.run(&[&golden(), Path::new("read")]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{}", output.status);
}

#[test]
fn cpp_writer_and_reader_with_designated_initialisers() {
    let folder = tempfile::tempdir().unwrap();
    program("c++20", "tests/it/cpp/writer.cpp", &[]).must_pass(&[folder.path()]);
}

#[test]
fn cpp_structs_are_aggregates_in_their_order() {
    program("c++17", "tests/it/cpp/aggregates17.cpp", &[]).must_pass(&[]);
}

#[test]
fn examples_run_on_the_golden_trace_and_say_why_they_cannot() {
    let examples = [
        (
            "c11",
            "examples/list_tracks.c",
            "0 main: 24 events, depth 2",
        ),
        (
            "c++17",
            "examples/top_kernels.cpp",
            "210000 ns in 6 dispatches: vecCopy",
        ),
    ];
    let trace = golden().join("trace/trace.db");
    let newer = golden().join("probe/version-4.db");
    for (standard, source, expected) in examples {
        let program = program(standard, source, &[]);
        let said = program.must_pass(&[&trace]);
        assert!(said.contains(expected), "{source}: {said}");
        let refused = program.run(&[&newer]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{source}: {said}");
        assert!(said.contains("schema 4.0.0"), "{source}: {said}");
        assert_eq!(program.run(&[]).status.code(), Some(2), "{source}");
    }
}
