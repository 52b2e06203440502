//! Finds the passes of a workload and the database files of each pass.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::natural;
use crate::{Error, Result};

/// The folder of a workload that holds one folder for each pass.
const PASSES: &str = "out";

/// One profiling run: the files that may belong together.
#[derive(Debug)]
pub(crate) struct Pass {
    /// The folder's name; the file names are relative to it.
    pub(crate) name: String,
    /// What to call it in messages.
    pub(crate) path: PathBuf,
    /// In natural order of their paths relative to the pass folder.
    pub(crate) files: Vec<PathBuf>,
}

/// What there is to analyze.
#[derive(Debug)]
pub(crate) struct Workload {
    pub(crate) passes: Vec<Pass>,
    /// Database files beside the folders of the passes; they belong to none.
    pub(crate) beside: Vec<PathBuf>,
}

/// The passes below a workload folder, or the one pass that is made of the files given.
///
/// A folder with a folder `out` has a pass for each folder in that; any other folder is one pass.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Workload> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => rocpd::Error::NotFound { path: path.clone() },
            _ => unreadable(path)(source),
        })?;
        if metadata.is_dir() {
            folders.push(path);
        } else {
            files.push(path.clone());
        }
    }
    let workload = match folders.as_slice() {
        [] => Workload {
            passes: vec![Pass {
                name: String::new(),
                path: paths.first().cloned().unwrap_or_default(),
                files: ordered(Path::new(""), files),
            }],
            beside: Vec::new(),
        },
        [folder] if files.is_empty() => below(folder)?,
        _ => {
            return Err(Error::Unusable {
                path: folders[0].clone(),
                found: "a folder among other paths".into(),
                expected: "one workload folder, or database files one by one".into(),
            });
        }
    };
    if workload.passes.iter().all(|pass| pass.files.is_empty()) {
        return Err(Error::Unusable {
            path: paths.first().cloned().unwrap_or_default(),
            found: "no .db file".into(),
            expected: "the databases of a profiling run, in out/<pass>/ or in the folder itself"
                .into(),
        });
    }
    Ok(workload)
}

fn below(folder: &Path) -> Result<Workload> {
    let out = folder.join(PASSES);
    let mut names = Vec::new();
    let mut beside = Vec::new();
    if out.is_dir() {
        for entry in fs::read_dir(&out).map_err(unreadable(&out))? {
            let path = entry.map_err(unreadable(&out))?.path();
            if path.is_dir() {
                names.push(path);
            } else if is_database(&path) {
                beside.push(path);
            }
        }
        names.sort_by(|a, b| natural::compare_paths(a, b));
    }
    if names.is_empty() {
        names.push(folder.to_owned());
        beside.clear();
    }
    let passes = names
        .into_iter()
        .map(|path| {
            Ok(Pass {
                name: path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default(),
                files: ordered(&path, databases_below(&path)?),
                path,
            })
        })
        .collect::<Result<_>>()?;
    Ok(Workload {
        passes,
        beside: ordered(&out, beside),
    })
}

fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "db")
}

/// Every file that ends in `.db`, at any depth. A folder that is reached twice counts once.
fn databases_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let metadata = fs::metadata(&folder).map_err(unreadable(&folder))?;
        if !seen.insert((metadata.dev(), metadata.ino())) {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let path = entry.map_err(unreadable(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_database(&path) {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// In natural order; a file with two names counts once, under the first of them.
fn ordered(folder: &Path, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let relative = |path: &PathBuf| path.strip_prefix(folder).unwrap_or(path).to_owned();
    files.sort_by(|a, b| natural::compare_paths(&relative(a), &relative(b)));
    let mut seen = HashSet::new();
    files.retain(|path| match fs::metadata(path) {
        Ok(metadata) => seen.insert((metadata.dev(), metadata.ino())),
        Err(_) => true,
    });
    files
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> rocpd::Error {
    let path = path.to_owned();
    move |source| rocpd::Error::Io {
        path,
        action: "look for databases there",
        source,
    }
}
