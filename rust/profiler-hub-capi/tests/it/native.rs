//! C and C++ programs, compiled and run as a client would.

use std::path::{Path, PathBuf};
use std::process::Command;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");
const STRICT: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Where this build's libprofiler_hub.so lies.
pub(crate) fn library_folder() -> PathBuf {
    let folder = std::env::current_exe().unwrap();
    folder.parent().unwrap().to_owned()
}

/// Compiles one source file against the headers; `link` makes a program of it.
fn compile(compiler: &str, standard: &str, source: &Path, out: &Path, link: bool) {
    let mut command = Command::new(compiler);
    command
        .arg(format!("-std={standard}"))
        .args(STRICT)
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
            .arg("-pthread");
    } else {
        command.arg("-c");
    }
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn headers_compile_alone_and_twice_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    for header in ["profiler_hub_types.h", "profiler_hub.h"] {
        let include = format!("#include <profiler-hub/c/{header}>\n");
        let text = format!("{include}{include}int main(void) {{ return 0; }}\n");
        for (compiler, file, standards) in [
            ("gcc", "main.c", &["c11", "c17"][..]),
            ("g++", "main.cpp", &["c++17", "c++20"][..]),
        ] {
            let source = folder.path().join(file);
            std::fs::write(&source, &text).unwrap();
            for standard in standards {
                compile(compiler, standard, &source, &folder.path().join("o"), false);
            }
        }
    }
}
