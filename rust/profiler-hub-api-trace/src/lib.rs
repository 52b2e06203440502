//! A preloaded recorder of runtime API calls: intercept tables in, regions of a rocpd out.
