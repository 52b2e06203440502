//! The simulated GPU runtime: what an application calls, and what happens at its exit.

#![expect(unreachable_pub, reason = "the way in is the C symbol")]

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, Once};
use std::thread::JoinHandle;
use std::time::Duration;

use rocprofiler_sdk_sys::*;

use crate::agents::{record_id, value};
use crate::results::DispatchRow;
use crate::scenario::{Completion, Configure, Dispatch};
use crate::sdk::{Phase, lock, sdk};
use crate::services::{Config, Counting};
use crate::{calls, intercept, results, tools};

static LAST_DISPATCH: AtomicU64 = AtomicU64::new(0);
/// Launched, but the records were not handed over yet.
static UNDER_WAY: AtomicU64 = AtomicU64::new(0);
/// Dispatches whose records wait for the end.
static HELD_BACK: Mutex<Vec<Job>> = Mutex::new(Vec::new());
static STARTED: Mutex<Vec<JoinHandle<()>>> = Mutex::new(Vec::new());
static COMPLETION: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// A launched kernel whose counters are still to be handed over.
#[derive(Clone)]
struct Job {
    data: rocprofiler_dispatch_counting_service_data_t,
    counted: Vec<(Counting, Config, u64)>,
}

// SAFETY: the user data in it is handed back to the tool unchanged, from whichever thread.
unsafe impl Send for Job {}

/// CLOCK_BOOTTIME, ns.
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid.
    unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time) };
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
        + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// Kernels have a number of their own on each agent.
pub(crate) fn kernel_id(agent: usize, kernel: usize) -> u64 {
    (agent * sdk().scenario.kernels.len() + kernel) as u64 + 10
}

/// With `configure: load` the tools are configured as soon as the library is loaded.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = {
    extern "C" fn at_load() {
        let named = std::env::var_os(crate::scenario::SCENARIO_VARIABLE).is_some();
        if named && sdk().scenario.configure == Configure::Load {
            tools::configure();
        }
    }
    at_load
};

/// Starts the GPU runtime: configures the tools, registers the runtime's tables, loads the kernels.
/// 0. Any thread, as often as it likes.
#[unsafe(no_mangle)]
pub extern "C" fn sim_gpu_init() -> i32 {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tools::configure();
        intercept::register_hsa();
        load_kernels();
    });
    0
}

fn load_kernels() {
    let sdk = sdk();
    for (agent, scenario) in sdk.scenario.agents.iter().enumerate() {
        if scenario.r#type == "CPU" {
            continue;
        }
        for (kernel, named) in sdk.scenario.kernels.iter().enumerate() {
            let name = std::ffi::CString::new(named.name.as_str())
                .unwrap_or_else(|error| panic!("a NUL in a kernel's name: {error}"));
            // SAFETY: plain data, for which zero and NULL are valid.
            let mut symbol: rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t =
                unsafe { std::mem::zeroed() };
            symbol.size = size_of_val(&symbol) as u64;
            symbol.kernel_id = kernel_id(agent, kernel);
            symbol.code_object_id = agent as u64 + 1;
            symbol.kernel_name = name.as_ptr();
            for (context_id, context) in sdk.services.active() {
                for tracing in &context.tracing {
                    let (ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT, Some(callback)) =
                        (tracing.kind, tracing.callback)
                    else {
                        continue;
                    };
                    let record = rocprofiler_callback_tracing_record_t {
                        context_id,
                        thread_id: thread_id(),
                        correlation_id: rocprofiler_correlation_id_t::default(),
                        kind: tracing.kind,
                        operation: ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER
                            .0
                            .cast_signed(),
                        phase: ROCPROFILER_CALLBACK_PHASE_LOAD,
                        payload: (&raw mut symbol).cast(),
                    };
                    let mut user = rocprofiler_user_data_t::default();
                    // SAFETY: the tool gave the callback for that; the payload lives during the call.
                    unsafe { callback(record, &raw mut user, tracing.args.0) };
                }
            }
        }
    }
}

/// Launches what the scenario lists, each thread's entries in order. Returns when all is done; 0.
#[unsafe(no_mangle)]
pub extern "C" fn sim_run() -> i32 {
    sim_start();
    let threads: Vec<_> = lock(&STARTED).drain(..).collect();
    for thread in threads {
        let _ = thread.join();
    }
    sim_wait()
}

/// Like [`sim_run`], but returns while the threads still launch.
#[unsafe(no_mangle)]
pub extern "C" fn sim_start() -> i32 {
    sim_gpu_init();
    let dispatches = &sdk().scenario.dispatches;
    let last = dispatches
        .iter()
        .map(|dispatch| dispatch.thread)
        .max()
        .map_or(0, |last| last + 1);
    for thread in 0..last {
        let own: Vec<Dispatch> = dispatches
            .iter()
            .filter(|d| d.thread == thread)
            .cloned()
            .collect();
        let started = std::thread::spawn(move || {
            for dispatch in own {
                for _ in 0..dispatch.repeat {
                    launch(&dispatch);
                }
            }
        });
        lock(&STARTED).push(started);
    }
    0
}

/// Launches one kernel in the calling thread. 0.
#[unsafe(no_mangle)]
pub extern "C" fn sim_launch(kernel: usize, agent: usize) -> i32 {
    sim_gpu_init();
    launch(&Dispatch {
        kernel,
        agent,
        ..Dispatch::default()
    });
    0
}

/// Returns when the records of everything launched were handed to the tools. 0.
#[unsafe(no_mangle)]
pub extern "C" fn sim_wait() -> i32 {
    while UNDER_WAY.load(Ordering::SeqCst) > 0 {
        std::thread::yield_now();
    }
    0
}

/// How many kernels were launched.
#[unsafe(no_mangle)]
pub extern "C" fn sim_launched() -> u64 {
    LAST_DISPATCH.load(Ordering::SeqCst)
}

/// Writes the SDK's own database now, for programs that do not reach their exit. 0.
#[unsafe(no_mangle)]
pub extern "C" fn sim_write_results() -> i32 {
    results::write();
    0
}

fn thread_id() -> u64 {
    // SAFETY: no arguments, no failure.
    u64::try_from(unsafe { libc::gettid() }).unwrap_or(0)
}

fn launch(dispatch: &Dispatch) {
    let sdk = sdk();
    let agent = &sdk.agents.structs[dispatch.agent];
    let dispatch_id = LAST_DISPATCH.fetch_add(1, Ordering::SeqCst) + 1;
    let dim = |of: [u32; 3]| rocprofiler_dim3_t {
        x: of[0],
        y: of[1],
        z: of[2],
    };
    let mut data = rocprofiler_dispatch_counting_service_data_t {
        size: size_of::<rocprofiler_dispatch_counting_service_data_t>() as u64,
        correlation_id: rocprofiler_async_correlation_id_t {
            internal: dispatch_id + 100,
            ..Default::default()
        },
        ..Default::default()
    };
    data.dispatch_info = rocprofiler_kernel_dispatch_info_t {
        size: size_of::<rocprofiler_kernel_dispatch_info_t>() as u64,
        agent_id: agent.id,
        queue_id: rocprofiler_queue_id_t {
            handle: dispatch.queue,
        },
        kernel_id: kernel_id(dispatch.agent, dispatch.kernel),
        dispatch_id,
        group_segment_size: dispatch.lds,
        workgroup_size: dim(dispatch.workgroup),
        grid_size: dim(dispatch.grid),
        ..Default::default()
    };

    let mut counted = Vec::new();
    for (_, context) in sdk.services.active() {
        let Some(counting) = context.counting else {
            continue;
        };
        let Some(callback) = counting.dispatch else {
            continue;
        };
        let mut config = rocprofiler_counter_config_id_t::default();
        let mut user = rocprofiler_user_data_t::default();
        // SAFETY: the tool gave the callback for that.
        unsafe {
            callback(
                data,
                &raw mut config,
                &raw mut user,
                counting.dispatch_args.0,
            )
        };
        if config.handle != 0 {
            let config = sdk
                .services
                .config(config)
                .unwrap_or_else(|| panic!("an unknown config {}", config.handle));
            assert_eq!(
                config.agent, dispatch.agent,
                "the config is for another agent"
            );
            // SAFETY: eight bytes, of which any value is valid.
            counted.push((counting, config, unsafe { user.value }));
        }
    }
    data.start_timestamp = now();
    data.end_timestamp = data.start_timestamp + 1000;
    if results::wanted() {
        let row = DispatchRow {
            dispatch: dispatch.clone(),
            dispatch_id,
            thread_id: thread_id(),
            start: data.start_timestamp,
            end: data.end_timestamp,
        };
        lock(&sdk.results).push(row);
    }
    complete(Job { data, counted });
    if sdk.scenario.interval_us > 0 {
        std::thread::sleep(Duration::from_micros(sdk.scenario.interval_us));
    }
}

/// Hands a job to whoever calls the record callback, or keeps it for the end.
fn complete(job: Job) {
    let late = sdk().scenario.late_dispatches;
    if late > 0 && !job.counted.is_empty() {
        let mut held = lock(&HELD_BACK);
        if (held.len() as u64) < late {
            held.push(job);
            return;
        }
    }
    match sdk().scenario.completion {
        Completion::Inline => hand_over(&job),
        Completion::Thread => {
            UNDER_WAY.fetch_add(1, Ordering::SeqCst);
            let mut sender = lock(&COMPLETION);
            let sender = sender.get_or_insert_with(|| {
                let (sender, jobs) = channel::<Job>();
                std::thread::spawn(move || {
                    for job in jobs {
                        hand_over(&job);
                        UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
                    }
                });
                sender
            });
            let _ = sender.send(job);
        }
    }
}

/// Calls the record callbacks of a dispatch.
fn hand_over(job: &Job) {
    thread_local! {
        static RECORDS: RefCell<Vec<rocprofiler_counter_record_t>> = const { RefCell::new(Vec::new()) };
    }
    let sdk = sdk();
    let info = &job.data.dispatch_info;
    for (counting, config, user) in &job.counted {
        let Some(callback) = counting.record else {
            continue;
        };
        let node_id = sdk.agents.structs[config.agent].node_id;
        let call = |records: &mut Vec<rocprofiler_counter_record_t>| {
            records.clear();
            for handle in &config.counters {
                let index = crate::agents::counter_of(*handle).unwrap_or(0);
                let counter = &sdk.scenario.counters[index];
                records.extend((0..counter.instances).map(|instance| {
                    rocprofiler_counter_record_t {
                        id: record_id(sdk.scenario.record_ids, *handle, instance),
                        counter_value: value(counter, info.dispatch_id, node_id, instance),
                        dispatch_id: info.dispatch_id,
                        user_data: rocprofiler_user_data_t { value: *user },
                        agent_id: info.agent_id,
                    }
                }));
            }
            let count = records.len();
            let garbage = rocprofiler_counter_record_t {
                id: u64::MAX,
                counter_value: f64::NAN,
                dispatch_id: u64::MAX,
                user_data: rocprofiler_user_data_t { value: u64::MAX },
                agent_id: rocprofiler_agent_id_t { handle: u64::MAX },
            };
            records.resize(count + sdk.scenario.garbage_records, garbage);
            // SAFETY: the tool gave the callback for that; `count` records are valid.
            unsafe {
                callback(
                    job.data,
                    records.as_mut_ptr(),
                    count,
                    rocprofiler_user_data_t { value: *user },
                    counting.record_args.0,
                );
            }
        };
        // Late in a thread's life its thread-locals are gone.
        if RECORDS
            .try_with(|records| call(&mut records.borrow_mut()))
            .is_err()
        {
            call(&mut Vec::new());
        }
    }
}

/// The end of the SDK, once in each process.
pub(crate) fn finalize() {
    static DONE_IN: AtomicU32 = AtomicU32::new(0);
    static BUSY: AtomicBool = AtomicBool::new(false);
    let pid = std::process::id();
    if DONE_IN.swap(pid, Ordering::SeqCst) == pid || BUSY.swap(true, Ordering::SeqCst) {
        return;
    }
    let sdk = sdk();
    sdk.set_phase(Phase::Finalizing);
    tools::finalize();
    let held = std::mem::take(&mut *lock(&HELD_BACK));
    for job in held {
        calls::note("late-dispatch");
        hand_over(&job);
    }
    if sdk.scenario.finalize_twice {
        tools::finalize();
    }
    sdk.set_phase(Phase::Finalized);
    results::write();
    BUSY.store(false, Ordering::SeqCst);
}
