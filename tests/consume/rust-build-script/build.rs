//! Finds the library, or builds it, and tells cargo how to link it.

use profiler_hub_build::{Linkage, link};

fn main() -> Result<(), profiler_hub_build::Error> {
    let linkage = if cfg!(feature = "static") { Linkage::Static } else { Linkage::Shared };
    link(linkage).map(|_folder| ())
}
