//! Tests of the whole project; the tests stand in `tests/`.
