//! Whether a file is a shared object that this machine can load: the first bytes of its ELF header.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Magic number, class, byte order; then, at offset 18, the machine.
const HEADER_BYTES: usize = 20;

fn identity(path: &Path) -> Option<([u8; 2], [u8; 2])> {
    let mut header = [0_u8; HEADER_BYTES];
    File::open(path).ok()?.read_exact(&mut header).ok()?;
    (header[..4] == *b"\x7fELF").then(|| ([header[4], header[5]], [header[18], header[19]]))
}

/// True if the file has the class, byte order and machine of the running program.
pub(crate) fn is_for_this_machine(path: &Path) -> bool {
    let own = identity(Path::new("/proc/self/exe"));
    match (identity(path), own) {
        (Some(file), Some(own)) => file == own,
        (file, None) => file.is_some(),
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_running_program_and_nothing_that_is_no_elf_of_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_for_this_machine(&std::env::current_exe().unwrap()));
        let mut header = std::fs::read("/proc/self/exe").unwrap();
        header.truncate(64);
        let other_machine = folder.path().join("other-machine.so");
        header[18] ^= 0xff;
        std::fs::write(&other_machine, &header).unwrap();
        assert!(!is_for_this_machine(&other_machine));
        let half_written = folder.path().join("half.so");
        std::fs::write(&half_written, &header[..10]).unwrap();
        assert!(!is_for_this_machine(&half_written));
        assert!(!is_for_this_machine(&folder.path().join("missing.so")));
    }
}
