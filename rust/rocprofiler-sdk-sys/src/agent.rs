//! What the SDK tells of an agent. The pointers live as long as the process.

use std::ffi::c_char;

use crate::{
    rocprofiler_agent_id_t, rocprofiler_agent_type_t, rocprofiler_dim3_t, rocprofiler_uuid_t,
};

/// Which runtimes see an agent: bit 0 HSA, 1 HIP, 2 RCCL, 3 rocDecode.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct rocprofiler_agent_runtime_visiblity_t {
    /// The four bit fields.
    pub bits: u32,
}

/// A cache of an agent, as the kernel driver describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the names are the kernel driver's")]
pub struct rocprofiler_agent_cache_t {
    pub processor_id_low: u64,
    /// Bytes.
    pub size: u64,
    pub level: u32,
    pub cache_line_size: u32,
    pub cache_lines_per_tag: u32,
    pub association: u32,
    pub latency: u32,
    pub type_: u32,
}

/// A link between two nodes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the names are the kernel driver's")]
pub struct rocprofiler_agent_io_link_t {
    pub type_: u32,
    pub version_major: u32,
    pub version_minor: u32,
    pub node_from: u32,
    pub node_to: u32,
    pub weight: u32,
    pub min_latency: u32,
    pub max_latency: u32,
    pub min_bandwidth: u32,
    pub max_bandwidth: u32,
    pub recommended_transfer_size: u32,
    pub flags: u32,
}

/// A memory bank of an agent.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
#[expect(missing_docs, reason = "the names are the kernel driver's")]
pub struct rocprofiler_agent_mem_bank_t {
    pub heap_type: u32,
    pub flags: u32,
    pub width: u32,
    pub mem_clk_max: u32,
    pub size_in_bytes: u64,
}

/// An agent (`ROCPROFILER_AGENT_INFO_VERSION_0`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are the kernel driver's")]
pub struct rocprofiler_agent_v0_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    pub id: rocprofiler_agent_id_t,
    pub type_: rocprofiler_agent_type_t,
    pub cpu_cores_count: u32,
    pub simd_count: u32,
    pub mem_banks_count: u32,
    pub caches_count: u32,
    pub io_links_count: u32,
    pub cpu_core_id_base: u32,
    pub simd_id_base: u32,
    pub max_waves_per_simd: u32,
    pub lds_size_in_kb: u32,
    pub gds_size_in_kb: u32,
    pub num_gws: u32,
    pub wave_front_size: u32,
    pub num_xcc: u32,
    pub cu_count: u32,
    pub array_count: u32,
    pub num_shader_banks: u32,
    pub simd_arrays_per_engine: u32,
    pub cu_per_simd_array: u32,
    pub simd_per_cu: u32,
    pub max_slots_scratch_cu: u32,
    pub gfx_target_version: u32,
    pub vendor_id: u16,
    pub device_id: u16,
    pub location_id: u32,
    pub domain: u32,
    pub drm_render_minor: u32,
    pub num_sdma_engines: u32,
    pub num_sdma_xgmi_engines: u32,
    pub num_sdma_queues_per_engine: u32,
    pub num_cp_queues: u32,
    /// MHz.
    pub max_engine_clk_ccompute: u32,
    /// MHz.
    pub max_engine_clk_fcompute: u32,
    pub sdma_fw_version: u32,
    pub fw_version: u32,
    pub capability: u32,
    pub cu_per_engine: u32,
    pub max_waves_per_cu: u32,
    pub family_id: u32,
    pub workgroup_max_size: u32,
    pub grid_max_size: u32,
    /// Bytes.
    pub local_mem_size: u64,
    pub hive_id: u64,
    pub gpu_id: u64,
    pub workgroup_max_dim: rocprofiler_dim3_t,
    pub grid_max_dim: rocprofiler_dim3_t,
    /// `mem_banks_count` of them.
    pub mem_banks: *const rocprofiler_agent_mem_bank_t,
    /// `caches_count` of them.
    pub caches: *const rocprofiler_agent_cache_t,
    /// `io_links_count` of them.
    pub io_links: *const rocprofiler_agent_io_link_t,
    /// `gfx942`.
    pub name: *const c_char,
    pub vendor_name: *const c_char,
    pub product_name: *const c_char,
    pub model_name: *const c_char,
    /// Number of the node in the kernel driver's topology; rocpd's `absolute_index`.
    pub node_id: u32,
    /// The same, counted without the nodes this process may not see; rocpd's `logical_index`.
    pub logical_node_id: i32,
    /// The same, counted per type of agent; rocpd's `type_index`.
    pub logical_node_type_id: i32,
    pub runtime_visibility: rocprofiler_agent_runtime_visiblity_t,
    pub uuid: rocprofiler_uuid_t,
}
