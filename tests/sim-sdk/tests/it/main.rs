//! The simulation exports what a tool looks up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::CString;
use std::path::PathBuf;

use rocprofiler_sdk_sys::Functions;

/// The library as cargo built it for this test.
fn library() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.set_file_name("libsim_sdk.so");
    path
}

#[test]
fn every_function_of_the_sdk_is_exported() {
    let path = CString::new(library().into_os_string().into_encoded_bytes()).unwrap();
    // SAFETY: the library's initialiser does nothing without a scenario.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(!handle.is_null(), "cannot load {}", path.to_string_lossy());
    for name in Functions::SYMBOLS {
        // SAFETY: a handle and a name.
        let symbol = unsafe { libc::dlsym(handle, name.as_ptr()) };
        assert!(!symbol.is_null(), "{} is missing", name.to_string_lossy());
    }
    // It is loaded with RTLD_LOCAL: only its SONAME leads to it.
    let functions = Functions::lookup();
    assert!(functions.create_context.is_some());
    assert!(functions.get_status_string.is_some());
}
