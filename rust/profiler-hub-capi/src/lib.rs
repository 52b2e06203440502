//! The C ABI of profiler-hub: libprofiler-hub.so and libprofiler-hub.a.
