//! What was registered, and under which id.

use std::collections::HashMap;
use std::hash::Hash;

use super::{
    AgentId, AgentType, CodeObjectId, KernelSymbolId, NodeId, PmcId, ProcessId, QueueId, StreamId,
    ThreadId, TrackId,
};
use crate::{Error, Result};

/// Ids by what makes a thing the same as another.
#[derive(Debug, Default)]
pub(super) struct Registry {
    /// Every node's id.
    pub(super) nodes: HashMap<NodeId, ()>,
    /// Every node's hash and machine id, which the schema wants unique.
    pub(super) machines: Vec<(NodeId, u64, Box<str>)>,
    pub(super) processes: Numbered<(NodeId, u64), NodeId>,
    pub(super) threads: Numbered<(ProcessId, u64), ProcessId>,
    pub(super) agents: Numbered<AgentKey, ()>,
    pub(super) pmcs: Numbered<(ProcessId, Option<AgentId>, Box<str>), ()>,
    pub(super) tracks: Numbered<TrackKey, ()>,
    pub(super) queues: HashMap<QueueId, ProcessId>,
    pub(super) streams: HashMap<StreamId, ProcessId>,
    pub(super) code_objects: HashMap<CodeObjectId, ProcessId>,
    pub(super) kernel_symbols: HashMap<KernelSymbolId, CodeObjectId>,
    pub(super) strings: HashMap<Box<str>, i64>,
}

/// Process, type, index among the type; the absolute index where there is no other.
pub(super) type AgentKey = (ProcessId, Option<AgentType>, Option<u64>, Option<u64>);

/// Node, process, thread, name.
pub(super) type TrackKey = (
    NodeId,
    Option<ProcessId>,
    Option<ThreadId>,
    Option<Box<str>>,
);

/// Things that the writer numbers: 1, 2, …
#[derive(Debug)]
pub(super) struct Numbered<K, V> {
    ids: HashMap<K, u64>,
    /// What belongs to id 1, 2, …
    values: Vec<V>,
}

impl<K, V> Default for Numbered<K, V> {
    fn default() -> Self {
        Self {
            ids: HashMap::new(),
            values: Vec::new(),
        }
    }
}

impl<K: Eq + Hash, V: Copy> Numbered<K, V> {
    pub(super) fn find(&self, key: &K) -> Option<u64> {
        self.ids.get(key).copied()
    }

    /// Notes a thing under the id that SQLite gave it, the next one.
    pub(super) fn add(&mut self, key: K, value: V) -> u64 {
        self.values.push(value);
        let id = self.values.len() as u64;
        self.ids.insert(key, id);
        id
    }

    fn get(&self, what: &'static str, id: u64) -> Result<V> {
        id.checked_sub(1)
            .and_then(|index| usize::try_from(index).ok())
            .and_then(|index| self.values.get(index))
            .copied()
            .ok_or(Error::Unregistered { what, id })
    }
}

impl Registry {
    pub(super) fn check_node(&self, id: NodeId) -> Result<()> {
        find(&self.nodes, "node", id, NodeId::get)
    }

    /// Whether a new node's hash and machine id are no other node's.
    pub(super) fn check_machine(&self, hash: u64, machine_id: &str) -> Result<()> {
        for (id, its_hash, its_machine_id) in &self.machines {
            let found = if **its_machine_id == *machine_id {
                format!("machine_id '{machine_id}'")
            } else if *its_hash == hash {
                format!("hash {hash}")
            } else {
                continue;
            };
            return Err(Error::Argument {
                found: format!(
                    "{found} is that of node {id}; expected a hash and a machine_id of its own \
                     for each node"
                ),
            });
        }
        Ok(())
    }

    /// The process's node.
    pub(super) fn node_of(&self, id: ProcessId) -> Result<NodeId> {
        self.processes.get("process", id.get())
    }

    /// The thread's process.
    pub(super) fn process_of(&self, id: ThreadId) -> Result<ProcessId> {
        self.threads.get("thread", id.get())
    }

    pub(super) fn check_thread(&self, id: Option<ThreadId>) -> Result<()> {
        id.map_or(Ok(()), |id| self.process_of(id).map(|_| ()))
    }

    pub(super) fn check_agent(&self, id: Option<AgentId>) -> Result<()> {
        id.map_or(Ok(()), |id| self.agents.get("agent", id.get()))
    }

    pub(super) fn check_pmc(&self, id: PmcId) -> Result<()> {
        self.pmcs.get("PMC", id.get())
    }

    pub(super) fn check_track(&self, id: Option<TrackId>) -> Result<()> {
        id.map_or(Ok(()), |id| self.tracks.get("track", id.get()))
    }

    pub(super) fn check_queue(&self, id: Option<QueueId>) -> Result<()> {
        id.map_or(Ok(()), |id| {
            find(&self.queues, "queue", id, QueueId::get).map(|_| ())
        })
    }

    pub(super) fn check_stream(&self, id: Option<StreamId>) -> Result<()> {
        id.map_or(Ok(()), |id| {
            find(&self.streams, "stream", id, StreamId::get).map(|_| ())
        })
    }

    /// The code object's process.
    pub(super) fn loaded_by(&self, id: CodeObjectId) -> Result<ProcessId> {
        find(&self.code_objects, "code object", id, CodeObjectId::get)
    }

    pub(super) fn check_kernel_symbol(&self, id: KernelSymbolId) -> Result<()> {
        find(
            &self.kernel_symbols,
            "kernel symbol",
            id,
            KernelSymbolId::get,
        )
        .map(|_| ())
    }
}

fn find<K: Copy + Eq + Hash, V: Copy>(
    map: &HashMap<K, V>,
    what: &'static str,
    id: K,
    number: impl FnOnce(K) -> u64,
) -> Result<V> {
    map.get(&id).copied().ok_or_else(|| Error::Unregistered {
        what,
        id: number(id),
    })
}
