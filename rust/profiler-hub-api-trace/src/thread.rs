//! What runs on the application's threads: numbering calls, keeping track of nesting, recording.

use std::cell::{Cell, UnsafeCell};
use std::ffi::{CStr, c_char};
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::clock::ticks;
use crate::functions::Id;
use crate::lane::Lane;
use crate::record::{Kind, Record};
use crate::session::{self, Session};

/// What a thread has: its lane, and where it is in its calls.
struct Local {
    lane: Arc<Lane>,
    session: &'static Session,
    /// The number of the next call, with the lane's number in front.
    next: Cell<u64>,
    /// The number of what is around; 0 for nothing.
    current: Cell<u64>,
    /// The thread's open ranges: the number of each, and of what was around it.
    ranges: UnsafeCell<Vec<(u64, u64)>>,
}

thread_local! {
    // Constant and without a destructor, so that a call costs no more than a `__thread` variable
    // in C, and works to the last moment of a thread.
    static LOCAL: Cell<*const Local> = const { Cell::new(ptr::null()) };
    static END: End = const { End };
}

/// Ends the thread's lane when the thread ends.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        let local = LOCAL.replace(ENDED);
        if local.is_null() || local == ENDED {
            return;
        }
        // SAFETY: made by `begin` on this thread, and given up by it only here.
        let local = unsafe { Box::from_raw(local.cast_mut()) };
        local.lane.end();
    }
}

/// The thread's end has come: it records no more.
const ENDED: *const Local = ptr::dangling();

#[inline(always)]
fn local() -> Option<&'static Local> {
    let local = LOCAL.get();
    if local.is_null() || local == ENDED {
        return begin();
    }
    // SAFETY: this thread's own, and there until the thread's end; the reference stays within a
    // call of this module.
    let local = unsafe { &*local };
    if local.session.closed.load(Ordering::Relaxed) {
        local.session.lose();
        return None;
    }
    Some(local)
}

/// The thread's first record, or one that is not to be.
#[cold]
fn begin() -> Option<&'static Local> {
    let session = session::current()?;
    if LOCAL.get() == ENDED {
        session.lose();
        return None;
    }
    let Some(lane) = session.lane() else {
        session.lose();
        return None;
    };
    // The main thread's thread-locals end before the process's exit handlers run, which may make
    // calls still: its lane has no end.
    // SAFETY: take nothing, cannot fail.
    let main = unsafe { libc::gettid() == libc::getpid() };
    if !main && END.try_with(|_| ()).is_err() {
        lane.end();
        session.lose();
        return None;
    }
    let first = (u64::from(lane.number) << 40) + 1;
    let local = Box::new(Local {
        lane,
        session,
        next: Cell::new(first),
        current: Cell::new(0),
        ranges: UnsafeCell::default(),
    });
    let local: *const Local = Box::into_raw(local);
    LOCAL.set(local);
    // SAFETY: just made.
    Some(unsafe { &*local })
}

/// In a forked child: what this thread had is the parent's.
pub(crate) fn forget() {
    // Not freed: the lane's writer is in another process.
    LOCAL.set(ptr::null());
}

impl Local {
    #[inline(always)]
    fn number(&self) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    #[inline(always)]
    fn record(&self, id: Id, record: &Record, message: &[u8]) {
        // SAFETY: this thread's lane.
        unsafe {
            self.lane.count(id.index());
            self.lane.push(record, message);
        }
    }

    #[expect(
        clippy::mut_from_ref,
        reason = "one thread's own, and never held over another call"
    )]
    fn ranges(&self) -> &mut Vec<(u64, u64)> {
        // SAFETY: one thread's own; used within the functions of this module alone, which do not
        // call each other with it.
        unsafe { &mut *self.ranges.get() }
    }
}

/// A call that is being made. When it is dropped, because the function threw an exception, it ends.
#[derive(Debug)]
pub(crate) struct Running {
    id: Id,
    number: u64,
    parent: u64,
    start: u64,
}

impl Running {
    /// Begins a call of `id`, on this thread. `None`: nothing is recorded (any more).
    #[inline(always)]
    #[must_use]
    pub(crate) fn begin(id: Id) -> Option<Self> {
        let local = local()?;
        let number = local.number();
        let parent = local.current.replace(number);
        Some(Self {
            id,
            number,
            parent,
            start: ticks(),
        })
    }

    /// The call has returned.
    #[inline(always)]
    pub(crate) fn end(self, message: &[u8]) {
        ManuallyDrop::new(self).finish(message);
    }

    #[inline(always)]
    fn finish(&self, message: &[u8]) {
        let end = ticks();
        let Some(local) = local() else { return };
        local.current.set(self.parent);
        let record = Record {
            kind: Kind::Call,
            function: self.id.index(),
            instance: 0,
            stack_id: self.number,
            parent_stack_id: self.parent,
            start: self.start,
            end,
            range: 0,
        };
        local.record(self.id, &record, message);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.finish(b"");
    }
}

/// The thread opened a range at `start`.
#[inline(always)]
pub(crate) fn push(id: Id, start: u64, message: &[u8]) {
    let Some(local) = local() else { return };
    let number = local.number();
    let parent = local.current.replace(number);
    local.ranges().push((number, parent));
    let record = Record {
        kind: Kind::Push,
        function: id.index(),
        instance: 0,
        stack_id: number,
        parent_stack_id: parent,
        start,
        end: 0,
        range: 0,
    };
    local.record(id, &record, message);
}

/// The thread closed its innermost range. Without one, only the call is counted.
#[inline(always)]
pub(crate) fn pop(id: Id) {
    let end = ticks();
    let Some(local) = local() else { return };
    let Some((number, parent)) = local.ranges().pop() else {
        // SAFETY: this thread's lane.
        unsafe { local.lane.count(id.index()) };
        return;
    };
    local.current.set(parent);
    let record = Record {
        kind: Kind::Pop,
        function: id.index(),
        instance: 0,
        stack_id: number,
        parent_stack_id: parent,
        start: 0,
        end,
        range: 0,
    };
    local.record(id, &record, b"");
}

/// The thread opened the process's range `range` of the runtime's copy `instance` at `start`.
#[inline(always)]
pub(crate) fn start(id: Id, start: u64, instance: u64, range: u64, message: &[u8]) {
    let Some(local) = local() else { return };
    let record = Record {
        kind: Kind::Start,
        function: id.index(),
        instance: u16::try_from(instance).unwrap_or(u16::MAX),
        stack_id: local.number(),
        parent_stack_id: local.current.get(),
        start,
        end: 0,
        range,
    };
    local.record(id, &record, message);
}

/// The thread closed the process's range `range` of the runtime's copy `instance`.
#[inline(always)]
pub(crate) fn stop(id: Id, instance: u64, range: u64) {
    let end = ticks();
    let Some(local) = local() else { return };
    let record = Record {
        kind: Kind::Stop,
        function: id.index(),
        instance: u16::try_from(instance).unwrap_or(u16::MAX),
        stack_id: 0,
        parent_stack_id: 0,
        start: 0,
        end,
        range,
    };
    local.record(id, &record, b"");
}

/// The bytes of a message; none for NULL.
///
/// # Safety
/// NULL, or a C string that stays as it is for as long as the bytes are used.
#[inline(always)]
pub(crate) unsafe fn text<'a>(message: *const c_char) -> &'a [u8] {
    if message.is_null() {
        return b"";
    }
    // SAFETY: not NULL, and a C string by the caller's promise.
    unsafe { CStr::from_ptr(message) }.to_bytes()
}
