//! The once-only construction: tables are handed to the interceptors, then opened for calls.

use std::ffi::{CStr, c_void};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::door::{Import, hand_over};

/// Gets the tables, in the order of their declaration, before the first call. Each pointer is to
/// the table's `#[repr(C)]` struct, all of whose functions may be replaced.
pub type Interceptor = fn(tables: &[*mut c_void]);

/// What a library offers, and whether it has been constructed. Declared by [`offer!`](crate::offer).
pub struct Offer {
    name: &'static CStr,
    version: u32,
    import: Import,
    tables: &'static [fn() -> *mut c_void],
    publish: &'static [fn()],
    interceptors: Mutex<Vec<Interceptor>>,
    state: AtomicU32,
    /// Process and thread that construct: `pid << 32 | tid`.
    owner: AtomicU64,
}

const NOT_YET: u32 = 0;
const UNDER_WAY: u32 = 1;
const DONE: u32 = 2;

/// Whether calls go through the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constructed {
    /// Yes.
    Done,
    /// Not yet, and this thread is the one that constructs: it is an interceptor that calls the
    /// API. It gets the real functions.
    UnderWay,
}

/// An interceptor came too late: the tables have been handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "cannot intercept: the library's tables are constructed already; register before its first call"
)]
pub struct AlreadyConstructed;

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offer")
            .field("name", &self.name)
            .field("version", &self.version)
            .field("constructed", &(self.state.load(Ordering::Relaxed) == DONE))
            .finish_non_exhaustive()
    }
}

impl Offer {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        name: &'static CStr,
        version: u32,
        import: Import,
        tables: &'static [fn() -> *mut c_void],
        publish: &'static [fn()],
    ) -> Self {
        Self {
            name,
            version,
            import,
            tables,
            publish,
            interceptors: Mutex::new(Vec::new()),
            state: AtomicU32::new(NOT_YET),
            owner: AtomicU64::new(0),
        }
    }

    /// Has `interceptor` called at construction. The one registered last is called last, and so
    /// wraps on top; the SDK and its tools come after all of them. A panic in it stays in it.
    ///
    /// # Errors
    /// [`AlreadyConstructed`].
    pub fn at_construction(&self, interceptor: Interceptor) -> Result<(), AlreadyConstructed> {
        let mut interceptors = self
            .interceptors
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Construction begins under this lock, so that nobody is accepted and then left out.
        if self.state.load(Ordering::Acquire) != NOT_YET {
            return Err(AlreadyConstructed);
        }
        interceptors.push(interceptor);
        Ok(())
    }

    /// Constructs, unless that is done. The first call of a function does it; a library may do so
    /// earlier. Other threads wait here until it is done.
    pub fn construct(&self) -> Constructed {
        let me = this_thread();
        let interceptors = {
            if self.state.load(Ordering::Acquire) != NOT_YET {
                return self.wait(me);
            }
            let mut interceptors = self
                .interceptors
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let begun = self.state.compare_exchange(
                NOT_YET,
                UNDER_WAY,
                Ordering::AcqRel,
                Ordering::Acquire,
            );
            if begun.is_err() {
                drop(interceptors);
                return self.wait(me);
            }
            self.owner.store(me, Ordering::Release);
            std::mem::take(&mut *interceptors)
        };
        let mut tables: Vec<*mut c_void> = self.tables.iter().map(|table| table()).collect();
        for interceptor in interceptors {
            let handed = catch_unwind(AssertUnwindSafe(|| interceptor(&tables)));
            if let Err(payload) = handed {
                // Dropping it could panic again.
                std::mem::forget(payload);
            }
        }
        hand_over(self.name, self.version, self.import, &mut tables);
        self.open();
        Constructed::Done
    }

    fn open(&self) {
        for publish in self.publish {
            publish();
        }
        self.state.store(DONE, Ordering::Release);
    }

    fn wait(&self, me: u64) -> Constructed {
        let mut rounds = 0_u32;
        while self.state.load(Ordering::Acquire) != DONE {
            let owner = self.owner.load(Ordering::Acquire);
            if owner == me {
                return Constructed::UnderWay;
            }
            if owner != 0 && owner >> 32 != me >> 32 {
                // A fork in the middle of construction: the thread that constructs is not in this
                // process. Every slot holds a function, wrapped or not: go on with these.
                self.open();
                break;
            }
            rounds = rounds.saturating_add(1);
            if rounds < 100 {
                std::thread::yield_now();
            } else {
                std::thread::sleep(Duration::from_micros(50));
            }
        }
        Constructed::Done
    }
}

fn this_thread() -> u64 {
    // SAFETY: takes nothing, cannot fail.
    let thread = unsafe { libc::gettid() };
    (u64::from(std::process::id()) << 32) | u64::from(thread.cast_unsigned())
}
