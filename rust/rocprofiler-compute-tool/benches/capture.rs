//! What a record costs the application's threads, and what the end costs.
//!
//! `cargo bench -p rocprofiler-compute-tool`
//!
//! CPU time of the appending threads (`CLOCK_THREAD_CPUTIME_ID`) per record, the least of several
//! rounds. Beside it, in the same run: the way of a C++ tool (a lock for all threads, a copy of the
//! counter's name, a push for each record), and a bare append of 24-byte records to a vector of the
//! thread, which is the limit.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it measures"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use rocprofiler_compute_tool::capture::{Dispatch, Resolve, Session, Value};
use rocprofiler_compute_tool::plan::{Agent, AgentIndex, Counter, CounterIndex, Plan};
use rocprofiler_compute_tool::sdk::CounterInfo;
use rocprofiler_compute_tool::writers::{CountersWriter, RocpdCountersWriter, WriterError};
use rocprofiler_sdk_sys::{ROCPROFILER_AGENT_TYPE_GPU, rocprofiler_counter_record_t};

const ROUNDS: usize = 7;
/// Records that a thread appends in a round: what all threads append fits the queue.
const RECORDS: usize = 400_000;

struct ById;

impl Resolve for ById {
    fn resolve(&self, _: AgentIndex, record_id: u64) -> Option<CounterIndex> {
        CounterIndex::try_from(record_id % 16).ok()
    }
}

fn plan() -> Arc<Plan> {
    let agent = Agent {
        id: Default::default(),
        kind: ROCPROFILER_AGENT_TYPE_GPU,
        absolute_index: 1,
        logical_index: 1,
        type_index: 0,
        device: 1,
        name: "gfx942".to_owned(),
        model: String::new(),
        vendor: String::new(),
        product: String::new(),
        configs: Vec::new(),
    };
    let counter = |handle: u64| Counter {
        agent: 0,
        info: CounterInfo {
            handle,
            name: format!("SQ_COUNTER_NUMBER_{handle}"),
            description: String::new(),
            block: String::new(),
            expression: String::new(),
            is_constant: false,
            is_derived: false,
        },
    };
    Arc::new(Plan::of(vec![agent], (0..16).map(counter).collect()))
}

/// Nanoseconds of CPU time of the calling thread.
fn cpu() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

fn records(count: usize) -> Vec<rocprofiler_counter_record_t> {
    (0..count)
        .map(|id| rocprofiler_counter_record_t {
            id: id as u64,
            counter_value: 1.0,
            ..Default::default()
        })
        .collect()
}

/// The least CPU time per record of `threads` threads that call `callback` for each dispatch.
fn measure(
    threads: usize,
    records_each: usize,
    callback: &(dyn Fn(u64, &[rocprofiler_counter_record_t]) + Sync),
    between: &dyn Fn(),
) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let barrier = Barrier::new(threads);
        let total = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let records = records(records_each);
                    barrier.wait();
                    let begin = cpu();
                    for dispatch in 0..RECORDS / threads / records_each {
                        callback(dispatch as u64, &records);
                    }
                    total.fetch_add(cpu() - begin, Ordering::Relaxed);
                });
            }
        });
        let count = RECORDS / threads / records_each * records_each * threads;
        least = least.min(total.into_inner() as f64 / count as f64);
        between();
    }
    least
}

/// Takes everything; while it is held, nothing.
struct Held {
    hold: Arc<Mutex<()>>,
    taken: Arc<AtomicU64>,
}

impl CountersWriter for Held {
    fn path(&self) -> &Path {
        Path::new("nowhere")
    }

    fn dispatch(&mut self, _: &Dispatch, values: &[Value]) -> Result<(), WriterError> {
        drop(self.hold.lock().unwrap());
        self.taken.fetch_add(values.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriterError> {
        Ok(())
    }
}

/// Counts what the real writer stores.
struct Counting(RocpdCountersWriter, Arc<AtomicU64>);

impl CountersWriter for Counting {
    fn path(&self) -> &Path {
        self.0.path()
    }

    fn dispatch(&mut self, dispatch: &Dispatch, values: &[Value]) -> Result<(), WriterError> {
        self.0.dispatch(dispatch, values)?;
        self.1.fetch_add(values.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        self.0.commit()
    }

    fn finish(self: Box<Self>) -> Result<(), WriterError> {
        Box::new(self.0).finish()
    }
}

fn append(session: &'static Session, dispatch_id: u64, records: &[rocprofiler_counter_record_t]) {
    session.append(
        Dispatch {
            dispatch_id,
            kernel_id: 1,
            agent: 0,
            lds: 0,
        },
        0,
        records,
        &ById,
    );
}

/// The capture while the writer does nothing.
fn without_writer(threads: usize, each: usize) -> f64 {
    let hold = Arc::new(Mutex::new(()));
    let taken = Arc::new(AtomicU64::new(0));
    let (holding, counting) = (Arc::clone(&hold), Arc::clone(&taken));
    let open = move || {
        Ok(Box::new(Held {
            hold: holding,
            taken: counting,
        }) as Box<dyn CountersWriter>)
    };
    let session = Session::begin(Box::new(open)).unwrap();
    let held = RefCell::new(Some(hold.lock().unwrap()));
    let round = (RECORDS / threads / each * each * threads) as u64;
    let rounds = RefCell::new(0);
    let least = measure(
        threads,
        each,
        &|id, records| append(session, id, records),
        &|| {
            // Nothing was taken while it was measured; now all of it is.
            drop(held.borrow_mut().take());
            *rounds.borrow_mut() += round;
            while taken.load(Ordering::Relaxed) < *rounds.borrow() {
                std::thread::sleep(Duration::from_millis(1));
            }
            *held.borrow_mut() = Some(hold.lock().unwrap());
        },
    );
    drop(held);
    let summary = session.finish(Duration::from_secs(100)).unwrap();
    assert_eq!(summary.lost, "0 dispatches, 0 values");
    least
}

/// The capture while the writer stores what comes.
fn with_writer(threads: usize, each: usize) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let (path, plan, taken) = (
        folder.path().to_owned(),
        plan(),
        Arc::new(AtomicU64::new(0)),
    );
    let counting = Arc::clone(&taken);
    let open = move || {
        let writer = RocpdCountersWriter::create(&path, &rocpd::Guid::new(), &plan, 0)?;
        Ok(Box::new(Counting(writer, counting)) as Box<dyn CountersWriter>)
    };
    let session = Session::begin(Box::new(open)).unwrap();
    let round = (RECORDS / threads / each * each * threads) as u64;
    let rounds = RefCell::new(0);
    let least = measure(
        threads,
        each,
        &|id, records| append(session, id, records),
        &|| {
            *rounds.borrow_mut() += round;
            // The writer begins as soon as some buffers are full, and has all of a round before
            // the next: the queue never fills.
            while taken.load(Ordering::Relaxed) < *rounds.borrow() {
                std::thread::sleep(Duration::from_millis(1));
            }
        },
    );
    assert_eq!(
        session.finish(Duration::from_secs(100)).unwrap().lost,
        "0 dispatches, 0 values"
    );
    least
}

/// A record as a C++ tool keeps it.
struct Heavy {
    _numbers: [u64; 5],
    _name: String,
    _value: f64,
}

fn lock_copy_push(threads: usize, each: usize) -> f64 {
    let names: HashMap<u64, String> = (0..16)
        .map(|id| (id, format!("SQ_COUNTER_NUMBER_{id}")))
        .collect();
    let kept: Mutex<Vec<Heavy>> = Mutex::new(Vec::new());
    measure(
        threads,
        each,
        &|id, records| {
            for record in records {
                let mut kept = kept.lock().unwrap();
                kept.push(Heavy {
                    _numbers: [id, 1, 1, 0, record.id],
                    _name: names[&(record.id % 16)].clone(),
                    _value: record.counter_value,
                });
            }
        },
        &|| kept.lock().unwrap().clear(),
    )
}

fn bare_append(threads: usize, each: usize) -> f64 {
    thread_local! {
        static KEPT: RefCell<Vec<(u64, u64, f64)>> = const { RefCell::new(Vec::new()) };
    }
    measure(
        threads,
        each,
        &|id, records| {
            KEPT.with_borrow_mut(|kept| {
                kept.extend(
                    records
                        .iter()
                        .map(|record| (id, record.id, record.counter_value)),
                )
            });
        },
        &|| {},
    )
}

/// How long the end takes with so many values that nobody has stored yet.
fn finish_with_pending(values: usize) -> (Duration, u64) {
    let folder = tempfile::tempdir().unwrap();
    let (path, plan) = (folder.path().to_owned(), plan());
    let (go, wait): (_, Receiver<()>) = channel();
    let open = move || {
        let _ = wait.recv();
        let writer = RocpdCountersWriter::create(&path, &rocpd::Guid::new(), &plan, 0)?;
        Ok(Box::new(writer) as Box<dyn CountersWriter>)
    };
    let session = Session::begin(Box::new(open)).unwrap();
    let records = records(50);
    for dispatch in 0..values / 50 {
        append(session, dispatch as u64, &records);
    }
    let begin = Instant::now();
    go.send(()).unwrap();
    let summary = session.finish(Duration::from_secs(100)).unwrap();
    (begin.elapsed(), summary.stored.1)
}

fn main() {
    println!("CPU time per record in ns, the least of {ROUNDS} rounds");
    println!(
        "| threads | records per dispatch | bare append | capture, writer idle | capture, writer running | lock, copy, push |"
    );
    println!("|---|---|---|---|---|---|");
    for threads in [1, 4] {
        for each in [1, 8, 50] {
            println!(
                "| {threads} | {each} | {:.1} | {:.1} | {:.1} | {:.1} |",
                bare_append(threads, each),
                without_writer(threads, each),
                with_writer(threads, each),
                lock_copy_push(threads, each)
            );
        }
    }
    let (time, stored) = finish_with_pending(1_000_000);
    println!(
        "the end with {stored} values pending: {:.2} s",
        time.as_secs_f64()
    );
}
