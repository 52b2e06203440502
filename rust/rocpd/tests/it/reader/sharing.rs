//! One reader, many threads; progress and its end.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rocpd::reader::{CancelToken, OpenOptions, Query, Reader, Stage, Table, Window};

use crate::golden;

#[test]
fn many_threads_read_what_one_reads() {
    let path = golden("trace/trace.db");
    let alone = Reader::open(&path).unwrap();
    for threads in [1, 4] {
        let shared = Reader::open_with(&path, OpenOptions::new().threads(threads)).unwrap();
        let calls = AtomicUsize::new(0);
        thread::scope(|scope| {
            for worker in 0..8 {
                let (alone, shared, calls) = (&alone, &shared, &calls);
                scope.spawn(move || {
                    let count = shared.tracks().len();
                    for i in 0..count {
                        // Each thread begins at another track, so that loads collide.
                        let track = &shared.tracks()[(i + worker * 5) % count];
                        let events = shared.events(track.id).unwrap();
                        assert_eq!(events, alone.events(track.id).unwrap());
                        let query = Query {
                            tracks: &[track.id],
                            ..Query::new(Table::KernelDispatch)
                        };
                        assert_eq!(shared.page(&query).unwrap(), alone.page(&query).unwrap());
                        let window = Window {
                            start: 1,
                            end: u64::MAX,
                        };
                        let tracks = [track.id];
                        assert_eq!(
                            shared.intervals(3, window, &tracks).unwrap(),
                            alone.intervals(3, window, &tracks).unwrap()
                        );
                        calls.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(calls.into_inner(), 8 * shared.tracks().len());
    }
}

#[test]
fn progress_goes_through_its_stages() {
    let seen = Mutex::new(Vec::new());
    let callback = |progress: rocpd::reader::Progress| {
        seen.try_lock()
            .expect("never called twice at once")
            .push(progress);
        ControlFlow::Continue(())
    };
    let options = OpenOptions::new().threads(3).progress(&callback);
    Reader::open_with(&golden("trace/trace.db"), options).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.is_sorted_by_key(|progress| (progress.stage, progress.done)));
    for stage in [
        Stage::Catalog,
        Stage::Metadata,
        Stage::Counters,
        Stage::Events,
        Stage::Tracks,
    ] {
        let last = seen
            .iter()
            .rfind(|progress| progress.stage == stage)
            .unwrap();
        assert_eq!(last.done, last.total, "{stage:?}");
        assert!(last.total > 0, "{stage:?}");
    }
}

#[test]
fn opening_ends_when_it_is_told_to() {
    for stage in [
        Stage::Catalog,
        Stage::Metadata,
        Stage::Counters,
        Stage::Events,
        Stage::Tracks,
    ] {
        let callback = |progress: rocpd::reader::Progress| match progress.stage == stage {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = OpenOptions::new().progress(&callback);
        let result = Reader::open_with(&golden("trace/trace.db"), options);
        assert!(
            matches!(result, Err(rocpd::Error::Cancelled { .. })),
            "{stage:?}"
        );
    }
    let token = CancelToken::new();
    token.cancel();
    let options = OpenOptions::new().cancel(token);
    let result = Reader::open_with(&golden("trace/trace.db"), options);
    assert!(matches!(result, Err(rocpd::Error::Cancelled { .. })));
}
