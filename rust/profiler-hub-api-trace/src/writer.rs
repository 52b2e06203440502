//! The writer thread: empties the lanes into the file.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::clock::Moment;
use crate::lane::Lane;
use crate::report::{self, Totals};
use crate::session::Session;
use crate::store::Store;

/// What is recorded is in the file after at most twice this time.
const COMMIT_EVERY: Duration = Duration::from_millis(250);
/// Records of one lane before the next has its turn, and a fork its chance.
const AT_ONCE: usize = 2048;

/// Writes until the session is closed.
pub(crate) fn run(session: &Session) {
    let first = Moment::now();
    let mut lanes: Vec<Arc<Lane>> = Vec::new();
    let mut totals = Totals::default();
    let mut store: Option<Store> = None;
    let mut committed = Instant::now();
    loop {
        // In this order: what was recorded before the end is in the lanes now.
        let closing = session.closed.load(Ordering::Acquire);
        let new = session.new_lanes();
        totals.threads += u64::try_from(new.len()).unwrap_or(0);
        lanes.extend(new);
        let mut drained = 0;
        let mut failed = Ok(());
        lanes.retain(|lane| {
            let last = lane.has_ended();
            let count = session.storing(|| {
                // SAFETY: this is the only thread that drains.
                unsafe {
                    lane.drain(AT_ONCE, |record, message| {
                        if failed.is_ok() {
                            failed = Store::opened(&mut store, first)
                                .and_then(|store| store.take(lane, record, message));
                        }
                    })
                }
            });
            drained += count;
            if last && count == 0 {
                add(&mut totals, lane);
                return false;
            }
            true
        });
        session
            .progress
            .fetch_add(u64::try_from(drained).unwrap_or(0), Ordering::Relaxed);
        let idle = drained == 0;
        if failed.is_ok()
            && let Some(store) = &mut store
            && store.has_uncommitted()
            && committed.elapsed() >= COMMIT_EVERY
        {
            failed = session.storing(|| store.commit());
            committed = Instant::now();
            session.progress.fetch_add(1, Ordering::Relaxed);
        }
        if let Err(error) = failed {
            report::say(&format!("cannot record: {error}; recording stops here"));
            session.closed.store(true, Ordering::Release);
            return;
        }
        if idle {
            if let Some(store) = &mut store {
                store.forget_stray_ends();
            }
            if closing {
                break;
            }
            std::thread::park_timeout(COMMIT_EVERY);
        }
    }
    let Some(store) = store else { return };
    lanes.iter().for_each(|lane| add(&mut totals, lane));
    totals.lost += session.lost();
    match session.storing(|| store.close(&mut totals)) {
        Ok(path) => totals.say(&path),
        Err(error) => report::say(&format!("cannot record: {error}; the end is missing")),
    }
}

fn add(totals: &mut Totals, lane: &Lane) {
    totals.lost += lane.lost();
    totals
        .calls
        .resize(totals.calls.len().max(lane.counts().count()), 0);
    for (total, calls) in totals.calls.iter_mut().zip(lane.counts()) {
        *total += calls;
    }
}
