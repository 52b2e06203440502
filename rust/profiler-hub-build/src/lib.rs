//! Finds an installed native counter tool, else builds it.
