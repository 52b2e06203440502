//! The guard on real repositories, made by each git on PATH; a file per case.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::panic, reason = "a test may fail")]

mod cone;
mod config;
mod full;
mod index_forms;
mod lab;
mod partial_clone;
mod patterns;
