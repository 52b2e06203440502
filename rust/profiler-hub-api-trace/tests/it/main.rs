//! Integration tests: C programs with the simulated SDK and the recorder preloaded.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod calls;
mod ends;
mod stage;
mod surroundings;
