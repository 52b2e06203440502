//! A simulation of rocprofiler-sdk, for tests: it stands in for the SDK where there is no AMD GPU.
//!
//! The library exports the SDK's functions by the SDK's ABI, finds the `rocprofiler_configure` of
//! preloaded tools, and simulates what a [`scenario`] describes. A program uses it as its GPU
//! runtime, through [`runtime`]:
//!
//! ```c
//! int sim_gpu_init(void);     // what hsa_init does: configures the tools, loads the kernels
//! int sim_run(void);          // launches what the scenario lists
//! int sim_launch(size_t kernel, size_t agent);   // launches one, in the calling thread
//! int sim_wait(void);         // until every record was handed to the tools
//! int sim_write_results(void);// writes the SDK's own database now instead of at exit
//! ```
//!
//! Nothing in the tools knows of it. Nothing measured with it says anything of a GPU.

#![expect(
    clippy::panic,
    clippy::print_stderr,
    reason = "a simulation stops a test that asks for nonsense"
)]

pub mod scenario;

mod agents;
mod calls;
mod exports;
mod intercept;
mod results;
mod runtime;
mod sdk;
mod services;
mod tables;
mod tools;
