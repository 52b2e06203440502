//! The native counter tool: preloaded into an application, it writes hardware counters to a rocpd.
