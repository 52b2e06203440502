//! The schema that we write against the one that is published.

use std::collections::BTreeMap;

use rocpd::rusqlite::types::ValueRef;
use rocpd::rusqlite::{Connection, Row};
use rocpd::{Guid, Source, schema};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::golden;

/// The guid of the golden trace; its tables and ours then have the same names.
const GUID: &str = "019b8fc6-fb58-7312-ae0c-ba84e4b293ec";

#[derive(Deserialize)]
struct View {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

fn new_database() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    schema::create(&connection, &Guid::parse(GUID).unwrap()).unwrap();
    connection
}

/// The golden trace's base rows in a database of our schema.
fn golden_trace() -> Connection {
    let connection = new_database();
    connection
        .pragma_update(None, "foreign_keys", false)
        .unwrap();
    connection
        .execute(
            "ATTACH ?1 AS golden",
            [golden("trace/trace.db").to_str().unwrap()],
        )
        .unwrap();
    for table in names(&connection, "golden", "table") {
        if table.starts_with("rocpd_") {
            let sql = format!(
                "DELETE FROM main.\"{table}\"; \
                 INSERT INTO main.\"{table}\" SELECT * FROM golden.\"{table}\""
            );
            connection.execute_batch(&sql).unwrap();
        }
    }
    connection
}

fn names(connection: &Connection, schema: &str, kind: &str) -> Vec<String> {
    connection
        .prepare(&format!(
            "SELECT name FROM {schema}.sqlite_master WHERE type = ?1 ORDER BY rowid"
        ))
        .unwrap()
        .query_map([kind], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn values(row: &Row<'_>) -> Vec<Value> {
    (0..row.as_ref().column_count())
        .map(|column| match row.get_ref(column).unwrap() {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(i) => json!(i),
            ValueRef::Real(r) => json!(r),
            ValueRef::Text(t) => json!(std::str::from_utf8(t).unwrap()),
            ValueRef::Blob(_) => unreachable!("no column holds a blob"),
        })
        .collect()
}

fn query(connection: &Connection, sql: &str) -> View {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_names().map(Into::into).collect();
    let rows = statement
        .query_map([], |row| Ok(values(row)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    View { columns, rows }
}

fn sorted(mut rows: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    rows.sort_by_cached_key(|row| serde_json::to_string(row).unwrap());
    rows
}

#[test]
fn data_views_give_the_published_rows() {
    let text = std::fs::read_to_string(golden("trace/views.json")).unwrap();
    let expected: BTreeMap<String, View> = serde_json::from_str(&text).unwrap();
    let connection = golden_trace();
    let mut ours = names(&connection, "main", "view");
    ours.retain(|name| !name.starts_with("rocpd_"));
    ours.sort_unstable();
    assert_eq!(ours, expected.keys().cloned().collect::<Vec<_>>());
    for (name, expected) in expected {
        let view = query(&connection, &format!("SELECT * FROM \"{name}\""));
        assert_eq!(view.columns, expected.columns, "{name}");
        assert_eq!(sorted(view.rows), sorted(expected.rows), "{name}");
    }
}

/// The golden trace's tables are the published ones: the same columns, in order, with the same
/// types, defaults (as values, not as they are quoted), constraints and references.
#[test]
fn tables_are_the_published_ones() {
    let ours = new_database();
    let theirs = Source::open(&golden("trace/trace.db"))
        .unwrap()
        .connect()
        .unwrap();
    assert_eq!(
        names(&ours, "main", "table"),
        names(&theirs, "main", "table")
    );
    for table in names(&ours, "main", "table") {
        for facts in [
            "* FROM pragma_table_xinfo('T')",
            "\"unique\", origin, partial FROM pragma_index_list('T')",
            "\"table\", \"from\", \"to\", on_update, on_delete, \"match\" \
             FROM pragma_foreign_key_list('T') ORDER BY \"from\"",
        ] {
            let sql = format!("SELECT {}", facts.replace("'T'", &format!("'{table}'")));
            let rows = |connection| {
                let text = serde_json::to_string(&query(connection, &sql).rows).unwrap();
                text.replace("\\\"", "'")
            };
            assert_eq!(rows(&ours), rows(&theirs), "{sql}");
        }
        let definition = |connection: &Connection| -> String {
            let sql: String = connection
                .query_row(
                    "SELECT sql FROM sqlite_master WHERE name = ?1",
                    [&table],
                    |row| row.get(0),
                )
                .unwrap();
            // CHECK and AUTOINCREMENT are in no pragma.
            let words: Vec<_> = sql.split_whitespace().collect();
            words
                .join(" ")
                .replace("( ", "(")
                .replace(" )", ")")
                .replace("DEFAULT \"", "DEFAULT '")
        };
        let count = |text: &str, word: &str| text.matches(word).count();
        for word in ["AUTOINCREMENT", "ON UPDATE CASCADE", "UNIQUE"] {
            assert_eq!(
                count(&definition(&ours), word),
                count(&definition(&theirs), word),
                "{word} in {table}"
            );
        }
        let checks = |text: &str| -> Vec<String> {
            text.split("CHECK ")
                .skip(1)
                .map(|rest| rest[..rest.find("))").unwrap()].to_owned())
                .collect()
        };
        assert_eq!(checks(&definition(&ours)), checks(&definition(&theirs)));
        assert!(!definition(&ours).contains("DEFAULT \""), "{table}");
    }
}

#[test]
fn metadata_names_version_and_guid() {
    let rows = query(
        &new_database(),
        "SELECT tag, value FROM rocpd_metadata ORDER BY id",
    )
    .rows;
    let suffix = format!("_{}", GUID.replace('-', "_"));
    assert_eq!(
        json!(rows),
        json!([["schema_version", "3"], ["uuid", suffix], ["guid", GUID]])
    );
}

/// A row that the published views hide for want of a thread, a symbol, a queue, … is hidden here.
#[test]
fn views_hide_what_the_published_views_hide() {
    let uuid = GUID.replace('-', "_");
    for (change, view, left) in [
        (
            "UPDATE rocpd_kernel_dispatch_U SET tid = NULL WHERE id = 1",
            "kernels",
            23,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET tid = NULL WHERE id = 1",
            "counters_collection",
            46,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET tid = NULL WHERE id = 1",
            "pmc_events",
            96,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET kernel_id = 99 WHERE id = 1",
            "kernels",
            23,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET kernel_id = 99 WHERE id = 1",
            "pmc_events",
            96,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET region_name_id = NULL WHERE id = 1",
            "kernels",
            23,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET region_name_id = NULL WHERE id = 1",
            "counters_collection",
            48,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET stream_id = 99 WHERE id = 1",
            "kernels",
            24,
        ),
        (
            "UPDATE rocpd_kernel_dispatch_U SET queue_id = 99 WHERE id = 1",
            "kernels",
            23,
        ),
        ("UPDATE rocpd_event_U SET category_id = NULL", "kernels", 24),
        ("UPDATE rocpd_event_U SET category_id = NULL", "regions", 48),
        (
            "UPDATE rocpd_region_U SET event_id = NULL WHERE id = 1",
            "regions",
            47,
        ),
        (
            "UPDATE rocpd_region_U SET event_id = NULL WHERE id = 1",
            "top",
            8,
        ),
        (
            "UPDATE rocpd_memory_copy_U SET tid = NULL WHERE id = 1",
            "memory_copies",
            11,
        ),
        (
            "UPDATE rocpd_memory_copy_U SET src_agent_id = NULL WHERE id = 1",
            "memory_copies",
            11,
        ),
        (
            "UPDATE rocpd_memory_copy_U SET region_name_id = NULL",
            "memory_copies",
            12,
        ),
        (
            "UPDATE rocpd_memory_copy_U SET stream_id = NULL",
            "memory_copies",
            12,
        ),
        (
            "UPDATE rocpd_memory_allocate_U SET agent_id = NULL",
            "memory_allocations",
            15,
        ),
        (
            "UPDATE rocpd_memory_allocate_U SET tid = NULL WHERE id = 3",
            "scratch_memory",
            2,
        ),
        ("UPDATE rocpd_track_U SET name_id = NULL", "samples", 12),
        (
            "UPDATE rocpd_track_U SET pid = NULL WHERE id = 1",
            "samples",
            6,
        ),
        (
            "UPDATE rocpd_info_code_object_U SET agent_id = NULL",
            "code_objects",
            0,
        ),
        (
            "UPDATE rocpd_info_stream_U SET id = 77 WHERE id = 1",
            "stream_args",
            0,
        ),
    ] {
        let connection = golden_trace();
        connection
            .execute_batch(&change.replace("_U ", &format!("_{uuid} ")))
            .unwrap();
        let count: i64 = connection
            .query_row(&format!("SELECT count(*) FROM \"{view}\""), [], |row| {
                row.get(0)
            })
            .unwrap();
        assert_eq!(count, left, "{view} after {change}");
    }
}

/// In a file of two guids the base views are unions, and equal ids mean different things: each data
/// view gives the rows of both, but those that sum up by name.
#[test]
fn data_views_of_a_file_of_two_guids_give_the_rows_of_both() {
    let other = "11111111-fb58-7312-ae0c-ba84e4b293ec";
    let suffix = |guid: &str| format!("_{}", guid.replace('-', "_"));
    let connection = golden_trace();
    let expected: Vec<_> = names(&connection, "main", "view")
        .into_iter()
        .filter(|name| !name.starts_with("rocpd_") && !name.starts_with("top"))
        .map(|name| {
            let sql = format!("SELECT * FROM \"{name}\"");
            let rows = query(&connection, &sql).rows;
            (sql, rows)
        })
        .collect();

    let tables = names(&connection, "main", "table");
    let mut copy = String::new();
    for table in tables.iter().filter(|name| name.starts_with("rocpd_")) {
        let twin = table.replace(&suffix(GUID), &suffix(other));
        let base = table.replace(&suffix(GUID), "");
        let columns: Vec<String> = query(&connection, &format!("SELECT * FROM \"{table}\""))
            .columns
            .iter()
            .map(|column| match column.as_str() {
                "guid" => format!("'{other}' AS guid"),
                column => format!("\"{column}\""),
            })
            .collect();
        let columns = columns.join(", ");
        copy.push_str(&format!(
            "CREATE TABLE \"{twin}\" AS SELECT {columns} FROM \"{table}\";
             DROP VIEW \"{base}\";
             CREATE VIEW \"{base}\" AS SELECT * FROM \"{table}\" UNION ALL SELECT * FROM \"{twin}\";"
        ));
    }
    connection.execute_batch(&copy).unwrap();

    for (sql, rows) in expected {
        let text = serde_json::to_string(&rows).unwrap();
        let mut both = rows;
        both.extend::<Vec<Vec<Value>>>(serde_json::from_str(&text.replace(GUID, other)).unwrap());
        assert_eq!(sorted(query(&connection, &sql).rows), sorted(both), "{sql}");
    }
}
