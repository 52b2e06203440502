//! Builds the programs, runs them, reads what was recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rocpd::rusqlite::Connection;
use tempfile::TempDir;

/// A cdylib as cargo built it for this test.
pub(crate) fn cdylib(name: &str) -> PathBuf {
    let path = std::env::current_exe()
        .unwrap()
        .with_file_name(format!("lib{name}.so"));
    assert!(path.is_file(), "{} has not been built", path.display());
    path
}

/// A folder with programs and runtimes.
pub(crate) struct Stage {
    folder: TempDir,
    preload: Vec<PathBuf>,
    tables: &'static str,
}

impl Stage {
    /// The programs `driver` and `calls`, with `libfake_rocm.so` and `libdemo_runtime.so`.
    pub(crate) fn new(tables: &'static str) -> Self {
        Self::with(tables, &[])
    }

    /// The same, with macros for the runtimes.
    pub(crate) fn with(tables: &'static str, defines: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let preload = vec![cdylib("sim_sdk"), cdylib("profiler_hub_api_trace")];
        let stage = Self {
            folder,
            preload,
            tables,
        };
        let library: Vec<&str> = ["-shared", "-fPIC"]
            .iter()
            .chain(defines)
            .copied()
            .collect();
        stage.compile("fake_rocm.c", "libfake_rocm.so", &library);
        std::fs::copy(cdylib("demo_runtime"), stage.path("libdemo_runtime.so")).unwrap();
        let here = format!("-L{}", stage.folder.path().display());
        let libraries = [&here, "-lfake_rocm", "-ldemo_runtime", "-Wl,-rpath,$ORIGIN"];
        stage.compile("calls.c", "calls", &libraries);
        stage.compile("driver.c", "driver", &["-rdynamic"]);
        stage
    }

    /// The same, with another SDK, or none.
    pub(crate) fn preloading(mut self, preload: Vec<PathBuf>) -> Self {
        self.preload = preload;
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn compile(&self, file: &str, to: &str, flags: &[&str]) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/demo-runtime-c");
        let path = self.path(to);
        let output = Command::new("cc")
            .args(["-Wall", "-Wextra", "-Werror", "-O1", "-g"])
            .arg(source.join(file))
            .arg("-o")
            .arg(&path)
            .args(flags)
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

    /// A program with everything preloaded and output in `out`.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.path("").join(program));
        let preload: Vec<_> = self.preload.iter().map(|path| path.as_os_str()).collect();
        command
            .current_dir(self.folder.path())
            .env("LD_PRELOAD", preload.join(std::ffi::OsStr::new(":")))
            .env("ROCPROF_OUTPUT_PATH", "out")
            .env("PROFILER_HUB_API_TABLES", self.tables);
        command
    }

    /// Runs a program, which has to succeed and leave stdout alone; its stderr.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().unwrap();
        let stderr = stderr(&output);
        assert!(output.status.success(), "{:?} {stderr}", output.status);
        assert_eq!(output.stdout, b"", "the recorder wrote to stdout");
        stderr
    }

    /// The databases in a folder, sorted.
    pub(crate) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "db"));
        files.sort();
        files
    }

    /// The only database in `out`.
    pub(crate) fn recorded(&self) -> Recorded {
        let files = self.files("out");
        assert_eq!(files.len(), 1, "{files:?}");
        Recorded::open(&files[0])
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A row of the view `regions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) category: String,
    pub(crate) name: String,
    pub(crate) pid: i64,
    pub(crate) tid: i64,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) stack: i64,
    pub(crate) parent: i64,
    pub(crate) extdata: serde_json::Value,
}

/// What a file has.
pub(crate) struct Recorded {
    pub(crate) rows: Vec<Row>,
    pub(crate) connection: Connection,
}

impl Recorded {
    pub(crate) fn open(path: &Path) -> Self {
        let connection = Connection::open(path).unwrap();
        let check: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok");
        let sql = "SELECT category, name, pid, tid, start, \"end\", stack_id, parent_stack_id, \
                   extdata FROM regions ORDER BY tid, start";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement
            .query_map([], |row| {
                let extdata: String = row.get(8)?;
                Ok(Row {
                    category: row.get(0)?,
                    name: row.get(1)?,
                    pid: row.get(2)?,
                    tid: row.get(3)?,
                    start: row.get(4)?,
                    end: row.get(5)?,
                    stack: row.get(6)?,
                    parent: row.get(7)?,
                    extdata: serde_json::from_str(&extdata).unwrap(),
                })
            })
            .unwrap()
            .map(Result::unwrap)
            .collect();
        drop(statement);
        Self { rows, connection }
    }

    /// How many regions of each name there are.
    pub(crate) fn counts(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for row in &self.rows {
            *counts.entry(&*row.name).or_default() += 1;
        }
        counts
    }

    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.name == name)
    }
}

/// `CLOCK_BOOTTIME`, ns.
pub(crate) fn boottime() -> i64 {
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
    let (seconds, _) = uptime.split_once(' ').unwrap();
    let (whole, hundredths) = seconds.split_once('.').unwrap();
    whole.parse::<i64>().unwrap() * 1_000_000_000 + hundredths.parse::<i64>().unwrap() * 10_000_000
}
