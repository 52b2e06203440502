//! Gives the simulation the SDK's SONAME: tools find a loaded SDK by it. Within the library its own
//! functions are called, also where another copy of it is in the process.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librocprofiler-sdk.so.1");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    println!("cargo::rerun-if-changed=build.rs");
}
