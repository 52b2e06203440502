//! Builds a product from the sources into the cache, or takes it from there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Slot;
use crate::step::CmakeStep;
use crate::{Error, Product, Toolchain, key};

/// What to build, from what, where to. All that the environment has a say in comes from the caller.
#[derive(Clone, Debug)]
pub struct Builder {
    /// What to build.
    pub product: Product,
    /// The root of the source tree; it is only read.
    pub source: PathBuf,
    /// The folder of finished builds, made if it is not there.
    pub cache: PathBuf,
    /// The value of `ROCM_PATH`: another version of ROCm gets a build of its own.
    pub rocm_path: Option<PathBuf>,
    /// Whether cargo may download crates. Without, they come from `<source>/vendor` or cargo's own cache.
    pub allow_download: bool,
}

/// Told while [`Builder::build`] goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another process builds the same; its result will be used.
    Waiting,
    /// The build begins; everything that is said goes to this file.
    Building {
        /// The log.
        log: PathBuf,
    },
}

/// Where a product came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was built before.
    Cached,
    /// It was built just now.
    Built,
}

/// A product that can be used.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The file: the tool, or `libprofiler-hub.so` with `libprofiler-hub.a` beside it.
    pub path: PathBuf,
    /// Where it came from.
    pub origin: Origin,
}

impl Builder {
    /// The product for these sources and this toolchain, if it is in the cache and whole.
    ///
    /// # Errors
    ///
    /// [`Error::Sources`], [`Error::Cache`].
    pub fn cached(&self, toolchain: &Toolchain) -> Result<Option<Ready>, Error> {
        Ok(self
            .slot(toolchain)?
            .result()
            .map(|folder| self.ready(&folder, Origin::Cached)))
    }

    /// The product from the cache, or built into it. Any number of processes may ask at once: one builds, the
    /// others wait for it. A build takes minutes.
    ///
    /// # Errors
    ///
    /// Each of [`Error`] but those of looking for something; a failed build leaves its log, and no result.
    pub fn build(
        &self,
        toolchain: &Toolchain,
        mut tell: impl FnMut(Event),
    ) -> Result<Ready, Error> {
        let slot = self.slot(toolchain)?;
        if let Some(folder) = slot.result() {
            return Ok(self.ready(&folder, Origin::Cached));
        }
        let lock = slot.lock(|| tell(Event::Waiting))?;
        if let Some(folder) = slot.result() {
            return Ok(self.ready(&folder, Origin::Cached));
        }
        let log = slot.log();
        let staging = slot.staging(&lock)?;
        tell(Event::Building { log: log.clone() });

        let step = self.step(toolchain, staging.path());
        let status = step.spawn(toolchain, &log).map_err(Error::cache(&log))?;
        if !status.success() {
            return Err(failure(&step, log));
        }
        let lib = staging.path().join("build/lib");
        let files: Vec<_> = self
            .files(&lib)?
            .into_iter()
            .map(|name| (name.clone(), lib.join(name)))
            .collect();
        let folder = slot.publish(&staging, &files)?;
        drop(lock);
        Ok(self.ready(&folder, Origin::Built))
    }

    fn slot(&self, toolchain: &Toolchain) -> Result<Slot, Error> {
        Slot::open(
            &self.cache,
            &key::name(
                self.product,
                &self.source,
                self.rocm_path.as_deref(),
                toolchain,
            )?,
        )
    }

    fn ready(&self, folder: &Path, origin: Origin) -> Ready {
        Ready {
            path: folder.join(self.product.file().1),
            origin,
        }
    }

    fn step(&self, toolchain: &Toolchain, out: &Path) -> CmakeStep {
        let on_off = |on: bool| PathBuf::from(if on { "ON" } else { "OFF" });
        let mut defines = vec![
            ("CMAKE_C_COMPILER".to_owned(), toolchain.compiler.clone()),
            ("CMAKE_BUILD_TYPE".to_owned(), PathBuf::from("Release")),
            (
                "PROFILER_HUB_OFFLINE".to_owned(),
                on_off(!self.allow_download),
            ),
        ];
        let vendor = self.source.join("vendor");
        if vendor.is_dir() {
            defines.push(("PROFILER_HUB_VENDOR_DIR".to_owned(), vendor));
        }
        CmakeStep {
            source: self.source.join("src/lib"),
            out: out.to_owned(),
            target: self.product.target().to_owned(),
            triple: toolchain.target.clone(),
            generator: toolchain.generator.to_owned(),
            defines,
        }
    }

    /// The names of the product's files, the full version's among them, targets of links first.
    fn files(&self, lib: &Path) -> Result<Vec<String>, Error> {
        let known = self.product.built_files();
        let prefix = format!("{}.", known.first().copied().unwrap_or_default());
        let mut versioned: Vec<String> = fs::read_dir(lib)
            .map_err(Error::cache(lib))?
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name.starts_with(&prefix) && !known.contains(&name.as_str()))
            .collect();
        versioned.extend(known.iter().rev().map(|name| (*name).to_owned()));
        Ok(versioned)
    }
}

/// The error for a step that failed, with the line of the log that says most.
fn failure(step: &CmakeStep, log: PathBuf) -> Error {
    let text = fs::read(&log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let last_line = telling_line(&text);
    if !step.was_configured() {
        let remedy = "install what it names, then try again";
        return Error::Configure {
            log,
            last_line,
            remedy,
        };
    }
    let offline = text.contains("--offline") || text.contains("offline mode");
    let missing_crates =
        offline && (text.contains("failed to download") || text.contains("no matching package"));
    let remedy = if missing_crates {
        "crates are missing and downloads are off: fill cargo's cache ('cargo fetch --locked' in the sources), \
         put 'cargo vendor' output in the sources' folder vendor, or allow downloads (--allow-download)"
    } else if text.contains("No space left on device") {
        "free 1 GB there or set PROFILER_HUB_CACHE_DIR to another folder"
    } else {
        "see the log for the first error"
    };
    Error::Build {
        log,
        last_line,
        remedy,
    }
}

/// The first line that looks like an error, with the one after it where CMake puts the reason there.
fn telling_line(log: &str) -> String {
    let mut lines = log.lines().map(str::trim).filter(|line| !line.is_empty());
    let found = lines.find(|line| {
        ["error:", "error[", "CMake Error", "fatal:"]
            .iter()
            .any(|start| line.starts_with(start))
            || line.contains(": error:")
            || line.contains(" Error ")
            || line.contains("No space left on device")
    });
    match found {
        Some(line) if line.starts_with("CMake Error") => {
            let reason: Vec<_> = lines
                .take_while(|line| !line.starts_with("Call Stack") && !line.starts_with("--"))
                .take(6)
                .collect();
            if reason.is_empty() {
                line.to_owned()
            } else {
                reason.join(" ")
            }
        }
        Some(line) => line.to_owned(),
        None => "it stopped without an error message".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_says_most_is_quoted() {
        let cases = [
            (
                "-- ok\nCMake Error at x.cmake:3 (message):\n  profiler-hub: cargo was not found;\n  install Rust\nCall Stack (most recent call first):\n  y\n",
                "profiler-hub: cargo was not found; install Rust",
            ),
            (
                "   Compiling a\nerror: linking with `cc` failed\nerror: could not compile\n",
                "error: linking with `cc` failed",
            ),
            ("error[E0425]: cannot find\n", "error[E0425]: cannot find"),
            (
                "tool.c:1:2: error: #error no\n",
                "tool.c:1:2: error: #error no",
            ),
            (
                "ninja: error: 'x', needed by 'y', missing\n",
                "ninja: error: 'x', needed by 'y', missing",
            ),
            ("gmake: *** [x] Error 2\n", "gmake: *** [x] Error 2"),
            ("", "it stopped without an error message"),
        ];
        for (log, line) in cases {
            assert_eq!(telling_line(log), line, "{log}");
        }
    }
}
