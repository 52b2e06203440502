//! The library stays loaded: its thread, and functions that the SDK knows, have to stay valid.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
