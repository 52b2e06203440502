//! The command `profiler-hub`.

fn main() {}
