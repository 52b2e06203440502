//! Finds the SDK's symbols in what the process has already loaded.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, Ordering};

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

/// Handle of the library that [`use_sdk_of`] chose.
static CHOSEN: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Whether [`use_sdk_of`] chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// From now on the SDK's functions are those of the library that `address` is in.
    Chosen,
    /// No library with the SDK's functions is there: they are looked for in the whole process.
    NotAnSdk,
    /// Another SDK was chosen before; it stays.
    AnotherBefore,
}

/// Takes the SDK's functions from the library that has `address`: a tool has to call the copy of the
/// SDK that called it, under whatever name and in whatever scope that was loaded.
///
/// Any thread; takes the loader's lock. The library stays loaded.
#[must_use]
pub fn use_sdk_of(address: usize) -> Choice {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: any address may be asked for, and `info` is read only where there was an answer.
    // RTLD_NOLOAD runs no initialiser.
    let sdk = unsafe {
        if libc::dladdr(std::ptr::without_provenance(address), info.as_mut_ptr()) == 0 {
            return Choice::NotAnSdk;
        }
        let name = info.assume_init().dli_fname;
        if name.is_null() {
            return Choice::NotAnSdk;
        }
        libc::dlopen(name, libc::RTLD_LAZY | libc::RTLD_NOLOAD)
    };
    let has_functions = || {
        // SAFETY: `sdk` is a handle.
        let symbol = unsafe { libc::dlsym(sdk, c"rocprofiler_create_context".as_ptr()) };
        !symbol.is_null()
    };
    if sdk.is_null() || !has_functions() {
        return Choice::NotAnSdk;
    }
    // The loader gives the same handle for the same library.
    match CHOSEN.compare_exchange(
        std::ptr::null_mut(),
        sdk,
        Ordering::AcqRel,
        Ordering::Acquire,
    ) {
        Ok(_) => Choice::Chosen,
        Err(before) if before == sdk => Choice::Chosen,
        Err(_) => Choice::AnotherBefore,
    }
}

/// A symbol of the chosen SDK, and of no other; without a choice, of the process.
pub(crate) fn find_sdk_symbol(name: &CStr) -> Option<NonNull<c_void>> {
    let sdk = CHOSEN.load(Ordering::Acquire);
    if sdk.is_null() {
        return find_symbol(name);
    }
    // SAFETY: the handle was never given back.
    NonNull::new(unsafe { libc::dlsym(sdk, name.as_ptr()) })
}
