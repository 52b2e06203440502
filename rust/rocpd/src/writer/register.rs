//! Registering: what rows refer to, each thing once.

use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

use rusqlite::{Params, params};

use super::statements::Statements;
use super::{
    Agent, AgentId, CodeObject, CodeObjectId, KernelSymbol, KernelSymbolId, Node, NodeId, Pmc,
    PmcId, Process, ProcessId, Queue, QueueId, Stream, StreamId, StringId, Thread, ThreadId, Track,
    TrackId, Transaction, Writer, stored_json,
};
use crate::{Error, Result};

/// Each call gives the id of the row. If the same thing was registered before, it is the id of that
/// time, and the row stays as it was.
///
/// Errors of all of them: [`Error::Unregistered`] if it refers to something that is not registered,
/// [`Error::Taken`] if the id is another thing's, [`Error::Write`].
impl Writer {
    /// Registers a machine.
    ///
    /// # Errors
    /// As for all of them; [`Error::Argument`] if another node has the same hash or machine id.
    pub fn register_node(&mut self, node: &Node<'_>) -> Result<NodeId> {
        if self.registry.nodes.contains_key(&node.id) {
            return Ok(node.id);
        }
        self.registry.check_machine(node.hash, node.machine_id)?;
        self.write_registration(
            |s| &s.node,
            params![
                node.id,
                node.hash.cast_signed(),
                node.machine_id,
                node.system_name,
                node.hostname,
                node.release,
                node.version,
                node.hardware_name,
                node.domain_name,
            ],
        )?;
        self.registry.nodes.insert(node.id, ());
        let machine = (node.id, node.hash, node.machine_id.into());
        self.registry.machines.push(machine);
        Ok(node.id)
    }

    /// Registers a process.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_process(&mut self, process: &Process<'_>) -> Result<ProcessId> {
        let key = (process.node, process.pid);
        if let Some(id) = self.registry.processes.find(&key) {
            return Ok(ProcessId::new(id));
        }
        self.registry.check_node(process.node)?;
        self.write_registration(
            |s| &s.process,
            params![
                process.node,
                process.ppid.map(u64::cast_signed),
                process.pid.cast_signed(),
                process.init.map(u64::cast_signed),
                process.fini.map(u64::cast_signed),
                process.start.map(u64::cast_signed),
                process.end.map(u64::cast_signed),
                process.command,
                stored_json(process.environment),
                stored_json(process.extdata),
            ],
        )?;
        let id = self.registry.processes.add(key, process.node);
        Ok(ProcessId::new(id))
    }

    /// Says when a registered process ended and when its profiler was torn down, in ns; a capture
    /// knows it last.
    ///
    /// # Errors
    /// As for all of them.
    pub fn end_process(
        &mut self,
        process: ProcessId,
        end: Option<u64>,
        fini: Option<u64>,
    ) -> Result<()> {
        self.registry.node_of(process)?;
        self.write(
            |s| &s.end_process,
            params![
                end.map(u64::cast_signed),
                fini.map(u64::cast_signed),
                process
            ],
        )?;
        Ok(())
    }

    /// Registers a thread.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_thread(&mut self, thread: &Thread<'_>) -> Result<ThreadId> {
        let key = (thread.process, thread.tid);
        if let Some(id) = self.registry.threads.find(&key) {
            return Ok(ThreadId::new(id));
        }
        let node = self.registry.node_of(thread.process)?;
        self.write_registration(
            |s| &s.thread,
            params![
                node,
                thread.ppid.map(u64::cast_signed),
                thread.process,
                thread.tid.cast_signed(),
                thread.name,
                thread.start.map(u64::cast_signed),
                thread.end.map(u64::cast_signed),
                stored_json(thread.extdata),
            ],
        )?;
        let id = self.registry.threads.add(key, thread.process);
        Ok(ThreadId::new(id))
    }

    /// Registers an agent.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_agent(&mut self, agent: &Agent<'_>) -> Result<AgentId> {
        let index = match agent.type_index {
            Some(_) => None,
            None => agent.absolute_index,
        };
        let key = (agent.process, agent.agent_type, agent.type_index, index);
        if let Some(id) = self.registry.agents.find(&key) {
            return Ok(AgentId::new(id));
        }
        let node = self.registry.node_of(agent.process)?;
        self.write_registration(
            |s| &s.agent,
            params![
                node,
                agent.process,
                agent.agent_type,
                agent.absolute_index.map(u64::cast_signed),
                agent.logical_index.map(u64::cast_signed),
                agent.type_index.map(u64::cast_signed),
                agent.uuid.map(u64::cast_signed),
                agent.name,
                agent.model_name,
                agent.vendor_name,
                agent.product_name,
                agent.user_name,
                stored_json(agent.extdata),
            ],
        )?;
        let id = self.registry.agents.add(key, ());
        Ok(AgentId::new(id))
    }

    /// Registers a queue.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_queue(&mut self, queue: &Queue<'_>) -> Result<QueueId> {
        let node = self.registry.node_of(queue.process)?;
        if same(
            &self.registry.queues,
            "queue",
            (queue.id, queue.id.get()),
            (queue.process, "process"),
        )? {
            return Ok(queue.id);
        }
        self.write_registration(
            |s| &s.queue,
            params![
                queue.id,
                node,
                queue.process,
                queue.name,
                stored_json(queue.extdata),
            ],
        )?;
        self.registry.queues.insert(queue.id, queue.process);
        Ok(queue.id)
    }

    /// Registers a stream.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_stream(&mut self, stream: &Stream<'_>) -> Result<StreamId> {
        let node = self.registry.node_of(stream.process)?;
        if same(
            &self.registry.streams,
            "stream",
            (stream.id, stream.id.get()),
            (stream.process, "process"),
        )? {
            return Ok(stream.id);
        }
        self.write_registration(
            |s| &s.stream,
            params![
                stream.id,
                node,
                stream.process,
                stream.name,
                stored_json(stream.extdata),
            ],
        )?;
        self.registry.streams.insert(stream.id, stream.process);
        Ok(stream.id)
    }

    /// Registers a counter.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_pmc(&mut self, pmc: &Pmc<'_>) -> Result<PmcId> {
        let key = (pmc.process, pmc.agent, pmc.name.into());
        if let Some(id) = self.registry.pmcs.find(&key) {
            return Ok(PmcId::new(id));
        }
        let node = self.registry.node_of(pmc.process)?;
        self.registry.check_agent(pmc.agent)?;
        self.write_registration(
            |s| &s.pmc,
            params![
                node,
                pmc.process,
                pmc.agent,
                pmc.target_arch,
                pmc.event_code.map(u64::cast_signed),
                pmc.instance_id.map(u64::cast_signed),
                pmc.name,
                pmc.symbol,
                pmc.description,
                pmc.long_description,
                pmc.component,
                pmc.units,
                pmc.value_type,
                pmc.block,
                pmc.expression,
                pmc.is_constant,
                pmc.is_derived,
                stored_json(pmc.extdata),
            ],
        )?;
        let id = self.registry.pmcs.add(key, ());
        Ok(PmcId::new(id))
    }

    /// Registers a code object.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_code_object(&mut self, object: &CodeObject<'_>) -> Result<CodeObjectId> {
        let node = self.registry.node_of(object.process)?;
        self.registry.check_agent(object.agent)?;
        if same(
            &self.registry.code_objects,
            "code object",
            (object.id, object.id.get()),
            (object.process, "process"),
        )? {
            return Ok(object.id);
        }
        self.write_registration(
            |s| &s.code_object,
            params![
                object.id,
                node,
                object.process,
                object.agent,
                object.uri,
                object.load_base.map(u64::cast_signed),
                object.load_size.map(u64::cast_signed),
                object.load_delta.map(u64::cast_signed),
                object.storage_type,
                stored_json(object.extdata),
            ],
        )?;
        self.registry.code_objects.insert(object.id, object.process);
        Ok(object.id)
    }

    /// Registers a kernel symbol.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_kernel_symbol(&mut self, symbol: &KernelSymbol<'_>) -> Result<KernelSymbolId> {
        let process = self.registry.loaded_by(symbol.code_object)?;
        let node = self.registry.node_of(process)?;
        if same(
            &self.registry.kernel_symbols,
            "kernel symbol",
            (symbol.id, symbol.id.get()),
            (symbol.code_object, "code object"),
        )? {
            return Ok(symbol.id);
        }
        self.write_registration(
            |s| &s.kernel_symbol,
            params![
                symbol.id,
                node,
                process,
                symbol.code_object,
                symbol.kernel_name,
                symbol.display_name,
                symbol.kernel_object.map(u64::cast_signed),
                symbol.kernarg_segment_size.map(u64::cast_signed),
                symbol.kernarg_segment_alignment.map(u64::cast_signed),
                symbol.group_segment_size.map(u64::cast_signed),
                symbol.private_segment_size.map(u64::cast_signed),
                symbol.sgpr_count.map(u64::cast_signed),
                symbol.arch_vgpr_count.map(u64::cast_signed),
                symbol.accum_vgpr_count.map(u64::cast_signed),
                stored_json(symbol.extdata),
            ],
        )?;
        self.registry
            .kernel_symbols
            .insert(symbol.id, symbol.code_object);
        Ok(symbol.id)
    }

    /// Registers a track.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_track(&mut self, track: &Track<'_>) -> Result<TrackId> {
        let key = (
            track.node,
            track.process,
            track.thread,
            track.name.map(Into::into),
        );
        if let Some(id) = self.registry.tracks.find(&key) {
            return Ok(TrackId::new(id));
        }
        self.registry.check_node(track.node)?;
        if let Some(process) = track.process {
            self.registry.node_of(process)?;
        }
        self.registry.check_thread(track.thread)?;
        let name = self.optional_string(track.name)?;
        self.write_registration(
            |s| &s.track,
            params![
                track.node,
                track.process,
                track.thread,
                name,
                stored_json(track.extdata),
            ],
        )?;
        let id = self.registry.tracks.add(key, ());
        Ok(TrackId::new(id))
    }

    /// Registers a string. Rows that take a name do it by themselves.
    ///
    /// # Errors
    /// As for all of them.
    pub fn register_string(&mut self, string: &str) -> Result<StringId> {
        self.intern(string)
            .map(|id| StringId::new(id.cast_unsigned()))
    }

    /// Writes a row that others will refer to.
    fn write_registration(
        &mut self,
        sql: impl FnOnce(&Statements) -> &str,
        params: impl Params,
    ) -> Result<i64> {
        let id = self.write(sql, params)?;
        self.transaction = Transaction::OpenWithRegistrations;
        Ok(id)
    }

    /// The row of a string, if there is one to name.
    pub(super) fn optional_string(&mut self, string: Option<&str>) -> Result<Option<i64>> {
        string.map(|string| self.intern(string)).transpose()
    }

    /// The row of a string, a new one if need be.
    pub(super) fn intern(&mut self, string: &str) -> Result<i64> {
        if let Some(id) = self.registry.strings.get(string) {
            return Ok(*id);
        }
        let id = self.write_registration(|s| &s.string, [string])?;
        self.registry.strings.insert(string.into(), id);
        Ok(id)
    }
}

/// Whether the id is registered already for the same owner; for another owner it is an error.
fn same<K: Eq + Hash, V: Copy + Eq + Display>(
    map: &HashMap<K, V>,
    what: &'static str,
    (key, id): (K, u64),
    (owner, owner_is): (V, &str),
) -> Result<bool> {
    match map.get(&key) {
        None => Ok(false),
        Some(first) if *first == owner => Ok(true),
        Some(first) => Err(Error::Taken {
            what,
            id,
            owner: format!("{owner_is} {first}"),
        }),
    }
}
