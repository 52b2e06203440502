//! Wrappers for the benchmarks: they count, and that is all.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, Ordering};

use profiler_hub_intercept::slots::{Header, Layout, SlotInfo};
use profiler_hub_intercept::{Call, Handover, Next, Observer, Replacement, Slot, State, TableSet};

/// The kind by which the simulation hands over the plain runtimes.
pub(crate) const PLAIN: TableSet = TableSet::from_bits(1 << 17);

static LAYOUT: Layout = Layout {
    name: "plain_table_t",
    header: Header::Size,
    slots: &[SlotInfo {
        name: "plain_next",
        offset: 8,
    }],
};

type NextFn = unsafe extern "C-unwind" fn(c_int) -> c_int;

static CALLS: AtomicU64 = AtomicU64::new(0);

/// Counts without a locked instruction, like a `volatile` in C.
#[inline(always)]
fn count() {
    CALLS.store(CALLS.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

struct Replacing;

impl Replacement for Replacing {
    type Fn = NextFn;

    fn state() -> &'static State {
        static STATE: State = State::new();
        &STATE
    }

    fn call(next: &Next<'_, NextFn>, args: (c_int,)) -> c_int {
        count();
        // SAFETY: takes any value.
        unsafe { next.call(args) }
    }
}

struct Observing;

impl Observer for Observing {
    type Fn = NextFn;
    type Held = ();

    fn state() -> &'static State {
        static STATE: State = State::new();
        &STATE
    }

    fn enter(_call: Call<'_>, _args: &(c_int,)) {
        count();
    }

    fn exit(_call: Call<'_>, (): (), _args: &(c_int,), _returned: &c_int) {
        count();
    }
}

/// Replaces in the first copy, observes in the second, leaves others alone.
pub(crate) fn handed_over(handover: &Handover<'_>) {
    // SAFETY: the plain runtimes' table has this layout, and its slot this type.
    let (table, slot) = unsafe {
        (
            handover.table_as(0, &LAYOUT),
            Slot::<NextFn>::new(&LAYOUT, "plain_next"),
        )
    };
    let (Ok(table), Some(slot)) = (table, slot) else {
        return;
    };
    // A failure shows in the figures: the benchmark checks that calls are counted.
    let _ = match handover.instance() {
        0 => table.wrap::<Replacing>(&slot).map(drop),
        1 => table.observe::<Observing>(&slot).map(drop),
        _ => Ok(()),
    };
}

/// For the benchmark: how often the wrappers counted.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn demo_tool_counted() -> u64 {
    CALLS.load(Ordering::Relaxed)
}
