//! Runs the crate `cmake`, which prints as it goes and panics where it fails, in a process of its own: this program
//! again, told so by an environment variable. Its output goes to a log, its failure is an exit code.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde::{Deserialize, Serialize};

use crate::toolchain::Toolchain;

/// Tells the program that it is the step.
const VARIABLE: &str = "PROFILER_HUB_BUILD_STEP";

/// What the step needs to know.
#[derive(Serialize, Deserialize)]
pub(crate) struct CmakeStep {
    /// The folder with the CMakeLists.txt.
    pub(crate) source: PathBuf,
    /// The crate `cmake` makes a folder `build` in it.
    pub(crate) out: PathBuf,
    /// CMake's target.
    pub(crate) target: String,
    /// The triple of this machine.
    pub(crate) triple: String,
    pub(crate) generator: String,
    pub(crate) defines: Vec<(String, PathBuf)>,
}

/// Does the step and exits, if this process was started for one; else returns at once. Call it first in the `main`
/// of each program that uses [`crate::Builder`].
pub fn run_step_if_asked() {
    if let Some(text) = std::env::var_os(VARIABLE) {
        let step: Result<CmakeStep, _> = serde_json::from_slice(text.as_encoded_bytes());
        let done = step.map(|step| step.run());
        std::process::exit(i32::from(done.is_err()));
    }
}

impl CmakeStep {
    /// Configures and builds; panics if either fails.
    fn run(&self) {
        let mut config = cmake::Config::new(&self.source);
        for (name, value) in &self.defines {
            config.define(name, value);
        }
        config
            .out_dir(&self.out)
            .target(&self.triple)
            .host(&self.triple)
            .profile("Release")
            .generator(&self.generator)
            .build_target(&self.target)
            .build();
    }

    /// Starts the step and waits for it.
    pub(crate) fn spawn(&self, toolchain: &Toolchain, log: &Path) -> io::Result<ExitStatus> {
        let output = File::create(log)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Command::new("/proc/self/exe")
            .env(VARIABLE, serde_json::to_string(self)?)
            .env("PATH", &toolchain.path)
            .env("CMAKE", &toolchain.cmake)
            .env("NUM_JOBS", processors.to_string())
            .env("RUST_BACKTRACE", "0")
            .env_remove("MAKEFLAGS")
            .env_remove("CARGO_MAKEFLAGS")
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .status()
    }

    /// Whether configuring came to its end: that is when CMake writes the build system.
    pub(crate) fn was_configured(&self) -> bool {
        ["build.ninja", "Makefile"]
            .iter()
            .any(|file| self.out.join("build").join(file).is_file())
    }
}
