//! Callback tracing: its record, and the payloads of the kind `CODE_OBJECT`.

use std::ffi::{c_char, c_int, c_void};

use crate::{
    hsa_agent_t, rocprofiler_address_t, rocprofiler_agent_id_t, rocprofiler_callback_phase_t,
    rocprofiler_callback_tracing_kind_t, rocprofiler_code_object_storage_type_t,
    rocprofiler_context_id_t, rocprofiler_correlation_id_t, rocprofiler_thread_id_t,
    rocprofiler_tracing_operation_t,
};

/// What a tracing callback gets, by value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rocprofiler_callback_tracing_record_t {
    /// The context that the service belongs to.
    pub context_id: rocprofiler_context_id_t,
    /// The OS thread.
    pub thread_id: rocprofiler_thread_id_t,
    /// Ties together what one API call caused.
    pub correlation_id: rocprofiler_correlation_id_t,
    /// What is traced.
    pub kind: rocprofiler_callback_tracing_kind_t,
    /// Which operation of the kind.
    pub operation: rocprofiler_tracing_operation_t,
    /// Before or after, or load and unload.
    pub phase: rocprofiler_callback_phase_t,
    /// A struct that kind and operation name; valid during the callback.
    pub payload: *mut c_void,
}

/// A code object in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct rocprofiler_code_object_memory_t {
    /// Address.
    pub memory_base: u64,
    /// Bytes.
    pub memory_size: u64,
}

/// Where a code object's bytes are; `storage_type` says which.
#[repr(C)]
#[derive(Clone, Copy)]
pub union rocprofiler_code_object_storage_t {
    /// A file descriptor.
    pub storage_file: c_int,
    /// Memory.
    pub memory: rocprofiler_code_object_memory_t,
}

/// Payload of `CODE_OBJECT_LOAD`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rocprofiler_callback_tracing_code_object_load_data_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Number of the code object.
    pub code_object_id: u64,
    /// The agent it was loaded on (also named `rocp_agent`).
    pub agent_id: rocprofiler_agent_id_t,
    /// The same agent for the HSA runtime.
    pub hsa_agent: hsa_agent_t,
    /// Where it came from.
    pub uri: *const c_char,
    /// Device address.
    pub load_base: u64,
    /// Bytes.
    pub load_size: u64,
    /// Device address less the address in the file.
    pub load_delta: i64,
    /// Which member of `storage` holds.
    pub storage_type: rocprofiler_code_object_storage_type_t,
    /// Its bytes on the host.
    pub storage: rocprofiler_code_object_storage_t,
}

/// Payload of `CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Number of the kernel, unique in the process.
    pub kernel_id: u64,
    /// The code object it belongs to.
    pub code_object_id: u64,
    /// Mangled, and often with a `.kd` at its end.
    pub kernel_name: *const c_char,
    /// The kernel object that a dispatch packet carries.
    pub kernel_object: u64,
    /// Bytes.
    pub kernarg_segment_size: u32,
    /// Bytes.
    pub kernarg_segment_alignment: u32,
    /// LDS, bytes.
    pub group_segment_size: u32,
    /// Scratch, bytes.
    pub private_segment_size: u32,
    /// Scalar registers.
    pub sgpr_count: u32,
    /// Vector registers.
    pub arch_vgpr_count: u32,
    /// Accumulation vector registers.
    pub accum_vgpr_count: u32,
    /// From the kernel descriptor to the code, bytes.
    pub kernel_code_entry_byte_offset: i64,
    /// Where the kernel is.
    pub kernel_address: rocprofiler_address_t,
}
