//! The re-entry guard: tool code that calls a wrapped function is not wrapped itself.
//!
//! The guard is set while a wrapper's own code runs, and only then: it is off while the next
//! function runs, so that a HIP call's own HSA calls are still seen.

use std::cell::Cell;

thread_local! {
    // Constant and without a destructor: it can be used from the first to the last moment of a
    // thread, and costs no more than a `__thread` variable in C.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in the code of a wrapper now.
#[must_use]
pub fn inside() -> bool {
    INSIDE.with(Cell::get)
}

/// The thread is in tool code while this lives.
pub(crate) struct Inside(());

impl Inside {
    /// `None` where the thread is in tool code already.
    #[inline(always)]
    pub(crate) fn enter() -> Option<Self> {
        INSIDE.with(|inside| (!inside.replace(true)).then_some(Self(())))
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        INSIDE.with(|inside| inside.set(false));
    }
}

/// The thread has left tool code while this lives, for as long as the next function runs.
pub(crate) struct Outside(());

impl Outside {
    /// To be called in tool code.
    #[inline(always)]
    pub(crate) fn leave() -> Self {
        INSIDE.with(|inside| inside.set(false));
        Self(())
    }
}

impl Drop for Outside {
    #[inline(always)]
    fn drop(&mut self) {
        INSIDE.with(|inside| inside.set(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_code_is_entered_once_and_left_for_the_next_function() {
        assert!(!inside());
        let entered = Inside::enter();
        assert!(entered.is_some() && inside());
        assert!(Inside::enter().is_none(), "re-entered");
        {
            let _outside = Outside::leave();
            assert!(!inside());
            assert!(Inside::enter().is_some(), "a nested API call is wrapped");
        }
        assert!(inside());
        std::thread::spawn(|| assert!(!inside())).join().unwrap();
        drop(entered);
        assert!(!inside());
    }
}
