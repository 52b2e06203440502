//! The capture's promises, with writers made for the purpose.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rocprofiler_compute_tool::capture::{Dispatch, Resolve, Session, Value};
use rocprofiler_compute_tool::plan::{AgentIndex, CounterIndex};
use rocprofiler_compute_tool::writers::{CountersWriter, WriterError};
use rocprofiler_sdk_sys::rocprofiler_counter_record_t;

/// A record's id is its counter; 99 is none.
struct ById;

impl Resolve for ById {
    fn resolve(&self, _: AgentIndex, record_id: u64) -> Option<CounterIndex> {
        CounterIndex::try_from(record_id)
            .ok()
            .filter(|id| *id != 99)
    }
}

const HUNDRED: [u64; 100] = [7; 100];

/// More than any writer here needs.
const PATIENCE: Duration = Duration::from_secs(100);

/// What a writer was given and has committed.
type Stored = Arc<Mutex<Vec<(Dispatch, Vec<Value>)>>>;

/// What a test's writer is told to do.
enum Order {
    /// Take what comes.
    Go,
    Fail,
    Panic,
}

/// Waits for an order before it takes anything, and keeps what it takes.
struct Obedient {
    orders: Receiver<Order>,
    going: bool,
    pending: Vec<(Dispatch, Vec<Value>)>,
    committed: Stored,
}

impl CountersWriter for Obedient {
    fn path(&self) -> &Path {
        Path::new("nowhere")
    }

    fn dispatch(&mut self, dispatch: &Dispatch, values: &[Value]) -> Result<(), WriterError> {
        while !self.going {
            match self.orders.recv() {
                Ok(Order::Fail) => return Err(WriterError::Unplanned(0)),
                Ok(Order::Panic) => panic!("as ordered"),
                Ok(Order::Go) | Err(_) => self.going = true,
            }
        }
        self.pending.push((*dispatch, values.to_vec()));
        Ok(())
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        self.committed.lock().unwrap().append(&mut self.pending);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriterError> {
        self.commit()
    }
}

fn session() -> (&'static Session, Sender<Order>, Stored) {
    let (sender, orders) = channel();
    let committed = Stored::default();
    let kept = Arc::clone(&committed);
    let open = move || {
        Ok(Box::new(Obedient {
            orders,
            going: false,
            pending: Vec::new(),
            committed: kept,
        }) as Box<dyn CountersWriter>)
    };
    (Session::begin(Box::new(open)).unwrap(), sender, committed)
}

fn append(session: &'static Session, dispatch_id: u64, ids: &[u64]) {
    let records: Vec<_> = ids
        .iter()
        .map(|id| rocprofiler_counter_record_t {
            id: *id,
            counter_value: 0.5,
            dispatch_id,
            ..Default::default()
        })
        .collect();
    session.append(
        Dispatch {
            dispatch_id,
            kernel_id: 1,
            agent: 0,
            lds: 0,
        },
        0,
        &records,
        &ById,
    );
}

#[test]
fn what_is_appended_is_stored_whole() {
    let (session, orders, stored) = session();
    orders.send(Order::Go).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            scope.spawn(move || {
                for number in 0..5000 {
                    // The length differs, so that the sequence of ids has to be found anew.
                    append(
                        session,
                        thread * 5000 + number,
                        if number % 7 == 0 { &[4, 2] } else { &[1, 2, 3] },
                    );
                }
            });
        }
    });
    let summary = session.finish(PATIENCE).unwrap();
    assert_eq!(summary.stored.0, 40_000);
    assert!(summary.complete);
    assert_eq!(summary.lost, "0 dispatches, 0 values");
    let mut stored = std::mem::take(&mut *stored.lock().unwrap());
    stored.sort_by_key(|(dispatch, _)| dispatch.dispatch_id);
    for (expected, (dispatch, values)) in (0..).zip(&stored) {
        assert_eq!(dispatch.dispatch_id, expected);
        let counters: Vec<u32> = values.iter().map(|value| value.counter).collect();
        assert_eq!(
            counters,
            if expected % 5000 % 7 == 0 {
                vec![4, 2]
            } else {
                vec![1, 2, 3]
            }
        );
    }
}

/// Threads that come and go leave nothing behind that is not stored.
#[test]
fn the_records_of_ended_threads_are_stored() {
    let (session, orders, stored) = session();
    orders.send(Order::Go).unwrap();
    for thread in 0..500 {
        std::thread::spawn(move || append(session, thread, &[1, 2]))
            .join()
            .unwrap();
    }
    assert_eq!(session.finish(PATIENCE).unwrap().stored, (500, 1000));
    assert_eq!(stored.lock().unwrap().len(), 500);
}

/// The steady state: buffers come back from the writer, and the callback allocates nothing.
#[test]
fn a_callback_allocates_nothing_once_buffers_come_back() {
    let (session, orders, stored) = session();
    orders.send(Order::Go).unwrap();
    let records: Vec<_> = (0..10)
        .map(|id| rocprofiler_counter_record_t {
            id,
            ..Default::default()
        })
        .collect();
    let append = |dispatch_id| {
        let dispatch = Dispatch {
            dispatch_id,
            kernel_id: 1,
            agent: 0,
            lds: 0,
        };
        session.append(dispatch, 0, &records, &ById);
    };
    // More than what is measured, so that enough buffers are there when all of it is stored.
    (0..20_000).for_each(append);
    while stored.lock().unwrap().len() < 20_000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let before = crate::allocations();
    (0..5_000).for_each(append);
    assert_eq!(crate::allocations(), before);
    assert_eq!(session.finish(PATIENCE).unwrap().stored.0, 25_000);
}

/// A thread-local that is destroyed after ours may still cause a record.
#[test]
fn a_record_at_the_end_of_a_thread_is_stored() {
    struct AtExit(&'static Session);
    impl Drop for AtExit {
        fn drop(&mut self) {
            append(self.0, 2, &[1]);
        }
    }
    thread_local! {
        static AT_EXIT: std::cell::RefCell<Option<AtExit>> = const { std::cell::RefCell::new(None) };
    }
    let (session, orders, stored) = session();
    orders.send(Order::Go).unwrap();
    let thread = std::thread::spawn(move || {
        // Destroyed in the opposite order: the session's slot goes first.
        AT_EXIT.with_borrow_mut(|at_exit| *at_exit = Some(AtExit(session)));
        append(session, 1, &[1]);
    });
    thread.join().unwrap();
    assert_eq!(session.finish(PATIENCE).unwrap().stored, (2, 2));
    assert_eq!(stored.lock().unwrap().len(), 2);
}

/// Causes a new dispatch for each that it is given, until something is committed.
struct Feeding {
    session: Arc<OnceLock<&'static Session>>,
    given: u64,
    committed_after: Arc<OnceLock<u64>>,
}

impl CountersWriter for Feeding {
    fn path(&self) -> &Path {
        Path::new("nowhere")
    }

    fn dispatch(&mut self, _: &Dispatch, _: &[Value]) -> Result<(), WriterError> {
        self.given += 1;
        if self.committed_after.get().is_none() && self.given < 50_000 {
            append(self.session.wait(), self.given, &HUNDRED);
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        self.committed_after.get_or_init(|| self.given);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriterError> {
        Ok(())
    }
}

/// What has come is committed also where the queue never empties.
#[test]
fn under_a_load_that_never_ends_values_are_committed() {
    let (here, after) = (Arc::new(OnceLock::new()), Arc::new(OnceLock::new()));
    let writer = Feeding {
        session: Arc::clone(&here),
        given: 0,
        committed_after: Arc::clone(&after),
    };
    let open = move || Ok(Box::new(writer) as Box<dyn CountersWriter>);
    let session = Session::begin(Box::new(open)).unwrap();
    // Many full buffers: the writer begins only when all of them are there.
    for dispatch in 0..1000 {
        append(session, dispatch, &HUNDRED);
    }
    here.set(session).unwrap();
    let committed_after = *after.wait();
    session.finish(PATIENCE).unwrap();
    assert!(committed_after < 50_000, "{committed_after}");
}

#[test]
fn a_disk_that_does_not_keep_up_costs_whole_dispatches_and_they_are_counted() {
    let (session, orders, stored) = session();
    let ids: Vec<u64> = (100..200).collect();
    // The queue holds two million values; three million do not fit.
    for dispatch in 0..30_000 {
        append(session, dispatch, &ids);
    }
    orders.send(Order::Go).unwrap();
    let summary = session.finish(PATIENCE).unwrap();
    let stored = stored.lock().unwrap();
    assert!(stored.iter().all(|(_, values)| values.len() == 100));
    let lost = 30_000 - stored.len();
    assert!(lost > 5000, "{lost} lost");
    assert_eq!(
        summary.stored,
        (stored.len() as u64, stored.len() as u64 * 100)
    );
    assert_eq!(
        summary.lost,
        format!(
            "{lost} dispatches, {} values ({lost} the disk did not keep up)",
            lost * 100
        )
    );
}

#[test]
fn after_a_failure_everything_is_counted_as_lost_and_the_callbacks_go_on() {
    let (session, orders, stored) = session();
    orders.send(Order::Fail).unwrap();
    for dispatch in 0..10_000 {
        append(session, dispatch, &[1, 2]);
    }
    let summary = session.finish(PATIENCE).unwrap();
    assert_eq!(summary.stored, (0, 0));
    assert_eq!(
        summary.lost,
        "10000 dispatches, 20000 values (10000 could not be written)"
    );
    assert!(stored.lock().unwrap().is_empty());
}

#[test]
fn a_writer_that_panics_ends_the_capture_not_the_application() {
    let (session, orders, _) = session();
    orders.send(Order::Panic).unwrap();
    append(session, 1, &[1]);
    let summary = session.finish(PATIENCE).unwrap();
    assert_eq!(summary.stored, (0, 0));
    assert!(summary.complete);
    append(session, 2, &[1]);
    assert!(session.finish(PATIENCE).is_none());
}

#[test]
fn what_comes_after_the_end_is_counted_and_the_end_comes_once() {
    let (session, orders, _) = session();
    orders.send(Order::Go).unwrap();
    append(session, 1, &[1]);
    assert_eq!(session.finish(PATIENCE).unwrap().stored, (1, 1));
    append(session, 2, &[1]);
    assert_eq!(session.too_late(), 1);
    assert_eq!(session.finish(PATIENCE), None);
}

#[test]
fn a_dispatch_with_an_unknown_counter_is_left_out_as_a_whole() {
    let (session, orders, stored) = session();
    orders.send(Order::Go).unwrap();
    append(session, 1, &[1, 99]);
    append(session, 2, &[1, 2]);
    let summary = session.finish(PATIENCE).unwrap();
    assert_eq!(summary.stored, (1, 2));
    assert_eq!(
        summary.lost,
        "1 dispatches, 2 values (1 of an unknown counter)"
    );
    assert_eq!(stored.lock().unwrap()[0].0.dispatch_id, 2);
}

/// A disk that does not answer: the application ends all the same. In a process of its own, since
/// the writers of a process keep each other out of SQLite.
#[test]
fn a_writer_that_hangs_is_given_up() {
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "session::a_hanging_writer", "--ignored"])
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
#[ignore = "run by a_writer_that_hangs_is_given_up"]
fn a_hanging_writer() {
    let (session, _orders, _) = session();
    append(session, 1, &[1]);
    let summary = session.finish(Duration::from_millis(50)).unwrap();
    assert!(!summary.complete);
}
