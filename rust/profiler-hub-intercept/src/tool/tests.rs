//! Tables of every kind and shape, as a runtime would hand them over.

use std::ffi::{c_char, c_int, c_void};

use super::*;
use crate::roctx;
use crate::slots::{Header, Layout, hip, hsa, roctx as layouts};

unsafe extern "C-unwind" fn some_int() -> c_int {
    7
}

/// A table of words: a header, then `some_int` in each slot.
fn table(layout: &Layout, size: usize) -> Vec<usize> {
    let words = size.max(layout.known_size()) / 8 + 1;
    let mut table = vec![some_int as *const () as usize; words];
    match layout.header {
        Header::Size => table[0] = size,
        Header::Version => {
            table[0] = 2 | size << 32;
            table[1] = 6;
        }
    }
    table
}

/// Hands over one pointer.
fn handed<R>(kind: TableSet, pointer: *mut c_void, look: impl Fn(&Handover<'_>) -> R) -> R {
    let tables = [pointer];
    // SAFETY: one pointer, to a table of this kind or NULL, which outlives the call.
    look(&unsafe { Handover::new(kind, 10_203, 3, tables.as_ptr(), 1) })
}

#[test]
fn every_kind_has_its_layouts() {
    for (kind, layout) in [
        (TableSet::HIP_RUNTIME, &hip::HIP_DISPATCH_TABLE),
        (TableSet::HIP_COMPILER, &hip::HIP_COMPILER_DISPATCH_TABLE),
        (TableSet::MARKER_CORE, &layouts::CORE),
        (TableSet::MARKER_CONTROL, &layouts::CONTROL),
        (TableSet::MARKER_NAME, &layouts::NAME),
    ] {
        let mut words = table(layout, layout.known_size());
        handed(kind, words.as_mut_ptr().cast(), |handover| {
            assert_eq!(
                (handover.version(), handover.instance(), handover.len()),
                (10_203, 3, 1)
            );
            let tables: Vec<_> = handover.tables().collect();
            assert_eq!(tables.len(), 1, "{}", layout.name);
            assert_eq!(tables[0].layout().name, layout.name);
            assert_eq!(tables[0].size(), layout.known_size());
            assert_eq!(tables[0].version(), None);
            assert_eq!(tables[0].slots().count(), layout.slots.len());
            assert!(
                tables[0]
                    .slots()
                    .all(|(_, state)| state == SlotState::Present)
            );
            let other = handover.table(&hsa::CORE_API_TABLE);
            assert_eq!(
                other.err(),
                Some(TableError::NotHere {
                    table: "CoreApiTable"
                })
            );
        });
    }
}

#[test]
fn hsa_tables_are_found_through_their_root() {
    let mut core = table(&hsa::CORE_API_TABLE, hsa::CORE_API_TABLE.known_size());
    // Of a time before the image extension: the root ends before its pointer.
    let mut amd = table(&hsa::AMD_EXT_TABLE, 120);
    let mut root = table(&hsa::ROOT, 40);
    root[2] = core.as_mut_ptr().expose_provenance();
    root[3] = amd.as_mut_ptr().expose_provenance();
    root[4] = 0;
    handed(TableSet::HSA, root.as_mut_ptr().cast(), |handover| {
        let names: Vec<_> = handover.tables().map(|table| table.layout().name).collect();
        assert_eq!(names, ["CoreApiTable", "AmdExtTable"]);
        let core = handover.table(&hsa::CORE_API_TABLE).unwrap();
        assert_eq!(core.version(), Some((2, 1016, 6)));
        let amd = handover.table(&hsa::AMD_EXT_TABLE).unwrap();
        assert_eq!((amd.size(), amd.instance()), (120, 3));
        let states: Vec<_> = amd.slots().map(|(_, state)| state).collect();
        assert_eq!(
            states
                .iter()
                .filter(|state| **state == SlotState::Present)
                .count(),
            13
        );
        assert_eq!(states.last(), Some(&SlotState::PastEnd));
        for missing in [&hsa::FINALIZER_EXT_TABLE, &hsa::IMAGE_EXT_TABLE] {
            let error = handover.table(missing).err();
            assert_eq!(
                error,
                Some(TableError::NotHere {
                    table: missing.name
                })
            );
        }
    });
}

#[test]
fn a_size_is_taken_at_its_word() {
    // (size, slots of six that are there)
    for (size, present) in [
        (0, 0),
        (7, 0),
        (8, 0),
        (15, 0),
        (16, 1),
        (24, 2),
        (31, 2),
        (56, 6),
        (64, 6),
        (usize::MAX, 6),
    ] {
        let mut words = table(&layouts::CORE, layouts::CORE.known_size());
        words[0] = size;
        handed(
            TableSet::MARKER_CORE,
            words.as_mut_ptr().cast(),
            |handover| {
                let table = handover.table(&layouts::CORE).unwrap();
                let there = table
                    .slots()
                    .filter(|(_, state)| *state == SlotState::Present)
                    .count();
                assert_eq!(there, present, "size {size}");
                let unknown = if size > 56 { (size - 56) / 8 } else { 0 };
                assert_eq!(table.unknown_slots(), unknown, "size {size}");
                let error = table.get(&roctx::GET_THREAD_ID).err();
                let expected = SlotError::PastEnd {
                    table: "roctxCoreApiTable_t",
                    slot: "roctxGetThreadId",
                    offset: 48,
                    size,
                };
                assert_eq!(error, (present < 6).then_some(expected));
            },
        );
    }
}

#[test]
fn null_and_misaligned_pointers_are_no_tables() {
    let absent = Some(TableError::NotHere {
        table: "roctxCoreApiTable_t",
    });
    handed(TableSet::MARKER_CORE, std::ptr::null_mut(), |handover| {
        assert_eq!(handover.table(&layouts::CORE).err(), absent);
        assert_eq!(handover.tables().count(), 0);
    });
    // SAFETY: NULL is allowed, whatever the count.
    let nothing = unsafe { Handover::new(TableSet::MARKER_CORE, 0, 0, std::ptr::null(), u64::MAX) };
    assert!(nothing.is_empty());
    assert_eq!(nothing.table(&layouts::CORE).err(), absent);
    handed(
        TableSet::MARKER_CORE,
        std::ptr::without_provenance_mut(0x1001),
        |handover| {
            let error = handover.table(&layouts::CORE).err();
            let expected = TableError::Misaligned {
                table: "roctxCoreApiTable_t",
                address: 0x1001,
            };
            assert_eq!(error, Some(expected));
        },
    );
    let mut words = table(&layouts::CORE, 56);
    for unknown in [
        TableSet::from_bits(64),
        TableSet::HSA | TableSet::MARKER_CORE,
    ] {
        handed(unknown, words.as_mut_ptr().cast(), |handover| {
            assert_eq!(handover.tables().count(), 0, "{unknown:?}");
        });
    }
}

/// Wraps `roctxRangePop`.
struct Pop;

impl Replacement for Pop {
    type Fn = unsafe extern "C-unwind" fn() -> c_int;

    fn state() -> &'static State {
        static STATE: State = State::new();
        &STATE
    }

    fn call(next: &Next<'_, Self::Fn>, (): ()) -> c_int {
        // SAFETY: takes nothing.
        10 * unsafe { next.call(()) }
    }
}

/// Has the state of [`Pop`].
struct Thief;

impl Observer for Thief {
    type Fn = unsafe extern "C-unwind" fn() -> c_int;
    type Held = ();

    fn state() -> &'static State {
        Pop::state()
    }

    fn enter(_call: Call<'_>, (): &()) {}

    fn exit(_call: Call<'_>, (): (), (): &(), _returned: &c_int) {}
}

#[test]
fn a_wrapped_slot_is_called_through_and_unwrapped() {
    let mut words = table(&layouts::CORE, layouts::CORE.known_size());
    handed(
        TableSet::MARKER_CORE,
        words.as_mut_ptr().cast(),
        |handover| {
            let table = handover.table(&layouts::CORE).unwrap();
            let wrapped = table.wrap::<Pop>(&roctx::RANGE_POP).unwrap();
            // SAFETY: takes nothing.
            assert_eq!(unsafe { table.get(&roctx::RANGE_POP).unwrap()() }, 70);
            let again = table.wrap::<Pop>(&roctx::RANGE_POP).err();
            assert_eq!(
                again,
                Some(WrapError::AlreadyWrapped {
                    slot: "roctxRangePop"
                })
            );
            let stolen = table.observe::<Thief>(&roctx::RANGE_POP).err();
            assert_eq!(
                stolen,
                Some(WrapError::SharedState {
                    slot: "roctxRangePop"
                })
            );
            // SAFETY: the table is on this test's heap.
            unsafe {
                wrapped.remove().unwrap();
                assert_eq!(
                    wrapped.remove().err(),
                    Some(RemoveError::NotInstalled {
                        slot: "roctxRangePop"
                    })
                );
                assert_eq!(table.get(&roctx::RANGE_POP).unwrap()(), 7);
            }
            let wrapped = table.wrap::<Pop>(&roctx::RANGE_POP).unwrap();
            // SAFETY: as above.
            unsafe {
                assert_eq!(table.get(&roctx::RANGE_POP).unwrap()(), 70);
                wrapped.remove().unwrap();
            }
        },
    );
}

#[test]
fn a_slot_of_another_table_is_refused() {
    let mut words = table(&layouts::NAME, layouts::NAME.known_size());
    handed(
        TableSet::MARKER_NAME,
        words.as_mut_ptr().cast(),
        |handover| {
            let table = handover.table(&layouts::NAME).unwrap();
            let expected = SlotError::OtherTable {
                slot: "roctxRangePop",
                expected: "roctxCoreApiTable_t",
                found: "roctxNameApiTable_t",
            };
            assert_eq!(table.get(&roctx::RANGE_POP).err(), Some(expected.clone()));
            assert_eq!(
                table.wrap::<Pop>(&roctx::RANGE_POP).err(),
                Some(WrapError::Slot(expected))
            );
        },
    );
}

#[test]
fn a_null_slot_is_refused_and_stays_null() {
    let mut words = table(&layouts::CORE, layouts::CORE.known_size());
    words[3] = 0;
    let pointer = words.as_mut_ptr();
    handed(TableSet::MARKER_CORE, pointer.cast(), |handover| {
        let table = handover.table(&layouts::CORE).unwrap();
        let null = SlotError::Null {
            table: "roctxCoreApiTable_t",
            slot: "roctxRangePop",
        };
        assert_eq!(
            table.wrap::<Pop>(&roctx::RANGE_POP).err(),
            Some(WrapError::Slot(null))
        );
        assert!(
            table
                .slots()
                .any(|(slot, state)| { slot.name == "roctxRangePop" && state == SlotState::Null })
        );
    });
    assert_eq!(words[3], 0);
}

#[test]
fn slots_are_found_by_name_only_where_the_layout_has_them() {
    type Malloc = unsafe extern "C-unwind" fn(*mut *mut c_void, usize) -> c_int;
    // SAFETY: hipMalloc's type; the other names are of no slot.
    unsafe {
        let malloc = Slot::<Malloc>::new(&hip::HIP_DISPATCH_TABLE, "hipMalloc").unwrap();
        assert_eq!(malloc.info().offset, 1728);
        assert!(Slot::<Malloc>::new(&hip::HIP_DISPATCH_TABLE, "hipMallo").is_none());
        type Mark = unsafe extern "C-unwind" fn(*const c_char);
        assert!(Slot::<Mark>::new(&layouts::NAME, "roctxMarkA").is_none());
    }
}
