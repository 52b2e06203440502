//! The writer of this repository, as its users call it.

use std::path::Path;

use rocpd::writer::{
    Agent, AgentType, Event, Node, NodeId, Pmc, PmcEvent, PmcId, Process, ProcessId,
};
use rocpd::{Guid, Mode, Storage, Writer};

use crate::Result;

/// Counters of a dispatch.
pub(crate) const COUNTERS: u64 = 50;

/// Values between two commits in durable mode.
pub(crate) const VALUES_PER_COMMIT: u64 = 50_000;

/// All values of a dispatch on one event.
pub(crate) fn shared_event(path: &Path, mode: Mode, values: u64) -> Result<()> {
    let (mut writer, pmcs) = start(path, mode)?;
    let mut row = Vec::new();
    let mut since_commit = 0;
    for dispatch in 1..=values / COUNTERS {
        row.clear();
        let first = (dispatch - 1) * COUNTERS;
        row.extend((first..).zip(&pmcs).map(|(n, pmc)| (*pmc, value(n))));
        writer.insert_counter_values(dispatch, &row)?;
        since_commit += COUNTERS;
        commit_if_due(&mut writer, mode, &mut since_commit)?;
    }
    writer.close()?;
    Ok(())
}

/// Each value on an event of its own.
pub(crate) fn fresh_event(path: &Path, mode: Mode, values: u64) -> Result<()> {
    let (mut writer, pmcs) = start(path, mode)?;
    let mut since_commit = 0;
    for (n, pmc) in (0..values).zip(pmcs.iter().cycle()) {
        writer.insert_pmc_event(&PmcEvent {
            pmc: *pmc,
            value: value(n),
            event: Some(Event {
                correlation_id: Some(n + 1),
                ..Event::default()
            }),
            sample: None,
            extdata: "",
        })?;
        since_commit += 1;
        commit_if_due(&mut writer, mode, &mut since_commit)?;
    }
    writer.close()?;
    Ok(())
}

fn commit_if_due(writer: &mut Writer, mode: Mode, since_commit: &mut u64) -> Result<()> {
    if mode == Mode::Durable && *since_commit >= VALUES_PER_COMMIT {
        writer.commit()?;
        *since_commit = 0;
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "numbers of rows are small")]
fn value(n: u64) -> f64 {
    n as f64 + 0.5
}

/// A new file with a node, a process, an agent and its counters.
fn start(path: &Path, mode: Mode) -> Result<(Writer, Vec<PmcId>)> {
    let storage = Storage::create(path, Guid::new(), mode)?;
    let mut writer = Writer::new(storage)?;
    let node = writer.register_node(&Node {
        id: NodeId::new(1),
        hash: 1,
        machine_id: "bench",
        system_name: None,
        hostname: None,
        release: None,
        version: None,
        hardware_name: None,
        domain_name: None,
    })?;
    let process = writer.register_process(&Process {
        node,
        ppid: None,
        pid: 1,
        init: None,
        fini: None,
        start: None,
        end: None,
        command: None,
        environment: "",
        extdata: "",
    })?;
    let pmcs = register_counters(&mut writer, process)?;
    writer.checkpoint()?;
    Ok((writer, pmcs))
}

fn register_counters(writer: &mut Writer, process: ProcessId) -> Result<Vec<PmcId>> {
    let agent = writer.register_agent(&Agent {
        process,
        agent_type: Some(AgentType::Gpu),
        absolute_index: Some(1),
        logical_index: Some(1),
        type_index: Some(0),
        uuid: None,
        name: None,
        model_name: None,
        vendor_name: None,
        product_name: None,
        user_name: None,
        extdata: "",
    })?;
    let register = |n| {
        let name = format!("COUNTER_{n}");
        Ok(writer.register_pmc(&Pmc {
            process,
            agent: Some(agent),
            target_arch: Some(AgentType::Gpu),
            event_code: None,
            instance_id: None,
            name: &name,
            symbol: &name,
            description: None,
            long_description: None,
            component: None,
            units: None,
            value_type: None,
            block: None,
            expression: None,
            is_constant: None,
            is_derived: None,
            extdata: "",
        })?)
    };
    (0..COUNTERS).map(register).collect()
}
