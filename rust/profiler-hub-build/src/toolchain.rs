//! The programs that a build needs: cmake, cargo, rustc, a C compiler, and a program that drives the build.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Error;

/// What was found, all absolute.
#[derive(Clone, Debug)]
pub struct Toolchain {
    pub(crate) cmake: PathBuf,
    pub(crate) compiler: PathBuf,
    /// What compiler and rustc say about their versions.
    pub(crate) versions: String,
    /// The triple that rustc builds for.
    pub(crate) target: String,
    /// The search path for the build's processes.
    pub(crate) path: OsString,
    /// The generator of CMake.
    pub(crate) generator: &'static str,
}

impl Toolchain {
    /// Finds the programs on `path` (the value of `PATH`), then in `more` (folders such as `~/.cargo/bin`).
    /// `compiler` is the value of `CC`, if set.
    ///
    /// # Errors
    ///
    /// [`Error::NoProgram`] for the first that is missing, [`Error::BrokenProgram`] for one that does not run.
    pub fn find(path: &OsStr, more: &[PathBuf], compiler: Option<&OsStr>) -> Result<Self, Error> {
        let folders = std::env::split_paths(path)
            .chain(more.iter().cloned())
            .filter(|folder| !folder.as_os_str().is_empty());
        // Folders with a colon in their name cannot be on a search path.
        let path = std::env::join_paths(folders).unwrap_or_else(|_| path.to_owned());
        let search = |names: &[&OsStr], program: &'static str, remedy: &'static str| {
            names
                .iter()
                .find_map(|name| which::which_in(name, Some(&path), "/").ok())
                .ok_or(Error::NoProgram { program, remedy })
        };
        let named = |names: &[&'static str]| -> Vec<&'static OsStr> {
            names.iter().map(|name| OsStr::new(*name)).collect()
        };

        let cmake = search(&named(&["cmake"]), "cmake", "install CMake 3.21 or later")?;
        search(
            &named(&["cargo"]),
            "cargo",
            "install Rust 1.89 or later (https://rustup.rs)",
        )?;
        let rustc = search(
            &named(&["rustc"]),
            "rustc",
            "install Rust 1.89 or later (https://rustup.rs)",
        )?;
        let compilers = match compiler {
            Some(name) if !name.is_empty() => vec![name],
            _ => named(&["cc", "gcc", "clang"]),
        };
        let compiler = search(
            &compilers,
            "C compiler (CC, cc, gcc or clang)",
            "install gcc or clang, or set CC",
        )?;
        let driver = search(
            &named(&["ninja", "make", "gmake"]),
            "ninja or make",
            "install ninja or GNU make",
        )?;

        let rust_version = say(&rustc, "-vV", &path)?;
        let compiler_version = say(&compiler, "--version", &path)?;
        let target = rust_version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .unwrap_or_default()
            .to_owned();
        let is_ninja = driver.file_name().is_some_and(|name| name == "ninja");
        let generator = if is_ninja { "Ninja" } else { "Unix Makefiles" };
        Ok(Self {
            cmake,
            compiler,
            versions: format!("{rust_version}{compiler_version}"),
            target,
            path,
            generator,
        })
    }
}

fn say(program: &Path, argument: &str, path: &OsStr) -> Result<String, Error> {
    let broken = |detail: String| Error::BrokenProgram {
        program: program.to_owned(),
        detail,
    };
    let output = Command::new(program)
        .arg(argument)
        .env("PATH", path)
        .output()
        .map_err(|e| broken(e.to_string()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(broken(
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        ))
    }
}
