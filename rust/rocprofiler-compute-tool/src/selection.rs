//! Which dispatches are counted, and with which set of counters.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rocprofiler_sdk_sys::rocprofiler_dim3_t;
use rustc_hash::FxHashMap;

use crate::kernels::KernelKey;
use crate::plan::AgentIndex;
use crate::settings::{LaunchRange, Multiplexing};

/// So many different turns are kept apart: memory stays bounded.
const MOST_KEYS: usize = 1 << 17;

/// A dispatch, as far as the decision needs it.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// The kernel.
    pub kernel: KernelKey,
    /// Where it runs.
    pub agent: AgentIndex,
    /// The queue's handle.
    pub queue: u64,
    /// Work items of the grid.
    pub grid: rocprofiler_dim3_t,
    /// Work items of a workgroup.
    pub workgroup: rocprofiler_dim3_t,
    /// LDS of a workgroup, bytes.
    pub lds: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TurnKey {
    Agent(AgentIndex),
    Kernel(AgentIndex, KernelKey),
    Params(
        AgentIndex,
        KernelKey,
        u64,
        rocprofiler_dim3_t,
        rocprofiler_dim3_t,
        u32,
    ),
}

/// The launches so far, for the range and the sets' turns.
#[derive(Debug, Default)]
pub struct Selection(Mutex<Launches>);

/// What [`Selection`] guards.
#[derive(Debug, Default)]
pub struct Launches {
    launches: FxHashMap<(AgentIndex, KernelKey), u64>,
    turns: FxHashMap<TurnKey, usize>,
}

impl Selection {
    /// The set, of `sets`, that a dispatch is counted with; `None`: it is not counted. A dispatch
    /// that is not counted takes no turn.
    #[must_use]
    pub fn choose(
        &self,
        launch: &Launch,
        range: Option<&LaunchRange>,
        multiplexing: Multiplexing,
        sets: usize,
    ) -> Option<usize> {
        if sets == 0 {
            return None;
        }
        if range.is_none() && (multiplexing == Multiplexing::Off || sets == 1) {
            return Some(0);
        }
        let mut state = self.lock();
        if let Some(range) = range {
            let number = state
                .launches
                .entry((launch.agent, launch.kernel))
                .or_insert(0);
            *number += 1;
            if !range.contains(*number) {
                return None;
            }
        }
        let key = match multiplexing {
            Multiplexing::Off => return Some(0),
            Multiplexing::Simple => TurnKey::Agent(launch.agent),
            Multiplexing::Kernel => TurnKey::Kernel(launch.agent, launch.kernel),
            Multiplexing::KernelLaunchParams => {
                let Launch {
                    kernel,
                    agent,
                    queue,
                    grid,
                    workgroup,
                    lds,
                } = *launch;
                TurnKey::Params(agent, kernel, queue, grid, workgroup, lds)
            }
        };
        let turn = bounded(&mut state.turns).entry(key).or_insert(0);
        let set = *turn % sets;
        *turn = set + 1;
        Some(set)
    }

    /// Locks the state; also to hold it over a fork.
    pub fn lock(&self) -> MutexGuard<'_, Launches> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Selection::lock`], if nobody holds it now.
    #[must_use]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, Launches>> {
        crate::fork::guard_of(self.0.try_lock())
    }
}

impl Launches {
    /// Begins anew, in a forked child.
    pub fn clear(&mut self) {
        self.launches.clear();
        self.turns.clear();
    }
}

/// The map, emptied where it has grown too large: turns then begin anew.
fn bounded<K, V>(map: &mut FxHashMap<K, V>) -> &mut FxHashMap<K, V> {
    if map.len() >= MOST_KEYS {
        map.clear();
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(kernel: u32, agent: u32) -> Launch {
        Launch {
            kernel: KernelKey::Name(kernel),
            agent,
            queue: 1,
            grid: rocprofiler_dim3_t { x: 64, y: 1, z: 1 },
            workgroup: rocprofiler_dim3_t { x: 64, y: 1, z: 1 },
            lds: 0,
        }
    }

    fn choose(mode: Multiplexing, launches: &[Launch]) -> Vec<usize> {
        let selection = Selection::default();
        launches
            .iter()
            .map(|launch| selection.choose(launch, None, mode, 3).unwrap())
            .collect()
    }

    #[test]
    fn each_way_of_multiplexing_takes_turns_by_its_own_key() {
        let mixed = [
            launch(1, 0),
            launch(2, 0),
            launch(1, 0),
            launch(1, 1),
            launch(2, 0),
            launch(1, 0),
        ];
        assert_eq!(choose(Multiplexing::Off, &mixed), [0, 0, 0, 0, 0, 0]);
        assert_eq!(choose(Multiplexing::Simple, &mixed), [0, 1, 2, 0, 0, 1]);
        assert_eq!(choose(Multiplexing::Kernel, &mixed), [0, 0, 1, 0, 1, 2]);
        assert_eq!(
            choose(Multiplexing::KernelLaunchParams, &mixed),
            [0, 0, 1, 0, 1, 2]
        );
    }

    #[test]
    fn launch_parameters_are_queue_grid_workgroup_and_lds() {
        let base = launch(1, 0);
        let other = rocprofiler_dim3_t { x: 32, y: 2, z: 1 };
        let different = [
            Launch { queue: 2, ..base },
            Launch {
                grid: other,
                ..base
            },
            Launch {
                workgroup: other,
                ..base
            },
            Launch { lds: 1024, ..base },
        ];
        for different in different {
            let turns = [base, different, base, different];
            assert_eq!(
                choose(Multiplexing::KernelLaunchParams, &turns),
                [0, 0, 1, 1]
            );
            assert_eq!(choose(Multiplexing::Kernel, &turns), [0, 1, 2, 0]);
        }
    }

    #[test]
    fn launches_are_counted_per_kernel_and_agent() {
        let selection = Selection::default();
        let range = LaunchRange::parse("[2-3]").unwrap();
        let mut counted = 0;
        for _ in 0..4 {
            for kernel in [1, 2] {
                for agent in [0, 1] {
                    let set = selection.choose(
                        &launch(kernel, agent),
                        Some(&range),
                        Multiplexing::Off,
                        1,
                    );
                    counted += usize::from(set.is_some());
                }
            }
        }
        assert_eq!(counted, 8);
    }

    #[test]
    fn a_dispatch_outside_the_range_takes_no_turn() {
        let selection = Selection::default();
        let range = LaunchRange::parse("[2,4]").unwrap();
        let sets: Vec<_> = (0..4)
            .map(|_| selection.choose(&launch(1, 0), Some(&range), Multiplexing::Simple, 2))
            .collect();
        assert_eq!(sets, [None, Some(0), None, Some(1)]);
    }

    #[test]
    fn an_agent_without_sets_counts_nothing() {
        assert_eq!(
            Selection::default().choose(&launch(1, 0), None, Multiplexing::Simple, 0),
            None
        );
    }
}
