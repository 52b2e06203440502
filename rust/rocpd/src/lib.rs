//! Writes, reads and probes rocpd databases, the SQLite files of ROCm's profilers.
