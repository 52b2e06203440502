//! What the environment asks for; read once, in `rocprofiler_configure`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use profiler_hub_intercept::TableSet;

/// Names the folder for the file.
pub(crate) const OUTPUT: &str = "ROCPROF_OUTPUT_PATH";
/// Names the tables to record.
pub(crate) const TABLES: &str = "PROFILER_HUB_API_TABLES";

/// What to record, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The tables to ask the SDK for; none: take no part.
    pub(crate) tables: TableSet,
    /// The folder for the file, absolute; `None` if it was not named.
    pub(crate) folder: Option<PathBuf>,
    /// The current folder at that moment.
    pub(crate) current: PathBuf,
    /// What was asked for and does not exist.
    pub(crate) unknown: Vec<String>,
}

static SETTINGS: OnceLock<Settings> = OnceLock::new();

/// The settings, read at the first call.
pub(crate) fn settings() -> &'static Settings {
    SETTINGS.get_or_init(|| {
        let current = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        Settings::new(std::env::var_os(TABLES), std::env::var_os(OUTPUT), current)
    })
}

impl Settings {
    /// Unset and empty act alike.
    fn new(tables: Option<OsString>, folder: Option<OsString>, current: PathBuf) -> Self {
        let tables = tables.unwrap_or_default();
        let tables = tables.to_string_lossy();
        let names: Vec<&str> = tables
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        let mut set = TableSet::empty();
        let mut unknown = Vec::new();
        for name in if names.is_empty() {
            vec!["roctx"]
        } else {
            names
        } {
            match name {
                "roctx" => {
                    set = set
                        | TableSet::MARKER_CORE
                        | TableSet::MARKER_CONTROL
                        | TableSet::MARKER_NAME;
                }
                "hsa" => set = set | TableSet::HSA,
                "hip" => set = set | TableSet::HIP_RUNTIME,
                other => unknown.push(other.to_owned()),
            }
        }
        let folder = folder.filter(|folder| !folder.is_empty());
        let folder = folder.map(|folder| current.join(Path::new(&folder)));
        Self {
            tables: set,
            folder,
            current,
            unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_with_commas_and_default_to_roctx() {
        let roctx = TableSet::from_bits(8 | 16 | 32);
        for (text, tables, unknown) in [
            (None, roctx, &[][..]),
            (Some(""), roctx, &[]),
            (Some(" , "), roctx, &[]),
            (Some("roctx"), roctx, &[]),
            (Some("hip"), TableSet::HIP_RUNTIME, &[]),
            (
                Some(" hsa, hip ,"),
                TableSet::HSA | TableSet::HIP_RUNTIME,
                &[],
            ),
            (Some("hsa,HIP,rccl"), TableSet::HSA, &["HIP", "rccl"]),
            (Some("x"), TableSet::empty(), &["x"]),
        ] {
            let settings = Settings::new(text.map(Into::into), None, "/".into());
            assert_eq!(
                (settings.tables, &*settings.unknown),
                (
                    tables,
                    &unknown.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..]
                ),
                "{text:?}"
            );
        }
    }

    #[test]
    fn the_folder_is_where_the_process_was_at_the_start() {
        for (text, folder) in [
            (None, None),
            (Some(""), None),
            (Some("out"), Some("/at/out")),
            (Some("/o"), Some("/o")),
        ] {
            let settings = Settings::new(None, text.map(Into::into), "/at".into());
            assert_eq!(settings.folder, folder.map(PathBuf::from), "{text:?}");
            assert_eq!(settings.current, Path::new("/at"));
        }
    }
}
