//! The state of the simulated SDK: one per process.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::agents::Agents;
use crate::calls::Faults;
use crate::intercept::Registrations;
use crate::results::Results;
use crate::scenario::Scenario;
use crate::services::Services;
use crate::tools::Tool;

/// How far the SDK is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nobody has asked for a GPU.
    Idle,
    /// Inside the tools' `rocprofiler_configure`.
    Configuring,
    /// Inside the tools' `initialize`.
    Initializing,
    /// Contexts and services are fixed.
    Running,
    /// Inside the tools' `finalize`.
    Finalizing,
    /// Over.
    Finalized,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Configuring => "configuring",
            Self::Initializing => "initializing",
            Self::Running => "running",
            Self::Finalizing => "finalizing",
            Self::Finalized => "finalized",
        }
    }
}

pub(crate) struct Sdk {
    pub(crate) scenario: Scenario,
    pub(crate) agents: Agents,
    pub(crate) faults: Faults,
    pub(crate) tools: Mutex<Vec<Tool>>,
    pub(crate) registrations: Mutex<Registrations>,
    pub(crate) services: Services,
    pub(crate) results: Mutex<Results>,
    phase: AtomicU8,
}

/// The SDK of this process; the scenario is read at the first use.
pub(crate) fn sdk() -> &'static Sdk {
    static SDK: OnceLock<Sdk> = OnceLock::new();
    SDK.get_or_init(|| {
        let scenario = Scenario::from_environment();
        Sdk {
            agents: Agents::new(&scenario),
            faults: Faults::new(&scenario.faults),
            tools: Mutex::default(),
            registrations: Mutex::default(),
            services: Services::default(),
            results: Mutex::default(),
            phase: AtomicU8::new(Phase::Idle as u8),
            scenario,
        }
    })
}

impl Sdk {
    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::SeqCst) {
            0 => Phase::Idle,
            1 => Phase::Configuring,
            2 => Phase::Initializing,
            3 => Phase::Running,
            4 => Phase::Finalizing,
            _ => Phase::Finalized,
        }
    }

    pub(crate) fn set_phase(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::SeqCst);
    }
}

/// Locks, also after a panic of another thread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
