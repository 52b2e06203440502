//! The committed headers say what the code says.
//!
//! `UPDATE_HEADERS=1 cargo test -p profiler-hub-capi header` writes them anew.

use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// A header, the modules it is made of, and what stands before its declarations.
struct Header {
    file: &'static str,
    sources: &'static [&'static str],
    guard: &'static str,
    preamble: &'static str,
}

/// The one constant that has no number in Rust's source.
const TEXT_NUL: &str = "
/**
 * As the size of a ph_text_t: the text ends at its first NUL.
 */
#define PH_TEXT_NUL SIZE_MAX
";

/// The modules that have types only.
const TYPES: &[&str] = &["types", "info_types", "query_types", "writer_types"];

const HEADERS: &[Header] = &[
    Header {
        file: "profiler_hub_types.h",
        sources: TYPES,
        guard: "PROFILER_HUB_C_PROFILER_HUB_TYPES_H",
        preamble: include_str!("../../src/preamble_types.h"),
    },
    Header {
        file: "profiler_hub.h",
        sources: &[
            "library",
            "probe",
            "opening",
            "context",
            "tracks",
            "futures",
            "info",
            "details",
            "tables",
            "writer",
            "writer_insert",
        ],
        guard: "PROFILER_HUB_C_PROFILER_HUB_H",
        preamble: include_str!("../../src/preamble.h"),
    },
];

fn committed(header: &Header) -> PathBuf {
    Path::new(CRATE)
        .join("include/profiler-hub/c")
        .join(header.file)
}

fn generate(header: &Header) -> String {
    let mut config = Config::from_file(Path::new(CRATE).join("cbindgen.toml")).unwrap();
    config.include_guard = Some(header.guard.to_owned());
    config.header = Some(header.preamble.trim_end().to_owned());
    if header.sources != TYPES {
        config.sys_includes = vec!["profiler-hub/c/profiler_hub_types.h".to_owned()];
    } else {
        config.sys_includes = vec!["stddef.h".to_owned(), "stdint.h".to_owned()];
        config.after_includes = Some(TEXT_NUL.to_owned());
        // Types that only functions of the other header use are wanted all the same.
        config.export.include = type_names();
    }
    let mut builder = Builder::new().with_config(config);
    for source in header.sources {
        builder = builder.with_src(Path::new(CRATE).join(format!("src/{source}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

fn type_names() -> Vec<String> {
    let mut names = Vec::new();
    for module in TYPES {
        let path = Path::new(CRATE).join(format!("src/{module}.rs"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let starts = ["pub struct ", "pub enum ", "pub type "];
            let rest = starts.iter().find_map(|start| line.strip_prefix(start));
            let end = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            names.extend(rest.and_then(|rest| Some(rest[..end(rest)?].to_owned())));
        }
    }
    names
}

#[test]
fn committed_headers_are_what_the_code_says() {
    for header in HEADERS {
        let generated = generate(header);
        let path = committed(header);
        if std::env::var_os("UPDATE_HEADERS").is_some() {
            std::fs::write(&path, &generated).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        let line = committed
            .lines()
            .zip(generated.lines())
            .position(|(a, b)| a != b);
        assert!(
            committed == generated,
            "{} differs from the code (first at line {:?}); run UPDATE_HEADERS=1 cargo test -p \
             profiler-hub-capi header, look at the difference, commit it",
            path.display(),
            line.map(|l| l + 1)
        );
    }
}
