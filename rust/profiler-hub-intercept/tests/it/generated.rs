//! The slot lists in `src/slots` are those of `tests/abi/dispatch-tables.json`.
//!
//! `PROFILER_HUB_REGENERATE=1 cargo test -p profiler-hub-intercept generated` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

use profiler_hub_intercept::slots::{Layout, hip, hsa};
use serde_json::Value;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The fields of `HsaApiTable` and the type of the table that each points to.
const HSA: [(&str, &str); 6] = [
    ("core_", "CoreApiTable"),
    ("amd_ext_", "AmdExtTable"),
    ("finalizer_ext_", "FinalizerExtTable"),
    ("image_ext_", "ImageExtTable"),
    ("tools_", "ToolsApiTable"),
    ("pc_sampling_ext_", "PcSamplingExtTable"),
];

const HIP: [&str; 2] = ["HipDispatchTable", "HipCompilerDispatchTable"];

fn facts() -> Value {
    let path = Path::new(CRATE).join("tests/abi/dispatch-tables.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// `CoreApiTable` → `CORE_API_TABLE`.
fn constant(name: &str) -> String {
    let mut constant = String::new();
    for (index, letter) in name.char_indices() {
        if index > 0 && letter.is_uppercase() {
            constant.push('_');
        }
        constant.push(letter.to_ascii_uppercase());
    }
    constant
}

fn header(what: &str) -> String {
    format!(
        "//! {what}\n\
         //!\n\
         //! Generated from `tests/abi/dispatch-tables.json` by `tests/it/generated.rs`: do not edit.\n\
         \n\
         use super::{{Header, Layout, SlotInfo}};\n"
    )
}

fn layout(table: &Value, name: &str, constant: &str, kind: &str, doc: &str) -> String {
    let mut source = format!(
        "\n/// {doc}\npub static {constant}: Layout = Layout {{\n    name: \"{name}\",\n    header: \
         Header::{kind},\n    slots: &[\n"
    );
    for field in table["fields"].as_array().unwrap() {
        let (slot, offset) = (field["name"].as_str().unwrap(), &field["offset"]);
        if slot != "version" {
            writeln!(
                source,
                "        SlotInfo {{ name: \"{slot}\", offset: {offset} }},"
            )
            .unwrap();
        }
    }
    source + "    ],\n};\n"
}

fn hsa_source(facts: &Value) -> String {
    let tables = &facts["HSA"];
    let mut source = header("HSA's dispatch tables, as of mid 2025.");
    source += &layout(
        &tables["HsaApiTable"],
        "HsaApiTable",
        "ROOT",
        "Version",
        "`HsaApiTable`: pointers to the others.",
    );
    for (field, table) in HSA {
        source += &layout(
            &tables[table],
            table,
            &constant(table),
            "Version",
            &format!("What `{field}` of `HsaApiTable` points to."),
        );
    }
    let count = HSA.len();
    writeln!(source, "\n/// All tables that [`ROOT`] points to.").unwrap();
    let names = HSA
        .map(|(_, table)| format!("    &{},\n", constant(table)))
        .concat();
    writeln!(
        source,
        "pub static TABLES: [&Layout; {count}] = [\n{names}];"
    )
    .unwrap();
    writeln!(
        source,
        "\n/// The fields of [`ROOT`] that point to [`TABLES`], in the same order."
    )
    .unwrap();
    let fields = HSA.map(|(field, _)| format!("    \"{field}\",\n")).concat();
    writeln!(
        source,
        "pub const ROOT_FIELDS: [&str; {count}] = [\n{fields}];"
    )
    .unwrap();
    source
}

fn hip_source(facts: &Value) -> String {
    let mut source = header("HIP's dispatch tables, as of October 2024.");
    let docs = [
        "HIP's runtime API.",
        "What code made by the HIP compiler calls.",
    ];
    for (table, doc) in HIP.iter().zip(docs) {
        source += &layout(&facts["HIP"][table], table, &constant(table), "Size", doc);
    }
    source
}

#[test]
fn generated_slot_lists_are_those_of_the_facts() {
    let facts = facts();
    for (file, source) in [
        ("hsa.rs", hsa_source(&facts)),
        ("hip.rs", hip_source(&facts)),
    ] {
        let path = Path::new(CRATE).join("src/slots").join(file);
        if std::env::var_os("PROFILER_HUB_REGENERATE").is_some() {
            std::fs::write(&path, &source).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(
            committed == source,
            "{file} differs from what its facts give: regenerate it"
        );
    }
}

#[test]
fn layouts_end_where_the_compiler_says() {
    let facts = facts();
    let check = |group: &str, layout: &Layout| {
        let size = facts[group][layout.name]["size"].as_u64().unwrap();
        assert_eq!(
            u64::try_from(layout.known_size()).unwrap(),
            size,
            "{}",
            layout.name
        );
        assert!(
            layout.slots.is_sorted_by_key(|slot| slot.offset),
            "{}",
            layout.name
        );
        assert!(
            layout.slots[0].offset == layout.header.bytes(),
            "{}",
            layout.name
        );
    };
    check("HSA", &hsa::ROOT);
    hsa::TABLES.iter().for_each(|layout| check("HSA", layout));
    check("HIP", &hip::HIP_DISPATCH_TABLE);
    check("HIP", &hip::HIP_COMPILER_DISPATCH_TABLE);
    assert_eq!(
        hip::HIP_DISPATCH_TABLE.slot("hipMalloc").unwrap().offset,
        1728
    );
    assert_eq!(
        hsa::CORE_API_TABLE
            .slot("hsa_signal_create_fn")
            .unwrap()
            .offset,
        312
    );
}
