//! Histogram, pages, summaries: against a count one by one.

use proptest::prelude::*;
use rocpd::reader::{Bucket, Cell, NameSummary, Query, Reader, Table, TrackId, Window};

use super::Trace;
use crate::golden;

/// Buckets as their definition counts them, ns by ns.
fn counted(times: &[(u64, u64)], window: Window, count: u64) -> Vec<Bucket> {
    let width = window.end - window.start;
    let edge = |i: u64| window.start + width * i / count;
    let buckets = (0..count).map(|i| {
        let (from, until) = (edge(i), edge(i + 1));
        let last = i == count - 1;
        let active = times.iter().filter(|&&(start, end)| {
            let ends_in = if end > start {
                end > from
            } else {
                start >= from
            };
            let starts_in = if last {
                start <= window.end
            } else {
                start < until
            };
            // A bucket of no width is passed over, except by what lies at the very end.
            let real = until > from || last;
            starts_in && ends_in && real
        });
        let busy = (from..until)
            .filter(|&instant| times.iter().any(|&(s, e)| s <= instant && instant < e));
        Bucket {
            events: active.count() as u64,
            busy: busy.count() as u64,
        }
    });
    buckets.collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn a_histogram_is_the_same_from_memory_and_from_a_scan(
        times in proptest::collection::vec((0_u64..200, 0_u64..200), 1..40),
        start in 0_u64..100,
        width in 30_u64..150,
        count in 1_usize..20,
    ) {
        let window = Window { start, end: start + width };
        let trace = Trace::with_regions(&times);
        let reader = trace.open();
        let tracks: Vec<_> = reader.tracks().iter().map(|track| track.id).collect();
        let scanned = reader.intervals(count, window, &tracks).unwrap();
        reader.events(tracks[0]).unwrap();
        let in_memory = reader.intervals(count, window, &tracks).unwrap();
        prop_assert_eq!(&scanned, &in_memory);
        prop_assert_eq!(scanned, counted(&times, window, count as u64));
    }
}

#[test]
fn a_histogram_sums_up_over_tracks() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let (start, end) = reader.time_range().unwrap();
    let window = Window { start, end };
    let all: Vec<_> = reader.tracks().iter().map(|track| track.id).collect();
    let together = reader.intervals(7, window, &all).unwrap();
    let mut sum = vec![Bucket::default(); 7];
    for &track in &all {
        for (total, part) in sum
            .iter_mut()
            .zip(reader.intervals(7, window, &[track]).unwrap())
        {
            total.events += part.events;
            total.busy += part.busy;
        }
    }
    assert_eq!(together, sum);
    let busy: u64 = together.iter().map(|bucket| bucket.busy).sum();
    // 12 outer regions of 900,000 ns cover all other regions; on the device nothing overlaps but
    // scratch and allocations; each device event counts for its queue and its stream.
    let device = 24 * 35_000 + 12 * 18_000 + 12 * 400 + 3 * 100;
    assert_eq!(busy, 12 * 900_000 + device + (device - 3 * 100));
    assert!(reader.intervals(0, window, &all).is_err());
    assert!(reader.intervals(1, window, &[TrackId(999)]).is_err());
}

fn ids(reader: &Reader, query: &Query<'_>) -> (u64, Vec<i64>) {
    let page = reader.page(query).unwrap();
    let place = page
        .columns
        .iter()
        .position(|column| column == "id")
        .unwrap();
    let ids = page.rows.iter().map(|row| match row[place] {
        Cell::Integer(id) => id,
        ref other => panic!("an id is a number: {other:?}"),
    });
    (page.total, ids.collect())
}

#[test]
fn pages_are_filtered_sorted_and_counted() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let regions = Query::new(Table::Region);
    let (total, all) = ids(&reader, &regions);
    assert_eq!((total, all.len()), (48, 48));
    assert!(all.is_sorted());

    let copies = Query {
        name_contains: "Memcpy",
        sort_by: "start",
        descending: true,
        offset: 2,
        limit: 3,
        ..regions.clone()
    };
    assert_eq!(ids(&reader, &copies), (12, vec![38, 34, 30]));
    let durations = Query {
        sort_by: "duration",
        limit: 1,
        ..regions.clone()
    };
    assert_eq!(
        ids(&reader, &durations),
        (48, vec![3]),
        "2,000 ns, the first of them"
    );

    // The first outer region and all that begins in it.
    let window = Window {
        start: 13_386_742_234_000_000,
        end: 13_386_742_234_900_000,
    };
    let windowed = Query {
        window,
        ..regions.clone()
    };
    assert_eq!(ids(&reader, &windowed), (4, vec![1, 2, 3, 4]));

    let worker = reader
        .tracks()
        .iter()
        .find(|track| track.name == "worker-1")
        .unwrap();
    let of_track = Query {
        tracks: &[worker.id],
        ..windowed.clone()
    };
    assert_eq!(ids(&reader, &of_track), (0, vec![]));
    let (total, _) = ids(
        &reader,
        &Query {
            tracks: &[worker.id],
            ..regions.clone()
        },
    );
    assert_eq!(total, 24);

    for (text, expected) in [
        ("%", 0),
        ("_", 0),
        ("'; DROP TABLE x; --", 0),
        ("\"sum\"", 6),
    ] {
        let query = Query {
            name_contains: text,
            ..Query::new(Table::KernelDispatch)
        };
        assert_eq!(ids(&reader, &query).0, expected, "{text}");
    }
    let unknown = Query {
        sort_by: "start\"; DROP TABLE x; --",
        ..regions
    };
    assert!(
        reader
            .page(&unknown)
            .unwrap_err()
            .to_string()
            .contains("no column")
    );
}

#[test]
fn every_event_table_has_pages() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    for (table, rows) in [
        (Table::Region, 48),
        (Table::KernelDispatch, 24),
        (Table::MemoryCopy, 12),
        (Table::MemoryAllocate, 15),
        (Table::Sample, 24),
        (Table::PmcEvent, 108),
    ] {
        let page = reader.page(&Query::new(table)).unwrap();
        assert_eq!(
            (page.total, page.rows.len()),
            (rows, page.rows.len()),
            "{table:?}"
        );
        assert_eq!(page.rows.len() as u64, rows);
        assert!(page.rows.iter().all(|row| row.len() == page.columns.len()));
        let name = page
            .columns
            .iter()
            .position(|column| column == "name")
            .unwrap();
        let named = page
            .rows
            .iter()
            .filter(|row| matches!(&row[name], Cell::Text(t) if !t.is_empty()));
        assert_eq!(named.count() as u64, rows, "{table:?}");
        // Each track's rows are found by it, and each row by one track of its own kind.
        let sum: u64 = (reader.tracks().iter())
            .filter(|track| track.kind != rocpd::reader::TrackKind::Stream)
            .map(|track| {
                let query = Query {
                    tracks: &[track.id],
                    ..Query::new(table)
                };
                reader.page(&query).unwrap().total
            })
            .sum();
        assert_eq!(sum, rows, "{table:?}");
    }
    // The times of counter values are those of the counter's track.
    let counter = reader
        .tracks()
        .iter()
        .find(|track| track.pmc_row.is_some())
        .unwrap();
    let first = reader.samples(counter.id).unwrap()[0].timestamp;
    let at_first = Query {
        window: Window {
            start: first,
            end: first,
        },
        tracks: &[counter.id],
        ..Query::new(Table::PmcEvent)
    };
    assert_eq!(reader.page(&at_first).unwrap().total, 2, "two instances");
}

#[test]
fn times_without_sign_are_sorted_and_filtered_as_such() {
    let trace = Trace::with_regions(&[(1 << 63, u64::MAX), (5, 6), (u64::MAX, 7), (9, 1 << 63)]);
    let reader = trace.open();
    let sorted = Query {
        sort_by: "start",
        ..Query::new(Table::Region)
    };
    assert_eq!(ids(&reader, &sorted), (4, vec![1, 3, 0, 2]));
    let late = Query {
        window: Window {
            start: 1 << 63,
            end: u64::MAX - 1,
        },
        ..sorted.clone()
    };
    assert_eq!(ids(&reader, &late), (2, vec![3, 0]));
    let page = reader.page(&sorted).unwrap();
    let start = page
        .columns
        .iter()
        .position(|column| column == "start")
        .unwrap();
    assert_eq!(page.rows[3][start], Cell::Unsigned(u64::MAX));
    let duration = page
        .columns
        .iter()
        .position(|column| column == "duration")
        .unwrap();
    let durations: Vec<_> = page.rows.iter().map(|row| row[duration].clone()).collect();
    let expected = [1, (1 << 63) - 9, (1 << 63) - 1, 0].map(Cell::Unsigned);
    assert_eq!(durations, expected, "no duration of 1.8e19");
}

#[test]
fn a_summary_counts_and_ranks_durations() {
    // "zero" gets the durations 0, 2, 4, …; "one" gets 1, 3, ….
    let times: Vec<_> = (0..200_u64).map(|i| (1_000 * i, 1_000 * i + i)).collect();
    let trace = Trace::with_regions(&times);
    let reader = trace.open();
    let expected = |name: &str, first: u64| NameSummary {
        name: name.to_owned(),
        count: 100,
        total: 100 * first + 9_900,
        mean: first as f64 + 99.0,
        min: first,
        max: first + 198,
        p50: first + 98,
        p95: first + 188,
    };
    let wanted = [expected("one", 1), expected("zero", 0)];
    assert_eq!(
        reader.summary(Table::Region, Window::ALL, &[]).unwrap(),
        wanted
    );
    let track = reader.tracks()[0].id;
    reader.events(track).unwrap();
    assert_eq!(
        reader
            .summary(Table::Region, Window::ALL, &[track])
            .unwrap(),
        wanted
    );
    let first = Window {
        start: 0,
        end: 1_000,
    };
    let some = reader.summary(Table::Region, first, &[]).unwrap();
    assert_eq!(
        (some[0].name.as_str(), some[0].count, some[1].count),
        ("one", 1, 1)
    );
}

#[test]
fn top_kernels_are_those_of_the_view() {
    let reader = Reader::open(&golden("trace/trace.db")).unwrap();
    let views: serde_json::Value =
        serde_json::from_slice(&std::fs::read(golden("trace/views.json")).unwrap()).unwrap();
    // The view tells µs.
    let mut expected: Vec<(String, u64, u64)> = views["top_kernels"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = |i: usize| row[i].as_f64().unwrap();
            (
                row[0].as_str().unwrap().to_owned(),
                number(1) as u64,
                number(2) as u64,
            )
        })
        .collect();
    expected.sort();
    for _ in 0..2 {
        let top = reader.top_kernels(10).unwrap();
        let mut found: Vec<_> = top
            .iter()
            .map(|kernel| (kernel.name.clone(), kernel.count, kernel.total / 1_000))
            .collect();
        found.sort();
        assert_eq!(found, expected);
        let kernels = reader.tracks().iter();
        let kernels = kernels.filter(|t| t.kind == rocpd::reader::TrackKind::KernelDispatches);
        for track in kernels {
            reader.events(track.id).unwrap();
        }
    }
}
