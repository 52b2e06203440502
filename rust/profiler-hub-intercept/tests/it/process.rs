//! Builds what the tests run, and runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A cdylib as cargo built it for this test.
pub(crate) fn cdylib(name: &str) -> PathBuf {
    let path = std::env::current_exe()
        .unwrap()
        .with_file_name(format!("lib{name}.so"));
    assert!(path.is_file(), "{} has not been built", path.display());
    path
}

/// A file of `tests/demo-runtime-c`.
fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/demo-runtime-c")
        .join(name)
}

/// A folder with the program, runtimes and tools of one test.
pub(crate) struct Stage {
    folder: TempDir,
    preload: Vec<PathBuf>,
    mode: String,
}

/// Which runtime offers the demo API.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Runtime {
    /// `tests/demo-runtime-c`, with these macros defined.
    C(&'static str),
    /// `tests/demo-runtime`.
    Rust,
}

impl Stage {
    /// With the simulated SDK, and tools of these names, in this order.
    pub(crate) fn new(tools: &[&str], mode: &str) -> Self {
        let mut stage = Self::without_sdk();
        stage.preload.push(cdylib("sim_sdk"));
        for tool in tools {
            let path = stage.path(&format!("{tool}.so"));
            std::fs::copy(cdylib("demo_runtime_tool"), &path).unwrap();
            stage.preload.push(path);
        }
        mode.clone_into(&mut stage.mode);
        stage
    }

    /// With nothing preloaded.
    pub(crate) fn without_sdk() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stage = Self {
            folder,
            preload: Vec::new(),
            mode: String::new(),
        };
        stage.compile("driver.c", "driver", &["-rdynamic"]);
        stage
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Preloads one more library, before the others.
    pub(crate) fn preload_first(&mut self, library: PathBuf) {
        self.preload.insert(0, library);
    }

    pub(crate) fn compile(&self, file: &str, to: &str, flags: &[&str]) -> PathBuf {
        let path = self.path(to);
        let compiler = if Path::new(file).extension().is_some_and(|e| e == "cpp") {
            "c++"
        } else {
            "cc"
        };
        let output = Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"])
            .args(flags)
            .arg(source(file))
            .arg("-o")
            .arg(&path)
            .args(["-ldl", "-lpthread"])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        path
    }

    /// A shared library with the demo API.
    pub(crate) fn runtime(&self, runtime: Runtime) -> String {
        let path = match runtime {
            Runtime::Rust => cdylib("demo_runtime"),
            Runtime::C("") => self.compile("demo_runtime.c", "libdemo.so", &["-shared", "-fPIC"]),
            Runtime::C(define) => {
                let name = format!("libdemo{define}.so");
                self.compile("demo_runtime.c", &name, &["-shared", "-fPIC", define])
            }
        };
        path.into_os_string().into_string().unwrap()
    }

    /// A second copy of a library, which the loader takes for another one.
    pub(crate) fn copy(&self, library: &str, name: &str) -> String {
        let path = self.path(name);
        std::fs::copy(library, &path).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    /// The program, with everything preloaded.
    pub(crate) fn command(&self, program: &str) -> Command {
        let preload: Vec<OsString> = self.preload.iter().map(|path| path.into()).collect();
        let mut command = Command::new(self.path(program));
        command
            .env("LD_PRELOAD", preload.join(std::ffi::OsStr::new(":")))
            .env("DEMO_TOOL_MODE", &self.mode)
            .env("DEMO_TOOL_LOG", self.path("log"))
            .env("SIM_SDK_CALLS", self.path("calls"));
        command
    }

    /// Runs the driver.
    pub(crate) fn drive<S: AsRef<str>>(&self, arguments: &[S]) -> Output {
        self.command("driver")
            .args(arguments.iter().map(AsRef::as_ref))
            .output()
            .unwrap()
    }

    /// Runs the driver, which has to find everything as expected and print nothing; the tools' log.
    pub(crate) fn passes<S: AsRef<str>>(&self, arguments: &[S]) -> String {
        let output = self.drive(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{:?}: {stderr}{}",
            output.status,
            self.log()
        );
        assert_eq!(stderr, "", "something was printed");
        assert_eq!(output.stdout, b"");
        self.log()
    }

    /// What the tools logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }
}
