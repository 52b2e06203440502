//! What the dynamic loader knows about an address: which library it lies in, and keeping that one.

use std::ffi::c_void;
use std::mem::MaybeUninit;

fn info(address: *const c_void) -> Option<libc::Dl_info> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: dladdr takes any address, and fills what it is given where it returns non-zero.
    if unsafe { libc::dladdr(address, info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: filled, by the above; and all zeroes are valid for it too.
    Some(unsafe { info.assume_init() })
}

/// The base address of the library that `address` lies in, or `None` where it lies in no library:
/// on the heap, or in one that has been unloaded.
pub(crate) fn library_of(address: *const c_void) -> Option<usize> {
    info(address).map(|info| info.dli_fbase.addr())
}

/// Keeps the library that `address` lies in for as long as the process lives, whatever `dlclose`
/// says. Nothing to do, and nothing done, for the executable itself.
pub(crate) fn pin_library_of(address: *const c_void) {
    let Some(info) = info(address) else { return };
    if info.dli_fname.is_null() {
        return;
    }
    // SAFETY: the name is a C string of the loader; RTLD_NOLOAD runs no initialiser. The handle is
    // not given back on purpose: RTLD_NODELETE would keep the library anyway.
    unsafe {
        libc::dlopen(
            info.dli_fname,
            libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE,
        );
    }
}
