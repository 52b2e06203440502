//! What is registered before anything refers to it. What is `None` is NULL in the file; `extdata`
//! and `environment` are JSON (see [`stored_json`](super::stored_json)), empty for `{}`.

use rusqlite::ToSql;
use rusqlite::types::{Null, ToSqlOutput};

use super::{
    AgentId, CodeObjectId, KernelSymbolId, NodeId, ProcessId, QueueId, StreamId, ThreadId,
};

/// Declares the values of a column that has a CHECK.
macro_rules! checked_column {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let text: Option<&'static str> = match self {
                    $(Self::$variant => $text,)*
                };
                Ok(text.map_or(Null.into(), Into::into))
            }
        }
    };
}
pub(super) use checked_column;

checked_column!(
    /// `rocpd_info_agent.type` and `rocpd_info_pmc.target_arch`.
    AgentType {
        /// A CPU socket.
        Cpu = Some("CPU"),
        /// A GPU.
        Gpu = Some("GPU"),
        /// A network card. Schema 3.0.0 has no value for it (3.0.1 has): it is stored as NULL.
        Nic = None,
    }
);

checked_column!(
    /// `rocpd_info_pmc.value_type`.
    ValueType {
        /// The value as it is.
        Absolute = Some("ABS"),
        /// The value since the start.
        Accumulated = Some("ACCUM"),
        /// The value relative to another.
        Relative = Some("RELATIVE"),
    }
);

checked_column!(
    /// `rocpd_info_code_object.storage_type`.
    StorageType {
        /// Loaded from a file.
        File = Some("FILE"),
        /// Loaded from memory.
        Memory = Some("MEMORY"),
    }
);

/// A machine. It is the same as another if the ids are equal.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    /// The row's id.
    pub id: NodeId,
    /// A hash of the machine id; unique in the file.
    pub hash: u64,
    /// The machine id, as in `/etc/machine-id`; unique in the file.
    pub machine_id: &'a str,
    /// `uname`'s sysname.
    pub system_name: Option<&'a str>,
    /// `uname`'s nodename.
    pub hostname: Option<&'a str>,
    /// `uname`'s release.
    pub release: Option<&'a str>,
    /// `uname`'s version.
    pub version: Option<&'a str>,
    /// `uname`'s machine.
    pub hardware_name: Option<&'a str>,
    /// `uname`'s domainname.
    pub domain_name: Option<&'a str>,
}

/// A process. It is the same as another if node and pid are equal.
#[derive(Clone, Copy, Debug)]
pub struct Process<'a> {
    /// Where it runs.
    pub node: NodeId,
    /// The parent's OS pid.
    pub ppid: Option<u64>,
    /// The OS pid.
    pub pid: u64,
    /// When the profiler was set up, ns.
    pub init: Option<u64>,
    /// When the profiler was torn down, ns.
    pub fini: Option<u64>,
    /// When the process started, ns.
    pub start: Option<u64>,
    /// When the process ended, ns.
    pub end: Option<u64>,
    /// The command line.
    pub command: Option<&'a str>,
    /// The environment, JSON.
    pub environment: &'a str,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A thread. It is the same as another if process and tid are equal.
#[derive(Clone, Copy, Debug)]
pub struct Thread<'a> {
    /// Whose thread it is.
    pub process: ProcessId,
    /// The OS pid of the process's parent.
    pub ppid: Option<u64>,
    /// The OS tid.
    pub tid: u64,
    /// Its name.
    pub name: Option<&'a str>,
    /// When it started, ns.
    pub start: Option<u64>,
    /// When it ended, ns.
    pub end: Option<u64>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A device that runs work. It is the same as another if process, type and type index are equal.
#[derive(Clone, Copy, Debug)]
pub struct Agent<'a> {
    /// The process that sees it.
    pub process: ProcessId,
    /// What it is.
    pub agent_type: Option<AgentType>,
    /// Its number among all agents of the node.
    pub absolute_index: Option<u64>,
    /// Its number among those the process may see.
    pub logical_index: Option<u64>,
    /// Its number among those of its type.
    pub type_index: Option<u64>,
    /// The device's own number.
    pub uuid: Option<u64>,
    /// Its name, as in `gfx942`.
    pub name: Option<&'a str>,
    /// The model's name.
    pub model_name: Option<&'a str>,
    /// The vendor's name.
    pub vendor_name: Option<&'a str>,
    /// The product's name, as in `AMD Instinct MI300X`.
    pub product_name: Option<&'a str>,
    /// The name that the user knows.
    pub user_name: Option<&'a str>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A queue. It is the same as another if the ids are equal.
#[derive(Clone, Copy, Debug)]
pub struct Queue<'a> {
    /// The row's id.
    pub id: QueueId,
    /// Whose queue it is.
    pub process: ProcessId,
    /// Its name.
    pub name: Option<&'a str>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A stream. It is the same as another if the ids are equal.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// The row's id.
    pub id: StreamId,
    /// Whose stream it is.
    pub process: ProcessId,
    /// Its name.
    pub name: Option<&'a str>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A counter of an agent. It is the same as another if process, agent and name are equal.
#[derive(Clone, Copy, Debug)]
pub struct Pmc<'a> {
    /// Whose counter it is.
    pub process: ProcessId,
    /// The agent that counts.
    pub agent: Option<AgentId>,
    /// What kind of agent counts.
    pub target_arch: Option<AgentType>,
    /// The hardware's number of the event.
    pub event_code: Option<u64>,
    /// Which of several instances.
    pub instance_id: Option<u64>,
    /// The name to show.
    pub name: &'a str,
    /// The name that other files know it by.
    pub symbol: &'a str,
    /// In one line.
    pub description: Option<&'a str>,
    /// In full.
    pub long_description: Option<&'a str>,
    /// The software or hardware it belongs to.
    pub component: Option<&'a str>,
    /// Units of its values.
    pub units: Option<&'a str>,
    /// What its values are relative to.
    pub value_type: Option<ValueType>,
    /// The hardware block.
    pub block: Option<&'a str>,
    /// How it is derived from others.
    pub expression: Option<&'a str>,
    /// Whether its value never changes.
    pub is_constant: Option<bool>,
    /// Whether it is derived from others.
    pub is_derived: Option<bool>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A code object as loaded. It is the same as another if the ids are equal.
#[derive(Clone, Copy, Debug)]
pub struct CodeObject<'a> {
    /// The row's id.
    pub id: CodeObjectId,
    /// Who loaded it.
    pub process: ProcessId,
    /// Where it was loaded.
    pub agent: Option<AgentId>,
    /// Where it came from.
    pub uri: Option<&'a str>,
    /// Address where it is.
    pub load_base: Option<u64>,
    /// Bytes.
    pub load_size: Option<u64>,
    /// Address minus the address it was linked for.
    pub load_delta: Option<u64>,
    /// Where it was loaded from.
    pub storage_type: Option<StorageType>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A kernel of a code object. It is the same as another if the ids are equal.
#[derive(Clone, Copy, Debug)]
pub struct KernelSymbol<'a> {
    /// The row's id.
    pub id: KernelSymbolId,
    /// Where it is defined.
    pub code_object: CodeObjectId,
    /// The mangled name.
    pub kernel_name: Option<&'a str>,
    /// The name to show.
    pub display_name: Option<&'a str>,
    /// The kernel object's address.
    pub kernel_object: Option<u64>,
    /// Bytes.
    pub kernarg_segment_size: Option<u64>,
    /// Bytes.
    pub kernarg_segment_alignment: Option<u64>,
    /// LDS, bytes.
    pub group_segment_size: Option<u64>,
    /// Scratch, bytes.
    pub private_segment_size: Option<u64>,
    /// Scalar registers.
    pub sgpr_count: Option<u64>,
    /// Vector registers.
    pub arch_vgpr_count: Option<u64>,
    /// Accumulation registers.
    pub accum_vgpr_count: Option<u64>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}

/// A line of the timeline. It is the same as another if all but `extdata` are equal.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// The node it belongs to.
    pub node: NodeId,
    /// The process it belongs to, if it is not the whole node's.
    pub process: Option<ProcessId>,
    /// The thread it belongs to, if it is not the whole process's.
    pub thread: Option<ThreadId>,
    /// Its name.
    pub name: Option<&'a str>,
    /// Anything else, JSON.
    pub extdata: &'a str,
}
