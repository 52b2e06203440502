//! What a tool runs in place of a function, and how it is run.

use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::guard::{Inside, Outside};
use super::state::State;
use crate::abi::ApiFn;

/// A wrapper that decides itself when to call the next function, with which arguments, and what to
/// return. Implement it on a type of its own.
///
/// If it panics, the caller gets what the next function returned; if the next function was not
/// called yet, it is called now with the caller's arguments. From then on the wrapper is out of
/// service: calls go straight to the next function.
///
/// A C++ exception must not leave the next function here (it would end the process, as everywhere
/// between Rust and C++): where the runtime calls back into code that may throw, use an
/// [`Observer`].
pub trait Replacement: 'static {
    /// The function's type.
    type Fn: ApiFn;

    /// This wrapper's state: a `static` in this function, not shared with another wrapper.
    fn state() -> &'static State;

    /// Runs in place of the function, on the caller's thread.
    fn call(next: &Next<'_, Self::Fn>, args: <Self::Fn as ApiFn>::Args)
    -> <Self::Fn as ApiFn>::Ret;
}

/// A wrapper that looks on: before and after the next function, which always gets the caller's
/// arguments and whose return value, or exception, always gets back to the caller.
///
/// If it panics, it is out of service from then on.
pub trait Observer: 'static {
    /// The function's type.
    type Fn: ApiFn;

    /// What `enter` wants to tell `exit`.
    type Held;

    /// This wrapper's state: a `static` in this function, not shared with another wrapper.
    fn state() -> &'static State;

    /// Before the next function, on the caller's thread.
    fn enter(call: Call<'_>, args: &<Self::Fn as ApiFn>::Args) -> Self::Held;

    /// After the next function returned. Not called if it threw an exception, or if `enter`
    /// panicked; `held` is dropped then.
    fn exit(
        call: Call<'_>,
        held: Self::Held,
        args: &<Self::Fn as ApiFn>::Args,
        returned: &<Self::Fn as ApiFn>::Ret,
    );
}

/// Which of a runtime's copies is called.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    state: &'a State,
    lane: usize,
}

impl Call<'_> {
    /// The runtime's `lib_instance`: 0, and 1 for the second copy of it in the process.
    #[must_use]
    pub fn instance(self) -> u64 {
        self.state.instance(self.lane)
    }
}

/// The next function of the chain: another tool's wrapper, the SDK's, or the real function.
#[derive(Debug)]
pub struct Next<'a, F: ApiFn> {
    function: F,
    returned: &'a Cell<Option<F::Ret>>,
    call: Call<'a>,
    /// Not to be called from another thread: the guard is this thread's.
    not_send: PhantomData<*const ()>,
}

impl<F: ApiFn> Next<'_, F> {
    /// Calls it. Wrapped functions that it calls are wrapped as usual.
    ///
    /// # Safety
    /// As for the function itself.
    #[inline(always)]
    pub unsafe fn call(&self, args: F::Args) -> F::Ret {
        let outside = Outside::leave();
        // SAFETY: the caller's promise.
        let returned = unsafe { self.function.call(args) };
        drop(outside);
        self.returned.set(Some(returned));
        returned
    }

    /// The runtime's `lib_instance`.
    #[must_use]
    pub fn instance(&self) -> u64 {
        self.call.instance()
    }
}

/// Runs a [`Replacement`].
///
/// # Safety
/// As for the function that it is in place of; the lane has been given a next function.
#[inline(always)]
pub(crate) unsafe fn replace<R: Replacement, const LANE: usize>(
    args: <R::Fn as ApiFn>::Args,
) -> <R::Fn as ApiFn>::Ret {
    let state = R::state();
    // SAFETY: the caller's promise.
    let function: R::Fn = unsafe { state.next::<R::Fn, LANE>() };
    if state.out_of_service() {
        // SAFETY: the caller's arguments, passed on.
        return unsafe { function.call(args) };
    }
    let Some(within) = Inside::enter() else {
        // SAFETY: the caller's arguments, passed on.
        return unsafe { function.call(args) };
    };
    let returned = Cell::new(None);
    let call = Call { state, lane: LANE };
    let next = Next {
        function,
        returned: &returned,
        call,
        not_send: PhantomData,
    };
    match catch_unwind(AssertUnwindSafe(|| R::call(&next, args))) {
        Ok(value) => value,
        Err(payload) => {
            // Dropping it could panic again.
            std::mem::forget(payload);
            state.take_out_of_service();
            drop(within);
            match returned.get() {
                Some(value) => value,
                // SAFETY: the caller's arguments, passed on.
                None => unsafe { function.call(args) },
            }
        }
    }
}

/// Runs an [`Observer`].
///
/// # Safety
/// As for the function that it is around; the lane has been given a next function.
#[inline(always)]
pub(crate) unsafe fn observe<O: Observer, const LANE: usize>(
    args: <O::Fn as ApiFn>::Args,
) -> <O::Fn as ApiFn>::Ret {
    let state = O::state();
    // SAFETY: the caller's promise.
    let function: O::Fn = unsafe { state.next::<O::Fn, LANE>() };
    if state.out_of_service() {
        // SAFETY: the caller's arguments, passed on.
        return unsafe { function.call(args) };
    }
    let Some(within) = Inside::enter() else {
        // SAFETY: the caller's arguments, passed on.
        return unsafe { function.call(args) };
    };
    let call = Call { state, lane: LANE };
    let entered = catch_unwind(AssertUnwindSafe(|| O::enter(call, &args)));
    drop(within);
    // SAFETY: the caller's arguments, passed on. Outside catch_unwind, so that a foreign exception
    // passes through.
    let returned = unsafe { function.call(args) };
    let finished = match (entered, Inside::enter()) {
        (Ok(held), Some(_within)) => {
            catch_unwind(AssertUnwindSafe(|| O::exit(call, held, &args, &returned)))
        }
        (Ok(held), None) => catch_unwind(AssertUnwindSafe(|| drop(held))),
        (Err(payload), _) => Err(payload),
    };
    if let Err(payload) = finished {
        std::mem::forget(payload);
        state.take_out_of_service();
    }
    returned
}
