//! A simulation of rocprofiler-sdk, for tests: it stands in for the SDK where there is no AMD GPU.
