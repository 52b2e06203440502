//! Kernel dispatches and the dispatch counting service's data.

use crate::{
    rocprofiler_agent_id_t, rocprofiler_async_correlation_id_t, rocprofiler_dim3_t,
    rocprofiler_dispatch_id_t, rocprofiler_kernel_id_t, rocprofiler_queue_id_t,
    rocprofiler_timestamp_t,
};

/// One kernel dispatch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_kernel_dispatch_info_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Where the kernel runs.
    pub agent_id: rocprofiler_agent_id_t,
    /// The queue it was put on.
    pub queue_id: rocprofiler_queue_id_t,
    /// Its symbol.
    pub kernel_id: rocprofiler_kernel_id_t,
    /// Its number in the process, from 1.
    pub dispatch_id: rocprofiler_dispatch_id_t,
    /// Scratch per work item, bytes.
    pub private_segment_size: u32,
    /// LDS per workgroup, bytes.
    pub group_segment_size: u32,
    /// Work items of a workgroup.
    pub workgroup_size: rocprofiler_dim3_t,
    /// Work items of the grid.
    pub grid_size: rocprofiler_dim3_t,
    /// Room for fields to come.
    pub reserved_padding: [u8; 56],
}

impl Default for rocprofiler_kernel_dispatch_info_t {
    fn default() -> Self {
        Self {
            size: 0,
            agent_id: rocprofiler_agent_id_t::default(),
            queue_id: rocprofiler_queue_id_t::default(),
            kernel_id: 0,
            dispatch_id: 0,
            private_segment_size: 0,
            group_segment_size: 0,
            workgroup_size: rocprofiler_dim3_t::default(),
            grid_size: rocprofiler_dim3_t::default(),
            reserved_padding: [0; 56],
        }
    }
}

/// What both callbacks of the dispatch counting service get, by value.
///
/// It is of the class MEMORY of the x86-64 psABI: the caller puts all of it on the stack and the
/// other arguments in registers, so a newer SDK with a longer struct still calls us correctly.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rocprofiler_dispatch_counting_service_data_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Ties the dispatch to its API call.
    pub correlation_id: rocprofiler_async_correlation_id_t,
    /// 0 before the kernel ran.
    pub start_timestamp: rocprofiler_timestamp_t,
    /// 0 before the kernel ran.
    pub end_timestamp: rocprofiler_timestamp_t,
    /// The dispatch.
    pub dispatch_info: rocprofiler_kernel_dispatch_info_t,
}

/// Header of a dispatch's records in the buffered counting service.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rocprofiler_dispatch_counting_service_record_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Records that follow.
    pub num_records: u64,
    /// Ties the dispatch to its API call.
    pub correlation_id: rocprofiler_async_correlation_id_t,
    /// Start of the kernel.
    pub start_timestamp: rocprofiler_timestamp_t,
    /// End of the kernel.
    pub end_timestamp: rocprofiler_timestamp_t,
    /// The dispatch.
    pub dispatch_info: rocprofiler_kernel_dispatch_info_t,
}

/// Payload of the callback tracing kind `KERNEL_DISPATCH`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct rocprofiler_callback_tracing_kernel_dispatch_data_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Start of the kernel.
    pub start_timestamp: rocprofiler_timestamp_t,
    /// End of the kernel.
    pub end_timestamp: rocprofiler_timestamp_t,
    /// The dispatch.
    pub dispatch_info: rocprofiler_kernel_dispatch_info_t,
}
