//! The native counter tool: preloaded into an application, it writes hardware counters to a rocpd.
//!
//! rocprofiler-sdk finds the library by its one symbol, `rocprofiler_configure`. What is counted
//! says the environment ([`settings`]); where it goes is `<pid>_native_counter_collection.db`.
//!
//! | module | what it has |
//! |---|---|
//! | `callbacks` | the C functions that the SDK calls |
//! | `tool` | the state of this process, and what the callbacks do with it |
//! | [`settings`] | the environment, parsed |
//! | [`plan`] | what is counted on which agent |
//! | [`kernels`], [`selection`] | which dispatches are counted, with which set |
//! | [`capture`] | from the record callback to the writer |
//! | [`writers`] | where values go |
//! | [`fork`] | a clean child |
//! | [`log`] | lines on stderr |
//!
//! The process is somebody else's. Nothing happens before a GPU is used; nothing goes to stdout; a
//! panic stays in here and turns the tool off; the application's exit status is its own.

mod callbacks;
mod tool;

pub mod capture;
pub mod fork;
pub mod kernels;
pub mod log;
pub mod plan;
pub mod process;
pub mod sdk;
pub mod selection;
pub mod settings;
pub mod writers;
