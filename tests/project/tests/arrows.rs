//! Holds the arrows between crates that ARCHITECTURE.md draws.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// Crate and the workspace crates that it may depend on, dev-dependencies aside.
const ARROWS: &[(&str, &[&str])] = &[
    ("rocpd", &[]),
    ("rocpd-bench", &["rocpd"]),
    ("rocprofiler-sdk-sys", &[]),
    ("profiler-hub-build", &[]),
    ("profiler-hub-analyze", &["rocpd"]),
    ("profiler-hub-capi", &["rocpd"]),
    ("profiler-hub-intercept", &["rocprofiler-sdk-sys"]),
    (
        "rocprofiler-compute-tool",
        &["profiler-hub-intercept", "rocprofiler-sdk-sys", "rocpd"],
    ),
    (
        "profiler-hub-api-trace",
        &["profiler-hub-intercept", "rocpd"],
    ),
    (
        "profiler-hub-cli",
        &["profiler-hub-analyze", "profiler-hub-build", "rocpd"],
    ),
];

#[test]
fn crates_depend_only_along_the_arrows() {
    let metadata = MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .other_options(["--locked".to_owned(), "--offline".to_owned()])
        .exec()
        .expect("cargo metadata of the workspace");
    let shipped: BTreeMap<String, BTreeSet<String>> = metadata
        .workspace_packages()
        .into_iter()
        .filter(|package| package.manifest_path.as_str().contains("/rust/"))
        .map(|package| {
            let inner = package
                .dependencies
                .iter()
                .filter(|dep| dep.path.is_some() && dep.kind != DependencyKind::Development)
                .map(|dep| dep.name.clone());
            (package.name.to_string(), inner.collect())
        })
        .collect();
    let allowed: BTreeMap<String, BTreeSet<String>> = ARROWS
        .iter()
        .map(|(name, to)| {
            (
                (*name).to_owned(),
                to.iter().map(|t| (*t).to_owned()).collect(),
            )
        })
        .collect();
    assert_eq!(
        shipped.keys().collect::<Vec<_>>(),
        allowed.keys().collect::<Vec<_>>(),
        "a crate under rust/ has no line in ARROWS, or the other way round"
    );
    for (name, dependencies) in &shipped {
        let extra: Vec<_> = dependencies.difference(&allowed[name]).collect();
        assert!(extra.is_empty(), "{name} must not depend on {extra:?}");
    }
}
