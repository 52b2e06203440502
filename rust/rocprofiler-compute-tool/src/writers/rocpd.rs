//! The counters as a rocpd that merges with the SDK's.

use std::path::Path;
use std::sync::Arc;

use rocpd::writer::{
    Agent, AgentId, AgentType, Mode, Node, NodeId, Pmc, PmcId, Process, ProcessId, ValueType,
};
use rocpd::{Error, Guid, Storage, Writer};

use super::{CountersWriter, WriterError, file_name, make_folder};
use crate::capture::{Dispatch, Value};
use crate::log;
use crate::plan::{self, Plan};
use crate::process;

/// So many names are tried where the name is taken.
const ATTEMPTS: u32 = 1000;

/// Writes `<pid>_native_counter_collection.db`: node, process, agents, PMC info, events, PMC
/// events.
pub struct RocpdCountersWriter {
    writer: Writer,
    process: ProcessId,
    /// By [`plan::CounterIndex`].
    pmcs: Vec<PmcId>,
    /// The values of one dispatch.
    row: Vec<(PmcId, f64)>,
}

impl RocpdCountersWriter {
    /// Makes the file with all that is known before the first value, and has that on the disk.
    ///
    /// # Errors
    /// If the file cannot be made or written.
    pub fn create(
        folder: &Path,
        guid: &Guid,
        plan: &Arc<Plan>,
        init: u64,
    ) -> Result<Self, WriterError> {
        make_folder(folder)?;
        let facts = process::Process::current();
        let mut writer = Writer::new(new_storage(folder, facts.pid, guid)?)?;
        let node = register_node(&mut writer)?;
        let process = writer.register_process(&Process {
            node,
            ppid: Some(facts.ppid.into()),
            pid: facts.pid.into(),
            init: Some(init),
            fini: None,
            start: facts.start,
            end: None,
            command: Some(&facts.command),
            environment: "",
            extdata: "",
        })?;
        let pmcs = register_counters(&mut writer, process, plan)?;
        // A crash from now on loses values at most.
        writer.checkpoint()?;
        Ok(Self {
            writer,
            process,
            pmcs,
            row: Vec::new(),
        })
    }
}

/// Makes the file under the first name that is not taken.
fn new_storage(folder: &Path, pid: u32, guid: &Guid) -> Result<Storage, Error> {
    let mut attempt = 1;
    loop {
        let path = folder.join(file_name(pid, attempt, "db"));
        match Storage::create(&path, guid.clone(), Mode::Durable) {
            Ok(storage) => {
                if attempt > 1 {
                    let taken = folder.join(file_name(pid, 1, "db"));
                    log::say(format_args!(
                        "{} is taken, the counters go to {}",
                        taken.display(),
                        path.display()
                    ));
                }
                return Ok(storage);
            }
            Err(Error::Exists { .. }) if attempt < ATTEMPTS => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

fn register_node(writer: &mut Writer) -> Result<NodeId, Error> {
    let facts = process::Node::current();
    let [system_name, hostname, release, version, hardware_name] = &facts.uname;
    writer.register_node(&Node {
        id: NodeId::new(1),
        hash: facts.hash(),
        machine_id: &facts.machine_id,
        system_name: Some(system_name),
        hostname: Some(hostname),
        release: Some(release),
        version: Some(version),
        hardware_name: Some(hardware_name),
        domain_name: None,
    })
}

fn register_counters(
    writer: &mut Writer,
    process: ProcessId,
    plan: &Plan,
) -> Result<Vec<PmcId>, Error> {
    let mut agents = Vec::new();
    for agent in &plan.agents {
        let id = register_agent(writer, process, agent, u64::try_from(agent.type_index).ok())?;
        // Agents that the process may not use have no index of their own, and to the writer the
        // index tells agents of one type apart.
        let id = if agents.contains(&id) {
            let apart = (1 << 32) | u64::from(agent.absolute_index);
            register_agent(writer, process, agent, Some(apart))?
        } else {
            id
        };
        agents.push(id);
    }
    plan.counters
        .iter()
        .map(|counter| {
            let info = &counter.info;
            writer.register_pmc(&Pmc {
                process,
                agent: agents.get(counter.agent as usize).copied(),
                target_arch: Some(AgentType::Gpu),
                event_code: None,
                instance_id: None,
                name: &info.name,
                symbol: &info.name,
                description: Some(&info.description),
                long_description: None,
                component: Some("rocm"),
                units: None,
                value_type: Some(ValueType::Absolute),
                block: Some(&info.block),
                expression: Some(&info.expression),
                is_constant: Some(info.is_constant),
                is_derived: Some(info.is_derived),
                extdata: "",
            })
        })
        .collect()
}

fn register_agent(
    writer: &mut Writer,
    process: ProcessId,
    agent: &plan::Agent,
    type_index: Option<u64>,
) -> Result<AgentId, Error> {
    writer.register_agent(&Agent {
        process,
        agent_type: agent_type(agent),
        absolute_index: Some(agent.absolute_index.into()),
        logical_index: u64::try_from(agent.logical_index).ok(),
        type_index,
        uuid: Some(agent.device.into()),
        name: Some(&agent.name),
        model_name: Some(&agent.model),
        vendor_name: Some(&agent.vendor),
        product_name: Some(&agent.product),
        user_name: None,
        extdata: "",
    })
}

fn agent_type(agent: &plan::Agent) -> Option<AgentType> {
    if agent.is_gpu() {
        Some(AgentType::Gpu)
    } else {
        agent.is_cpu().then_some(AgentType::Cpu)
    }
}

impl CountersWriter for RocpdCountersWriter {
    fn path(&self) -> &Path {
        self.writer.storage().path()
    }

    fn dispatch(&mut self, dispatch: &Dispatch, values: &[Value]) -> Result<(), WriterError> {
        self.row.clear();
        for value in values {
            let pmc = self
                .pmcs
                .get(value.counter as usize)
                .ok_or(WriterError::Unplanned(value.counter))?;
            self.row.push((*pmc, value.value));
        }
        Ok(self
            .writer
            .insert_counter_values(dispatch.dispatch_id, &self.row)?)
    }

    fn commit(&mut self) -> Result<(), WriterError> {
        Ok(self.writer.commit()?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriterError> {
        let now = process::now();
        self.writer
            .end_process(self.process, Some(now), Some(now))?;
        Ok(self.writer.close()?)
    }
}
