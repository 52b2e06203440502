//! Runs of the analysis, for tests.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use profiler_hub_analyze::{AnalyzeOptions, Report, Result, Unwatched, analyze};

/// Options for a folder, with the table in a folder of its own beside it.
pub(crate) fn with(folder: &Path, read_only: bool, force: bool) -> AnalyzeOptions {
    AnalyzeOptions {
        paths: vec![folder.into()],
        output: folder.with_extension("csv"),
        json_report: None,
        read_only,
        force,
        jobs: NonZeroUsize::new(2).unwrap(),
    }
}

/// The report and the table.
pub(crate) fn analyzed(options: &AnalyzeOptions) -> Result<(Report, String)> {
    let _ = fs::remove_file(&options.output);
    let report = analyze(options, &Unwatched)?;
    let table = fs::read_to_string(&options.output).unwrap_or_default();
    Ok((report, table))
}

/// Copies a folder; the copy can be written.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::write(&target, fs::read(&path).unwrap()).unwrap();
        }
    }
}
