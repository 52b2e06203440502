//! The tool's state in this process, and what the SDK's callbacks do with it.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rocprofiler_sdk_sys::{
    rocprofiler_context_id_t, rocprofiler_counter_config_id_t, rocprofiler_counter_id_t,
    rocprofiler_counter_record_t, rocprofiler_dispatch_counting_service_data_t,
};

use crate::capture::{Dispatch, Reason, Resolve, Session, Tally};
use crate::kernels::Kernels;
use crate::plan::{AgentIndex, CounterIndex, Plan};
use crate::sdk::{Sdk, SdkError};
use crate::selection::{Launch, Selection};
use crate::settings::{Multiplexing, Settings};
use crate::writers::{RocpdCountersWriter, expected_path};
use crate::{callbacks, fork, log, process};

/// Set where something is to be counted.
pub(crate) static TOOL: OnceLock<Tool> = OnceLock::new();
/// Held where the plan or a session is made or ended.
pub(crate) static START: StartLock = StartLock(Mutex::new(()));
/// The capture of this process, once something was counted. Never freed.
static SESSION: AtomicPtr<Session> = AtomicPtr::new(std::ptr::null_mut());
/// No session begins any more.
static ENDED: AtomicBool = AtomicBool::new(false);
/// This process is a fork of one that could not be forked safely.
static UNSAFE_CHILD: AtomicBool = AtomicBool::new(false);
/// The process that said that it counts.
static STARTED_IN: AtomicU32 = AtomicU32::new(0);
/// What came where there was no session: after the end, or without a writer.
static UNSTORED: Tally = Tally::new();

/// At the end, a disk that takes nothing for so long is given up. Making a file may take seconds where
/// a file system is shared by many.
const PATIENCE: Duration = Duration::from_secs(30);

/// See [`START`].
pub(crate) struct StartLock(Mutex<()>);

pub(crate) type StartGuard = MutexGuard<'static, ()>;

impl StartLock {
    fn lock(&'static self) -> StartGuard {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn try_lock(&'static self) -> Option<StartGuard> {
        fork::guard_of(self.0.try_lock())
    }
}

/// What this process counts, and how.
pub(crate) struct Tool {
    sdk: Sdk,
    settings: Settings,
    context: rocprofiler_context_id_t,
    pub(crate) kernels: Kernels,
    pub(crate) selection: Selection,
    /// Made when a GPU is first used.
    plan: OnceLock<Arc<Plan>>,
}

impl Tool {
    /// Declares the services. Only in `initialize`.
    ///
    /// # Errors
    /// What keeps the tool from counting.
    pub(crate) fn declare(mut settings: Settings) -> Result<Self, SdkError> {
        let sdk = Sdk::find()?;
        let context = sdk.create_context()?;
        sdk.count_dispatches(context, Some(callbacks::dispatch), Some(callbacks::record))?;
        if let Err(error) = sdk.trace_code_objects(context, Some(callbacks::code_object)) {
            // Without names there is nothing to filter by, but kernels still have numbers.
            if settings.kernels.take().is_some() {
                log::say(format_args!(
                    "{error}; the kernels' names are not known, all kernels are counted"
                ));
            } else {
                log::detail(format_args!("{error}; the kernels' names are not known"));
            }
        }
        Ok(Self {
            sdk,
            settings,
            context,
            kernels: Kernels::default(),
            selection: Selection::default(),
            plan: OnceLock::new(),
        })
    }

    /// Makes the plan and starts the context: a GPU is about to be used. Once.
    pub(crate) fn start(&self) {
        const SAID: &str = ", for the reason said above";
        let start = START.lock();
        if self.plan.get().is_some() || ENDED.load(Ordering::Acquire) {
            return;
        }
        let Settings {
            sets, multiplexing, ..
        } = &self.settings;
        let mut why = ": the SDK lists no GPU";
        let plan = Plan::new(&self.sdk, sets, *multiplexing, &mut |line| {
            why = SAID;
            log::say(format_args!("{line}"));
        });
        let plan = plan.unwrap_or_else(|error| {
            why = SAID;
            log::say(format_args!("{error}"));
            Plan::default()
        });
        let plan = self.plan.get_or_init(|| Arc::new(plan));
        // The SDK may call back at once, from any thread.
        drop(start);
        if plan.is_empty() {
            log::say(format_args!("nothing is counted{why}"));
            return;
        }
        fork::watch();
        if let Err(error) = self.sdk.start_context(self.context) {
            log::say(format_args!("{error}; nothing is counted"));
            return;
        }
        STARTED_IN.store(std::process::id(), Ordering::Release);
        self.say_started(plan);
    }

    fn say_started(&self, plan: &Plan) {
        let sets = &self.settings.sets;
        let used = match self.settings.multiplexing {
            Multiplexing::Off if sets.len() > 1 => {
                format!(
                    "the first of {} sets, as ROCPROF_ITERATION_MULTIPLEXING is off",
                    sets.len()
                )
            }
            Multiplexing::Off => "one set".to_owned(),
            mode => format!("{} sets in turn ({mode:?})", sets.len()),
        };
        log::say(format_args!(
            "version {}: counting {used}, on {} of {} agents; output: {}",
            env!("CARGO_PKG_VERSION"),
            plan.counting_agents(),
            plan.agents.len(),
            expected_path(&self.settings.folder, std::process::id()).display(),
        ));
    }

    /// A kernel was loaded.
    pub(crate) fn kernel_loaded(&self, id: u64, name: &[u8]) {
        self.kernels.add(id, name, self.settings.kernels.as_ref());
    }

    /// A kernel was unloaded.
    pub(crate) fn kernel_unloaded(&self, id: u64) {
        self.kernels.remove(id);
    }

    /// What to count for a dispatch that is about to be enqueued, and a number by which its records
    /// are recognised. `None`: nothing.
    pub(crate) fn choose(
        &self,
        data: &rocprofiler_dispatch_counting_service_data_t,
    ) -> Option<(rocprofiler_counter_config_id_t, u64)> {
        if ENDED.load(Ordering::Acquire) {
            return None;
        }
        let info = &data.dispatch_info;
        let (index, agent) = self.plan.get()?.agent(info.agent_id)?;
        let kernel = self
            .kernels
            .find(info.kernel_id, self.settings.kernels.as_ref());
        if !kernel.included {
            return None;
        }
        let launch = Launch {
            kernel: kernel.key,
            agent: index,
            queue: info.queue_id.handle,
            grid: info.grid_size,
            workgroup: info.workgroup_size,
            lds: info.group_segment_size,
        };
        let Settings {
            range,
            multiplexing,
            ..
        } = &self.settings;
        let set =
            self.selection
                .choose(&launch, range.as_ref(), *multiplexing, agent.configs.len())?;
        Some((*agent.configs.get(set)?, set as u64))
    }

    /// A counted dispatch has ended.
    pub(crate) fn record(
        &'static self,
        data: &rocprofiler_dispatch_counting_service_data_t,
        records: &[rocprofiler_counter_record_t],
        set: u64,
    ) {
        let info = &data.dispatch_info;
        let Some((agent, _)) = self.plan.get().and_then(|plan| plan.agent(info.agent_id)) else {
            return;
        };
        let Some(session) = self.session() else {
            let reason = match STARTED_IN.load(Ordering::Acquire) {
                0 => Reason::TooLate,
                _ => Reason::NotWritten,
            };
            UNSTORED.lost(reason, (1, records.len() as u64));
            return;
        };
        let dispatch = Dispatch {
            dispatch_id: info.dispatch_id,
            kernel_id: info.kernel_id,
            agent,
            lds: info.group_segment_size,
        };
        let sets = self.settings.sets.len();
        let set = usize::try_from(set).unwrap_or(0).min(sets - 1);
        session.append(dispatch, agent as usize * sets + set, records, self);
    }

    /// The capture of this process; begun with its first record.
    fn session(&'static self) -> Option<&'static Session> {
        // SAFETY: NULL, or a session, and those are never freed.
        if let Some(session) = unsafe { SESSION.load(Ordering::Acquire).as_ref() } {
            return Some(session);
        }
        let _start = START.lock();
        // SAFETY: as above.
        if let Some(session) = unsafe { SESSION.load(Ordering::Acquire).as_ref() } {
            return Some(session);
        }
        if ENDED.load(Ordering::Acquire) {
            return None;
        }
        let session = if UNSAFE_CHILD.load(Ordering::Acquire) {
            log::say(format_args!(
                "the process was forked while the disk hung; the child counts nothing"
            ));
            None
        } else {
            let plan = Arc::clone(self.plan.get()?);
            let folder = &self.settings.folder;
            // Here, not on the writer's thread: no lock of the generator is then held over a fork.
            let guid = rocpd::Guid::new();
            let init = process::now();
            let open = move || {
                let writer = RocpdCountersWriter::create(folder, &guid, &plan, init)?;
                Ok(Box::new(writer) as Box<_>)
            };
            Session::begin(Box::new(open))
                .map_err(|error| {
                    log::say(format_args!(
                        "cannot start the writer's thread: {error}; nothing is stored"
                    ))
                })
                .ok()
        };
        match session {
            Some(session) => {
                SESSION.store(std::ptr::from_ref(session).cast_mut(), Ordering::Release)
            }
            None => ENDED.store(true, Ordering::Release),
        }
        session
    }

    /// The end: stores what is left and says what was stored. May be called twice, with callbacks
    /// still coming, and makes no call of the SDK.
    pub(crate) fn finish() {
        // SAFETY: NULL, or a session, and those are never freed.
        let session = || unsafe { SESSION.load(Ordering::Acquire).as_ref() };
        if session().is_some_and(|session| !session.is_of_this_process()) {
            // Locks may be held by threads that are not here.
            log::say(format_args!(
                "this child was made without the C library's fork: what it counted is not stored"
            ));
            return;
        }
        let start = START.lock();
        ENDED.store(true, Ordering::Release);
        let session = session();
        drop(start);
        let Some(session) = session else {
            let first = STARTED_IN.swap(0, Ordering::AcqRel) == std::process::id();
            match UNSTORED.any_lost() {
                true if first => log::say(format_args!(
                    "no file: 0 dispatches, 0 values; lost: {}",
                    UNSTORED.lost_in_words()
                )),
                true => say_late(UNSTORED.lost_so_far(Reason::TooLate).0),
                false if first => {
                    log::say(format_args!("nothing was counted, no file was written"));
                }
                false => {}
            }
            return;
        };
        match session.finish(PATIENCE) {
            Some(summary) => {
                let path = session.path();
                let (dispatches, values) = summary.stored;
                let state = if summary.complete {
                    ""
                } else {
                    ", not finished: the disk does not answer"
                };
                log::say(format_args!(
                    "{}: {dispatches} dispatches, {values} values; lost: {}{state}",
                    path.map_or("no file".into(), |path| path.display().to_string()),
                    summary.lost
                ));
            }
            None => say_late(session.too_late()),
        }
    }

    /// In a forked child: the parent's capture is not ours. `whole`: no lock is held by a thread
    /// that is not here.
    pub(crate) fn become_child(whole: bool) {
        SESSION.store(std::ptr::null_mut(), Ordering::Release);
        UNSAFE_CHILD.store(!whole, Ordering::Release);
    }
}

impl Resolve for Tool {
    fn resolve(&self, agent: AgentIndex, record_id: u64) -> Option<CounterIndex> {
        let plan = self.plan.get()?;
        let handle = match self.sdk.counter_of_record(record_id) {
            Ok(counter) => counter.handle,
            Err(error) => {
                say_once(
                    &RESOLVE_FAILED,
                    format_args!(
                        "{error}; the dispatch is left out, further ones are only counted"
                    ),
                );
                return None;
            }
        };
        // Some SDKs leave the agent out of a record's counter; then the name tells.
        let found = plan.counter(agent, handle).or_else(|| {
            let info = self
                .sdk
                .counter_info(rocprofiler_counter_id_t { handle })
                .ok()?;
            plan.counter_by_name(agent, &info.name)
        });
        if found.is_none() {
            let on = plan
                .agents
                .get(agent as usize)
                .map(ToString::to_string)
                .unwrap_or_default();
            say_once(
                &NOT_ASKED_FOR,
                format_args!(
                    "a record on {on} is of no counter that was asked for; its dispatch is left out, \
                     further ones are only counted"
                ),
            );
        }
        found
    }
}

/// Set once the line was written; each dispatch would write it.
static RESOLVE_FAILED: AtomicBool = AtomicBool::new(false);
static NOT_ASKED_FOR: AtomicBool = AtomicBool::new(false);

/// What came since the end line; said by a second finalize.
fn say_late(dispatches: u64) {
    if dispatches > 0 {
        log::say(format_args!(
            "{dispatches} dispatches came after the end and are not stored"
        ));
    }
}

fn say_once(said: &AtomicBool, line: std::fmt::Arguments<'_>) {
    if said.swap(true, Ordering::Relaxed) {
        log::detail(line);
    } else {
        log::say(line);
    }
}

/// What `initialize` answers where nothing is to be undone.
pub(crate) const OK: c_int = 0;
