//! HSA: queues, signals and memory.

use std::ffi::{c_int, c_void};

use profiler_hub_intercept::slots::hsa as layouts;

use super::Wrapping;
use super::observers::record;

/// `hsa_status_t`.
type Status = u32;
/// `hsa_signal_value_t`.
type Value = i64;
type Ptr = *mut c_void;
type ConstPtr = *const c_void;
/// A place for a pointer.
type Out = *mut *mut c_void;
type Callback = *const c_void;
type Queue = *mut c_void;
// Handles: structs of one u64, which C passes like the number.
type Agent = u64;
type Region = u64;
type Signal = u64;
type SignalGroup = u64;
type Pool = u64;
type VmemHandle = u64;

#[rustfmt::skip]
pub(super) fn wrap(wrapping: &mut Wrapping<'_>) {
    record!(wrapping, &layouts::CORE_API_TABLE,
        hsa_queue_create(Agent, u32, u32, Callback, Ptr, u32, u32, *mut Queue) -> Status;
        hsa_soft_queue_create(Region, u32, u32, u32, Signal, *mut Queue) -> Status;
        hsa_queue_destroy(Queue) -> Status;
        hsa_queue_inactivate(Queue) -> Status;
        hsa_queue_load_read_index_scacquire(Queue) -> u64;
        hsa_queue_load_read_index_relaxed(Queue) -> u64;
        hsa_queue_load_write_index_scacquire(Queue) -> u64;
        hsa_queue_load_write_index_relaxed(Queue) -> u64;
        hsa_queue_store_write_index_relaxed(Queue, u64);
        hsa_queue_store_write_index_screlease(Queue, u64);
        hsa_queue_cas_write_index_scacq_screl(Queue, u64, u64) -> u64;
        hsa_queue_cas_write_index_scacquire(Queue, u64, u64) -> u64;
        hsa_queue_cas_write_index_relaxed(Queue, u64, u64) -> u64;
        hsa_queue_cas_write_index_screlease(Queue, u64, u64) -> u64;
        hsa_queue_add_write_index_scacq_screl(Queue, u64) -> u64;
        hsa_queue_add_write_index_scacquire(Queue, u64) -> u64;
        hsa_queue_add_write_index_relaxed(Queue, u64) -> u64;
        hsa_queue_add_write_index_screlease(Queue, u64) -> u64;
        hsa_queue_store_read_index_relaxed(Queue, u64);
        hsa_queue_store_read_index_screlease(Queue, u64);
        hsa_memory_register(Ptr, usize) -> Status;
        hsa_memory_deregister(Ptr, usize) -> Status;
        hsa_memory_allocate(Region, usize, Out) -> Status;
        hsa_memory_free(Ptr) -> Status;
        hsa_memory_copy(Ptr, ConstPtr, usize) -> Status;
        hsa_memory_assign_agent(Ptr, Agent, u32) -> Status;
        hsa_signal_create(Value, u32, *const Agent, *mut Signal) -> Status;
        hsa_signal_destroy(Signal) -> Status;
        hsa_signal_load_relaxed(Signal) -> Value;
        hsa_signal_load_scacquire(Signal) -> Value;
        hsa_signal_store_relaxed(Signal, Value);
        hsa_signal_store_screlease(Signal, Value);
        hsa_signal_wait_relaxed(Signal, u32, Value, u64, u32) -> Value;
        hsa_signal_wait_scacquire(Signal, u32, Value, u64, u32) -> Value;
        hsa_signal_and_relaxed(Signal, Value);
        hsa_signal_and_scacquire(Signal, Value);
        hsa_signal_and_screlease(Signal, Value);
        hsa_signal_and_scacq_screl(Signal, Value);
        hsa_signal_or_relaxed(Signal, Value);
        hsa_signal_or_scacquire(Signal, Value);
        hsa_signal_or_screlease(Signal, Value);
        hsa_signal_or_scacq_screl(Signal, Value);
        hsa_signal_xor_relaxed(Signal, Value);
        hsa_signal_xor_scacquire(Signal, Value);
        hsa_signal_xor_screlease(Signal, Value);
        hsa_signal_xor_scacq_screl(Signal, Value);
        hsa_signal_exchange_relaxed(Signal, Value) -> Value;
        hsa_signal_exchange_scacquire(Signal, Value) -> Value;
        hsa_signal_exchange_screlease(Signal, Value) -> Value;
        hsa_signal_exchange_scacq_screl(Signal, Value) -> Value;
        hsa_signal_add_relaxed(Signal, Value);
        hsa_signal_add_scacquire(Signal, Value);
        hsa_signal_add_screlease(Signal, Value);
        hsa_signal_add_scacq_screl(Signal, Value);
        hsa_signal_subtract_relaxed(Signal, Value);
        hsa_signal_subtract_scacquire(Signal, Value);
        hsa_signal_subtract_screlease(Signal, Value);
        hsa_signal_subtract_scacq_screl(Signal, Value);
        hsa_signal_cas_relaxed(Signal, Value, Value) -> Value;
        hsa_signal_cas_scacquire(Signal, Value, Value) -> Value;
        hsa_signal_cas_screlease(Signal, Value, Value) -> Value;
        hsa_signal_cas_scacq_screl(Signal, Value, Value) -> Value;
        hsa_signal_silent_store_relaxed(Signal, Value);
        hsa_signal_silent_store_screlease(Signal, Value);
        hsa_signal_group_create(u32, *const Signal, u32, *const Agent, *mut SignalGroup) -> Status;
        hsa_signal_group_destroy(SignalGroup) -> Status;
        hsa_signal_group_wait_any_scacquire(SignalGroup, *const u32, *const Value, u32, *mut Signal, *mut Value) -> Status;
        hsa_signal_group_wait_any_relaxed(SignalGroup, *const u32, *const Value, u32, *mut Signal, *mut Value) -> Status;
    );
    record!(wrapping, &layouts::AMD_EXT_TABLE,
        hsa_amd_signal_async_handler(Signal, u32, Value, Callback, Ptr) -> Status;
        hsa_amd_signal_wait_any(u32, *mut Signal, *mut u32, *mut Value, u64, u32, *mut Value) -> u32;
        hsa_amd_signal_wait_all(u32, *mut Signal, *mut u32, *mut Value, u64, u32, *mut Value) -> u32;
        hsa_amd_signal_create(Value, u32, *const Agent, u64, *mut Signal) -> Status;
        hsa_amd_signal_value_pointer(Signal, Out) -> Status;
        hsa_amd_queue_cu_set_mask(Queue, u32, *const u32) -> Status;
        hsa_amd_queue_cu_get_mask(Queue, u32, *mut u32) -> Status;
        hsa_amd_queue_set_priority(Queue, u32) -> Status;
        hsa_amd_memory_pool_get_info(Pool, u32, Ptr) -> Status;
        hsa_amd_agent_iterate_memory_pools(Agent, Callback, Ptr) -> Status;
        hsa_amd_memory_pool_allocate(Pool, usize, u32, Out) -> Status;
        hsa_amd_memory_pool_free(Ptr) -> Status;
        hsa_amd_memory_async_copy(Ptr, Agent, ConstPtr, Agent, usize, u32, *const Signal, Signal) -> Status;
        hsa_amd_memory_async_copy_on_engine(Ptr, Agent, ConstPtr, Agent, usize, u32, *const Signal, Signal, u32, u8) -> Status;
        hsa_amd_memory_copy_engine_status(Agent, Agent, *mut u32) -> Status;
        hsa_amd_memory_async_copy_rect(ConstPtr, ConstPtr, ConstPtr, ConstPtr, ConstPtr, Agent, u32, u32, *const Signal, Signal) -> Status;
        hsa_amd_agent_memory_pool_get_info(Agent, Pool, u32, Ptr) -> Status;
        hsa_amd_agents_allow_access(u32, *const Agent, *const u32, ConstPtr) -> Status;
        hsa_amd_memory_pool_can_migrate(Pool, Pool, *mut u8) -> Status;
        hsa_amd_memory_migrate(ConstPtr, Pool, u32) -> Status;
        hsa_amd_memory_lock(Ptr, usize, *mut Agent, c_int, Out) -> Status;
        hsa_amd_memory_lock_to_pool(Ptr, usize, *mut Agent, c_int, Pool, u32, Out) -> Status;
        hsa_amd_memory_unlock(Ptr) -> Status;
        hsa_amd_memory_fill(Ptr, u32, usize) -> Status;
        hsa_amd_ipc_memory_create(Ptr, usize, Ptr) -> Status;
        hsa_amd_ipc_memory_attach(ConstPtr, usize, u32, *const Agent, Out) -> Status;
        hsa_amd_ipc_memory_detach(Ptr) -> Status;
        hsa_amd_ipc_signal_create(Signal, Ptr) -> Status;
        hsa_amd_ipc_signal_attach(ConstPtr, *mut Signal) -> Status;
        hsa_amd_queue_intercept_create(Agent, u32, u32, Callback, Ptr, u32, u32, *mut Queue) -> Status;
        hsa_amd_queue_intercept_register(Queue, Callback, Ptr) -> Status;
        hsa_amd_queue_get_info(Queue, u32, Ptr) -> Status;
        hsa_amd_memory_get_preferred_copy_engine(Agent, Agent, *mut u32) -> Status;
        hsa_amd_pointer_info(ConstPtr, Ptr, Callback, *mut u32, *mut *mut Agent) -> Status;
        hsa_amd_pointer_info_set_userdata(ConstPtr, Ptr) -> Status;
        hsa_amd_register_deallocation_callback(Ptr, Callback, Ptr) -> Status;
        hsa_amd_deregister_deallocation_callback(Ptr, Callback) -> Status;
        hsa_amd_svm_attributes_set(Ptr, usize, Ptr, usize) -> Status;
        hsa_amd_svm_attributes_get(Ptr, usize, Ptr, usize) -> Status;
        hsa_amd_svm_prefetch_async(Ptr, usize, Agent, u32, *const Signal, Signal) -> Status;
        hsa_amd_vmem_address_reserve(Out, usize, u64, u64) -> Status;
        hsa_amd_vmem_address_reserve_align(Out, usize, u64, u64, u64) -> Status;
        hsa_amd_vmem_address_free(Ptr, usize) -> Status;
        hsa_amd_vmem_handle_create(Pool, usize, u32, u64, *mut VmemHandle) -> Status;
        hsa_amd_vmem_handle_release(VmemHandle) -> Status;
        hsa_amd_vmem_map(Ptr, usize, usize, VmemHandle, u64) -> Status;
        hsa_amd_vmem_unmap(Ptr, usize) -> Status;
        hsa_amd_vmem_set_access(Ptr, usize, ConstPtr, usize) -> Status;
        hsa_amd_vmem_get_access(Ptr, *mut u32, Agent) -> Status;
        hsa_amd_vmem_export_shareable_handle(*mut c_int, VmemHandle, u64) -> Status;
        hsa_amd_vmem_import_shareable_handle(c_int, *mut VmemHandle) -> Status;
        hsa_amd_vmem_retain_alloc_handle(*mut VmemHandle, Ptr) -> Status;
        hsa_amd_vmem_get_alloc_properties_from_handle(VmemHandle, *mut Pool, *mut u32) -> Status;
    );
}
