//! The types of the writer: what becomes a part of `profiler_hub_types.h`.

#![expect(
    non_camel_case_types,
    reason = "these are the names that C clients are written for"
)]

use std::ffi::c_char;

/// A file being written. Never looked into by clients.
pub struct ph_writer {
    _private: [u8; 0],
}

/// A handle of a file being written.
pub type ph_writer_t = *mut ph_writer;

/// As the size of a text: it ends at its NUL. The header says it in C's words.
///
/// cbindgen:ignore
pub const PH_TEXT_NUL: usize = usize::MAX;

/// A text that a client gives. With data NULL there is none: NULL in the file where the column may
/// be NULL, else an empty text (of JSON columns, {}). What is not UTF-8 is stored with U+FFFD in
/// place of each invalid part.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_text_t {
    /// The first byte.
    pub data: *const c_char,
    /// How many bytes, NUL or not; PH_TEXT_NUL for up to the first NUL.
    pub size: usize,
}

/// A number that may be missing. All zero: it is.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_optional_t {
    /// The number; any 64 bits.
    pub value: u64,
    /// Not 0 if there is one.
    pub is_set: u64,
}

/// An agent, by its type and its place among those of its type. All zero: none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_agent_ref_t {
    /// "CPU", "GPU" or "NIC"; may be missing.
    pub r#type: ph_text_t,
    /// Its place among those of its type.
    pub type_index: u64,
    /// Not 0 if there is one.
    pub is_set: u64,
}

/// Where something happened. What is set must be registered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_environment_t {
    /// Set by the caller: sizeof(ph_writer_environment_t).
    pub size: usize,
    /// The node; may be missing if only one node has the process.
    pub node_id: ph_optional_t,
    /// The process's pid.
    pub process_id: ph_optional_t,
    /// The thread's tid.
    pub thread_id: ph_optional_t,
    /// The agent.
    pub agent: ph_agent_ref_t,
    /// The stream.
    pub stream_id: ph_optional_t,
    /// The queue.
    pub queue_id: ph_optional_t,
    /// A registered track, on which the event also gets a sample at its start.
    pub track_name: ph_text_t,
}

/// A machine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_node_t {
    /// Set by the caller: sizeof(ph_writer_node_t).
    pub size: usize,
    /// Its id.
    pub node_id: u64,
    /// A hash of the machine id, unique in the file.
    pub hash: u64,
    /// As in /etc/machine-id, unique in the file.
    pub machine_id: ph_text_t,
    /// The name of the operating system.
    pub system_name: ph_text_t,
    /// The host's name.
    pub hostname: ph_text_t,
    /// The release of the operating system.
    pub release: ph_text_t,
    /// The version of the operating system.
    pub version: ph_text_t,
    /// The machine's architecture.
    pub hardware_name: ph_text_t,
    /// The NIS domain.
    pub domain_name: ph_text_t,
}

/// A process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_process_t {
    /// Set by the caller: sizeof(ph_writer_process_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its pid.
    pub pid: u64,
    /// Its parent's pid.
    pub ppid: ph_optional_t,
    /// When it was initialised, in ns.
    pub init: ph_optional_t,
    /// When it was finalised, in ns.
    pub fini: ph_optional_t,
    /// When it started, in ns.
    pub start: ph_optional_t,
    /// When it ended, in ns.
    pub end: ph_optional_t,
    /// Its command line.
    pub command: ph_text_t,
    /// Its environment, JSON.
    pub environment: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_thread_t {
    /// Set by the caller: sizeof(ph_writer_thread_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub process_id: u64,
    /// Its tid.
    pub thread_id: u64,
    /// The pid of its process's parent.
    pub parent_process_id: ph_optional_t,
    /// Its name.
    pub name: ph_text_t,
    /// When it started, in ns.
    pub start: ph_optional_t,
    /// When it ended, in ns.
    pub end: ph_optional_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// An agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_agent_t {
    /// Set by the caller: sizeof(ph_writer_agent_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// The pid of the process that sees it.
    pub process_id: u64,
    /// Its type and its place among those of its type; is_set does not matter.
    pub unique_id: ph_agent_ref_t,
    /// Its place among all agents of its node.
    pub absolute_index: ph_optional_t,
    /// Its place among those that the application sees.
    pub logical_index: ph_optional_t,
    /// Its unique id, as the driver gives it.
    pub uuid: ph_optional_t,
    /// Its name.
    pub name: ph_text_t,
    /// Its model.
    pub model_name: ph_text_t,
    /// Its vendor.
    pub vendor_name: ph_text_t,
    /// Its product name.
    pub product_name: ph_text_t,
    /// The name that the user gave it.
    pub user_name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A counter of an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_pmc_t {
    /// Set by the caller: sizeof(ph_writer_pmc_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub process_id: u64,
    /// Its name, which with its agent tells it from others.
    pub name: ph_text_t,
    /// Its agent.
    pub agent: ph_agent_ref_t,
    /// "CPU", "GPU" or "NIC".
    pub target_arch: ph_text_t,
    /// The event's code.
    pub event_code: ph_optional_t,
    /// Which instance of the hardware block.
    pub instance_id: ph_optional_t,
    /// Its symbol.
    pub symbol: ph_text_t,
    /// A description.
    pub description: ph_text_t,
    /// A longer one.
    pub long_description: ph_text_t,
    /// What it is a part of.
    pub component: ph_text_t,
    /// The unit of its values.
    pub units: ph_text_t,
    /// "ABS", "ACCUM" or "RELATIVE".
    pub value_type: ph_text_t,
    /// The hardware block.
    pub block: ph_text_t,
    /// How it is derived from other counters.
    pub expression: ph_text_t,
    /// Not 0 if its value never changes.
    pub is_constant: ph_optional_t,
    /// Not 0 if it is derived from other counters.
    pub is_derived: ph_optional_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A queue or a stream.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_lane_t {
    /// Set by the caller: sizeof(ph_writer_lane_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub process_id: u64,
    /// Its id, unique in the file.
    pub id: u64,
    /// Its name.
    pub name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A code object.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_code_object_t {
    /// Set by the caller: sizeof(ph_writer_code_object_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub process_id: u64,
    /// Its id, unique in the file.
    pub id: u64,
    /// Its agent.
    pub agent: ph_agent_ref_t,
    /// Where it comes from.
    pub uri: ph_text_t,
    /// The address that it is loaded at.
    pub load_base: ph_optional_t,
    /// Its size in memory, in bytes.
    pub load_size: ph_optional_t,
    /// The load address less the one in the file, in bytes.
    pub load_delta: ph_optional_t,
    /// "FILE" or "MEMORY".
    pub storage_type: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_kernel_symbol_t {
    /// Set by the caller: sizeof(ph_writer_kernel_symbol_t).
    pub size: usize,
    /// Its id, unique in the file.
    pub id: u64,
    /// Its code object.
    pub code_object_id: u64,
    /// The symbol's name.
    pub name: ph_text_t,
    /// The name for a person.
    pub display_name: ph_text_t,
    /// The address of its descriptor.
    pub kernel_object: ph_optional_t,
    /// The size of its arguments, in bytes.
    pub kernarg_segment_size: ph_optional_t,
    /// How its arguments are aligned, in bytes.
    pub kernarg_segment_alignment: ph_optional_t,
    /// LDS for each work-group, in bytes.
    pub group_segment_size: ph_optional_t,
    /// Scratch for each work-item, in bytes.
    pub private_segment_size: ph_optional_t,
    /// Scalar registers.
    pub sgpr_count: ph_optional_t,
    /// Vector registers.
    pub arch_vgpr_count: ph_optional_t,
    /// Accumulation registers.
    pub accum_vgpr_count: ph_optional_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A named track of samples.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_track_t {
    /// Set by the caller: sizeof(ph_writer_track_t).
    pub size: usize,
    /// Its node.
    pub node_id: u64,
    /// Its process's pid.
    pub process_id: ph_optional_t,
    /// Its thread's tid.
    pub thread_id: ph_optional_t,
    /// Its name, by which samples find it.
    pub name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// What events have in common. A pointer to one that is NULL: there is no event row.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_event_t {
    /// Set by the caller: sizeof(ph_writer_event_t).
    pub size: usize,
    /// Its stack id: a launch and what it launched share it.
    pub stack_id: ph_optional_t,
    /// The stack id of the call around it.
    pub parent_stack_id: ph_optional_t,
    /// Its correlation id.
    pub correlation_id: ph_optional_t,
    /// The call stack, JSON.
    pub call_stack: ph_text_t,
    /// The line info, JSON.
    pub line_info: ph_text_t,
    /// Its category.
    pub category: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// An argument of a region.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_arg_t {
    /// Its place among the arguments.
    pub position: u64,
    /// Its type.
    pub r#type: ph_text_t,
    /// Its name.
    pub name: ph_text_t,
    /// Its value.
    pub value: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A region of a thread.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_region_t {
    /// Set by the caller: sizeof(ph_writer_region_t).
    pub size: usize,
    /// Its event; NULL for none.
    pub event: *const ph_writer_event_t,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
    /// Its name.
    pub name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
    /// Its arguments; NULL if arg_count is 0.
    pub args: *const ph_writer_arg_t,
    /// How many arguments.
    pub arg_count: u64,
}

/// A kernel dispatch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_kernel_dispatch_t {
    /// Set by the caller: sizeof(ph_writer_kernel_dispatch_t).
    pub size: usize,
    /// Its event; NULL for none.
    pub event: *const ph_writer_event_t,
    /// The dispatch id.
    pub dispatch_id: u64,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
    /// The kernel.
    pub kernel_symbol_id: u64,
    /// Scratch for each work-item, in bytes.
    pub private_segment_size: ph_optional_t,
    /// LDS for each work-group, in bytes.
    pub group_segment_size: ph_optional_t,
    /// Work-items of a work-group: x, y, z.
    pub workgroup_size: [u64; 3],
    /// Work-items of the grid: x, y, z.
    pub grid_size: [u64; 3],
    /// The region it was launched in.
    pub name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A memory copy.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_memory_copy_t {
    /// Set by the caller: sizeof(ph_writer_memory_copy_t).
    pub size: usize,
    /// Its event; NULL for none.
    pub event: *const ph_writer_event_t,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
    /// The agent that it goes to.
    pub dst_agent: ph_agent_ref_t,
    /// The address that it goes to.
    pub dst_address: ph_optional_t,
    /// The agent that it comes from.
    pub src_agent: ph_agent_ref_t,
    /// The address that it comes from.
    pub src_address: ph_optional_t,
    /// How much, in bytes.
    pub bytes: u64,
    /// Its name.
    pub name: ph_text_t,
    /// The region it was started in.
    pub region_name: ph_text_t,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// An allocation or release of memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_memory_alloc_t {
    /// Set by the caller: sizeof(ph_writer_memory_alloc_t).
    pub size: usize,
    /// Its event; NULL for none.
    pub event: *const ph_writer_event_t,
    /// "ALLOC", "FREE", "REALLOC" or "RECLAIM".
    pub r#type: ph_text_t,
    /// "REAL", "VIRTUAL" or "SCRATCH".
    pub level: ph_text_t,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
    /// The memory's address.
    pub address: ph_optional_t,
    /// How much, in bytes.
    pub bytes: u64,
    /// Further data, JSON.
    pub extdata: ph_text_t,
}

/// A value of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_writer_pmc_event_t {
    /// Set by the caller: sizeof(ph_writer_pmc_event_t).
    pub size: usize,
    /// Its event; NULL for none.
    pub event: *const ph_writer_event_t,
    /// The counter's name.
    pub pmc_name: ph_text_t,
    /// The counter's agent.
    pub pmc_agent: ph_agent_ref_t,
    /// The value; NaN is stored as NULL.
    pub value: f64,
    /// Further data, JSON.
    pub extdata: ph_text_t,
    /// A registered track: with an event, the value gets a sample on it. Missing or not
    /// registered: no sample.
    pub sample_track: ph_text_t,
    /// The sample's time, in ns.
    pub sample_timestamp: u64,
    /// The sample's further data, JSON.
    pub sample_extdata: ph_text_t,
}
