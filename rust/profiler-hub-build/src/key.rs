//! The name of a build in the cache: another one for each input that could make the product another.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::toolchain::Toolchain;
use crate::{Error, Product, sources};

/// Bytes of the hash that make the name; 16 are beyond any chance of two builds with the same one.
const NAME_BYTES: usize = 16;

/// From product, sources, the version of ROCm, architecture and compilers. Where the crates come from does not
/// count: the lock file fixes their content.
pub(crate) fn name(
    product: Product,
    source: &Path,
    rocm: Option<&Path>,
    toolchain: &Toolchain,
) -> Result<String, Error> {
    let mut hasher = Sha256::new();
    let compiler = toolchain.compiler.as_os_str().as_encoded_bytes();
    for piece in [
        product.target().as_bytes(),
        &sources::hash(source)?,
        rocm_version(rocm).as_bytes(),
        std::env::consts::ARCH.as_bytes(),
        compiler,
        toolchain.versions.as_bytes(),
    ] {
        hasher.update(piece.len().to_le_bytes());
        hasher.update(piece);
    }
    let hash = hasher.finalize();
    let hex: String = hash
        .iter()
        .take(NAME_BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(format!("{}-{hex}", product.target()))
}

/// What ROCm says in `.info/version`; empty where there is none.
fn rocm_version(rocm: Option<&Path>) -> String {
    let root = rocm.unwrap_or(Path::new("/opt/rocm"));
    fs::read_to_string(root.join(".info/version"))
        .unwrap_or_default()
        .trim()
        .to_owned()
}
