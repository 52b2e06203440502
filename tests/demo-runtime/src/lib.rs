//! Runtimes for tests: a demo API and ROCTx, whose functions tools can wrap.
//!
//! The demo API is the one of `tests/demo-runtime-c/demo_runtime.h`.

mod demo;
mod layer;
mod plain;
mod roctx;

pub use demo::{DEMO, DemoTable, Pair, Point};
pub use plain::{PLAIN, PlainTable};
pub use roctx::{ROCTX, RoctxControl, RoctxCore, RoctxName};
