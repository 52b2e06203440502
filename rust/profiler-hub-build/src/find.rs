//! Where an installed product may be, and whether what is there can be used.

use std::fs;
use std::path::{Path, PathBuf};

use crate::elf;
use crate::{Error, Product};

/// Where to look, in this order.
#[derive(Clone, Debug)]
pub struct Places {
    /// A file of the SDK's, such as `<root>/lib/rocprofiler-sdk/librocprofiler-sdk-tool.so`.
    pub sdk_tool: Option<PathBuf>,
    /// The value of `ROCM_PATH`.
    pub rocm_path: Option<PathBuf>,
    /// Where ROCm is if nobody says otherwise: `/opt/rocm`.
    pub usual: PathBuf,
    /// The running program, `<root>/bin/profiler-hub` or `<build folder>/bin/profiler-hub`.
    pub program: Option<PathBuf>,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            sdk_tool: None,
            rocm_path: None,
            usual: PathBuf::from("/opt/rocm"),
            program: None,
        }
    }
}

impl Places {
    /// The roots, most specific first.
    fn roots(&self) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> = Vec::new();
        let mut add = |root: &Path| {
            if !root.as_os_str().is_empty() && !roots.iter().any(|known| known == root) {
                roots.push(root.to_owned());
            }
        };
        if let Some(folder) = self.sdk_tool.as_deref().and_then(Path::parent) {
            // What holds the lib, lib64, … that the SDK's file is in; the innermost first.
            for inner in folder.ancestors() {
                let is_lib = inner
                    .file_name()
                    .is_some_and(|name| name.as_encoded_bytes().starts_with(b"lib"));
                if let (true, Some(root)) = (is_lib, inner.parent()) {
                    add(root);
                }
            }
        }
        if let Some(root) = &self.rocm_path {
            add(root);
        }
        add(&self.usual);
        if let Some(root) = self
            .program
            .as_deref()
            .and_then(Path::parent)
            .and_then(Path::parent)
        {
            add(root);
        }
        roots
    }
}

/// The installed product's file: below each root in `lib*/<folder>` and `lib/<multiarch>/<folder>`, and, for a
/// program in a build folder, in that build's `lib`.
///
/// # Errors
///
/// [`Error::NotInstalled`] with the roots, if there is none that this machine can load.
pub fn find(product: Product, places: &Places) -> Result<PathBuf, Error> {
    let (folder, file) = product.file();
    let roots = places.roots();
    for root in &roots {
        let libs = library_folders(root);
        let installed = libs.iter().map(|lib| lib.join(folder).join(file));
        let built = places
            .program
            .iter()
            .filter(|program| program.starts_with(root))
            .map(|_| root.join("lib").join(file));
        for candidate in installed.chain(built) {
            if elf::is_for_this_machine(&candidate) {
                return Ok(candidate);
            }
        }
    }
    Err(Error::NotInstalled {
        file,
        searched: roots,
    })
}

/// `lib`, then the other `lib*`, then `lib/<multiarch>`, as far as they exist.
pub(crate) fn library_folders(root: &Path) -> Vec<PathBuf> {
    let folders = |parent: &Path, wanted: &dyn Fn(&str) -> bool| {
        let mut found: Vec<PathBuf> = fs::read_dir(parent)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_str().is_some_and(wanted) && entry.path().is_dir())
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
    };
    let mut all = folders(root, &|name| name.starts_with("lib"));
    all.extend(folders(&root.join("lib"), &|name| {
        name.starts_with(std::env::consts::ARCH) && name.contains("-linux-")
    }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = "librocprofiler-compute-tool.so";

    /// A root with a loadable tool (any ELF of this machine does) in `folder`.
    fn root_with_tool(root: &Path, folder: &str) -> PathBuf {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(TOOL);
        fs::copy("/proc/self/exe", &file).unwrap();
        file
    }

    /// No place but what a test adds, whatever is installed on the machine.
    fn nowhere() -> Places {
        Places {
            usual: PathBuf::from("/nonexistent"),
            ..Places::default()
        }
    }

    fn rocm(path: &Path) -> Places {
        Places {
            rocm_path: Some(path.to_owned()),
            ..nowhere()
        }
    }

    #[test]
    fn every_layout_is_found() {
        let multiarch = format!(
            "lib/{}-linux-gnu/rocprofiler-compute",
            std::env::consts::ARCH
        );
        for folder in [
            "lib/rocprofiler-compute",
            "lib64/rocprofiler-compute",
            multiarch.as_str(),
        ] {
            let root = tempfile::tempdir().unwrap();
            let file = root_with_tool(root.path(), folder);
            assert_eq!(
                find(Product::NativeTool, &rocm(root.path())).unwrap(),
                file,
                "{folder}"
            );
        }
    }

    #[test]
    fn the_root_follows_from_the_sdk_tool_in_every_layout() {
        for sdk in [
            "lib/rocprofiler-sdk",
            "lib64/rocprofiler-sdk",
            "lib/x86_64-linux-gnu/rocprofiler-sdk",
            "lib",
        ] {
            let root = tempfile::tempdir().unwrap();
            let file = root_with_tool(root.path(), "lib/rocprofiler-compute");
            let places = Places {
                sdk_tool: Some(root.path().join(sdk).join("librocprofiler-sdk-tool.so")),
                ..nowhere()
            };
            assert_eq!(find(Product::NativeTool, &places).unwrap(), file, "{sdk}");
        }
    }

    #[test]
    fn the_sdk_tools_root_comes_before_rocm_path_and_that_before_the_programs() {
        let roots: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
        let files: Vec<_> = roots
            .iter()
            .map(|root| root_with_tool(root.path(), "lib/rocprofiler-compute"))
            .collect();
        let mut places = Places {
            sdk_tool: Some(roots[0].path().join("lib/librocprofiler-sdk.so")),
            rocm_path: Some(roots[1].path().to_owned()),
            program: Some(roots[2].path().join("bin/profiler-hub")),
            ..nowhere()
        };
        assert_eq!(find(Product::NativeTool, &places).unwrap(), files[0]);
        places.sdk_tool = None;
        assert_eq!(find(Product::NativeTool, &places).unwrap(), files[1]);
        places.rocm_path = None;
        assert_eq!(find(Product::NativeTool, &places).unwrap(), files[2]);
    }

    #[test]
    fn a_build_folder_has_the_tool_beside_the_program() {
        let root = tempfile::tempdir().unwrap();
        let file = root_with_tool(root.path(), "lib");
        let places = Places {
            program: Some(root.path().join("bin/profiler-hub")),
            ..nowhere()
        };
        assert_eq!(find(Product::NativeTool, &places).unwrap(), file);
    }

    #[test]
    fn a_half_written_file_is_passed_over_and_the_error_names_the_roots() {
        let root = tempfile::tempdir().unwrap();
        let file = root_with_tool(root.path(), "lib/rocprofiler-compute");
        fs::write(&file, b"\x7fELF").unwrap();
        let error = find(Product::NativeTool, &rocm(root.path()))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(&root.path().display().to_string()),
            "{error}"
        );
        assert!(
            error.contains("/nonexistent") && error.contains("--build"),
            "{error}"
        );
    }
}
