//! Tests of the crate as its users see it: files in, table and report out.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so and stops"
)]

mod capture;
mod cases;
mod golden;
mod model;
mod plain;
mod run;
mod shapes;
