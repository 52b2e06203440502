//! For the build script of a Rust crate that uses the C API: finds the library, else builds it, and tells cargo.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::{Builder, Error, Places, Product, Toolchain, find};

/// How to link the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// `libprofiler-hub.so`; the folder it was found in becomes the program's run path.
    Shared,
    /// `libprofiler-hub.a`.
    Static,
}

/// Prints what cargo has to know to link the library, and returns its folder. Call it first in a build script's
/// `main`. Looks below `PROFILER_HUB_ROOT`, else `ROCM_PATH`, else `/opt/rocm`; where there is none, builds it from the sources that
/// this crate is a part of, into cargo's `OUT_DIR`, without downloading unless `PROFILER_HUB_ALLOW_DOWNLOAD` is `1`.
///
/// # Errors
///
/// As [`Builder::build`].
pub fn link(linkage: Linkage) -> Result<PathBuf, Error> {
    crate::run_step_if_asked();
    for variable in [
        "PROFILER_HUB_ROOT",
        "ROCM_PATH",
        "PROFILER_HUB_ALLOW_DOWNLOAD",
        "CC",
    ] {
        print(&format!("rerun-if-env-changed={variable}"));
    }
    let rocm_path = env::var_os("ROCM_PATH").map(PathBuf::from);
    let named = env::var_os("PROFILER_HUB_ROOT")
        .map(PathBuf::from)
        .or_else(|| rocm_path.clone());
    let places = Places {
        rocm_path: named,
        ..Places::default()
    };
    let library = match find(Product::Library, &places) {
        Ok(library) => library,
        Err(_) => build(rocm_path)?,
    };
    let folder = library.parent().unwrap_or(Path::new("/")).to_owned();
    print(&format!("rustc-link-search=native={}", folder.display()));
    match linkage {
        Linkage::Shared => {
            print("rustc-link-lib=dylib=profiler-hub");
            print(&format!("rustc-link-arg=-Wl,-rpath,{}", folder.display()));
        }
        Linkage::Static => print("rustc-link-lib=static=profiler-hub"),
    }
    Ok(folder)
}

fn build(rocm_path: Option<PathBuf>) -> Result<PathBuf, Error> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = env::var_os("OUT_DIR").map_or_else(env::temp_dir, PathBuf::from);
    let source = crate::locate_sources(here)?;
    print(&format!(
        "rerun-if-changed={}",
        source.join("rust").display()
    ));
    let builder = Builder {
        product: Product::Library,
        source,
        cache: out.join("profiler-hub"),
        rocm_path,
        allow_download: env::var_os("PROFILER_HUB_ALLOW_DOWNLOAD")
            .is_some_and(|value| value == "1"),
    };
    let path: OsString = env::var_os("PATH").unwrap_or_default();
    let toolchain = Toolchain::find(&path, &[], env::var_os("CC").as_deref())?;
    builder.build(&toolchain, |_| ()).map(|ready| ready.path)
}

#[expect(clippy::print_stdout, reason = "cargo reads a build script's stdout")]
fn print(instruction: &str) {
    println!("cargo:{instruction}");
}
