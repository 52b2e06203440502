//! The library stays loaded: its thread, and functions that the SDK knows, have to stay valid.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Strings that end alike are kept once: the file has a limit.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-O2,--hash-style=gnu");
    println!("cargo::rerun-if-changed=build.rs");
}
