//! What is counted on which agent: made once, when a GPU is first used, and fixed from then on.

use std::fmt;

use rocprofiler_sdk_sys::{
    ROCPROFILER_AGENT_TYPE_CPU, ROCPROFILER_AGENT_TYPE_GPU,
    ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT, rocprofiler_agent_id_t, rocprofiler_agent_type_t,
    rocprofiler_agent_v0_t, rocprofiler_counter_config_id_t, rocprofiler_counter_id_t, sized_field,
};
use rustc_hash::FxHashMap;

use crate::sdk::{CounterInfo, Sdk, SdkError, text_of};
use crate::settings::{CounterSet, Multiplexing};

/// Number of an agent in [`Plan::agents`].
pub type AgentIndex = u32;
/// Number of a counter of an agent in [`Plan::counters`].
pub type CounterIndex = u32;

/// An agent as the SDK lists it, and what is collected on it.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The SDK's handle.
    pub id: rocprofiler_agent_id_t,
    /// GPU, CPU or something newer.
    pub kind: rocprofiler_agent_type_t,
    /// `node_id`.
    pub absolute_index: u32,
    /// `logical_node_id`.
    pub logical_index: i32,
    /// `logical_node_type_id`.
    pub type_index: i32,
    /// `device_id`.
    pub device: u16,
    /// `gfx942`.
    pub name: String,
    /// Model.
    pub model: String,
    /// Vendor.
    pub vendor: String,
    /// Product.
    pub product: String,
    /// The sets that it can collect, in the order of the settings.
    pub configs: Vec<rocprofiler_counter_config_id_t>,
}

impl Agent {
    /// Reads the SDK's struct; `None` if an older SDK's has not even the node's number.
    ///
    /// # Safety
    /// `agent` is an agent of the SDK.
    unsafe fn read(agent: *const rocprofiler_agent_v0_t) -> Option<Self> {
        // SAFETY: the caller's promise; strings are NULL or C strings that stay.
        unsafe {
            macro_rules! field {
                ($name:ident) => {
                    sized_field!(agent, rocprofiler_agent_v0_t, $name)
                };
            }
            let text = |text: Option<_>| text.and_then(|text| text_of(text)).unwrap_or_default();
            Some(Self {
                id: field!(id)?,
                kind: field!(type_)?,
                absolute_index: field!(node_id)?,
                logical_index: field!(logical_node_id).unwrap_or(-1),
                type_index: field!(logical_node_type_id).unwrap_or(-1),
                device: field!(device_id)?,
                name: text(field!(name)),
                model: text(field!(model_name)),
                vendor: text(field!(vendor_name)),
                product: text(field!(product_name)),
                configs: Vec::new(),
            })
        }
    }

    /// Whether it is a CPU.
    #[must_use]
    pub fn is_cpu(&self) -> bool {
        self.kind == ROCPROFILER_AGENT_TYPE_CPU
    }

    /// Whether it is a GPU.
    #[must_use]
    pub fn is_gpu(&self) -> bool {
        self.kind == ROCPROFILER_AGENT_TYPE_GPU
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {} ({})", self.absolute_index, self.name)
    }
}

/// A counter of an agent that is collected there.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its agent.
    pub agent: AgentIndex,
    /// What the SDK tells of it.
    pub info: CounterInfo,
}

/// What is counted where.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// All agents that the SDK lists.
    pub agents: Vec<Agent>,
    /// Each counter of each agent that is collected.
    pub counters: Vec<Counter>,
    by_agent: FxHashMap<u64, AgentIndex>,
    by_handle: FxHashMap<(AgentIndex, u64), CounterIndex>,
}

impl Plan {
    /// Asks the SDK what there is and makes the configs. What is wrong with an agent goes to
    /// `report`, a line each; the others go on.
    ///
    /// # Errors
    /// If the agents cannot be listed.
    pub fn new(
        sdk: &Sdk,
        sets: &[CounterSet],
        multiplexing: Multiplexing,
        report: &mut dyn FnMut(String),
    ) -> Result<Self, SdkError> {
        let sets = match multiplexing {
            Multiplexing::Off => sets.get(..1).unwrap_or(sets),
            _ => sets,
        };
        let mut agents = Vec::new();
        let mut counters = Vec::new();
        for (index, agent) in (0..).zip(sdk.agents()?) {
            // SAFETY: the pointer comes from the SDK.
            let Some(mut agent) = (unsafe { Agent::read(agent) }) else {
                report(
                    "an agent is left out: the SDK is too old to tell its node number".to_owned(),
                );
                continue;
            };
            if agent.is_gpu() {
                match available(sdk, &agent, sets) {
                    Ok(available) => {
                        let infos = make_configs(sdk, &mut agent, sets, &available, report);
                        counters
                            .extend(infos.into_iter().map(|info| Counter { agent: index, info }));
                    }
                    Err(error) => report(format!("{agent} is left out: {}", error.on(&agent))),
                }
            }
            agents.push(agent);
        }
        Ok(Self::of(agents, counters))
    }

    /// A plan of agents and counters that are known already.
    #[must_use]
    pub fn of(agents: Vec<Agent>, counters: Vec<Counter>) -> Self {
        let handles = counters
            .iter()
            .map(|counter| (counter.agent, counter.info.handle));
        Self {
            by_agent: agents
                .iter()
                .map(|agent| agent.id.handle)
                .zip(0..)
                .collect(),
            by_handle: handles.zip(0..).collect(),
            agents,
            counters,
        }
    }

    /// The agent of a handle.
    #[must_use]
    pub fn agent(&self, id: rocprofiler_agent_id_t) -> Option<(AgentIndex, &Agent)> {
        let index = *self.by_agent.get(&id.handle)?;
        Some((index, self.agents.get(index as usize)?))
    }

    /// The counter that a handle is on an agent.
    #[must_use]
    pub fn counter(&self, agent: AgentIndex, handle: u64) -> Option<CounterIndex> {
        self.by_handle.get(&(agent, handle)).copied()
    }

    /// The counter of a name on an agent.
    #[must_use]
    pub fn counter_by_name(&self, agent: AgentIndex, name: &str) -> Option<CounterIndex> {
        let found = self
            .counters
            .iter()
            .position(|counter| counter.agent == agent && counter.info.name == name)?;
        CounterIndex::try_from(found).ok()
    }

    /// Whether there is anything to count.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// Agents on which something is counted.
    #[must_use]
    pub fn counting_agents(&self) -> usize {
        self.agents
            .iter()
            .filter(|agent| !agent.configs.is_empty())
            .count()
    }
}

/// The counters of the sets that an agent has, by name; and an error where the SDK does not tell what
/// some of its counters are.
type Available = (FxHashMap<String, CounterInfo>, Option<SdkError>);

fn available(sdk: &Sdk, agent: &Agent, sets: &[CounterSet]) -> Result<Available, SdkError> {
    let wanted = |name: &str| sets.iter().flatten().any(|wanted| wanted == name);
    let mut found = FxHashMap::default();
    let mut untold = None;
    for counter in sdk.counters_of(agent.id)? {
        match sdk.counter_info(counter) {
            Ok(info) if wanted(&info.name) => {
                found.entry(info.name.clone()).or_insert(info);
            }
            Ok(_) => {}
            Err(error) => untold = Some(error),
        }
    }
    Ok((found, untold))
}

/// Makes a config of each set that the agent can collect, and gives the counters that are in one.
fn make_configs(
    sdk: &Sdk,
    agent: &mut Agent,
    sets: &[CounterSet],
    (available, untold): &Available,
    report: &mut dyn FnMut(String),
) -> Vec<CounterInfo> {
    let mut collected: Vec<CounterInfo> = Vec::new();
    let mut missing: Vec<&str> = Vec::new();
    for set in sets {
        let (there, not_there): (Vec<_>, Vec<_>) = set
            .iter()
            .map(|name| (name.as_str(), available.get(name)))
            .partition(|(_, info)| info.is_some());
        for (name, _) in not_there {
            if !missing.contains(&name) {
                missing.push(name);
            }
        }
        let infos: Vec<&CounterInfo> = there.into_iter().filter_map(|(_, info)| info).collect();
        if infos.is_empty() {
            continue;
        }
        let handles: Vec<_> = infos
            .iter()
            .map(|info| rocprofiler_counter_id_t {
                handle: info.handle,
            })
            .collect();
        match sdk.counter_config(agent.id, &handles) {
            Ok(config) => {
                agent.configs.push(config);
                for info in infos {
                    if !collected.contains(info) {
                        collected.push(info.clone());
                    }
                }
            }
            Err(error) => {
                let names: Vec<&str> = infos.iter().map(|info| info.name.as_str()).collect();
                let remedy = match &error {
                    SdkError::Failed { status, .. }
                        if status.code == ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT =>
                    {
                        "; they do not fit the hardware in one pass: split the set"
                    }
                    _ => "",
                };
                let (names, error) = (names.join(" "), error.on(&*agent));
                report(format!(
                    "these counters are not collected on {agent}: {names}: {error}{remedy}"
                ));
            }
        }
    }
    if !missing.is_empty() {
        let names = missing.join(" ");
        report(match untold {
            Some(error) => format!(
                "these counters are not known on {agent}, the rest is collected: {names}: {}",
                error.clone().on(&*agent)
            ),
            None => {
                format!("{agent} has no counter of these names, the rest is collected: {names}")
            }
        });
    }
    collected
}
