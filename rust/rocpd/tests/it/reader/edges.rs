//! Rows that other tools would lose: NULL keys, missing rows, 0 as an id, odd times.

use rocpd::reader::{EventKind, Reader, RowId, TrackKind, Window};

use super::{Trace, event_ids};

#[test]
fn null_keys_and_missing_rows_are_tracks() {
    let trace = Trace::new();
    trace.run(
        "INSERT INTO rocpd_string{t} (id, string) VALUES (0, 'copy');
         INSERT INTO rocpd_memory_copy{t} (nid, pid, start, \"end\", name_id, size, event_id)
           VALUES (1, 1, 5, 6, 0, 1, 99), (1, 1, 7, 8, 44, 1, NULL);
         INSERT INTO rocpd_memory_copy{t}
           (nid, pid, start, \"end\", name_id, size, dst_agent_id, queue_id, stream_id)
           VALUES (1, 1, 5, 6, 0, 1, 0, 0, 0);
         INSERT INTO rocpd_memory_allocate{t} (nid, pid, type, start, \"end\", size)
           VALUES (1, 1, 'ALLOC', 5, 6, 0);
         INSERT INTO rocpd_region{t} (nid, pid, tid, start, \"end\", name_id)
           VALUES (1, 1, 3, 5, 6, 0);
         INSERT INTO rocpd_sample{t} (track_id, timestamp) VALUES (12, 5);
         INSERT INTO rocpd_pmc_event{t} (pmc_id, value) VALUES (0, 1.5), (0, NULL);",
    );
    let reader = trace.open();
    let about: Vec<_> = reader
        .tracks()
        .iter()
        .map(|t| (t.kind, t.agent_row, t.queue_row, t.stream_row, t.count))
        .collect();
    let zero = Some(RowId(0));
    use TrackKind as K;
    for expected in [
        (K::Regions, None, None, None, 1),
        (K::Samples, None, None, None, 1),
        (K::Counter, None, None, None, 2),
        (K::MemoryCopies, None, None, None, 2),
        (K::MemoryCopies, zero, zero, None, 1),
        (K::MemoryAllocations, None, None, None, 1),
        (K::Stream, None, None, None, 3),
        (K::Stream, None, None, zero, 1),
    ] {
        assert!(about.contains(&expected), "{expected:?} in {about:?}");
    }
    assert_eq!(about.len(), 8);
    let counter = reader
        .tracks()
        .iter()
        .find(|t| t.kind == K::Counter)
        .unwrap();
    assert_eq!((counter.pmc_row, counter.values), (zero, Some((1.5, 1.5))));
    assert_eq!(
        (counter.first, counter.last),
        (None, None),
        "no time is told"
    );
    let samples = reader.samples(counter.id).unwrap();
    assert_eq!((samples[0].timestamp, samples[0].value), (0, 1.5));
    assert!(samples[1].value.is_nan(), "NULL is no 0");
    let names: Vec<_> = reader
        .tracks()
        .iter()
        .filter(|t| t.kind == K::MemoryCopies)
        .flat_map(|t| reader.events(t.id).unwrap())
        .map(|event| event.name.as_str())
        .collect();
    assert_eq!(names, ["copy", "copy", ""], "a missing name is empty");
}

#[test]
fn odd_times_stay_as_they_are() {
    let times = [
        (100, 200),
        (150, 140),
        (0, 0),
        (120, 130),
        (1 << 63, u64::MAX),
        (150, 150),
    ];
    let trace = Trace::with_regions(&times);
    let reader = trace.open();
    let track = &reader.tracks()[0];
    assert_eq!((track.count, track.odd_times), (6, 2));
    assert_eq!((track.first, track.last), (Some(100), Some(u64::MAX)));
    let events = reader.events(track.id).unwrap();
    let found: Vec<_> = events
        .iter()
        .map(|e| (e.start, e.end, e.depth, e.duration()))
        .collect();
    assert_eq!(
        found,
        [
            (0, 0, 1, 0),
            (100, 200, 1, 100),
            (120, 130, 2, 10),
            (150, 150, 2, 0),
            (150, 140, 2, 0),
            (1 << 63, u64::MAX, 1, (1 << 63) - 1),
        ]
    );
    let late = Window {
        start: 1 << 63,
        end: u64::MAX,
    };
    assert_eq!(reader.events_within(track.id, late).unwrap().len(), 1);
    let early = Window { start: 0, end: 99 };
    assert_eq!(reader.events_within(track.id, early).unwrap().len(), 1);
}

#[test]
fn a_window_has_the_events_that_overlap_it_with_their_depth_in_the_track() {
    // A long outer call, and many inner ones.
    let mut times = vec![(0, 100_000)];
    times.extend((1..1000).map(|i| (i * 100, i * 100 + 50)));
    let trace = Trace::with_regions(&times);
    let reader = trace.open();
    let track = reader.tracks()[0].id;
    let all = reader.events(track).unwrap();
    for (start, end) in [
        (0, 0),
        (49, 49),
        (51, 99),
        (5_000, 5_100),
        (99_999, 1 << 40),
        (100_001, 9),
    ] {
        let window = Window { start, end };
        let found = reader.events_within(track, window).unwrap();
        let expected: Vec<_> = all
            .iter()
            .filter(|event| event.start <= end && event.end >= start)
            .copied()
            .collect();
        assert_eq!(found, expected, "{window:?}");
    }
    let inner = Window {
        start: 5_010,
        end: 5_020,
    };
    let found = reader.events_within(track, inner).unwrap();
    let depths: Vec<_> = found.iter().map(|event| event.depth).collect();
    assert_eq!(depths, [1, 2], "relative to the whole track");
}

#[test]
fn ranges_come_from_the_events() {
    for (start, end) in [("NULL", "NULL"), ("0", "0"), ("5", "999999")] {
        let trace = Trace::with_regions(&[(1_000, 2_000), (1_500, 3_000), (0, 0)]);
        trace.run(&format!(
            "UPDATE rocpd_info_process{{t}} SET start = {start}, \"end\" = {end}"
        ));
        let reader = trace.open();
        assert_eq!(reader.time_range(), Some((1_000, 3_000)));
        assert_eq!(reader.process_range(0, RowId(0)), Some((1_000, 3_000)));
    }
}

#[test]
fn an_empty_file_opens() {
    let reader = Trace::new().open();
    assert!(reader.tracks().is_empty());
    assert_eq!(reader.time_range(), None);
    assert!(reader.info().nodes.is_empty());
}

#[test]
fn missing_tables_and_columns_are_empty() {
    let trace = Trace::with_regions(&[(1, 2), (3, 4)]);
    let views: Vec<String> = trace
        .connection
        .prepare("SELECT 'DROP VIEW ' || name FROM sqlite_master WHERE type = 'view'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    for drop in views {
        trace.run(&drop);
    }
    trace.run(
        "ALTER TABLE rocpd_info_thread{t} RENAME COLUMN name TO title;
         DROP TABLE rocpd_memory_copy{t};
         DROP TABLE rocpd_string{t};
         ALTER TABLE rocpd_region{t} RENAME COLUMN tid TO thread;",
    );
    let reader = trace.open();
    let track = &reader.tracks()[0];
    assert_eq!(
        (track.count, track.thread_row, track.pid),
        (2, None, Some(77))
    );
    assert_eq!(reader.events(track.id).unwrap()[0].name.as_str(), "");
    assert_eq!(reader.info().threads[0].name, None);
}

#[test]
fn names_come_as_text_whatever_was_stored() {
    let trace = Trace::with_regions(&[(1, 2), (3, 4)]);
    trace.run(
        "UPDATE rocpd_string{t} SET string = CAST(x'61ff62' AS TEXT) WHERE id = 0;
         UPDATE rocpd_string{t} SET string = '%s\"\\,' || char(10) || '😀' WHERE id = 1;",
    );
    let reader = trace.open();
    let events = reader.events(reader.tracks()[0].id).unwrap();
    let names: Vec<_> = events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["a\u{fffd}b", "%s\"\\,\n😀"]);
}

#[test]
fn equal_ids_in_two_guids_are_two_things() {
    let trace = Trace::with_regions(&[(1, 2)]);
    let other = rocpd::Guid::parse("0190d1a2-77f3-7cc0-8000-000000000002").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("second.db");
    let connection = rocpd::rusqlite::Connection::open(&path).unwrap();
    rocpd::schema::create(&connection, &other).unwrap();
    // Carry the second guid's tables over, as a merge of files does.
    let tables: Vec<(String, String)> = connection
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd%'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    drop(connection);
    trace.run(&format!("ATTACH '{}' AS other", path.display()));
    for (name, sql) in tables {
        trace.run(&sql);
        trace.run(&format!(
            "INSERT INTO main.\"{name}\" SELECT * FROM other.\"{name}\""
        ));
    }
    let t = other.table_suffix();
    trace.run(&format!(
        "INSERT INTO main.rocpd_string{t} (id, string) VALUES (0, 'another');
         INSERT INTO main.rocpd_info_process{t} (id, nid, pid) VALUES (0, 0, 99);
         INSERT INTO main.rocpd_region{t} (id, nid, pid, tid, start, \"end\", name_id)
           VALUES (0, 0, 0, 0, 11, 12, 0);"
    ));
    let reader = trace.open();
    let about: Vec<_> = reader
        .tracks()
        .iter()
        .map(|track| {
            let event = reader.events(track.id).unwrap()[0];
            (
                track.guid,
                track.pid,
                event.id,
                event.start,
                event.name.as_str(),
            )
        })
        .collect();
    assert_eq!(
        about,
        [(0, Some(77), 0, 1, "zero"), (1, Some(99), 0, 11, "another")]
    );
    assert_eq!(
        event_ids(&reader, 1)[&(TrackKind::Regions, EventKind::Region)],
        [0]
    );
}

#[test]
fn a_file_that_changes_under_the_reader_is_noticed() {
    let trace = Trace::with_regions(&[(1, 2)]);
    let reader = trace.open();
    std::fs::File::options()
        .append(true)
        .open(trace.path())
        .unwrap()
        .set_len(0)
        .unwrap();
    let error = reader.events(reader.tracks()[0].id).unwrap_err();
    assert!(!error.to_string().is_empty());
    assert!(matches!(
        Reader::open(&trace.path()),
        Err(rocpd::Error::Rejected { .. })
    ));
}
