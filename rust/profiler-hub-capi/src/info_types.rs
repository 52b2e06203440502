//! The types of the info lists: what becomes a part of `profiler_hub_types.h`.

use std::ffi::c_char;

/// A number of 64 bits that is not there: the column is NULL, or the row it names is missing. (A
/// value of exactly this number cannot be told from it; ph_event_details_t and tables can.)
pub const PH_NONE: u64 = u64::MAX;

/// A machine. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_node_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// A hash of the machine id.
    pub hash: u64,
    /// As in /etc/machine-id.
    pub machine_id: *const c_char,
    /// The name of the operating system.
    pub system_name: *const c_char,
    /// The host's name.
    pub hostname: *const c_char,
    /// The release of the operating system.
    pub release: *const c_char,
    /// The version of the operating system.
    pub version: *const c_char,
    /// The machine's architecture.
    pub hardware_name: *const c_char,
    /// The NIS domain.
    pub domain_name: *const c_char,
    /// How many agents it has.
    pub agent_count: u64,
    /// Its agents; NULL if there are none.
    pub agents: *const *const ph_agent_row_t,
}

/// The list that ph_get_nodes fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_node_row_list_t {
    /// Set by the caller: sizeof(ph_node_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_node_row_t,
}

/// A process. Its public id is its pid. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_process_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its pid of the operating system.
    pub pid: u64,
    /// The pid of its parent.
    pub ppid: u64,
    /// When it was initialised, in ns, as stored.
    pub init: u64,
    /// When it was finalised, in ns, as stored.
    pub fini: u64,
    /// When it started, in ns: as its events tell, or its row if it has none.
    pub start: u64,
    /// When it ended, in ns; likewise.
    pub end: u64,
    /// Its command line.
    pub command: *const c_char,
    /// Its environment, as JSON.
    pub environment: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_processes fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_process_row_list_t {
    /// Set by the caller: sizeof(ph_process_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_process_row_t,
}

/// A thread. Its public id is its tid. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_thread_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its id of the operating system.
    pub tid: u64,
    /// The pid of its process's parent.
    pub ppid: u64,
    /// When it started, in ns, as stored.
    pub start: u64,
    /// When it ended, in ns, as stored.
    pub end: u64,
    /// Its name.
    pub name: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_threads fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_thread_row_list_t {
    /// Set by the caller: sizeof(ph_thread_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_thread_row_t,
}

/// A processor. Its public id is its absolute index within its node. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_agent_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// The pid of the process that saw it.
    pub pid: u64,
    /// "CPU", "GPU" or "NIC".
    pub agent_type: *const c_char,
    /// Its place among all agents of its node.
    pub absolute_index: u64,
    /// Its place among those that the application sees.
    pub logical_index: u64,
    /// Its place among those of its type.
    pub type_index: u64,
    /// Its unique id, as the driver gives it.
    pub uuid: u64,
    /// Its name, as gfx942.
    pub name: *const c_char,
    /// Its model.
    pub model_name: *const c_char,
    /// Its vendor.
    pub vendor_name: *const c_char,
    /// Its product name.
    pub product_name: *const c_char,
    /// The name that the user gave it.
    pub user_name: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_agents fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_agent_row_list_t {
    /// Set by the caller: sizeof(ph_agent_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_agent_row_t,
}

/// A queue. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_queue_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its name.
    pub name: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_queues fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_queue_row_list_t {
    /// Set by the caller: sizeof(ph_queue_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_queue_row_t,
}

/// A stream. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_stream_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its name.
    pub name: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_streams fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_stream_row_list_t {
    /// Set by the caller: sizeof(ph_stream_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_stream_row_t,
}

/// A counter of an agent. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_pmc_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its agent's absolute index.
    pub agent_id: u64,
    /// "CPU", "GPU" or "NIC".
    pub target_arch: *const c_char,
    /// The event's code.
    pub event_code: u64,
    /// Which instance of the hardware block.
    pub instance_id: u64,
    /// Its name.
    pub name: *const c_char,
    /// Its symbol.
    pub symbol: *const c_char,
    /// A description.
    pub description: *const c_char,
    /// A longer one.
    pub long_description: *const c_char,
    /// What it is a part of.
    pub component: *const c_char,
    /// The unit of its values.
    pub units: *const c_char,
    /// "ABS", "ACCUM" or "RELATIVE".
    pub value_type: *const c_char,
    /// The hardware block.
    pub block: *const c_char,
    /// How it is derived from other counters.
    pub expression: *const c_char,
    /// 1 if its value never changes.
    pub is_constant: u64,
    /// 1 if it is derived from other counters.
    pub is_derived: u64,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_pmc_infos fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_pmc_row_list_t {
    /// Set by the caller: sizeof(ph_pmc_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_pmc_row_t,
}

/// A code object. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_code_object_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its agent's absolute index.
    pub agent_id: u64,
    /// Where it comes from.
    pub uri: *const c_char,
    /// The address that it is loaded at.
    pub load_base: u64,
    /// Its size in memory, in bytes.
    pub load_size: u64,
    /// The load address less the one in the file, in bytes.
    pub load_delta: u64,
    /// "FILE" or "MEMORY".
    pub storage_type: *const c_char,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_code_objects fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_code_object_row_list_t {
    /// Set by the caller: sizeof(ph_code_object_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_code_object_row_t,
}

/// A kernel. Its public id is its row id. Numbers that are not in the file are PH_NONE,
/// texts are empty.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_kernel_symbol_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub pid: u64,
    /// Its code object.
    pub code_object_id: u64,
    /// The symbol's name.
    pub kernel_name: *const c_char,
    /// The name for a person.
    pub display_name: *const c_char,
    /// The address of its descriptor.
    pub kernel_object: u64,
    /// The size of its arguments, in bytes.
    pub kernarg_segment_size: u64,
    /// How its arguments are aligned, in bytes.
    pub kernarg_segment_alignment: u64,
    /// LDS for each work-group, in bytes.
    pub group_segment_size: u64,
    /// Scratch for each work-item, in bytes.
    pub private_segment_size: u64,
    /// Scalar registers.
    pub sgpr_count: u64,
    /// Vector registers.
    pub arch_vgpr_count: u64,
    /// Accumulation registers.
    pub accum_vgpr_count: u64,
    /// Further data, as JSON.
    pub extdata: *const c_char,
}

/// The list that ph_get_kernel_symbols fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_kernel_symbol_row_list_t {
    /// Set by the caller: sizeof(ph_kernel_symbol_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_kernel_symbol_row_t,
}

/// A text of the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_string_row_t {
    /// Set by the library: how many bytes of the struct it knows.
    pub size: usize,
    /// Its row in the file.
    pub row_id: u64,
    /// The text.
    pub text: *const c_char,
}

/// The list that ph_get_strings fills.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_string_row_list_t {
    /// Set by the caller: sizeof(ph_string_row_list_t).
    pub size: usize,
    /// How many there are.
    pub count: u64,
    /// A pointer to each; NULL if there are none.
    pub items: *const *const ph_string_row_t,
}
