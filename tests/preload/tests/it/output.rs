//! The whole path: application, simulation and tool, two databases, `profiler-hub analyze`, a CSV.
