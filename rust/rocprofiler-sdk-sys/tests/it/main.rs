//! The declarations agree with the SDK's headers as a compiler read them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod enums;
mod layouts;
mod lookup;

use serde_json::Value;

/// What a compiler read from the headers.
fn abi() -> Value {
    serde_json::from_str(include_str!("../abi/rocprofiler-sdk-1.0.json")).unwrap()
}
