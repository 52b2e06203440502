//! Finds an installed native counter tool or library of profiler-hub, else builds it from its sources.
//!
//! * [`find`] looks below the roots that a caller names and checks that what is there is for this machine.
//! * [`Builder`] configures and builds `src/lib` into a cache that any number of processes may share: one of
//!   them builds, the others wait, and a result appears whole or not at all.
//! * [`link`] is for the build script of a Rust crate that uses the C API.
//!
//! Nothing here reads the environment but [`link`] and [`run_step_if_asked`], which belong at the start of a `main`.

mod builder;
mod cache;
mod elf;
mod error;
mod find;
mod key;
mod link;
mod sources;
mod step;
mod toolchain;

pub use builder::{Builder, Event, Origin, Ready};
pub use error::{Error, Step};
pub use find::{Places, find};
pub use link::{Linkage, link};
pub use sources::locate_sources;
pub use step::run_step_if_asked;
pub use toolchain::Toolchain;

/// What is looked for or built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// `librocprofiler-compute-tool.so`, to be preloaded.
    NativeTool,
    /// `libprofiler-hub.so` and `libprofiler-hub.a`, to be linked.
    Library,
}

impl Product {
    /// The file that stands for the product, and its folder below `lib`.
    pub(crate) fn file(self) -> (&'static str, &'static str) {
        match self {
            Self::NativeTool => ("rocprofiler-compute", "librocprofiler-compute-tool.so"),
            Self::Library => ("", "libprofiler-hub.so"),
        }
    }

    /// All files of the product in the build's `lib` folder. A link's target comes before the link.
    pub(crate) fn built_files(self) -> &'static [&'static str] {
        match self {
            Self::NativeTool => &["librocprofiler-compute-tool.so"],
            Self::Library => &[
                "libprofiler-hub.so",
                "libprofiler-hub.so.0",
                "libprofiler-hub.a",
            ],
        }
    }

    /// The target of the build in `src/lib/CMakeLists.txt`.
    pub(crate) fn target(self) -> &'static str {
        match self {
            Self::NativeTool => "profiler-hub-native-tool",
            Self::Library => "profiler-hub-library",
        }
    }
}
