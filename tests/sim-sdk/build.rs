//! Gives the simulation the SDK's SONAME: tools find a loaded SDK by it.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,librocprofiler-sdk.so.1");
    println!("cargo::rerun-if-changed=build.rs");
}
