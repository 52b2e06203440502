//! The counters behind the records of a dispatch.
//!
//! Dispatches that are counted with the same config give records with the same ids in the same
//! order. So the ids are resolved once, and the next dispatch's are only compared with them.

use std::sync::{Arc, Mutex, PoisonError};

use rocprofiler_sdk_sys::rocprofiler_counter_record_t;
use rustc_hash::FxHashMap;

use crate::plan::{AgentIndex, CounterIndex};

/// Number of a config: an agent's set. Small, from 0.
pub type Token = usize;

/// Finds the counter of a record's id. May ask the SDK; called without any lock of ours.
pub trait Resolve {
    /// The counter, or `None` if it is none of the plan's.
    fn resolve(&self, agent: AgentIndex, record_id: u64) -> Option<CounterIndex>;
}

/// The ids of a dispatch's records, in order, with their counters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence(Box<[(u64, CounterIndex)]>);

impl Sequence {
    /// Whether the records are these.
    pub(super) fn matches(&self, records: &[rocprofiler_counter_record_t]) -> bool {
        self.0.len() == records.len()
            && self
                .0
                .iter()
                .zip(records)
                .all(|((id, _), record)| *id == record.id)
    }

    pub(super) fn counters(&self) -> impl ExactSizeIterator<Item = CounterIndex> {
        self.0.iter().map(|(_, counter)| *counter)
    }
}

/// What is known of the process's sequences.
#[derive(Debug, Default)]
pub(super) struct Sequences(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The last one of each config.
    last: FxHashMap<Token, Arc<Sequence>>,
    /// Only what was found: a call of the SDK that fails may work the next time.
    counters: FxHashMap<(AgentIndex, u64), CounterIndex>,
}

impl Sequences {
    /// The sequence of these records; `None` if one of them is of no counter of the plan.
    pub(super) fn find(
        &self,
        token: Token,
        agent: AgentIndex,
        records: &[rocprofiler_counter_record_t],
        resolver: &dyn Resolve,
    ) -> Option<Arc<Sequence>> {
        let unknown: Vec<u64> = {
            let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(last) = known.last.get(&token).filter(|last| last.matches(records)) {
                return Some(Arc::clone(last));
            }
            let ids = records.iter().map(|record| record.id);
            ids.filter(|id| !known.counters.contains_key(&(agent, *id)))
                .collect()
        };
        // The SDK may hold a lock that another of its threads holds while it calls us.
        let resolved: Vec<_> = unknown
            .into_iter()
            .map(|id| (id, resolver.resolve(agent, id)))
            .collect();

        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.counters.extend(
            resolved
                .into_iter()
                .filter_map(|(id, counter)| Some(((agent, id), counter?))),
        );
        let pair = |record: &rocprofiler_counter_record_t| {
            Some((record.id, *known.counters.get(&(agent, record.id))?))
        };
        let sequence = Arc::new(Sequence(records.iter().map(pair).collect::<Option<_>>()?));
        known.last.insert(token, Arc::clone(&sequence));
        Some(sequence)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counters are the id's last digit; 9 is none.
    struct ByDigit(Cell<u32>);

    impl Resolve for ByDigit {
        fn resolve(&self, _: AgentIndex, record_id: u64) -> Option<CounterIndex> {
            self.0.set(self.0.get() + 1);
            CounterIndex::try_from(record_id % 10)
                .ok()
                .filter(|digit| *digit != 9)
        }
    }

    fn records(ids: &[u64]) -> Vec<rocprofiler_counter_record_t> {
        ids.iter()
            .map(|id| rocprofiler_counter_record_t {
                id: *id,
                ..Default::default()
            })
            .collect()
    }

    #[test]
    fn each_id_of_an_agent_is_resolved_once() {
        let (sequences, resolver) = (Sequences::default(), ByDigit(Cell::new(0)));
        let find =
            |token, agent, ids: &[u64]| sequences.find(token, agent, &records(ids), &resolver);
        let counters = |sequence: Arc<Sequence>| sequence.counters().collect::<Vec<_>>();
        assert_eq!(counters(find(0, 0, &[11, 21, 12]).unwrap()), [1, 1, 2]);
        assert_eq!(counters(find(0, 0, &[12, 21, 11]).unwrap()), [2, 1, 1]);
        assert_eq!(counters(find(0, 0, &[12]).unwrap()), [2]);
        assert_eq!(resolver.0.get(), 3);
        find(1, 1, &[12]).unwrap();
        assert_eq!(resolver.0.get(), 4);
    }

    /// Finds nothing the first time.
    struct LateRiser(Cell<bool>);

    impl Resolve for LateRiser {
        fn resolve(&self, _: AgentIndex, _: u64) -> Option<CounterIndex> {
            self.0.replace(true).then_some(7)
        }
    }

    #[test]
    fn an_id_that_could_not_be_resolved_is_tried_again() {
        let (sequences, resolver) = (Sequences::default(), LateRiser(Cell::new(false)));
        let find = || sequences.find(0, 0, &records(&[11]), &resolver);
        assert!(find().is_none());
        assert!(find().is_some());
    }

    #[test]
    fn one_unknown_record_spoils_the_dispatch() {
        let (sequences, resolver) = (Sequences::default(), ByDigit(Cell::new(0)));
        assert!(
            sequences
                .find(0, 0, &records(&[11, 19]), &resolver)
                .is_none()
        );
        assert!(sequences.find(0, 0, &records(&[11]), &resolver).is_some());
    }
}
