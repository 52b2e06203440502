//! ROCTx: ranges are one region each, from their opening to their closing.

use std::ffi::{c_char, c_int};

use profiler_hub_intercept::slots::roctx as layouts;
use profiler_hub_intercept::{Call, Observer, State, roctx};

use super::Wrapping;
use super::list::Id;
use super::observers::{STATES, record};
use crate::clock::ticks;
use crate::thread::{self, Running};

pub(super) fn wrap(wrapping: &mut Wrapping<'_>) {
    if std::ptr::eq(wrapping.table.layout(), &layouts::CORE) {
        wrapping.note(wrapping.table.observe::<Mark>(&roctx::MARK));
        wrapping.note(wrapping.table.observe::<Push>(&roctx::RANGE_PUSH));
        wrapping.note(wrapping.table.observe::<Pop>(&roctx::RANGE_POP));
        wrapping.note(wrapping.table.observe::<Start>(&roctx::RANGE_START));
        wrapping.note(wrapping.table.observe::<Stop>(&roctx::RANGE_STOP));
    }
    record!(wrapping, &layouts::CORE, roctxGetThreadId(*mut u64) -> c_int;);
    record!(wrapping, &layouts::CONTROL,
        roctxProfilerPause(u64) -> c_int;
        roctxProfilerResume(u64) -> c_int;
    );
    record!(wrapping, &layouts::NAME,
        roctxNameOsThread(*const c_char) -> c_int;
        roctxNameHsaAgent(*const c_char, *const std::ffi::c_void) -> c_int;
        roctxNameHipDevice(*const c_char, c_int) -> c_int;
        roctxNameHipStream(*const c_char, *const std::ffi::c_void) -> c_int;
    );
}

macro_rules! observer {
    ($name:ident: $function:ident, fn($($arg:ty),*) $(-> $ret:ty)?, $held:ty,
     enter($enter_args:ident) $enter:block,
     exit($call:ident, $exit_held:ident, $exit_args:ident, $returned:ident) $exit:block) => {
        #[doc = concat!("Records `", stringify!($function), "`.")]
        struct $name;

        impl Observer for $name {
            type Fn = unsafe extern "C-unwind" fn($($arg),*) $(-> $ret)?;
            type Held = $held;

            fn state() -> &'static State {
                &STATES[Id::$function as usize]
            }

            #[inline(always)]
            fn enter(_call: Call<'_>, $enter_args: &($($arg,)*)) -> $held $enter

            #[inline(always)]
            fn exit(
                $call: Call<'_>,
                $exit_held: $held,
                $exit_args: &($($arg,)*),
                $returned: &observer!(@ret $($ret)?),
            ) $exit
        }
    };
    (@ret) => { () };
    (@ret $ret:ty) => { $ret };
}

observer!(Mark: roctxMarkA, fn(*const c_char), Option<Running>,
    enter(_args) { Running::begin(Id::roctxMarkA) },
    exit(_call, held, args, _returned) {
        if let Some(running) = held {
            // SAFETY: the caller's string.
            running.end(unsafe { thread::text(args.0) });
        }
    }
);

// The message is read after the call, and belongs to the caller until then.
observer!(Push: roctxRangePushA, fn(*const c_char) -> c_int, u64,
    enter(_args) { ticks() },
    exit(_call, start, args, _returned) {
        // SAFETY: the caller's string.
        thread::push(Id::roctxRangePushA, start, unsafe { thread::text(args.0) });
    }
);

observer!(Pop: roctxRangePop, fn() -> c_int, (),
    enter(_args) {},
    exit(_call, _held, _args, _returned) { thread::pop(Id::roctxRangePop) }
);

observer!(Start: roctxRangeStartA, fn(*const c_char) -> u64, u64,
    enter(_args) { ticks() },
    exit(call, start, args, range) {
        // SAFETY: the caller's string.
        let message = unsafe { thread::text(args.0) };
        thread::start(Id::roctxRangeStartA, start, call.instance(), *range, message);
    }
);

observer!(Stop: roctxRangeStop, fn(u64), (),
    enter(_args) {},
    exit(call, _held, args, _returned) {
        thread::stop(Id::roctxRangeStop, call.instance(), args.0);
    }
);
