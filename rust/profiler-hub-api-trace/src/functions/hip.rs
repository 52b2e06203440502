//! HIP: allocation, copies, launches; streams, events and devices, with their synchronisation.

use std::ffi::{c_char, c_int, c_uint, c_void};

use profiler_hub_intercept::slots::hip as layouts;

use super::Wrapping;
use super::observers::record;

/// `hipError_t`.
type Error = c_int;
/// `hipMemcpyKind`.
type CopyKind = c_uint;
type Ptr = *mut c_void;
type ConstPtr = *const c_void;
/// A place for a pointer.
type Out = *mut *mut c_void;
/// A kernel's arguments.
type Args = *mut *mut c_void;
type HostFunction = *const c_void;
type Stream = *mut c_void;
type Event = *mut c_void;
type Module = *mut c_void;
type Function = *mut c_void;
type GraphExec = *mut c_void;
type MemPool = *mut c_void;

/// `dim3`, passed by value.
#[repr(C)]
#[derive(Clone, Copy)]
struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

#[rustfmt::skip]
pub(super) fn wrap(wrapping: &mut Wrapping<'_>) {
    record!(wrapping, &layouts::HIP_DISPATCH_TABLE,
        hipMalloc(Out, usize) -> Error;
        hipFree(Ptr) -> Error;
        hipMallocAsync(Out, usize, Stream) -> Error;
        hipFreeAsync(Ptr, Stream) -> Error;
        hipMallocManaged(Out, usize, c_uint) -> Error;
        hipMallocPitch(Out, *mut usize, usize, usize) -> Error;
        hipMallocFromPoolAsync(Out, usize, MemPool, Stream) -> Error;
        hipExtMallocWithFlags(Out, usize, c_uint) -> Error;
        hipHostMalloc(Out, usize, c_uint) -> Error;
        hipHostAlloc(Out, usize, c_uint) -> Error;
        hipMallocHost(Out, usize) -> Error;
        hipHostFree(Ptr) -> Error;
        hipFreeHost(Ptr) -> Error;
        hipHostRegister(Ptr, usize, c_uint) -> Error;
        hipHostUnregister(Ptr) -> Error;
        hipMemGetInfo(*mut usize, *mut usize) -> Error;
        hipMemcpy(Ptr, ConstPtr, usize, CopyKind) -> Error;
        hipMemcpyAsync(Ptr, ConstPtr, usize, CopyKind, Stream) -> Error;
        hipMemcpyWithStream(Ptr, ConstPtr, usize, CopyKind, Stream) -> Error;
        hipMemcpyHtoD(Ptr, ConstPtr, usize) -> Error;
        hipMemcpyDtoH(Ptr, Ptr, usize) -> Error;
        hipMemcpyDtoD(Ptr, Ptr, usize) -> Error;
        hipMemcpyHtoDAsync(Ptr, ConstPtr, usize, Stream) -> Error;
        hipMemcpyDtoHAsync(Ptr, Ptr, usize, Stream) -> Error;
        hipMemcpyDtoDAsync(Ptr, Ptr, usize, Stream) -> Error;
        hipMemcpy2D(Ptr, usize, ConstPtr, usize, usize, usize, CopyKind) -> Error;
        hipMemcpy2DAsync(Ptr, usize, ConstPtr, usize, usize, usize, CopyKind, Stream) -> Error;
        hipMemcpyPeer(Ptr, c_int, ConstPtr, c_int, usize) -> Error;
        hipMemcpyPeerAsync(Ptr, c_int, ConstPtr, c_int, usize, Stream) -> Error;
        hipMemcpyToSymbol(ConstPtr, ConstPtr, usize, usize, CopyKind) -> Error;
        hipMemcpyFromSymbol(Ptr, ConstPtr, usize, usize, CopyKind) -> Error;
        hipMemset(Ptr, c_int, usize) -> Error;
        hipMemsetAsync(Ptr, c_int, usize, Stream) -> Error;
        hipLaunchKernel(ConstPtr, Dim3, Dim3, Args, usize, Stream) -> Error;
        hipExtLaunchKernel(ConstPtr, Dim3, Dim3, Args, usize, Stream, Event, Event, c_int) -> Error;
        hipLaunchCooperativeKernel(ConstPtr, Dim3, Dim3, Args, c_uint, Stream) -> Error;
        hipModuleLaunchKernel(Function, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Stream, Args, Args) -> Error;
        hipExtModuleLaunchKernel(Function, u32, u32, u32, u32, u32, u32, usize, Stream, Args, Args, Event, Event, u32) -> Error;
        hipGraphLaunch(GraphExec, Stream) -> Error;
        hipLaunchHostFunc(Stream, HostFunction, Ptr) -> Error;
        hipStreamCreate(*mut Stream) -> Error;
        hipStreamCreateWithFlags(*mut Stream, c_uint) -> Error;
        hipStreamCreateWithPriority(*mut Stream, c_uint, c_int) -> Error;
        hipStreamDestroy(Stream) -> Error;
        hipStreamSynchronize(Stream) -> Error;
        hipStreamQuery(Stream) -> Error;
        hipStreamWaitEvent(Stream, Event, c_uint) -> Error;
        hipEventCreate(*mut Event) -> Error;
        hipEventCreateWithFlags(*mut Event, c_uint) -> Error;
        hipEventRecord(Event, Stream) -> Error;
        hipEventSynchronize(Event) -> Error;
        hipEventQuery(Event) -> Error;
        hipEventElapsedTime(*mut f32, Event, Event) -> Error;
        hipEventDestroy(Event) -> Error;
        hipDeviceSynchronize() -> Error;
        hipSetDevice(c_int) -> Error;
        hipGetDevice(*mut c_int) -> Error;
        hipGetDeviceCount(*mut c_int) -> Error;
        hipGetLastError() -> Error;
        hipModuleLoadData(*mut Module, ConstPtr) -> Error;
        hipModuleGetFunction(*mut Function, Module, *const c_char) -> Error;
        hipMemcpy_spt(Ptr, ConstPtr, usize, CopyKind) -> Error;
        hipMemcpyAsync_spt(Ptr, ConstPtr, usize, CopyKind, Stream) -> Error;
        hipMemsetAsync_spt(Ptr, c_int, usize, Stream) -> Error;
        hipLaunchKernel_spt(ConstPtr, Dim3, Dim3, Args, usize, Stream) -> Error;
        hipStreamSynchronize_spt(Stream) -> Error;
        hipEventRecord_spt(Event, Stream) -> Error;
    );
}
