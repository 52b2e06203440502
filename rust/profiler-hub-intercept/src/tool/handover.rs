//! The moment at which a runtime hands its tables over.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::register::TableSet;
use super::table::Table;
use crate::slots::{Layout, hip, hsa, roctx};

/// What a runtime hands over, valid for as long as the callback runs.
#[derive(Clone, Copy, Debug)]
pub struct Handover<'a> {
    kind: TableSet,
    version: u64,
    instance: u64,
    tables: *const *mut c_void,
    count: usize,
    callback: PhantomData<&'a ()>,
}

/// Why a table cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// The runtime did not hand over a table of this type.
    #[error("the runtime handed over no {table}")]
    NotHere {
        /// The table's type.
        table: &'static str,
    },
    /// The pointer to it is not one to a table.
    #[error("the runtime handed over {address:#x} for {table}: a table is aligned to 8 bytes")]
    Misaligned {
        /// The table's type.
        table: &'static str,
        /// The pointer.
        address: usize,
    },
}

impl<'a> Handover<'a> {
    /// # Safety
    /// `tables` is NULL, or points to `count` pointers, each NULL or to a table as the kind
    /// describes it, all of which stay there for `'a`.
    pub(super) unsafe fn new(
        kind: TableSet,
        version: u64,
        instance: u64,
        tables: *const *mut c_void,
        count: u64,
    ) -> Self {
        let count = if tables.is_null() {
            0
        } else {
            usize::try_from(count).unwrap_or(0)
        };
        Self {
            kind,
            version,
            instance,
            tables,
            count,
            callback: PhantomData,
        }
    }

    /// Which table this is: one of the constants of [`TableSet`], or one that is unknown here.
    #[must_use]
    pub fn kind(&self) -> TableSet {
        self.kind
    }

    /// The runtime's version: 10000·major + 100·minor + patch.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// 0, and 1 for the second copy of the runtime in the process.
    #[must_use]
    pub fn instance(&self) -> u64 {
        self.instance
    }

    /// How many pointers were handed over.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing was handed over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All tables of this handover whose layout is known here; for HSA, the tables that
    /// `HsaApiTable` points to.
    pub fn tables(&self) -> impl Iterator<Item = Table<'a>> + use<'a> {
        let handover = *self;
        self.layouts()
            .iter()
            .filter_map(move |layout| handover.table(layout).ok())
    }

    /// The table of this layout.
    ///
    /// # Errors
    /// [`TableError`]: not in this handover, or not a pointer to a table.
    pub fn table(&self, layout: &'static Layout) -> Result<Table<'a>, TableError> {
        let absent = TableError::NotHere { table: layout.name };
        if !self
            .layouts()
            .iter()
            .any(|known| std::ptr::eq(*known, layout))
        {
            return Err(absent);
        }
        if self.kind != TableSet::HSA {
            // SAFETY: a table of this layout, by the kind.
            return unsafe { self.table_as(0, layout) };
        }
        // SAFETY: tables[0] of HSA is an HsaApiTable, by the kind.
        let root = unsafe { self.table_as(0, &hsa::ROOT) }?;
        let pointer = root.pointer(hsa_field(layout)).ok_or(absent)?;
        // SAFETY: the field points to a table of this layout.
        unsafe { at(pointer, layout, self.instance) }
    }

    /// The table at `index`, read by a layout of yours: for the kinds that have none here.
    ///
    /// # Errors
    /// [`TableError`]: fewer pointers, NULL, or not a pointer to a table.
    ///
    /// # Safety
    /// The table has this layout.
    pub unsafe fn table_as(
        &self,
        index: usize,
        layout: &'static Layout,
    ) -> Result<Table<'a>, TableError> {
        let absent = TableError::NotHere { table: layout.name };
        if index >= self.count {
            return Err(absent);
        }
        // SAFETY: one of the `count` pointers.
        let pointer = unsafe { self.tables.add(index).read() };
        let pointer = NonNull::new(pointer).ok_or(absent)?;
        // SAFETY: a table of this layout, by the caller's promise.
        unsafe { at(pointer.cast(), layout, self.instance) }
    }

    fn layouts(&self) -> &'static [&'static Layout] {
        match self.kind {
            TableSet::HSA => &hsa::TABLES,
            TableSet::HIP_RUNTIME => const { &[&hip::HIP_DISPATCH_TABLE] },
            TableSet::HIP_COMPILER => const { &[&hip::HIP_COMPILER_DISPATCH_TABLE] },
            TableSet::MARKER_CORE => const { &[&roctx::CORE] },
            TableSet::MARKER_CONTROL => const { &[&roctx::CONTROL] },
            TableSet::MARKER_NAME => const { &[&roctx::NAME] },
            _ => &[],
        }
    }
}

/// The field of `HsaApiTable` that points to the table of this layout.
fn hsa_field(layout: &'static Layout) -> &'static str {
    hsa::TABLES
        .iter()
        .zip(hsa::ROOT_FIELDS)
        .find(|(known, _)| std::ptr::eq(**known, layout))
        .map_or("", |(_, field)| field)
}

/// # Safety
/// `base` points to a table of this layout that stays there for `'a`, if it is aligned.
unsafe fn at<'a>(
    base: NonNull<u8>,
    layout: &'static Layout,
    instance: u64,
) -> Result<Table<'a>, TableError> {
    if !base.cast::<*mut ()>().is_aligned() {
        let address = base.addr().get();
        return Err(TableError::Misaligned {
            table: layout.name,
            address,
        });
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { Table::new(layout, base, instance) })
}
