//! The header, the committed list of exported symbols and the shared object name the same functions.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::native::library_folder;

fn listed() -> BTreeSet<String> {
    include_str!("../../exports.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn list_and_header_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/profiler-hub/c/profiler_hub.h");
    let header = std::fs::read_to_string(path).unwrap();
    let declared: BTreeSet<String> = header
        .lines()
        .filter(|line| !line.trim_start().starts_with(['*', '/']))
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
        .filter(|name| name.starts_with("ph_"))
        .map(str::to_owned)
        .collect();
    assert_eq!(declared, listed());
}

#[test]
fn list_is_sorted() {
    let lines: Vec<&str> = include_str!("../../exports.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    assert!(lines.is_sorted(), "exports.txt: keep it sorted");
}

#[test]
fn shared_object_exports_the_list_and_nothing_else() {
    let library = library_folder().join("libprofiler_hub.so");
    let exported = dynamic_symbols(&library);
    assert_eq!(exported, listed(), "{}", library.display());
}

/// The defined, visible symbols of a shared object.
fn dynamic_symbols(library: &Path) -> BTreeSet<String> {
    let output = Command::new("readelf")
        .args(["--dyn-syms", "--wide"])
        .arg(library)
        .output()
        .unwrap();
    assert!(output.status.success(), "readelf {}", library.display());
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            // Num: Value Size Type Bind Vis Ndx Name
            let fields: Vec<&str> = line.split_whitespace().collect();
            let name = (fields.len() >= 8 && fields[0].ends_with(':')).then(|| fields[7])?;
            let defined = fields[6] != "UND" && fields[6] != "ABS" && fields[6] != "Ndx";
            let global = matches!(fields[4], "GLOBAL" | "WEAK");
            (defined && global).then(|| name.split('@').next().unwrap_or(name).to_owned())
        })
        .collect()
}
