//! What is given comes back: numbers to the last bit, text to the last byte.

use proptest::prelude::*;
use rocpd::Mode;
use rocpd::rusqlite::types::Value;
use rocpd::writer::{
    Agent, Arg, CodeObject, CodeObjectId, Event, KernelDispatch, MemoryAllocation, MemoryCopy,
    PmcEvent, PmcId, PmcSample, Process, Region, Sample, Track, TrackId,
};

use super::*;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 32,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// 64 bits, and now and then those at which something could go wrong.
fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => any::<u64>(),
        1 => prop::sample::select(vec![
            0,
            1,
            (1 << 53) + 1,
            i64::MAX as u64,
            1 << 63,
            0x8000_0000_0000_0001,
            u64::MAX,
        ]),
    ]
}

/// Text of any characters, and now and then what trips parsers up.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::collection::vec(any::<char>(), 0..24).prop_map(String::from_iter),
        1 => prop::sample::select(vec![
            String::new(),
            "it's \"quoted\", \\ and %s\n".into(),
            "a\0b".into(),
            "\0".into(),
            "核函数😀\u{fffd}".into(),
            "12".into(),
            "1e2".into(),
            "NULL".into(),
            "{}".into(),
            "{\"a\": [1, 2.50, \"x\"]}".into(),
            "x'); DROP TABLE t; --".into(),
            "std::pair<int, ".repeat(800), // 12 KB
        ]),
    ]
}

/// Any double: NaN, infinities, subnormals, -0.0 and whole numbers too.
fn double() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits),
        1 => (any::<i32>(), 0..40).prop_map(|(n, k)| f64::from(n) * f64::from(k).exp2()),
        1 => any::<i32>().prop_map(f64::from),
        1 => prop::sample::select(vec![
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            1e308,
            140_737_488_355_327.0, // 2^47 - 1
            140_737_488_355_328.0,
            -140_737_488_355_328.0,
            9_007_199_254_740_992.0, // 2^53
        ]),
    ]
}

/// The bits of a column of unsigned numbers.
fn numbers(written: &Written, sql: &str) -> Vec<Option<u64>> {
    let rows = written.rows(sql);
    assert_eq!(rows.len(), 1, "{sql}");
    rows[0]
        .iter()
        .map(|value| match value {
            Value::Null => None,
            Value::Integer(number) => Some(number.cast_unsigned()),
            other => unreachable!("an integer or nothing, not {other:?}"),
        })
        .collect()
}

/// The texts of a row's columns; a text that SQLite made something else of is none.
fn texts(written: &Written, sql: &str) -> Vec<String> {
    let rows = written.rows(sql);
    assert_eq!(rows.len(), 1, "{sql}");
    rows[0]
        .iter()
        .map(|value| match value {
            Value::Text(text) => text.clone(),
            other => unreachable!("a text, not {other:?}"),
        })
        .collect()
}

/// No integer became a REAL, no JSON column anything but JSON text, in any table.
fn check_storage_classes(written: &Written) {
    let columns = written.rows(
        "SELECT m.name, c.name, c.type FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'view' AND m.name LIKE 'rocpd_%'",
    );
    for column in columns {
        let [Value::Text(table), Value::Text(column), Value::Text(kind)] = column.as_slice() else {
            unreachable!("names are text");
        };
        let allowed = match kind.as_str() {
            "TEXT" => "'text', 'null'",
            "JSONB" => "'text'",
            "REAL" => "'real', 'null'",
            _ => "'integer', 'null'",
        };
        let odd = format!(
            "SELECT typeof(\"{column}\") FROM {table} WHERE typeof(\"{column}\") NOT IN ({allowed})"
        );
        let odd = written.rows(&odd);
        assert!(odd.is_empty(), "{table}.{column}: {odd:?}");
        if kind == "JSONB" {
            let invalid =
                format!("SELECT \"{column}\" FROM {table} WHERE NOT json_valid(\"{column}\")");
            let invalid = written.rows(&invalid);
            assert!(invalid.is_empty(), "{table}.{column}: {invalid:?}");
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn numbers_keep_their_64_bits(
        n in prop::collection::vec(number(), 12),
        o in prop::collection::vec(prop::option::of(number()), 8),
        durable in any::<bool>(),
    ) {
        let mode = if durable { Mode::Durable } else { Mode::Fast };
        let mut fixture = Fixture::new(mode);
        let w = &mut fixture.writer;
        let event = Event {
            category: None,
            stack_id: o[0],
            parent_stack_id: o[1],
            correlation_id: o[2],
            ..EVENT
        };
        w.register_process(&Process { pid: n[0] | 1 << 40, ppid: o[0], start: o[1], end: o[2], ..PROCESS })
            .unwrap();
        w.register_agent(&Agent { type_index: Some(9), absolute_index: o[3], uuid: o[4], ..AGENT })
            .unwrap();
        w.register_code_object(&CodeObject {
            id: CodeObjectId::new(n[0] | 1 << 40),
            load_base: o[0],
            load_size: o[1],
            load_delta: o[2],
            ..CODE_OBJECT
        })
        .unwrap();
        w.insert_region(&Region { start: n[0], end: n[1], event: Some(event), ..REGION }).unwrap();
        w.insert_kernel_dispatch(&KernelDispatch {
            dispatch_id: n[0],
            start: n[1],
            end: n[2],
            private_segment_size: o[5],
            group_segment_size: o[6],
            workgroup_size: [n[3], n[4], n[5]],
            grid_size: [n[6], n[7], n[8]],
            ..DISPATCH
        })
        .unwrap();
        w.insert_memory_copy(&MemoryCopy {
            start: n[0],
            end: n[1],
            dst_address: o[0],
            src_address: o[1],
            size: n[2],
            ..COPY
        })
        .unwrap();
        w.insert_memory_allocation(&MemoryAllocation {
            start: n[3],
            end: n[4],
            address: o[2],
            size: n[5],
            ..ALLOCATION
        })
        .unwrap();
        w.insert_sample(&Sample { track: TrackId::new(1), timestamp: n[9], event: None, extdata: "" })
            .unwrap();
        w.insert_counter_values(n[10], &[(PmcId::new(1), 1.0)]).unwrap();
        let written = fixture.finish();
        check_storage_classes(&written);

        let some = |numbers: &[u64]| numbers.iter().copied().map(Some).collect::<Vec<_>>();
        prop_assert_eq!(
            numbers(&written, "SELECT pid, ppid, start, \"end\" FROM rocpd_info_process WHERE id = 2"),
            [Some(n[0] | 1 << 40), o[0], o[1], o[2]]
        );
        prop_assert_eq!(
            numbers(&written, "SELECT absolute_index, uuid FROM rocpd_info_agent WHERE id = 2"),
            &o[3..5]
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT id, load_base, load_size, load_delta FROM rocpd_info_code_object WHERE id != 0"
            ),
            [Some(n[0] | 1 << 40), o[0], o[1], o[2]]
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT stack_id, parent_stack_id, correlation_id FROM rocpd_event
                 JOIN rocpd_region ON event_id = rocpd_event.id"
            ),
            &o[..3]
        );
        prop_assert_eq!(
            numbers(&written, "SELECT start, \"end\" FROM rocpd_region"),
            some(&n[..2])
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT dispatch_id, start, \"end\", workgroup_size_x, workgroup_size_y, \
                 workgroup_size_z, grid_size_x, grid_size_y, grid_size_z FROM rocpd_kernel_dispatch"
            ),
            some(&n[..9])
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT private_segment_size, group_segment_size FROM rocpd_kernel_dispatch"
            ),
            &o[5..7]
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT start, \"end\", dst_address, src_address, size FROM rocpd_memory_copy"
            ),
            [Some(n[0]), Some(n[1]), o[0], o[1], Some(n[2])]
        );
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT start, \"end\", address, size FROM rocpd_memory_allocate"
            ),
            [Some(n[3]), Some(n[4]), o[2], Some(n[5])]
        );
        prop_assert_eq!(numbers(&written, "SELECT timestamp FROM rocpd_sample"), some(&n[9..10]));
        prop_assert_eq!(
            numbers(
                &written,
                "SELECT correlation_id FROM rocpd_event
                 JOIN rocpd_pmc_event ON event_id = rocpd_event.id"
            ),
            some(&n[10..11])
        );
    }

    #[test]
    fn text_is_byte_for_byte(t in prop::collection::vec(text(), 10)) {
        let mut fixture = Fixture::new(Mode::Fast);
        let w = &mut fixture.writer;
        let process = w
            .register_process(&Process {
                pid: 5,
                command: Some(&t[0]),
                environment: &t[1],
                extdata: &t[2],
                ..PROCESS
            })
            .unwrap();
        let track = w
            .register_track(&Track {
                process: Some(process),
                thread: None,
                name: Some(&t[3]),
                extdata: &t[4],
                ..TRACK
            })
            .unwrap();
        w.insert_region(&Region {
            name: &t[5],
            event: Some(Event {
                category: Some(&t[6]),
                call_stack: &t[7],
                line_info: &t[8],
                extdata: &t[9],
                ..EVENT
            }),
            args: &[Arg {
                position: 0,
                arg_type: &t[0],
                name: &t[1],
                value: Some(&t[2]),
                extdata: &t[3],
            }],
            extdata: &t[4],
            ..REGION
        })
        .unwrap();
        w.insert_pmc_event(&PmcEvent {
            sample: Some(PmcSample { track, timestamp: 1, extdata: &t[5] }),
            extdata: &t[6],
            ..VALUE
        })
        .unwrap();
        let written = fixture.finish();
        check_storage_classes(&written);

        let json = |text: &str| rocpd::writer::stored_json(text).into_owned();
        prop_assert_eq!(
            texts(
                &written,
                "SELECT command, environment, extdata FROM rocpd_info_process WHERE id = 2"
            ),
            [t[0].clone(), json(&t[1]), json(&t[2])]
        );
        prop_assert_eq!(
            texts(
                &written,
                "SELECT string, extdata FROM rocpd_track JOIN rocpd_string s ON s.id = name_id
                 WHERE rocpd_track.id = 2"
            ),
            [t[3].clone(), json(&t[4])]
        );
        prop_assert_eq!(
            texts(
                &written,
                "SELECT n.string, c.string, e.call_stack, e.line_info, e.extdata, r.extdata
                 FROM rocpd_region r JOIN rocpd_string n ON n.id = name_id
                 JOIN rocpd_event e ON e.id = event_id JOIN rocpd_string c ON c.id = category_id"
            ),
            [t[5].clone(), t[6].clone(), json(&t[7]), json(&t[8]), json(&t[9]), json(&t[4])]
        );
        prop_assert_eq!(
            texts(&written, "SELECT type, name, value, extdata FROM rocpd_arg"),
            [t[0].clone(), t[1].clone(), t[2].clone(), json(&t[3])]
        );
        prop_assert_eq!(
            texts(
                &written,
                "SELECT s.extdata, p.extdata FROM rocpd_sample s JOIN rocpd_pmc_event p
                 ON p.event_id = s.event_id"
            ),
            [json(&t[5]), json(&t[6])]
        );
    }

    #[test]
    fn values_keep_their_bits_but_nan_is_null_and_zero_has_no_sign(
        values in prop::collection::vec(double(), 1..40),
        alone in double(),
    ) {
        let mut fixture = Fixture::new(Mode::Fast);
        let pmc = PmcId::new(1);
        let batch: Vec<_> = values.iter().map(|value| (pmc, *value)).collect();
        fixture.writer.insert_counter_values(1, &batch).unwrap();
        fixture.writer.insert_pmc_event(&PmcEvent { value: alone, ..VALUE }).unwrap();
        let written = fixture.finish();
        check_storage_classes(&written);
        let rows = written.rows("SELECT value FROM rocpd_pmc_event ORDER BY id");
        let bits: Vec<_> = rows
            .iter()
            .map(|row| match row[0] {
                Value::Real(value) => Some(value.to_bits()),
                Value::Null => None,
                ref other => unreachable!("a REAL or nothing, not {other:?}"),
            })
            .collect();
        let given: Vec<_> = values
            .iter()
            .chain([&alone])
            // -0.0 + 0.0 is 0.0.
            .map(|value| (!value.is_nan()).then_some((value + 0.0).to_bits()))
            .collect();
        prop_assert_eq!(bits, given);
    }
}
