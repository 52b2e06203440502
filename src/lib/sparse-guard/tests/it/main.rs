//! The guard on real repositories, made by each git on PATH; a file per case.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::panic, reason = "a test may fail")]

mod attributes;
mod cmake;
mod cone;
mod config;
mod dirty;
mod full;
mod index_forms;
mod killed;
mod lab;
mod links;
mod locked;
mod names;
mod outside;
mod owner;
mod partial_clone;
mod patterns;
mod property;
mod tarball;
mod worktrees;
