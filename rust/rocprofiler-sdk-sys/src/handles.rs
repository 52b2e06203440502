//! Opaque handles and small value types.

use std::ffi::c_void;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            /// The SDK's number for it; meaningless outside this process.
            pub handle: u64,
        }
    )*};
}

handles! {
    /// A context: what services are active together.
    rocprofiler_context_id_t;
    /// An agent (a GPU or a CPU).
    rocprofiler_agent_id_t;
    /// A counter of one agent: the same counter has another handle on each agent.
    rocprofiler_counter_id_t;
    /// A set of counters that one agent can collect in one pass.
    rocprofiler_counter_config_id_t;
    /// An HSA queue.
    rocprofiler_queue_id_t;
    /// A HIP stream.
    rocprofiler_stream_id_t;
    /// A buffer of records.
    rocprofiler_buffer_id_t;
    /// `hsa_agent_t`, the HSA runtime's own handle of an agent.
    hsa_agent_t;
}

/// OS thread id.
pub type rocprofiler_thread_id_t = u64;
/// Nanoseconds; CLOCK_BOOTTIME on Linux.
pub type rocprofiler_timestamp_t = u64;
/// Number of a kernel symbol, unique in the process.
pub type rocprofiler_kernel_id_t = u64;
/// Number of a kernel dispatch, unique in the process, from 1.
pub type rocprofiler_dispatch_id_t = u64;
/// Identifies a counter and the hardware instance (its dimensions' positions) in one number.
pub type rocprofiler_counter_instance_id_t = u64;
/// Number of a dimension (XCC, shader engine, …) of a counter.
pub type rocprofiler_counter_dimension_id_t = u64;
/// Operation within a tracing kind; which enum it is depends on the kind.
pub type rocprofiler_tracing_operation_t = i32;

/// Eight bytes that belong to the tool: the SDK hands them back unchanged.
#[repr(C)]
#[derive(Clone, Copy)]
pub union rocprofiler_user_data_t {
    /// As a number.
    pub value: u64,
    /// As a pointer.
    pub ptr: *mut c_void,
}

impl Default for rocprofiler_user_data_t {
    fn default() -> Self {
        Self { value: 0 }
    }
}

/// An address on the device or the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub union rocprofiler_address_t {
    /// As a handle.
    pub handle: u64,
    /// As a number.
    pub value: u64,
    /// As a pointer.
    pub ptr: *const c_void,
}

impl Default for rocprofiler_address_t {
    fn default() -> Self {
        Self { value: 0 }
    }
}

/// Ties together what one API call caused.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rocprofiler_correlation_id_t {
    /// The SDK's number.
    pub internal: u64,
    /// The tool's own data, where it pushed any.
    pub external: rocprofiler_user_data_t,
    /// The internal number of the enclosing call, or 0.
    pub ancestor: u64,
}

/// [`rocprofiler_correlation_id_t`] of asynchronous work, without an ancestor.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rocprofiler_async_correlation_id_t {
    /// The SDK's number.
    pub internal: u64,
    /// The tool's own data, where it pushed any.
    pub external: rocprofiler_user_data_t,
}

/// Three extents or positions.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct rocprofiler_dim3_t {
    /// First dimension.
    pub x: u32,
    /// Second dimension.
    pub y: u32,
    /// Third dimension.
    pub z: u32,
}

/// A UUID.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct rocprofiler_uuid_t {
    /// Its sixteen bytes.
    pub bytes: [u8; 16],
}

/// A version in three numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct rocprofiler_version_triplet_t {
    /// Major.
    pub major: u32,
    /// Minor.
    pub minor: u32,
    /// Patch.
    pub patch: u32,
}
