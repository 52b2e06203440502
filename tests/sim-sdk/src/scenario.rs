//! What to simulate: a JSON file, named by `SIM_SDK_SCENARIO`.

use std::path::PathBuf;

use serde::Deserialize;

/// Names the scenario file.
pub const SCENARIO_VARIABLE: &str = "SIM_SDK_SCENARIO";
/// Names the folder for the SDK's own `<pid>_results.db`; unset: none is written.
pub const RESULTS_VARIABLE: &str = "SIM_SDK_RESULTS";
/// Names a file that gets a line for each call of an SDK function.
pub const CALLS_VARIABLE: &str = "SIM_SDK_CALLS";

/// The whole scenario. Everything has a default, so that a file says only what matters to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// 10000·major + 100·minor + patch.
    pub sdk_version: u32,
    /// When tools are configured.
    pub configure: Configure,
    /// The machine's agents.
    pub agents: Vec<Agent>,
    /// Counters that agents may have.
    pub counters: Vec<Counter>,
    /// How many counters fit one pass on an agent.
    pub max_counters_per_pass: usize,
    /// Kernels, all in one code object per agent.
    pub kernels: Vec<Kernel>,
    /// What `sim_run` launches.
    pub dispatches: Vec<Dispatch>,
    /// Who calls the record callback.
    pub completion: Completion,
    /// Time between launches of a thread, in µs.
    pub interval_us: u64,
    /// Whether a record's id names the counter of its agent, or the counter without its agent.
    pub record_ids: RecordIds,
    /// Records of garbage behind the valid ones.
    pub garbage_records: usize,
    /// Dispatches whose records come after `finalize`.
    pub late_dispatches: u64,
    /// Call `finalize` twice.
    pub finalize_twice: bool,
    /// Calls that fail.
    pub faults: Vec<Fault>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            sdk_version: 10000,
            configure: Configure::default(),
            agents: vec![Agent::default()],
            counters: Vec::new(),
            max_counters_per_pass: usize::MAX,
            kernels: vec![Kernel {
                name: "_Z5vcopyPdS_i.kd".to_owned(),
            }],
            dispatches: Vec::new(),
            completion: Completion::default(),
            interval_us: 0,
            record_ids: RecordIds::default(),
            garbage_records: 0,
            late_dispatches: 0,
            finalize_twice: false,
            faults: Vec::new(),
        }
    }
}

/// When tools are configured.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Configure {
    /// When the application first uses a GPU.
    #[default]
    Gpu,
    /// When the library is loaded, also into a shell.
    Load,
}

/// Who calls the record callback.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    /// The thread that launched.
    #[default]
    Inline,
    /// One thread of the SDK, for all launches.
    Thread,
}

/// What a record's id says.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum RecordIds {
    /// The counter's handle on its agent.
    #[default]
    Agent,
    /// A handle of the counter that no agent has.
    Base,
}

/// An agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Agent {
    /// `GPU` or `CPU`.
    pub r#type: String,
    /// Absolute index.
    pub node_id: u32,
    /// Logical index; the absolute one where it is left out.
    pub logical_node_id: Option<i32>,
    /// Index among the agents of its type.
    pub logical_node_type_id: i32,
    /// PCI device.
    pub device_id: u16,
    /// Architecture.
    pub name: String,
    /// Vendor.
    pub vendor: String,
    /// Product.
    pub product: String,
    /// Model.
    pub model: String,
    /// Names of its counters; all of the scenario's where it is left out.
    pub counters: Option<Vec<String>>,
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            r#type: "GPU".to_owned(),
            node_id: 1,
            logical_node_id: None,
            logical_node_type_id: 0,
            device_id: 29857,
            name: "gfx942".to_owned(),
            vendor: "AMD".to_owned(),
            product: "AMD Instinct MI300X".to_owned(),
            model: "ip discovery".to_owned(),
            counters: None,
        }
    }
}

/// A counter. Its value is `base + per_dispatch · dispatch id + per_agent · node + per_instance ·
/// instance`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Counter {
    /// `SQ_WAVES`.
    pub name: String,
    /// A sentence.
    pub description: String,
    /// Hardware block.
    pub block: String,
    /// Formula.
    pub expression: String,
    /// A constant of the agent.
    pub is_constant: bool,
    /// Computed from others.
    pub is_derived: bool,
    /// Hardware instances, each with a record of its own.
    pub instances: u32,
    /// See above.
    pub base: f64,
    /// See above.
    pub per_dispatch: f64,
    /// See above.
    pub per_agent: f64,
    /// See above.
    pub per_instance: f64,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            block: "SQ".to_owned(),
            expression: String::new(),
            is_constant: false,
            is_derived: false,
            instances: 1,
            base: 0.0,
            per_dispatch: 1.0,
            per_agent: 0.0,
            per_instance: 0.0,
        }
    }
}

/// A kernel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kernel {
    /// Mangled.
    pub name: String,
}

/// Equal launches, one after another. Entries of one thread run in the order of the file, threads
/// run at once.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dispatch {
    /// Index of the kernel.
    pub kernel: usize,
    /// Index of the agent.
    pub agent: usize,
    /// Queue handle.
    pub queue: u64,
    /// Number of the thread.
    pub thread: usize,
    /// Work items.
    pub grid: [u32; 3],
    /// Work items of a workgroup.
    pub workgroup: [u32; 3],
    /// LDS, bytes.
    pub lds: u32,
    /// How many.
    pub repeat: u64,
}

impl Default for Dispatch {
    fn default() -> Self {
        Self {
            kernel: 0,
            agent: 0,
            queue: 1,
            thread: 0,
            grid: [1 << 20, 1, 1],
            workgroup: [256, 1, 1],
            lds: 0,
            repeat: 1,
        }
    }
}

/// A call that fails.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Name of the function.
    pub call: String,
    /// What it answers.
    pub status: u32,
    /// How often; always where it is left out.
    #[serde(default)]
    pub times: Option<u64>,
    /// Only for the agent of this node.
    #[serde(default)]
    pub node_id: Option<u32>,
}

impl Scenario {
    /// Reads the file that the environment names; without one, the default scenario.
    ///
    /// Where the file is not a scenario the process ends with 99: a test has to see that at once.
    #[must_use]
    pub fn from_environment() -> Self {
        let Some(path) = std::env::var_os(SCENARIO_VARIABLE).map(PathBuf::from) else {
            return Self::default();
        };
        std::fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
            .unwrap_or_else(|error| {
                eprintln!(
                    "[sim-sdk] cannot read the scenario {}: {error}",
                    path.display()
                );
                std::process::exit(99)
            })
    }
}
