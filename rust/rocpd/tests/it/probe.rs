//! The probe against files of every kind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rocpd::probe::{AcceptedVersions, Detector, Finding, Prober, RocpdDetector, Status, probe};
use rocpd::rusqlite::Connection;
use rocpd::{Guid, Mode, SchemaVersion, Source, Storage, Writer};
use serde::Deserialize;

use crate::golden;

#[derive(Deserialize)]
struct Expected {
    status: String,
    version: Option<String>,
}

/// Every file below a folder with its bytes and its time of change.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let modified = entry.metadata().unwrap().modified().unwrap();
        let bytes = fs::read(entry.path()).unwrap_or_default();
        files.insert(entry.path(), (bytes, modified));
    }
    files
}

#[test]
fn golden_files_get_the_expected_status_and_are_left_alone() {
    let folder = golden("probe");
    let text = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: BTreeMap<String, Expected> = serde_json::from_str(&text).unwrap();
    let before = contents(&folder);
    for (name, expected) in expected {
        // The sample of another tool is not part of this repository; another_tools_database is.
        if name == "analysis.db" {
            continue;
        }
        let found = probe(&folder.join(&name));
        assert_eq!(found.status.as_str(), expected.status, "{name}");
        assert_eq!(
            found.version.map(|v| v.to_string()),
            expected.version,
            "{name}"
        );
        assert!(found.message.contains(&name), "{}", found.message);
        let has_guid = matches!(
            found.status,
            Status::Supported
                | Status::UnsupportedSchemaVersion
                | Status::MetadataMalformed
                | Status::MetadataAmbiguous
        );
        assert_eq!(!found.guids.is_empty(), has_guid, "{name}");
    }
    assert!(before == contents(&folder), "a file was touched");
}

#[test]
fn messages_say_what_was_found_and_what_is_accepted() {
    for (name, expected) in [
        ("version-3.db", "a rocpd file of schema 3.0.0"),
        (
            "version-3.9.0.db",
            "a rocpd file of schema 3.9.0; warning: newer than 3.0.5, the newest that is known \
             here: only what is known is read",
        ),
        (
            "version-4.1.0.db",
            "found a rocpd file of schema 4.1.0, accepted is 3.x from 3.0.0 on",
        ),
        (
            "empty.db",
            "found an empty file, expected a SQLite 3 database",
        ),
        ("gzip.db.gz", "found a file that begins with \"\\x1f\\x8b"),
        (
            "two-metadata-tables.db",
            "found 2 tables named rocpd_metadata_…, expected exactly one",
        ),
        (
            "other.db",
            "found a SQLite database without a table named rocpd_metadata_…",
        ),
        (
            "version-words.db",
            "is no version: expected one to three numbers",
        ),
        (
            "a-directory.db",
            "found a directory, expected a regular file",
        ),
        ("does-not-exist.db", "no such file; check the path"),
        (
            "truncated.db",
            "found a SQLite database that cannot be read",
        ),
    ] {
        let message = probe(&golden("probe").join(name)).message;
        assert!(message.contains(expected), "{name}: {message}");
    }
}

/// A database that another tool could have made, with tables that are not rocpd's.
#[test]
fn another_tools_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("analysis.db");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE metadata (tag, value); CREATE TABLE rocpd_metadata (tag, value);
             CREATE TABLE \"ROCPD_METADATA_1\" (tag, value); CREATE VIEW rocpd_metadata_v AS SELECT 1;",
        )
        .unwrap();
    drop(connection);
    assert_eq!(probe(&path).status, Status::MetadataMissing);
}

#[test]
fn metadata_of_odd_shapes() {
    for (sql, status) in [
        (
            "CREATE TABLE rocpd_metadata_g (tag, value); INSERT INTO rocpd_metadata_g VALUES ('schema_version', 3)",
            Status::Supported,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (tag TEXT PRIMARY KEY, value) WITHOUT ROWID; INSERT INTO rocpd_metadata_g VALUES ('schema_version', '3')",
            Status::Supported,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (value, x, tag); INSERT INTO rocpd_metadata_g VALUES ('3.0.2', 0, 'schema_version')",
            Status::Supported,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (tag, value); INSERT INTO rocpd_metadata_g VALUES (NULL, NULL)",
            Status::MetadataMalformed,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (tag, value); INSERT INTO rocpd_metadata_g VALUES ('schema_version', x'ff')",
            Status::MetadataMalformed,
        ),
        (
            "CREATE TABLE \"rocpd_metadata_a\"\"; DROP TABLE x; --\" (tag, value)",
            Status::MetadataMalformed,
        ),
        (
            "CREATE TABLE \"rocpd_metadata_a b\" (tag, value); CREATE TABLE rocpd_metadata_g (tag, value)",
            Status::MetadataAmbiguous,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (tag)",
            Status::MetadataMalformed,
        ),
        (
            "CREATE TABLE rocpd_metadata_g (tag, value)",
            Status::MetadataMalformed,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let found = probe(&path);
        assert_eq!(found.status, status, "{sql}: {}", found.message);
    }
}

#[test]
fn what_the_writer_makes_is_supported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let guid = Guid::new();
    let storage = Storage::create(&path, guid.clone(), Mode::Durable).unwrap();
    Writer::new(storage).unwrap().close().unwrap();
    let found = probe(&path);
    assert_eq!(found.status, Status::Supported);
    assert_eq!(found.version, Some(SchemaVersion::new(3, 0, 0)));
    assert_eq!(found.guids, [guid]);
}

struct Gzip;

impl Detector for Gzip {
    fn knows(&self, head: &[u8]) -> bool {
        head.starts_with(&[0x1f, 0x8b])
    }

    fn examine(&self, source: &Source) -> Finding {
        Finding::new(
            Status::Supported,
            format!("{}: gzip", source.path().display()),
        )
    }
}

#[test]
fn another_format_or_schema_is_one_registration() {
    let gzip = golden("probe/gzip.db.gz");
    assert_eq!(probe(&gzip).status, Status::NotSqlite);
    assert_eq!(
        Prober::default().with(Gzip).probe(&gzip).status,
        Status::Supported
    );

    let four = golden("probe/version-4.1.0.db");
    assert_eq!(probe(&four).status, Status::UnsupportedSchemaVersion);
    let versions = AcceptedVersions::new(SchemaVersion::new(4, 1, 0), SchemaVersion::new(4, 1, 0));
    let prober = Prober::new().with(RocpdDetector::default().accepting(versions));
    assert_eq!(prober.probe(&four).status, Status::Supported);
    let older = prober.probe(&golden("probe/version-4.db"));
    assert_eq!(older.status, Status::UnsupportedSchemaVersion);
    assert!(
        older
            .message
            .ends_with("accepted is 3.x from 3.0.0 on, 4.x from 4.1.0 on"),
        "{}",
        older.message
    );
}
