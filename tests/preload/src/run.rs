//! An application that runs with the simulation and the tool.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// Where cargo puts what belongs to the running test or bench.
fn artifacts() -> PathBuf {
    std::env::current_exe()
        .unwrap()
        .parent()
        .unwrap()
        .to_owned()
}

/// The native tool as cargo built it.
#[must_use]
pub fn tool_library() -> PathBuf {
    artifacts().join("librocprofiler_compute_tool.so")
}

/// A folder with the simulation under the SDK's name.
#[must_use]
pub fn library_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = artifacts().join("preload-apps/lib");
        std::fs::create_dir_all(&folder).unwrap();
        let link = folder.join("librocprofiler-sdk.so.1");
        let target = artifacts().join("libsim_sdk.so");
        if std::fs::read_link(&link).ok().as_deref() != Some(&target) {
            let new = folder.join(format!("new-{}", std::process::id()));
            std::os::unix::fs::symlink(&target, &new).unwrap();
            std::fs::rename(&new, &link).unwrap();
        }
        folder
    })
}

/// A program of `tests/apps`, compiled.
#[must_use]
pub fn app(name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps");
    let folder = artifacts().join("preload-apps");
    let libraries = library_folder();
    let modified = |path: &Path| {
        std::fs::metadata(path)
            .and_then(|data| data.modified())
            .ok()
    };
    let (source, program) = (sources.join(format!("{name}.c")), folder.join(name));
    if modified(&program).is_some() && modified(&program) >= modified(&source) {
        return program;
    }
    let building = tempfile::Builder::new()
        .prefix(name)
        .tempfile_in(&folder)
        .unwrap()
        .into_temp_path();
    let status = Command::new("cc")
        .args([
            "-std=c11",
            "-D_GNU_SOURCE",
            "-O1",
            "-g",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
        ])
        .arg(&building)
        .arg(&source)
        .arg("-L")
        .arg(libraries)
        .arg("-l:librocprofiler-sdk.so.1")
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .status()
        .unwrap();
    assert!(status.success(), "cannot compile {}", source.display());
    building.persist(&program).unwrap();
    program
}

/// The command `profiler-hub`, built.
#[must_use]
pub fn profiler_hub() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let release = if cfg!(debug_assertions) {
            None
        } else {
            Some("--release")
        };
        let status = Command::new(env!("CARGO"))
            .args([
                "build",
                "--quiet",
                "--locked",
                "--package",
                "profiler-hub-cli",
            ])
            .args(release)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(status.success(), "cannot build profiler-hub");
        artifacts().parent().unwrap().join("profiler-hub")
    })
}

/// The Python interpreter itself: in the way may be a script.
#[must_use]
pub fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let output = Command::new("python3")
            .args(["-c", "import sys; print(sys.executable)"])
            .output()
            .unwrap();
        PathBuf::from(String::from_utf8(output.stdout).unwrap().trim())
    })
}

/// An application that is to run.
pub struct Run {
    folder: TempDir,
    variables: Vec<(OsString, OsString)>,
    preload: Vec<PathBuf>,
}

impl Run {
    /// A run of a scenario, in a folder of its own, without the tool.
    #[must_use]
    pub fn without_tool(scenario: &Value) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("scenario.json");
        std::fs::write(&path, scenario.to_string()).unwrap();
        let run = Self {
            folder,
            variables: Vec::new(),
            preload: Vec::new(),
        };
        let calls = run.path().join("calls");
        run.env("SIM_SDK_SCENARIO", path)
            .env("SIM_SDK_CALLS", calls)
    }

    /// A run of a scenario with the tool, which is asked for the counters and writes to `out`.
    #[must_use]
    pub fn new(scenario: &Value, counters: &str) -> Self {
        let run = Self::without_tool(scenario);
        let out = run.out();
        run.preload(tool_library())
            .env("ROCPROF_COUNTERS", counters)
            .env("ROCPROF_OUTPUT_PATH", out)
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Preloads one library more.
    #[must_use]
    pub fn preload(mut self, library: PathBuf) -> Self {
        self.preload.push(library);
        self
    }

    /// The simulation writes the SDK's database, too.
    #[must_use]
    pub fn with_results(self) -> Self {
        let out = self.out();
        std::fs::create_dir_all(&out).unwrap();
        self.env("SIM_SDK_RESULTS", out)
    }

    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Where databases go: a pass of a workload, whose folder is [`Run::path`].
    #[must_use]
    pub fn out(&self) -> PathBuf {
        self.path().join("out/pmc_perf_0")
    }

    /// The command that runs a program with all that was set.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        // Python is left out: to valgrind its interpreter is not clean itself.
        let wrapper = match program == python() {
            true => String::new(),
            false => std::env::var("PRELOAD_TESTS_WRAPPER").unwrap_or_default(),
        };
        let mut words = wrapper.split_whitespace();
        let mut command = match words.next() {
            Some(first) => {
                let mut command = Command::new(first);
                command.args(words).arg(program);
                command
            }
            None => Command::new(program),
        };
        for name in [
            "ROCPROF_COMPUTE_TOOL_LOG",
            "ROCPROF_COUNTERS",
            "ROCPROF_OUTPUT_PATH",
            "LD_PRELOAD",
        ] {
            command.env_remove(name);
        }
        command
            .current_dir(self.path())
            .envs(self.variables.iter().cloned());
        if !self.preload.is_empty() {
            let libraries: Vec<_> = self
                .preload
                .iter()
                .map(|path| path.to_str().unwrap())
                .collect();
            command.env("LD_PRELOAD", libraries.join(":"));
        }
        command
    }

    /// Runs a program of `tests/apps` to its end.
    #[must_use]
    pub fn app(self, name: &str, arguments: &[&str]) -> Ended {
        let mut command = self.command(&app(name));
        command.args(arguments);
        self.end(command)
    }

    /// Runs a command of [`Run::command`] to its end.
    #[must_use]
    pub fn end(self, mut command: Command) -> Ended {
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended {
            status: output.status,
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            run: self,
        }
    }

    /// Starts a program of `tests/apps` with pipes for stdin, stdout and stderr.
    #[must_use]
    pub fn start(&self, name: &str, arguments: &[&str]) -> Child {
        let mut command = self.command(&app(name));
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The lines of the simulation's list of calls, without the pid.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.path().join("calls")).unwrap_or_default();
        text.lines()
            .map(|line| line.split_once(' ').unwrap().1.to_owned())
            .collect()
    }

    /// The databases of the native tool, sorted.
    #[must_use]
    pub fn native_files(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = match std::fs::read_dir(self.out()) {
            Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
            Err(_) => Vec::new(),
        };
        found.retain(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.contains("_native_counter_collection") && name.ends_with(".db")
        });
        found.sort();
        found
    }
}

/// A run that has ended.
pub struct Ended {
    /// How.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it and the tool complained of.
    pub stderr: String,
    /// The run with its folder.
    pub run: Run,
}

impl Ended {
    /// The only native database.
    #[must_use]
    pub fn native_file(&self) -> PathBuf {
        match &self.run.native_files()[..] {
            [one] => one.clone(),
            files => panic!("{} native files: {files:?}\n{}", files.len(), self.stderr),
        }
    }

    /// The tool's lines, without their prefix.
    #[must_use]
    pub fn lines(&self) -> Vec<&str> {
        self.stderr
            .lines()
            .filter_map(|line| line.strip_prefix("[rocprofiler-compute] "))
            .collect()
    }

    /// Lines that neither start nor end the run.
    #[must_use]
    pub fn complaints(&self) -> Vec<&str> {
        let usual = |line: &&str| line.starts_with("version ") || line.contains(" values; lost: ");
        self.lines()
            .into_iter()
            .filter(|line| !usual(line))
            .collect()
    }
}
