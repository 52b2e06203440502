//! Asking rocprofiler-sdk for the tables of a set of runtimes.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::BitOr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rocprofiler_sdk_sys as sys;

use super::handover::Handover;
use crate::loader::pin_library_of;

/// A set of tables, or one of them: an OR of `rocprofiler_intercept_table_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TableSet(u32);

impl TableSet {
    /// HSA: `HsaApiTable`, which points to the core, AMD, image, … tables.
    pub const HSA: Self = Self(sys::ROCPROFILER_HSA_TABLE.0);
    /// HIP's runtime API.
    pub const HIP_RUNTIME: Self = Self(sys::ROCPROFILER_HIP_RUNTIME_TABLE.0);
    /// What the HIP compiler's code calls.
    pub const HIP_COMPILER: Self = Self(sys::ROCPROFILER_HIP_COMPILER_TABLE.0);
    /// ROCTx marks and ranges.
    pub const MARKER_CORE: Self = Self(sys::ROCPROFILER_MARKER_CORE_TABLE.0);
    /// ROCTx pause and resume.
    pub const MARKER_CONTROL: Self = Self(sys::ROCPROFILER_MARKER_CONTROL_TABLE.0);
    /// ROCTx names.
    pub const MARKER_NAME: Self = Self(sys::ROCPROFILER_MARKER_NAME_TABLE.0);

    /// No table.
    #[must_use]
    pub const fn empty() -> Self {
        Self(0)
    }

    /// By value of `rocprofiler_intercept_table_t`, for tables that have no name here.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The value for the SDK.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all of `other` is in the set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is no table in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitOr for TableSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Why tables cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// No SDK in this process, or one without the function.
    #[error(
        "cannot register for runtime tables: no loaded library has \
         rocprofiler_at_intercept_table_registration; is rocprofiler-sdk in this process?"
    )]
    NoSdk,
    /// The SDK said no: its status, with its own name and text for it.
    #[error(
        "cannot register for runtime tables: rocprofiler_at_intercept_table_registration returned \
         {status} ({name}: {text}){remedy}"
    )]
    Refused {
        /// `rocprofiler_status_t`.
        status: u32,
        /// The SDK's name of the status.
        name: String,
        /// The SDK's text for the status.
        text: String,
        /// What to do, where there is something to do.
        remedy: &'static str,
    },
}

/// Has `callback` called with the tables of `set` whenever a runtime hands them over: from now on,
/// for the whole run, on the thread that makes the runtime's first call. A panic in it stays in it.
///
/// To be called in `rocprofiler_configure`; once the tools are configured the SDK refuses. The
/// library that this code is in stays loaded from then on.
///
/// # Errors
/// [`RegisterError`]; the callback is dropped then.
pub fn register<C>(set: TableSet, callback: C) -> Result<(), RegisterError>
where
    C: Fn(&Handover<'_>) + Send + Sync + 'static,
{
    let sdk = sys::Functions::lookup();
    let Some(at_registration) = sdk.at_intercept_table_registration else {
        return Err(RegisterError::NoSdk);
    };
    let user: *mut C = Box::into_raw(Box::new(callback));
    // A bit mask; its sign means nothing.
    let libs: c_int = set.0.cast_signed();
    // SAFETY: the trampoline takes what the SDK gives, and `user` stays where it is for good.
    let status = unsafe { at_registration(Some(trampoline::<C>), libs, user.cast()) };
    if status == sys::ROCPROFILER_STATUS_SUCCESS {
        pin_library_of((trampoline::<C> as *const ()).cast());
        return Ok(());
    }
    // SAFETY: the SDK did not take it.
    drop(unsafe { Box::from_raw(user) });
    let text = |function: Option<StatusText>| {
        // SAFETY: takes any status; returns NULL or a static string.
        let text = function.map_or(std::ptr::null(), |function| unsafe { function(status) });
        if text.is_null() {
            return "no text".to_owned();
        }
        // SAFETY: not NULL, so a C string.
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned()
    };
    let remedy = if status == sys::ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED {
        "; the tools are configured already: register inside rocprofiler_configure"
    } else {
        ""
    };
    Err(RegisterError::Refused {
        status: status.0,
        name: text(sdk.get_status_name),
        text: text(sdk.get_status_string),
        remedy,
    })
}

type StatusText = unsafe extern "C" fn(sys::rocprofiler_status_t) -> *const c_char;

unsafe extern "C" fn trampoline<C: Fn(&Handover<'_>) + Sync>(
    kind: sys::rocprofiler_intercept_table_t,
    version: u64,
    instance: u64,
    tables: *mut *mut c_void,
    count: u64,
    user: *mut c_void,
) {
    // SAFETY: what the SDK hands over, for as long as this runs.
    let handover = unsafe {
        Handover::new(
            TableSet(kind.0),
            version,
            instance,
            tables.cast_const(),
            count,
        )
    };
    // SAFETY: `user` is the callback that was registered, and is never freed.
    let callback = unsafe { &*user.cast::<C>() };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| callback(&handover))) {
        // Dropping it could panic again.
        std::mem::forget(payload);
    }
}
