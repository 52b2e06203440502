//! Opens a rocpd database through the C API and says what is in it.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

#[repr(C)]
#[derive(Default)]
struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

unsafe extern "C" {
    fn ph_get_library_version(version: *mut Version) -> c_int;
    fn ph_ctx_create(ctx: *mut *mut c_void, path: *const c_char) -> c_int;
    fn ph_get_schema_version(ctx: *mut c_void, version: *mut Version) -> c_int;
    fn ph_ctx_free(ctx: *mut c_void) -> c_int;
}

fn main() {
    let path = CString::new(std::env::args().nth(1).expect("a path")).expect("no NUL in a path");
    let (mut library, mut schema) = (Version::default(), Version::default());
    let mut ctx = ptr::null_mut();
    // SAFETY: the signatures are those of the header, the pointers live through each call.
    let done = unsafe {
        [
            ph_get_library_version(&mut library),
            ph_ctx_create(&mut ctx, path.as_ptr()),
            ph_get_schema_version(ctx, &mut schema),
            ph_ctx_free(ctx),
        ]
    };
    assert_eq!(done, [0; 4]);
    println!(
        "profiler-hub {}.{}.{} reads schema {}.{}.{}",
        library.major, library.minor, library.patch, schema.major, schema.minor, schema.patch
    );
}
