//! Tells the program which layer a call has reached, where the program wants to know.

use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

type Tell = unsafe extern "C" fn(*const c_char);

/// Calls the program's `demo_layer`, if it exports one.
pub(crate) fn layer(name: &CStr) {
    static TELL: OnceLock<Option<Tell>> = OnceLock::new();
    let tell = TELL.get_or_init(|| {
        // SAFETY: the name ends in NUL.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"demo_layer".as_ptr()) };
        // SAFETY: a program that exports it gives it this type; NULL is None.
        unsafe { std::mem::transmute::<*mut libc::c_void, Option<Tell>>(symbol) }
    });
    if let Some(tell) = tell {
        // SAFETY: a C string.
        unsafe { tell(name.as_ptr()) };
    }
}
