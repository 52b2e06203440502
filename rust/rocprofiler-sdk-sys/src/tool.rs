//! How a tool presents itself to the SDK.

use std::ffi::{c_char, c_int, c_void};

/// Who a tool is: the SDK fills `handle`, the tool `name`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_client_id_t {
    /// Bytes of the struct as the SDK was built.
    pub size: usize,
    /// The tool's name; has to live as long as the process.
    pub name: *const c_char,
    /// The SDK's number of the tool; not to be written.
    pub handle: u32,
}

/// Given to `initialize`: calling it makes the SDK finalise the tool.
pub type rocprofiler_client_finalize_t = Option<unsafe extern "C" fn(rocprofiler_client_id_t)>;

/// Called once, on the thread that configures: declares contexts and services. Not 0 means failure.
pub type rocprofiler_tool_initialize_t =
    Option<unsafe extern "C" fn(rocprofiler_client_finalize_t, *mut c_void) -> c_int>;

/// Called at the end of the process, late: statics and thread-locals may be gone.
pub type rocprofiler_tool_finalize_t = Option<unsafe extern "C" fn(*mut c_void)>;

/// What `rocprofiler_configure` returns a pointer to; has to stay valid.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct rocprofiler_tool_configure_result_t {
    /// `size_of::<Self>()`.
    pub size: usize,
    /// See [`rocprofiler_tool_initialize_t`].
    pub initialize: rocprofiler_tool_initialize_t,
    /// See [`rocprofiler_tool_finalize_t`].
    pub finalize: rocprofiler_tool_finalize_t,
    /// Handed to both.
    pub tool_data: *mut c_void,
}

/// `rocprofiler_configure`, the symbol that makes a library a tool.
///
/// The version is 10000·major + 100·minor + patch. NULL means that the tool takes no part.
pub type rocprofiler_configure_func_t = Option<
    unsafe extern "C" fn(
        version: u32,
        runtime_version: *const c_char,
        priority: u32,
        client_id: *mut rocprofiler_client_id_t,
    ) -> *mut rocprofiler_tool_configure_result_t,
>;
