//! The types of the C API: what becomes `profiler_hub_types.h`. The comments are the header's.

#![expect(
    non_camel_case_types,
    reason = "these are the names that C clients are written for"
)]

use std::ffi::c_char;
use std::ffi::c_void;

/// An id of 32 bits that is not there: the column is NULL, the row it names is missing, or the
/// id does not fit (ids of 64 bits are in ph_track_info_t and in the lists that begin with size).
/// 0 is an id like any other.
pub const PH_ID_NONE: u32 = u32::MAX;

/// What a call came to. ph_last_error_message tells why.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_result_t {
    /// The call did what it says.
    PH_RESULT_SUCCESS = 0,
    /// There was no memory for a context.
    PH_RESULT_CONTEXT_ALLOCATION_FAILED = 1,
    /// The context is NULL, was freed, or is no context of this library.
    PH_RESULT_INVALID_CONTEXT = 2,
    /// Another argument is NULL, out of range, freed or not known.
    PH_RESULT_INVALID_ARGUMENT = 3,
    /// A bug of the library, an input that became unreadable, or a call that was cancelled.
    PH_RESULT_INTERNAL_ERROR = 4,
    /// There was no memory for a future, or the thread pool cannot take it.
    PH_RESULT_FUTURE_ALLOCATION_FAILED = 5,
    /// The file is of a kind that no detector knows.
    PH_RESULT_UNSUPPORTED_DATABASE = 6,
    /// The file does not exist, cannot be read, is damaged, or its metadata is not usable.
    PH_RESULT_INVALID_DATABASE = 7,
    /// The file has no rocpd metadata table.
    PH_RESULT_METADATA_MISSING = 8,
    /// The file's schema has a version that is not read here.
    PH_RESULT_UNSUPPORTED_SCHEMA_VERSION = 9,
}

/// What the events of a track have in common.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ph_track_category_t {
    /// Regions of a thread: one track for each (node, process, thread).
    PH_TRACK_CATEGORY_THREAD = 0,
    /// Samples of a named track; each is an event whose end is its start.
    PH_TRACK_CATEGORY_THREAD_SAMPLE = 1,
    /// Values of a counter: one track for each agent and PMC. It has samples, no events.
    PH_TRACK_CATEGORY_PMC_AGENT = 2,
    /// Kernel dispatches: one track for each (node, agent, queue).
    PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE = 3,
    /// Memory allocations: one track for each (node, agent, queue).
    PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE = 4,
    /// Memory copies: one track for each (node, destination agent, queue).
    PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE = 5,
    /// Dispatches, allocations and copies once more: one track for each (node, process, stream).
    PH_TRACK_CATEGORY_STREAM = 6,
}

/// Which table an event comes from. Samples of PH_TRACK_CATEGORY_THREAD_SAMPLE are regions here.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_event_type_t {
    /// A region of a thread, or a sample as a region of no length.
    PH_EVENT_TYPE_REGION = 0,
    /// A kernel dispatch.
    PH_EVENT_TYPE_KERNEL_DISPATCH = 1,
    /// A memory copy.
    PH_EVENT_TYPE_MEMORY_COPY = 2,
    /// A memory allocation, release or the like.
    PH_EVENT_TYPE_MEMORY_ALLOCATE = 3,
}

/// A version of three numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ph_version_t {
    /// Another major number breaks.
    pub major: u32,
    /// A higher minor number adds.
    pub minor: u32,
    /// A higher patch number repairs; in rocpd's schema it adds too.
    pub patch: u32,
}

/// The version of this library.
pub type ph_library_version_t = ph_version_t;

/// The version of a file's schema.
pub type ph_schema_version_t = ph_version_t;

/// An open file. Never looked into by clients.
pub struct ph_ctx {
    _private: [u8; 0],
}

/// A handle of an open file.
pub type ph_ctx_t = *mut ph_ctx;

/// A task on the thread pool of a context. Never looked into by clients.
pub struct ph_future {
    _private: [u8; 0],
}

/// A handle of a task.
pub type ph_future_t = *mut ph_future;

/// A task: called once, on a thread of the pool, with the pointer that was given with it.
pub type ph_task_fn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;

/// The smallest and the largest of some values.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_value_range_t {
    /// The smallest; 0 if is_valid is 0.
    pub min: f64,
    /// The largest; 0 if is_valid is 0.
    pub max: f64,
    /// 1 if there was any value, else 0. A NULL in the file is no value.
    pub is_valid: u32,
}

/// A track: a lane of a trace viewer. Ids that are not there are PH_ID_NONE; 0 is an id.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_track_t {
    /// The track's number: its place in the list of all tracks, from 0. It is the same each time
    /// the same file is opened, and means nothing for another file.
    pub id: u32,
    /// A name for a person; never NULL.
    pub track_name: *const c_char,
    /// The node: ph_node_info_t.id.
    pub nid: u32,
    /// The process: ph_process_t.id, the pid of the operating system.
    pub pid: u32,
    /// The thread's id of the operating system.
    pub tid: u32,
    /// How many events the track has, or, for a counter, how many values.
    pub event_count: u32,
    /// The agent: ph_agent_t.id, its absolute index within its node.
    pub agent_id: u32,
    /// What the track shows.
    pub category: ph_track_category_t,
    /// The queue's id in the file.
    pub queue_id: u32,
    /// The stream's id in the file.
    pub stream_id: u32,
    /// When the first event starts, in ns; 0 for an empty track.
    pub start_ts: u64,
    /// When the last event ends, in ns; 0 for an empty track.
    pub end_ts: u64,
    /// Of a counter: its values.
    pub value_range: ph_value_range_t,
    /// The greatest depth of its events; 0 for a counter.
    pub nesting_depth: u32,
}

/// Tracks.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_track_list_t {
    /// How many there are.
    pub list_size: u32,
    /// The first of them; NULL if there are none.
    pub tracks: *mut ph_track_t,
}

/// What is known of a machine. Texts that are not in the file are empty, never NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_node_info_t {
    /// The node's id in the file.
    pub id: u32,
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
}

/// A processor. Texts that are not in the file are empty, never NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_agent_t {
    /// Its public id: absolute_index.
    pub id: u32,
    /// "CPU", "GPU" or "NIC".
    pub agent_type: *const c_char,
    /// Its place among all agents of its node.
    pub absolute_index: u32,
    /// Its place among those that the application sees.
    pub logical_index: u32,
    /// Its unique id as the driver gives it; PH_ID_NONE if it does not fit.
    pub uuid: u32,
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
}

/// Agents.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_agent_list_t {
    /// How many there are.
    pub list_size: u32,
    /// The first of them; NULL if there are none.
    pub agents: *mut ph_agent_t,
}

/// A process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_process_t {
    /// Its pid of the operating system.
    pub id: u32,
    /// Its command line; empty if it is not in the file, never NULL.
    pub command: *const c_char,
}

/// Processes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_process_list_t {
    /// How many there are.
    pub list_size: u32,
    /// The first of them; NULL if there are none.
    pub processes: *mut ph_process_t,
}

/// A machine with what ran on it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_node_t {
    /// The machine.
    pub info: ph_node_info_t,
    /// Its agents.
    pub agents: ph_agent_list_t,
    /// Its processes.
    pub process_list: ph_process_list_t,
    /// Its tracks.
    pub track_list: ph_track_list_t,
}

/// An event.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_event_t {
    /// Its row in the table that type (and the track's category) tells.
    pub id: u64,
    /// When it starts, in ns, as stored.
    pub start: u64,
    /// When it ends, in ns, as stored: it may lie before start, or both may be 0.
    pub end: u64,
    /// Its name; never NULL. The same name is the same pointer.
    pub name: *const c_char,
    /// What it is.
    pub r#type: ph_event_type_t,
    /// How many events of the same track, itself included, are active when it starts: 1 if there
    /// is none other. Relative to the whole track also where only a window was asked for. An
    /// event is active from its start until before its end; one that does not end after its
    /// start counts only for itself. Two events that start together count each other.
    pub depth: u32,
}

/// Events, ordered by start, then by end from the latest, then by type and id.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_event_list_t {
    /// How many there are.
    pub list_size: u32,
    /// The first of them; NULL if there are none.
    pub events: *mut ph_event_t,
}

/// A value of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_sample_t {
    /// When, in ns. 0 if the file tells no time for it.
    pub timestamp: u64,
    /// The value; NaN if it is NULL in the file.
    pub value: f64,
}

/// Values of a counter, ordered by time, then by their order in the file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_sample_list_t {
    /// How many there are.
    pub list_size: u32,
    /// The first of them; NULL if there are none.
    pub samples: *mut ph_sample_t,
}

/// What a file was found to be. The checks come in this order, and the first that fails decides.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ph_probe_status_t {
    /// It can be read.
    PH_PROBE_SUPPORTED = 0,
    /// There is no such file.
    PH_PROBE_FILE_NOT_FOUND = 1,
    /// It cannot be read: no permission, a directory, damaged, locked for too long.
    PH_PROBE_UNREADABLE = 2,
    /// No detector knows its first bytes.
    PH_PROBE_NOT_SQLITE = 3,
    /// A SQLite database without a metadata table.
    PH_PROBE_METADATA_MISSING = 4,
    /// Several metadata tables: a merged file, with a guid for each.
    PH_PROBE_METADATA_AMBIGUOUS = 5,
    /// The metadata table gives no version.
    PH_PROBE_METADATA_MALFORMED = 6,
    /// The version is one that is not read here.
    PH_PROBE_UNSUPPORTED_SCHEMA_VERSION = 7,
}

/// Bytes of a guid in a struct, its NUL included.
pub const PH_GUID_SIZE: usize = 65;

/// Bytes of a message in a struct, its NUL included.
pub const PH_MESSAGE_SIZE: usize = 1024;

/// What a file is. Set size before the call; nothing of it has to be freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ph_database_probe_t {
    /// Set by the caller: sizeof(ph_database_probe_t). No more than that many bytes are written.
    pub size: usize,
    /// What it was found to be.
    pub status: ph_probe_status_t,
    /// 1 if version holds the schema's version, else 0.
    pub has_version: u32,
    /// The schema's version; 0.0.0 if there is none.
    pub version: ph_schema_version_t,
    /// How many guids the file holds, as far as it could be read.
    pub guid_count: u32,
    /// The first of them; empty if there is none.
    pub guid: [c_char; PH_GUID_SIZE],
    /// What was found and what is accepted, for a person; cut at a character if it is too long.
    pub message: [c_char; PH_MESSAGE_SIZE],
}
