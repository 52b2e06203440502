//! Finds the SDK's symbols in what the process has already loaded.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

/// The SDK's library, by the name the dynamic loader knows it by.
pub const SDK_SONAME: &CStr = c"librocprofiler-sdk.so.1";

/// Address of an SDK symbol, or `None`.
///
/// First the global scope, where a linked or preloaded SDK is; then the SDK's own scope, for one
/// that somebody else loaded with `RTLD_LOCAL`. Nothing is ever loaded: two copies of the SDK in
/// one process would each own half of the state. Any thread; takes the loader's lock.
#[must_use]
pub fn find_symbol(name: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the name ends in NUL; RTLD_DEFAULT is always a valid handle.
    let global = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    NonNull::new(global).or_else(|| {
        // SAFETY: the name ends in NUL, and RTLD_NOLOAD runs no initialiser.
        let sdk = unsafe { libc::dlopen(SDK_SONAME.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if sdk.is_null() {
            return None;
        }
        // SAFETY: `sdk` is a handle; the reference that dlopen took is given back below. Whoever
        // loaded the SDK keeps it.
        unsafe {
            let symbol = libc::dlsym(sdk, name.as_ptr());
            libc::dlclose(sdk);
            NonNull::new(symbol)
        }
    })
}
