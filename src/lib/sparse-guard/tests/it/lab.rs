//! A folder with real repositories, a git to make them, and a guard to try on them.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Runs a case once with each git on PATH.
pub(crate) fn with_each_git(case: impl Fn(&Lab)) {
    let gits: Vec<PathBuf> = which::which_all("git").unwrap().collect();
    let mut seen = Vec::new();
    for git in gits {
        let identity = fs::metadata(&git).unwrap();
        let identity = (identity.dev(), identity.ino());
        if !seen.contains(&identity) {
            seen.push(identity);
            case(&Lab::new(&git));
        }
    }
    assert!(!seen.is_empty(), "there is no git on PATH");
}

/// The folder, its git, and a home of nobody.
pub(crate) struct Lab {
    folder: TempDir,
    root: PathBuf,
    path: String,
}

/// What the guard did.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// The JSON that was written.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Everything that was said.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Demands that everything is there now.
    pub(crate) fn complete(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// Demands that something is missing, and that `words` are said about it.
    pub(crate) fn incomplete(self, words: &[&str]) -> Self {
        assert_eq!(self.code, 1, "{self:?}");
        for word in words {
            assert!(
                self.said().contains(word),
                "{word:?} is not said in {self:?}"
            );
        }
        self
    }
}

/// All that git and a person see of a checkout.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    index: String,
    patterns: Option<String>,
    status: String,
    /// Path, mode, content or target.
    files: Vec<(String, u32, String)>,
}

impl Lab {
    fn new(git: &Path) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["bin", "home", "nothing"] {
            fs::create_dir(root.join(name)).unwrap();
        }
        symlink(git, root.join("bin/git")).unwrap();
        let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
        Self { folder, root, path }
    }

    /// A path in the folder of this lab.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A program with a known environment.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(folder)
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", self.root.join("home"))
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command
                .env(format!("GIT_{role}_NAME"), "Somebody")
                .env(format!("GIT_{role}_EMAIL"), "somebody@example.com")
                .env(format!("GIT_{role}_DATE"), "2024-01-02T03:04:05Z");
        }
        command
    }

    /// Runs git, whatever comes of it.
    pub(crate) fn try_git(&self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = self.program(self.root.join("bin/git"), folder);
        // Local paths stand for remotes and submodules.
        command.args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "uploadpack.allowFilter=true",
        ]);
        command.args(arguments).output().unwrap()
    }

    /// Runs git and gives what it wrote.
    pub(crate) fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = self.try_git(folder, arguments);
        assert!(output.status.success(), "git {arguments:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs a command line as a person would who copies it.
    pub(crate) fn shell(&self, folder: &Path, line: &str) -> Output {
        self.program("sh", folder)
            .args(["-c", line])
            .output()
            .unwrap()
    }

    /// The guard, ready to be given more.
    pub(crate) fn guard_command(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_sparse-guard"), folder);
        command.arg("ensure").args(arguments);
        command
    }

    /// Runs the guard.
    pub(crate) fn guard(&self, folder: &Path, arguments: &[&str]) -> Outcome {
        run(&mut self.guard_command(folder, arguments))
    }

    /// Runs the guard where there is no git.
    pub(crate) fn guard_without_git(&self, folder: &Path, arguments: &[&str]) -> Outcome {
        run(self
            .guard_command(folder, arguments)
            .env("PATH", self.root.join("nothing")))
    }

    /// A repository named `origin` with the source under `projects/hub` and more beside it.
    pub(crate) fn origin(&self) -> PathBuf {
        let origin = self.at("origin");
        fs::create_dir(&origin).unwrap();
        self.git(&origin, &["init", "-q", "-b", "main"]);
        for file in FILES {
            write(&origin.join(file), &format!("content of {file}\n"));
        }
        fs::set_permissions(
            origin.join(SCRIPT),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
        self.commit(&origin, "first");
        origin
    }

    /// Commits all that there is.
    pub(crate) fn commit(&self, repository: &Path, message: &str) {
        self.git(repository, &["add", "-A", "--sparse"]);
        self.git(repository, &["commit", "-q", "-m", message]);
    }

    /// A clone named `name` of `origin` with a cone of `directories`.
    pub(crate) fn cone(&self, origin: &Path, name: &str, directories: &[&str]) -> PathBuf {
        let clone = self.at(name);
        self.git(
            &self.root,
            &["clone", "-q", "--no-checkout", &text(origin), &text(&clone)],
        );
        let set = ["sparse-checkout", "set", "--cone", "--no-sparse-index"];
        self.git(&clone, &[&set, directories].concat());
        self.git(&clone, &["checkout", "-q", "main"]);
        clone
    }

    /// A copy of a checkout, with the same times, so that git sees no change.
    pub(crate) fn copy(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.at(name);
        let copied = Command::new("cp")
            .arg("-a")
            .arg(from)
            .arg(&to)
            .status()
            .unwrap();
        assert!(copied.success());
        self.git(&to, &["status"]);
        to
    }

    /// All that git and a person see.
    pub(crate) fn snapshot(&self, checkout: &Path) -> Snapshot {
        // The index first: status writes a fresh one.
        let index = self.git(checkout, &["ls-files", "-s", "-t"]);
        let file = self.git(
            checkout,
            &["rev-parse", "--git-path", "info/sparse-checkout"],
        );
        let files = self.files(checkout);
        Snapshot {
            index,
            patterns: fs::read_to_string(checkout.join(file.trim())).ok(),
            status: self.git(checkout, &["status", "--porcelain=v2", "--branch"]),
            files,
        }
    }

    /// All that a person sees: paths, modes, contents.
    pub(crate) fn files(&self, checkout: &Path) -> Vec<(String, u32, String)> {
        let mut files = Vec::new();
        list(checkout, checkout, &mut files);
        files.sort();
        files
    }

    /// Lets the guard bring `paths` in `ours`, and git add `directories` to a copy: nobody can tell
    /// the two apart afterwards, and a second run has nothing to do.
    pub(crate) fn same_as_git(&self, ours: &Path, paths: &[&str], directories: &[&str]) {
        let theirs = self.copy(ours, "theirs");
        self.git(
            &theirs,
            &[&["sparse-checkout", "add"], directories].concat(),
        );
        self.guard(ours, paths).complete();
        assert_eq!(self.snapshot(ours), self.snapshot(&theirs));
        assert_eq!(
            self.git(ours, &["sparse-checkout", "list"]),
            self.git(&theirs, &["sparse-checkout", "list"])
        );
        let before = self.snapshot(ours);
        let again = self.guard(ours, paths).complete();
        assert_eq!(again.said(), "");
        assert_eq!(self.snapshot(ours), before);
        self.git(ours, &["fsck"]);
        self.git(ours, &["sparse-checkout", "reapply"]);
        assert_eq!(self.snapshot(ours), before);
        fs::remove_dir_all(theirs).unwrap();
    }
}

/// Runs a guard that was made ready.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Writes a file, with the folders above it.
pub(crate) fn write(file: &Path, content: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

/// A path for a command line.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn list(top: &Path, folder: &Path, files: &mut Vec<(String, u32, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name() == Some(OsStr::new(".git")) {
            continue;
        }
        let found = fs::symlink_metadata(&path).unwrap();
        let content = if found.is_dir() {
            list(top, &path, files);
            String::new()
        } else if found.is_symlink() {
            text(&fs::read_link(&path).unwrap())
        } else {
            String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()
        };
        let name = path
            .strip_prefix(top)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        files.push((name, found.mode(), content));
    }
}

/// The folder that a configure starts from.
pub(crate) const SOURCE: &str = "projects/hub/src/lib";
/// What it needs.
pub(crate) const RUST: &str = "projects/hub/rust";
/// What it needs, too.
pub(crate) const CMAKE: &str = "projects/hub/cmake";
/// A file with the mode of a program.
pub(crate) const SCRIPT: &str = "projects/hub/rust/api/build.sh";

const FILES: &[&str] = &[
    "README.md",
    "projects/README.md",
    "projects/hub/Cargo.toml",
    "projects/hub/src/README.md",
    "projects/hub/src/lib/CMakeLists.txt",
    "projects/hub/src/lib/deep/a.txt",
    "projects/hub/cmake/Find.cmake",
    "projects/hub/rust/Cargo.toml",
    "projects/hub/rust/api/lib.rs",
    "projects/hub/rust/api/src/deep/er/file.rs",
    "projects/hub/rust/tool/lib.rs",
    SCRIPT,
    "projects/hub/docs/a.md",
    "projects/other/rust/lib.rs",
    "tools/a/x",
    "tools/b/y",
    "tools/z",
];
