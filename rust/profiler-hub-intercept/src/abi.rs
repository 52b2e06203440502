//! C function pointers of any signature: calling one, and making one that runs a wrapper.

use crate::tool::{Observer, Replacement, observe, replace};

/// A C function pointer: `unsafe extern "C-unwind" fn(…) -> …` with up to sixteen arguments.
///
/// `C-unwind` is the C ABI; it only lets a C++ exception of the function pass through Rust frames
/// instead of ending the process.
///
/// # Safety
/// The implementor is a plain function pointer of C ABI. There is nothing left to implement: this
/// crate has all arities.
pub unsafe trait ApiFn: Copy + 'static {
    /// The arguments, as a tuple.
    type Args: Copy + 'static;
    /// What it returns.
    type Ret: Copy + 'static;

    /// Calls the function.
    ///
    /// # Safety
    /// As for the function itself.
    unsafe fn call(self, args: Self::Args) -> Self::Ret;

    /// The address of the function.
    fn as_ptr(self) -> *mut ();

    /// The function at this address.
    ///
    /// # Safety
    /// `function` is not NULL and has this signature.
    unsafe fn from_ptr(function: *mut ()) -> Self;

    /// A function of this signature that runs `R`; one of its own for each `LANE`.
    #[doc(hidden)]
    fn replaced<R: Replacement<Fn = Self>, const LANE: usize>() -> Self;

    /// A function of this signature that runs `O`; one of its own for each `LANE`.
    #[doc(hidden)]
    fn observed<O: Observer<Fn = Self>, const LANE: usize>() -> Self;
}

macro_rules! api_fn {
    ($($A:ident $a:ident),*) => {
        // SAFETY: a plain function pointer of C ABI.
        unsafe impl<Ret: Copy + 'static, $($A: Copy + 'static),*> ApiFn
            for unsafe extern "C-unwind" fn($($A),*) -> Ret
        {
            type Args = ($($A,)*);
            type Ret = Ret;

            #[inline(always)]
            unsafe fn call(self, ($($a,)*): Self::Args) -> Ret {
                // SAFETY: the caller's promise.
                unsafe { self($($a),*) }
            }

            #[inline(always)]
            fn as_ptr(self) -> *mut () {
                self as *mut ()
            }

            #[inline(always)]
            unsafe fn from_ptr(function: *mut ()) -> Self {
                // SAFETY: the caller's promise; a function pointer is as wide as a data pointer on
                // every system that has dlsym.
                unsafe { std::mem::transmute::<*mut (), Self>(function) }
            }

            fn replaced<Wrapper: Replacement<Fn = Self>, const LANE: usize>() -> Self {
                unsafe extern "C-unwind" fn entry<Wrapper, const LANE: usize, Ret, $($A),*>(
                    $($a: $A),*
                ) -> Ret
                where
                    Wrapper: Replacement<Fn = unsafe extern "C-unwind" fn($($A),*) -> Ret>,
                    Ret: Copy + 'static,
                    $($A: Copy + 'static,)*
                {
                    // SAFETY: whoever called this function promises what the next one asks for.
                    unsafe { replace::<Wrapper, LANE>(($($a,)*)) }
                }
                entry::<Wrapper, LANE, Ret, $($A),*>
            }

            fn observed<Watcher: Observer<Fn = Self>, const LANE: usize>() -> Self {
                unsafe extern "C-unwind" fn entry<Watcher, const LANE: usize, Ret, $($A),*>(
                    $($a: $A),*
                ) -> Ret
                where
                    Watcher: Observer<Fn = unsafe extern "C-unwind" fn($($A),*) -> Ret>,
                    Ret: Copy + 'static,
                    $($A: Copy + 'static,)*
                {
                    // SAFETY: whoever called this function promises what the next one asks for.
                    unsafe { observe::<Watcher, LANE>(($($a,)*)) }
                }
                entry::<Watcher, LANE, Ret, $($A),*>
            }
        }
    };
}

api_fn!();
api_fn!(A a);
api_fn!(A a, B b);
api_fn!(A a, B b, C c);
api_fn!(A a, B b, C c, D d);
api_fn!(A a, B b, C c, D d, E e);
api_fn!(A a, B b, C c, D d, E e, F f);
api_fn!(A a, B b, C c, D d, E e, F f, G g);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n, O o);
api_fn!(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m, N n, O o, P p);
