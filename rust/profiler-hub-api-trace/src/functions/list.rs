//! The list of the functions, in the order of their indices.

use super::Function;

macro_rules! functions {
    ($($category:literal $suffix:literal: $($name:ident $($message:literal)?),*;)*) => {
        /// Which function: an index into [`FUNCTIONS`].
        #[expect(non_camel_case_types, clippy::enum_variant_names, reason = "the names are the functions'")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub(crate) enum Id {
            $($($name,)*)*
        }

        const IDS: &[Id] = &[$($(Id::$name,)*)*];

        /// All functions that are recorded.
        pub(crate) const FUNCTIONS: &[Function] = &[$($(Function {
            name: stringify!($name),
            category: $category,
            has_message: functions!(@message $($message)?),
        },)*)*];

        /// The functions' slots, as the layouts name them.
        pub(super) const SLOTS: &[&str] = &[$($(concat!(stringify!($name), $suffix),)*)*];
    };
    (@message) => { false };
    (@message $message:literal) => { true };
}

impl Id {
    /// The index.
    #[must_use]
    pub(crate) const fn index(self) -> u16 {
        self as u16
    }

    /// The function at an index.
    pub(super) const fn at(index: usize) -> Self {
        IDS[index]
    }
}

functions! {
    "MARKER_CORE_API" "":
        roctxMarkA "message",
        roctxRangePushA "message",
        roctxRangePop,
        roctxRangeStartA "message",
        roctxRangeStop,
        roctxGetThreadId;
    "MARKER_CONTROL_API" "":
        roctxProfilerPause,
        roctxProfilerResume;
    "MARKER_NAME_API" "":
        roctxNameOsThread,
        roctxNameHsaAgent,
        roctxNameHipDevice,
        roctxNameHipStream;
    "HIP_RUNTIME_API" "":
        hipMalloc,
        hipFree,
        hipMallocAsync,
        hipFreeAsync,
        hipMallocManaged,
        hipMallocPitch,
        hipMallocFromPoolAsync,
        hipExtMallocWithFlags,
        hipHostMalloc,
        hipHostAlloc,
        hipMallocHost,
        hipHostFree,
        hipFreeHost,
        hipHostRegister,
        hipHostUnregister,
        hipMemGetInfo,
        hipMemcpy,
        hipMemcpyAsync,
        hipMemcpyWithStream,
        hipMemcpyHtoD,
        hipMemcpyDtoH,
        hipMemcpyDtoD,
        hipMemcpyHtoDAsync,
        hipMemcpyDtoHAsync,
        hipMemcpyDtoDAsync,
        hipMemcpy2D,
        hipMemcpy2DAsync,
        hipMemcpyPeer,
        hipMemcpyPeerAsync,
        hipMemcpyToSymbol,
        hipMemcpyFromSymbol,
        hipMemset,
        hipMemsetAsync,
        hipLaunchKernel,
        hipExtLaunchKernel,
        hipLaunchCooperativeKernel,
        hipModuleLaunchKernel,
        hipExtModuleLaunchKernel,
        hipGraphLaunch,
        hipLaunchHostFunc,
        hipStreamCreate,
        hipStreamCreateWithFlags,
        hipStreamCreateWithPriority,
        hipStreamDestroy,
        hipStreamSynchronize,
        hipStreamQuery,
        hipStreamWaitEvent,
        hipEventCreate,
        hipEventCreateWithFlags,
        hipEventRecord,
        hipEventSynchronize,
        hipEventQuery,
        hipEventElapsedTime,
        hipEventDestroy,
        hipDeviceSynchronize,
        hipSetDevice,
        hipGetDevice,
        hipGetDeviceCount,
        hipGetLastError,
        hipModuleLoadData,
        hipModuleGetFunction,
        hipMemcpy_spt,
        hipMemcpyAsync_spt,
        hipMemsetAsync_spt,
        hipLaunchKernel_spt,
        hipStreamSynchronize_spt,
        hipEventRecord_spt;
    "HSA_CORE_API" "_fn":
        hsa_queue_create,
        hsa_soft_queue_create,
        hsa_queue_destroy,
        hsa_queue_inactivate,
        hsa_queue_load_read_index_scacquire,
        hsa_queue_load_read_index_relaxed,
        hsa_queue_load_write_index_scacquire,
        hsa_queue_load_write_index_relaxed,
        hsa_queue_store_write_index_relaxed,
        hsa_queue_store_write_index_screlease,
        hsa_queue_cas_write_index_scacq_screl,
        hsa_queue_cas_write_index_scacquire,
        hsa_queue_cas_write_index_relaxed,
        hsa_queue_cas_write_index_screlease,
        hsa_queue_add_write_index_scacq_screl,
        hsa_queue_add_write_index_scacquire,
        hsa_queue_add_write_index_relaxed,
        hsa_queue_add_write_index_screlease,
        hsa_queue_store_read_index_relaxed,
        hsa_queue_store_read_index_screlease,
        hsa_memory_register,
        hsa_memory_deregister,
        hsa_memory_allocate,
        hsa_memory_free,
        hsa_memory_copy,
        hsa_memory_assign_agent,
        hsa_signal_create,
        hsa_signal_destroy,
        hsa_signal_load_relaxed,
        hsa_signal_load_scacquire,
        hsa_signal_store_relaxed,
        hsa_signal_store_screlease,
        hsa_signal_wait_relaxed,
        hsa_signal_wait_scacquire,
        hsa_signal_and_relaxed,
        hsa_signal_and_scacquire,
        hsa_signal_and_screlease,
        hsa_signal_and_scacq_screl,
        hsa_signal_or_relaxed,
        hsa_signal_or_scacquire,
        hsa_signal_or_screlease,
        hsa_signal_or_scacq_screl,
        hsa_signal_xor_relaxed,
        hsa_signal_xor_scacquire,
        hsa_signal_xor_screlease,
        hsa_signal_xor_scacq_screl,
        hsa_signal_exchange_relaxed,
        hsa_signal_exchange_scacquire,
        hsa_signal_exchange_screlease,
        hsa_signal_exchange_scacq_screl,
        hsa_signal_add_relaxed,
        hsa_signal_add_scacquire,
        hsa_signal_add_screlease,
        hsa_signal_add_scacq_screl,
        hsa_signal_subtract_relaxed,
        hsa_signal_subtract_scacquire,
        hsa_signal_subtract_screlease,
        hsa_signal_subtract_scacq_screl,
        hsa_signal_cas_relaxed,
        hsa_signal_cas_scacquire,
        hsa_signal_cas_screlease,
        hsa_signal_cas_scacq_screl,
        hsa_signal_silent_store_relaxed,
        hsa_signal_silent_store_screlease,
        hsa_signal_group_create,
        hsa_signal_group_destroy,
        hsa_signal_group_wait_any_scacquire,
        hsa_signal_group_wait_any_relaxed;
    "HSA_AMD_EXT_API" "_fn":
        hsa_amd_signal_async_handler,
        hsa_amd_signal_wait_any,
        hsa_amd_signal_wait_all,
        hsa_amd_signal_create,
        hsa_amd_signal_value_pointer,
        hsa_amd_queue_cu_set_mask,
        hsa_amd_queue_cu_get_mask,
        hsa_amd_queue_set_priority,
        hsa_amd_memory_pool_get_info,
        hsa_amd_agent_iterate_memory_pools,
        hsa_amd_memory_pool_allocate,
        hsa_amd_memory_pool_free,
        hsa_amd_memory_async_copy,
        hsa_amd_memory_async_copy_on_engine,
        hsa_amd_memory_copy_engine_status,
        hsa_amd_memory_async_copy_rect,
        hsa_amd_agent_memory_pool_get_info,
        hsa_amd_agents_allow_access,
        hsa_amd_memory_pool_can_migrate,
        hsa_amd_memory_migrate,
        hsa_amd_memory_lock,
        hsa_amd_memory_lock_to_pool,
        hsa_amd_memory_unlock,
        hsa_amd_memory_fill,
        hsa_amd_ipc_memory_create,
        hsa_amd_ipc_memory_attach,
        hsa_amd_ipc_memory_detach,
        hsa_amd_ipc_signal_create,
        hsa_amd_ipc_signal_attach,
        hsa_amd_queue_intercept_create,
        hsa_amd_queue_intercept_register,
        hsa_amd_queue_get_info,
        hsa_amd_memory_get_preferred_copy_engine,
        hsa_amd_pointer_info,
        hsa_amd_pointer_info_set_userdata,
        hsa_amd_register_deallocation_callback,
        hsa_amd_deregister_deallocation_callback,
        hsa_amd_svm_attributes_set,
        hsa_amd_svm_attributes_get,
        hsa_amd_svm_prefetch_async,
        hsa_amd_vmem_address_reserve,
        hsa_amd_vmem_address_reserve_align,
        hsa_amd_vmem_address_free,
        hsa_amd_vmem_handle_create,
        hsa_amd_vmem_handle_release,
        hsa_amd_vmem_map,
        hsa_amd_vmem_unmap,
        hsa_amd_vmem_set_access,
        hsa_amd_vmem_get_access,
        hsa_amd_vmem_export_shareable_handle,
        hsa_amd_vmem_import_shareable_handle,
        hsa_amd_vmem_retain_alloc_handle,
        hsa_amd_vmem_get_alloc_properties_from_handle;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_index() {
        assert_eq!(
            FUNCTIONS[usize::from(Id::hipMalloc.index())].name,
            "hipMalloc"
        );
        assert_eq!(
            SLOTS[usize::from(Id::hsa_queue_create.index())],
            "hsa_queue_create_fn"
        );
        for (index, function) in FUNCTIONS.iter().enumerate() {
            assert_eq!(
                usize::from(Id::at(index).index()),
                index,
                "{}",
                function.name
            );
        }
    }
}
