//! The observer of any function whose calls are recorded as they are.

use std::marker::PhantomData;

use profiler_hub_intercept::{ApiFn, Call, Observer, State};

use super::list::{FUNCTIONS, Id};
use crate::thread::Running;

/// One for each function. ROCTx's own observers use them too.
pub(super) static STATES: [State; FUNCTIONS.len()] = [const { State::new() }; FUNCTIONS.len()];

/// Records each call of the function `ID`, whose type is `F`.
pub(super) struct Recorded<F, const ID: usize>(PhantomData<F>);

impl<F: ApiFn, const ID: usize> Observer for Recorded<F, ID> {
    type Fn = F;
    type Held = Option<Running>;

    fn state() -> &'static State {
        &STATES[ID]
    }

    #[inline(always)]
    fn enter(_call: Call<'_>, _args: &F::Args) -> Self::Held {
        Running::begin(const { Id::at(ID) })
    }

    #[inline(always)]
    fn exit(_call: Call<'_>, held: Self::Held, _args: &F::Args, _returned: &F::Ret) {
        if let Some(running) = held {
            running.end(b"");
        }
    }
}

/// Wraps the functions of a table: their slots, types and identifiers.
macro_rules! record {
    ($wrapping:ident, $layout:expr, $($function:ident($($arg:ty),* $(,)?) $(-> $ret:ty)?;)*) => {{
        use profiler_hub_intercept::Slot;
        use $crate::functions::list::Id;
        use $crate::functions::observers::Recorded;
        if std::ptr::eq($wrapping.table.layout(), $layout) {
            $({
                type Signature = unsafe extern "C-unwind" fn($($arg),*) $(-> $ret)?;
                const ID: usize = Id::$function as usize;
                // SAFETY: the signature is that of the runtime's header.
                let slot = const { match unsafe { Slot::<Signature>::new($layout, $crate::functions::list::SLOTS[ID]) } {
                    Some(slot) => slot,
                    None => panic!("a slot that the layout does not have"),
                } };
                $wrapping.note($wrapping.table.observe::<Recorded<Signature, ID>>(&slot));
            })*
        }
    }};
}
pub(super) use record;
