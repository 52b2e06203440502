//! The kernels that were loaded: which of them are counted, and which have the same name.

use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use crate::settings::{KernelFilter, searchable_name};

/// Which kernel a dispatch is of: by name, so that a kernel that is loaded twice stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelKey {
    /// Number of the name.
    Name(u32),
    /// The SDK's number, where the name is not known.
    Id(u64),
}

/// A loaded kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its identity.
    pub key: KernelKey,
    /// Whether the filter lets it through.
    pub included: bool,
}

/// The kernels of this process.
#[derive(Debug, Default)]
pub struct Kernels(RwLock<Table>);

/// What [`Kernels`] guards.
#[derive(Debug, Default)]
pub struct Table {
    by_id: FxHashMap<u64, Kernel>,
    names: FxHashMap<Box<[u8]>, u32>,
}

impl Kernels {
    /// Adds a kernel with its mangled name.
    pub fn add(&self, id: u64, name: &[u8], filter: Option<&KernelFilter>) {
        // Demangling may take long: not under the lock.
        let included = filter.is_none_or(|filter| filter.includes(&searchable_name(name)));
        let mut table = self.write();
        let next = u32::try_from(table.names.len()).unwrap_or(u32::MAX);
        let number = *table.names.entry(name.into()).or_insert(next);
        table.by_id.insert(
            id,
            Kernel {
                key: KernelKey::Name(number),
                included,
            },
        );
    }

    /// Forgets a kernel whose code object is unloaded. Its name keeps its number.
    pub fn remove(&self, id: u64) {
        self.write().by_id.remove(&id);
    }

    /// The kernel of a dispatch. One that was never announced passes only where there is no filter.
    #[must_use]
    pub fn find(&self, id: u64, filter: Option<&KernelFilter>) -> Kernel {
        let table = self.0.read().unwrap_or_else(PoisonError::into_inner);
        table.by_id.get(&id).copied().unwrap_or(Kernel {
            key: KernelKey::Id(id),
            included: filter.is_none(),
        })
    }

    /// Locks the table; also to hold it over a fork.
    pub fn write(&self) -> RwLockWriteGuard<'_, Table> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// As [`Kernels::write`], if nobody holds it now.
    #[must_use]
    pub fn try_write(&self) -> Option<RwLockWriteGuard<'_, Table>> {
        crate::fork::guard_of(self.0.try_write())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_that_is_loaded_twice_keeps_its_identity() {
        let kernels = Kernels::default();
        kernels.add(1, b"_Z1av", None);
        kernels.add(2, b"_Z1bv", None);
        kernels.remove(1);
        kernels.add(3, b"_Z1av", None);
        assert_eq!(kernels.find(3, None).key, KernelKey::Name(0));
        assert_eq!(kernels.find(2, None).key, KernelKey::Name(1));
        assert_eq!(kernels.find(1, None).key, KernelKey::Id(1));
    }

    #[test]
    fn the_filter_decides_and_keeps_out_what_it_does_not_know() {
        let filter = KernelFilter::parse("^a$").unwrap();
        let kernels = Kernels::default();
        kernels.add(1, b"_Z1av.kd", Some(&filter));
        kernels.add(2, b"_Z1bv.kd", Some(&filter));
        assert!(kernels.find(1, Some(&filter)).included);
        assert!(!kernels.find(2, Some(&filter)).included);
        assert!(!kernels.find(9, Some(&filter)).included);
        assert!(kernels.find(9, None).included);
    }
}
