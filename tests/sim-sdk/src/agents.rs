//! The scenario's agents and counters as C structs, which live as long as the process.

use std::ffi::{CString, c_char};

use rocprofiler_sdk_sys::*;

use crate::scenario::{Counter, RecordIds, Scenario};

/// Bits of an instance's number in a record id.
const INSTANCE_BITS: u32 = 24;
/// Bits of a counter's number in its handle; the agent's node number is above them.
const COUNTER_BITS: u32 = 16;

pub(crate) struct Agents {
    pub(crate) structs: Vec<rocprofiler_agent_v0_t>,
    counters: Vec<CounterText>,
}

// SAFETY: the pointers in it lead to leaked memory that nobody writes.
unsafe impl Send for Agents {}
// SAFETY: as above.
unsafe impl Sync for Agents {}

struct CounterText {
    name: *const c_char,
    description: *const c_char,
    block: *const c_char,
    expression: *const c_char,
}

/// A string that is never freed.
fn leak(text: &str) -> *const c_char {
    let text = CString::new(text).unwrap_or_else(|error| panic!("a NUL in the scenario: {error}"));
    Box::leak(text.into_boxed_c_str()).as_ptr()
}

impl Agents {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let structs = scenario.agents.iter().map(agent_struct).collect();
        let counters = scenario
            .counters
            .iter()
            .map(|counter| CounterText {
                name: leak(&counter.name),
                description: leak(&counter.description),
                block: leak(&counter.block),
                expression: leak(&counter.expression),
            })
            .collect();
        Self { structs, counters }
    }

    /// Index of the agent that a handle names.
    pub(crate) fn index_of(&self, id: rocprofiler_agent_id_t) -> Option<usize> {
        self.structs.iter().position(|agent| agent.id == id)
    }

    pub(crate) fn info(
        &self,
        scenario: &Scenario,
        handle: rocprofiler_counter_id_t,
    ) -> Option<rocprofiler_counter_info_v0_t> {
        let index = counter_of(handle)?;
        let (text, counter) = (self.counters.get(index)?, scenario.counters.get(index)?);
        let mut flags = 0;
        if counter.is_constant {
            flags |= ROCPROFILER_COUNTER_INFO_IS_CONSTANT;
        }
        if counter.is_derived {
            flags |= ROCPROFILER_COUNTER_INFO_IS_DERIVED;
        }
        Some(rocprofiler_counter_info_v0_t {
            id: handle,
            name: text.name,
            description: text.description,
            block: text.block,
            expression: text.expression,
            flags,
        })
    }
}

fn agent_struct(agent: &crate::scenario::Agent) -> rocprofiler_agent_v0_t {
    // SAFETY: the struct is plain data, for which zero and NULL are valid.
    let mut out: rocprofiler_agent_v0_t = unsafe { std::mem::zeroed() };
    out.size = size_of::<rocprofiler_agent_v0_t>() as u64;
    // Not the node number, so that a tool that takes one for the other is seen.
    out.id = rocprofiler_agent_id_t {
        handle: 0xA6E0_0000 + u64::from(agent.node_id),
    };
    out.type_ = if agent.r#type == "CPU" {
        ROCPROFILER_AGENT_TYPE_CPU
    } else {
        ROCPROFILER_AGENT_TYPE_GPU
    };
    out.name = leak(&agent.name);
    out.vendor_name = leak(&agent.vendor);
    out.product_name = leak(&agent.product);
    out.model_name = leak(&agent.model);
    out.node_id = agent.node_id;
    out.logical_node_id = agent
        .logical_node_id
        .unwrap_or_else(|| i32::try_from(agent.node_id).unwrap_or(-1));
    out.logical_node_type_id = agent.logical_node_type_id;
    out.device_id = agent.device_id;
    out
}

/// Handles of an agent's counters, in the scenario's order.
pub(crate) fn counters_of(scenario: &Scenario, agent: usize) -> Vec<rocprofiler_counter_id_t> {
    let agent = &scenario.agents[agent];
    if agent.r#type == "CPU" {
        return Vec::new();
    }
    let has = |counter: &Counter| {
        agent
            .counters
            .as_ref()
            .is_none_or(|names| names.contains(&counter.name))
    };
    let numbered = scenario.counters.iter().enumerate();
    numbered
        .filter(|(_, counter)| has(counter))
        .map(|(index, _)| handle(agent.node_id, index))
        .collect()
}

/// A counter's handle on an agent. Node 0 has a mark too: handles without an agent have none.
pub(crate) fn handle(node_id: u32, counter: usize) -> rocprofiler_counter_id_t {
    rocprofiler_counter_id_t {
        handle: (u64::from(node_id + 1) << COUNTER_BITS) | (counter as u64 + 1),
    }
}

/// Index of the counter that a handle names, with or without an agent.
pub(crate) fn counter_of(handle: rocprofiler_counter_id_t) -> Option<usize> {
    let number = handle.handle & ((1 << COUNTER_BITS) - 1);
    usize::try_from(number).ok()?.checked_sub(1)
}

/// The id that a record of one hardware instance carries.
pub(crate) fn record_id(ids: RecordIds, counter: rocprofiler_counter_id_t, instance: u32) -> u64 {
    let handle = match ids {
        RecordIds::Agent => counter.handle,
        RecordIds::Base => counter.handle & ((1 << COUNTER_BITS) - 1),
    };
    (handle << INSTANCE_BITS) | u64::from(instance)
}

/// What `rocprofiler_query_record_counter_id` answers.
pub(crate) fn counter_of_record(id: u64) -> rocprofiler_counter_id_t {
    rocprofiler_counter_id_t {
        handle: id >> INSTANCE_BITS,
    }
}

/// The value that the scenario gives a counter's instance.
#[expect(clippy::cast_precision_loss, reason = "scenarios have small numbers")]
pub(crate) fn value(counter: &Counter, dispatch: u64, node_id: u32, instance: u32) -> f64 {
    counter.base
        + counter.per_dispatch * dispatch as f64
        + counter.per_agent * f64::from(node_id)
        + counter.per_instance * f64::from(instance)
}

/// The instance that a record id names.
pub(crate) fn instance_of(id: u64) -> usize {
    usize::try_from(id & ((1 << INSTANCE_BITS) - 1)).unwrap_or(usize::MAX)
}
