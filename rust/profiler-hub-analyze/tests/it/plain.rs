//! Plain captures that tests change one thing of.

use crate::capture::{Capture, Db, Dispatch, Event, Pmc, PmcEvent, Process};

pub(crate) const SDK_GUID: &str = "0190d1a2-77f3-7cc0-8000-000000000001";
pub(crate) const NATIVE_GUID: &str = "0190d1a2-77f3-7cc0-8000-000000000002";

/// The SDK's capture of a process with a GPU, `dispatches` of one kernel and the counters C0, C1, ….
pub(crate) fn sdk(pid: i64, dispatches: i64, counters: i64) -> Capture {
    Capture {
        guid: SDK_GUID.into(),
        nodes: vec![(70, "machine".into())],
        processes: vec![Process {
            id: pid,
            node: 70,
            pid,
            start: Some(1000),
        }],
        threads: vec![1],
        agents: vec![(0, Some(0)), (2, Some(2))],
        symbols: vec![(12, Some("copy(double*, int)".into()))],
        pmcs: (0..counters)
            .map(|number| Pmc {
                id: 1000 + number,
                node: 70,
                process: pid,
                agent: Some(2),
                arch: Some("GPU"),
                name: format!("C{number}"),
                symbol: format!("C{number}"),
            })
            .collect(),
        events: (1..=dispatches)
            .map(|id| Event {
                id: id + 3,
                stack: Some(100 + id),
                ..Event::default()
            })
            .collect(),
        dispatches: (1..=dispatches)
            .map(|id| Dispatch {
                id,
                process: pid,
                thread: Some(1),
                agent: 2,
                symbol: 12,
                dispatch_id: id,
                start: 100 * id,
                end: 100 * id + 50,
                lds: Some(0),
                grid: 256,
                event: Some(id + 3),
            })
            .collect(),
        ..Capture::default()
    }
}

/// The native tool's capture of the same: a value for each dispatch and counter, an event for each.
pub(crate) fn native(pid: i64, dispatches: i64, counters: i64) -> Capture {
    let mut capture = Capture {
        guid: NATIVE_GUID.into(),
        nodes: vec![(1, "machine".into())],
        processes: vec![Process {
            id: 1,
            node: 1,
            pid,
            start: None,
        }],
        agents: vec![(1, Some(2))],
        pmcs: (0..counters)
            .map(|number| Pmc {
                id: 1 + number,
                node: 1,
                process: 1,
                agent: Some(1),
                arch: Some("GPU"),
                name: format!("C{number}"),
                symbol: format!("C{number}"),
            })
            .collect(),
        ..Capture::default()
    };
    for dispatch in 1..=dispatches {
        for counter in 0..counters {
            let id = i64::try_from(capture.values.len()).unwrap() + 1;
            capture.events.push(Event {
                id,
                correlation: Some(dispatch),
                ..Event::default()
            });
            capture.values.push(PmcEvent {
                id,
                event: Some(id),
                sample: None,
                pmc: 1 + counter,
                value: Some(f64::from(u32::try_from(10 * dispatch + counter).unwrap())),
            });
        }
    }
    capture
}

pub(crate) fn db(name: &str, guids: Vec<Capture>) -> Db {
    Db {
        name: name.into(),
        guids,
    }
}
