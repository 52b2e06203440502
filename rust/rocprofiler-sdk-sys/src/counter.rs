//! What the SDK tells of a counter, and one counted value.

use std::ffi::c_char;

use crate::{
    rocprofiler_agent_id_t, rocprofiler_counter_dimension_id_t, rocprofiler_counter_id_t,
    rocprofiler_counter_instance_id_t, rocprofiler_dispatch_id_t, rocprofiler_user_data_t,
};

/// Bit of [`rocprofiler_counter_info_v0_t::flags`]: the counter is a constant of the agent.
pub const ROCPROFILER_COUNTER_INFO_IS_CONSTANT: u8 = 1;
/// Bit of [`rocprofiler_counter_info_v0_t::flags`]: the counter is computed from others.
pub const ROCPROFILER_COUNTER_INFO_IS_DERIVED: u8 = 2;

/// One value of one hardware instance of a counter, for one dispatch.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct rocprofiler_counter_record_t {
    /// The counter and the instance.
    pub id: rocprofiler_counter_instance_id_t,
    /// What was counted.
    pub counter_value: f64,
    /// The dispatch it was counted for.
    pub dispatch_id: rocprofiler_dispatch_id_t,
    /// The tool's data.
    pub user_data: rocprofiler_user_data_t,
    /// The agent it was counted on.
    pub agent_id: rocprofiler_agent_id_t,
}

/// A dimension of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_counter_record_dimension_info_t {
    /// `DIMENSION_XCC`, ….
    pub name: *const c_char,
    /// How many positions it has.
    pub instance_size: usize,
    /// Its number.
    pub id: rocprofiler_counter_dimension_id_t,
}

/// The position of one instance in one dimension.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_counter_dimension_info_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// `DIMENSION_XCC`, ….
    pub dimension_name: *const c_char,
    /// The position.
    pub index: usize,
}

/// One hardware instance of a counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_counter_record_dimension_instance_info_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// What a record of it carries as `id`.
    pub instance_id: rocprofiler_counter_instance_id_t,
    /// The counter's handle.
    pub counter_id: u64,
    /// Length of `dimensions`.
    pub dimensions_count: u64,
    /// Its position in each dimension.
    pub dimensions: *mut *const rocprofiler_counter_dimension_info_t,
}

/// A counter (`ROCPROFILER_COUNTER_INFO_VERSION_0`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_counter_info_v0_t {
    /// Its handle on its agent.
    pub id: rocprofiler_counter_id_t,
    /// `SQ_WAVES`.
    pub name: *const c_char,
    /// A sentence.
    pub description: *const c_char,
    /// Hardware block, `SQ`.
    pub block: *const c_char,
    /// Formula of a derived counter.
    pub expression: *const c_char,
    /// Bit fields: [`ROCPROFILER_COUNTER_INFO_IS_CONSTANT`], [`ROCPROFILER_COUNTER_INFO_IS_DERIVED`].
    pub flags: u8,
}

/// A counter with its dimensions (`ROCPROFILER_COUNTER_INFO_VERSION_1`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_counter_info_v1_t {
    /// Bytes of the struct as the SDK was built.
    pub size: u64,
    /// Its handle on its agent.
    pub id: rocprofiler_counter_id_t,
    /// `SQ_WAVES`.
    pub name: *const c_char,
    /// A sentence.
    pub description: *const c_char,
    /// Hardware block, `SQ`.
    pub block: *const c_char,
    /// Formula of a derived counter.
    pub expression: *const c_char,
    /// Bit fields: [`ROCPROFILER_COUNTER_INFO_IS_CONSTANT`], [`ROCPROFILER_COUNTER_INFO_IS_DERIVED`].
    pub flags: u8,
    /// Length of `dimensions`.
    pub dimensions_count: u64,
    /// Its dimensions.
    pub dimensions: *mut *const rocprofiler_counter_record_dimension_info_t,
    /// Length of `dimensions_instances`.
    pub dimensions_instances_count: u64,
    /// Its instances.
    pub dimensions_instances: *mut *const rocprofiler_counter_record_dimension_instance_info_t,
}
