//! A replacement and an observer for any function.

use std::ffi::{c_char, c_int, c_void};
use std::marker::PhantomData;
use std::sync::{Mutex, OnceLock, PoisonError};

use profiler_hub_intercept::slots::{Header, Layout, SlotInfo};
use profiler_hub_intercept::{
    ApiFn, Call, Handover, Next, Observer, Replacement, Slot, State, Table, TableSet, Wrapped,
    roctx,
};

use crate::mode::{Mode, layer, log};

/// The kind by which the simulation hands over the demo runtimes.
pub(crate) const DEMO: TableSet = TableSet::from_bits(1 << 16);

static LAYOUT: Layout = Layout {
    name: "demo_table_t",
    header: Header::Size,
    slots: &[
        SlotInfo {
            name: "demo_foo",
            offset: 8,
        },
        SlotInfo {
            name: "demo_point",
            offset: 16,
        },
        SlotInfo {
            name: "demo_swap",
            offset: 24,
        },
        SlotInfo {
            name: "demo_copy",
            offset: 32,
        },
        SlotInfo {
            name: "demo_tick",
            offset: 40,
        },
        SlotInfo {
            name: "demo_ticks",
            offset: 48,
        },
        SlotInfo {
            name: "demo_nested",
            offset: 56,
        },
        SlotInfo {
            name: "demo_each",
            offset: 64,
        },
    ],
};

#[repr(C)]
#[derive(Clone, Copy)]
struct Point {
    coordinates: [f64; 3],
    id: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Pair {
    low: i32,
    high: i32,
}

type FooFn = unsafe extern "C-unwind" fn(c_int) -> c_int;
type EachFn = unsafe extern "C-unwind" fn(
    Option<unsafe extern "C-unwind" fn(*mut c_void) -> c_int>,
    *mut c_void,
) -> c_int;

const WRAPPERS: usize = 24;
static STATES: [State; WRAPPERS] = [const { State::new() }; WRAPPERS];
static WRAPPED: Mutex<Vec<Wrapped>> = Mutex::new(Vec::new());

/// Tells its layer and goes on.
struct Layered<F, const ID: usize>(PhantomData<F>);

impl<F: ApiFn, const ID: usize> Replacement for Layered<F, ID> {
    type Fn = F;

    fn state() -> &'static State {
        &STATES[ID]
    }

    fn call(next: &Next<'_, F>, args: F::Args) -> F::Ret {
        layer();
        // SAFETY: the caller's arguments.
        unsafe { next.call(args) }
    }
}

/// Tells its layer and looks on.
struct Watching<F, const ID: usize>(PhantomData<F>);

impl<F: ApiFn, const ID: usize> Observer for Watching<F, ID> {
    type Fn = F;
    type Held = ();

    fn state() -> &'static State {
        &STATES[ID]
    }

    fn enter(_call: Call<'_>, _args: &F::Args) {
        layer();
    }

    fn exit(_call: Call<'_>, (): (), _args: &F::Args, _returned: &F::Ret) {}
}

/// `demo_foo` with what the mode asks for.
struct Foo;

impl Replacement for Foo {
    type Fn = FooFn;

    fn state() -> &'static State {
        static STATE: State = State::new();
        &STATE
    }

    fn call(next: &Next<'_, Self::Fn>, args: (c_int,)) -> c_int {
        layer();
        match Mode::current() {
            Mode::PanicBefore => panic!("before the next function, as asked for"),
            Mode::PanicAfter => {
                // SAFETY: the caller's argument.
                let returned = unsafe { next.call(args) };
                panic!("after the next function returned {returned}, as asked for")
            }
            Mode::Reenter => {
                if let Some(tick) = tick() {
                    // SAFETY: takes nothing.
                    unsafe { tick() };
                }
            }
            Mode::Twice => {
                // SAFETY: takes any value.
                return unsafe { next.call((args.0 + 1,)) + next.call((args.0 - 1,)) };
            }
            _ => {}
        }
        // SAFETY: the caller's argument.
        unsafe { next.call(args) }
    }
}

/// `demo_foo` with an observer that panics.
struct BadFoo;

impl Observer for BadFoo {
    type Fn = FooFn;
    type Held = c_int;

    fn state() -> &'static State {
        static STATE: State = State::new();
        &STATE
    }

    fn enter(_call: Call<'_>, args: &(c_int,)) -> c_int {
        layer();
        args.0
    }

    fn exit(call: Call<'_>, held: c_int, _args: &(c_int,), returned: &c_int) {
        panic!(
            "{held} gave {returned} in instance {}, as asked for",
            call.instance()
        );
    }
}

/// The public `demo_tick` of whichever runtime the program has made known.
fn tick() -> Option<unsafe extern "C" fn()> {
    static TICK: OnceLock<Option<unsafe extern "C" fn()>> = OnceLock::new();
    *TICK.get_or_init(|| {
        // SAFETY: the name ends in NUL.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"demo_tick".as_ptr()) };
        // SAFETY: a runtime that exports it gives it this type; NULL is None.
        unsafe { std::mem::transmute::<*mut c_void, Option<unsafe extern "C" fn()>>(symbol) }
    })
}

fn install<F: ApiFn, const ID: usize>(table: &Table<'_>, slot: &Slot<F>) {
    let wrapped = if Mode::current().observes() {
        table.observe::<Watching<F, ID>>(slot)
    } else {
        table.wrap::<Layered<F, ID>>(slot)
    };
    keep(wrapped);
}

fn keep(wrapped: Result<Wrapped, profiler_hub_intercept::WrapError>) {
    match wrapped {
        Ok(wrapped) => {
            log(&format!("wrapped {}", wrapped.slot()));
            WRAPPED
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(wrapped);
        }
        Err(error) => log(&error.to_string()),
    }
}

/// Takes all wrappers out again; how many could not be.
pub(crate) fn remove() -> c_int {
    let wrapped = WRAPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut left = 0;
    for wrapped in &*wrapped {
        // SAFETY: the tests unload nothing meanwhile; the demo runtimes' tables are statics.
        if let Err(error) = unsafe { wrapped.remove() } {
            log(&error.to_string());
            left += 1;
        }
    }
    left
}

/// Wraps what is handed over.
pub(crate) fn handed_over(handover: &Handover<'_>) {
    log(&format!(
        "handover kind {} version {} instance {} tables {}",
        handover.kind().bits(),
        handover.version(),
        handover.instance(),
        handover.len(),
    ));
    assert!(
        Mode::current() != Mode::PanicInHandover,
        "in the handover, as asked for"
    );
    if handover.kind() == DEMO {
        // SAFETY: the demo runtimes' table has this layout.
        match unsafe { handover.table_as(0, &LAYOUT) } {
            Ok(table) => wrap_demo(&table),
            Err(error) => log(&error.to_string()),
        }
    }
    if handover.kind() == crate::plain::PLAIN {
        crate::plain::handed_over(handover);
    }
    for table in handover.tables() {
        install::<_, 8>(&table, &roctx::MARK);
        install::<_, 9>(&table, &roctx::RANGE_PUSH);
        install::<_, 10>(&table, &roctx::RANGE_POP);
        install::<_, 11>(&table, &roctx::RANGE_START);
        install::<_, 12>(&table, &roctx::RANGE_STOP);
    }
}

fn wrap_demo(table: &Table<'_>) {
    log(&format!(
        "size {} unknown slots {}",
        table.size(),
        table.unknown_slots()
    ));
    macro_rules! slot {
        ($name:literal: $F:ty) => {
            // SAFETY: the type is that of demo_runtime.h.
            unsafe { Slot::<$F>::new(&LAYOUT, $name) }.expect("a slot of the layout")
        };
    }
    let slot = slot!("demo_foo": FooFn);
    match Mode::current() {
        Mode::PanicObserver => keep(table.observe::<BadFoo>(&slot)),
        Mode::Observe => install::<_, 0>(table, &slot),
        _ => keep(table.wrap::<Foo>(&slot)),
    }
    install::<_, 1>(
        table,
        &slot!("demo_point": unsafe extern "C-unwind" fn(Point, f64) -> Point),
    );
    install::<_, 2>(
        table,
        &slot!("demo_swap": unsafe extern "C-unwind" fn(Pair) -> Pair),
    );
    install::<_, 3>(
        table,
        &slot!("demo_copy": unsafe extern "C-unwind" fn(*mut c_char, *const c_char, usize) -> *mut c_char),
    );
    install::<_, 4>(table, &slot!("demo_tick": unsafe extern "C-unwind" fn()));
    install::<_, 6>(
        table,
        &slot!("demo_nested": unsafe extern "C-unwind" fn(c_int) -> c_int),
    );
    install::<_, 7>(table, &slot!("demo_each": EachFn));
    // A second time it must refuse.
    match Mode::current() {
        Mode::PanicObserver => keep(table.observe::<BadFoo>(&slot)),
        Mode::Observe => install::<_, 4>(table, &slot!("demo_tick": unsafe extern "C-unwind" fn())),
        _ => keep(table.wrap::<Foo>(&slot)),
    }
}
