//! Tasks on a context's thread pool.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::boundary::{Failure, guard, set};
use crate::context::{Context, context};
use crate::handle::Registry;
use crate::types::{ph_ctx_t, ph_future_t, ph_result_t, ph_task_fn};

/// A task and how far it has come.
pub(crate) struct Task {
    function: unsafe extern "C" fn(*mut c_void),
    user_data: *mut c_void,
    state: Mutex<State>,
    ended: Condvar,
    /// Which pool it belongs to.
    pool: usize,
}

// SAFETY: the header says that the task is called on a thread of the pool, so whoever gives it
// promises that its pointer may go there.
unsafe impl Send for Task {}
// SAFETY: the pointer is only handed to the function, once.
unsafe impl Sync for Task {}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Waiting,
    Running,
    Ended,
}

static FUTURES: Registry<Task> = Registry::new(2);

thread_local! {
    /// The pool that this thread works for.
    static WORKS_FOR: Cell<usize> = const { Cell::new(0) };
    /// The task that this thread is in.
    static RUNS: Cell<*const Task> = const { Cell::new(std::ptr::null()) };
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Task {
    /// Runs the task if it has not begun.
    fn run(self: &Arc<Self>) {
        {
            let mut state = lock(&self.state);
            if *state != State::Waiting {
                return;
            }
            *state = State::Running;
        }
        let before = RUNS.replace(Arc::as_ptr(self));
        // SAFETY: the function and its pointer come from one call of ph_future_get, whose caller
        // promises that they fit and stay valid until the task has ended.
        unsafe { (self.function)(self.user_data) };
        RUNS.set(before);
        self.end();
    }

    fn end(&self) {
        *lock(&self.state) = State::Ended;
        self.ended.notify_all();
    }

    /// Takes it out of the queue if it has not begun.
    fn cancel(&self) {
        let mut state = lock(&self.state);
        if *state == State::Waiting {
            *state = State::Ended;
            self.ended.notify_all();
        }
    }

    /// Waits for its end. On a thread of its own pool, a task that has not begun is run at once:
    /// no thread might be left for it.
    fn wait(self: &Arc<Self>) -> Result<(), Failure> {
        if WORKS_FOR.get() == self.pool {
            self.run();
        }
        if RUNS.get() == Arc::as_ptr(self) {
            return Err(Failure::argument("a task cannot wait for itself"));
        }
        let state = lock(&self.state);
        let waited = self.ended.wait_while(state, |state| *state != State::Ended);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }
}

/// The threads of a context, which begin with the first task.
#[derive(Default)]
pub(crate) struct TaskPool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Arc<Task>>,
    closed: bool,
}

impl Shared {
    fn work(self: &Arc<Self>) {
        WORKS_FOR.set(Arc::as_ptr(self).addr());
        loop {
            let queue = lock(&self.queue);
            let idle = |queue: &mut Queue| queue.tasks.is_empty() && !queue.closed;
            let waited = self.changed.wait_while(queue, idle);
            let task = waited
                .unwrap_or_else(PoisonError::into_inner)
                .tasks
                .pop_front();
            match task {
                Some(task) => task.run(),
                None => return,
            }
        }
    }
}

impl TaskPool {
    fn id(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    /// Whether the calling thread is one of the pool's.
    pub(crate) fn is_worker(&self) -> bool {
        WORKS_FOR.get() == self.id()
    }

    fn start(&self) -> Result<(), Failure> {
        let mut threads = lock(&self.threads);
        let wanted = thread::available_parallelism().map_or(2, std::num::NonZero::get);
        while threads.len() < wanted {
            let shared = Arc::clone(&self.shared);
            let builder = thread::Builder::new().name("profiler-hub".to_owned());
            match builder.spawn(move || shared.work()) {
                Ok(thread) => threads.push(thread),
                // Fewer threads do.
                Err(_) if !threads.is_empty() => return Ok(()),
                Err(error) => {
                    return Err(Failure::new(
                        ph_result_t::PH_RESULT_FUTURE_ALLOCATION_FAILED,
                        format!("cannot start a thread: {error}"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn add(&self, task: Arc<Task>) -> Result<(), Failure> {
        self.start()?;
        let mut queue = lock(&self.shared.queue);
        if queue.closed {
            return Err(Failure::new(
                ph_result_t::PH_RESULT_INVALID_CONTEXT,
                "the context is being freed",
            ));
        }
        queue.tasks.push_back(task);
        drop(queue);
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Cancels what has not begun, and waits for the rest.
    pub(crate) fn shut_down(&self) {
        let left = {
            let mut queue = lock(&self.shared.queue);
            queue.closed = true;
            std::mem::take(&mut queue.tasks)
        };
        for task in left {
            task.cancel();
        }
        self.shared.changed.notify_all();
        for thread in std::mem::take(&mut *lock(&self.threads)) {
            // A thread cannot panic: a task is C's, and what is around it does not.
            let _ = thread.join();
        }
        FUTURES.retain(|task| task.pool != self.id());
    }
}

/// The task of a handle, if it belongs to the context.
fn task(context: &Context, future: ph_future_t) -> Result<Arc<Task>, Failure> {
    let task = FUTURES
        .get(future)
        .filter(|task| task.pool == context.tasks.id());
    task.ok_or_else(|| {
        Failure::argument(
            "the future is NULL, was freed, or is none of this context's; expected one from \
             ph_future_get",
        )
    })
}

/// Runs a task on the context's thread pool.
///
/// @param ctx        A context.
/// @param future     Where to write the future; NULL is written on any failure.
/// @param task       What to call, once. It must not throw or jump out.
/// @param user_data  What to call it with; it must stay valid until the task has ended.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if future or
///         task is NULL; PH_RESULT_FUTURE_ALLOCATION_FAILED if no thread can be started.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_future_get(
    ctx: ph_ctx_t,
    future: *mut ph_future_t,
    task: ph_task_fn,
    user_data: *mut c_void,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(future, std::ptr::null_mut(), "future") }?;
        context(ctx)?.run(|context| {
            let function =
                task.ok_or_else(|| Failure::argument("task is NULL; expected a function to call"))?;
            let task = Arc::new(Task {
                function,
                user_data,
                state: Mutex::new(State::Waiting),
                ended: Condvar::new(),
                pool: context.tasks.id(),
            });
            let handle = FUTURES.insert(Arc::clone(&task));
            // Written before the task can run: it may look at it.
            // SAFETY: as above.
            unsafe { set(future, handle, "future") }?;
            context.tasks.add(task).inspect_err(|_| {
                FUTURES.remove(handle);
                // SAFETY: as above; it was written to just now.
                unsafe { future.write(std::ptr::null_mut()) };
            })
        })
    })
}

/// Waits until a task has ended or was cancelled.
///
/// @param ctx     The context of the future.
/// @param future  A future.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
///         of this context, or from the task itself.
#[unsafe(no_mangle)]
pub extern "C" fn ph_future_wait(ctx: ph_ctx_t, future: ph_future_t) -> ph_result_t {
    guard(|| context(ctx)?.run(|context| task(context, future)?.wait()))
}

/// Cancels a task that has not begun. One that runs, or has ended, is left alone.
///
/// @param ctx     The context of the future.
/// @param future  A future.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
///         of this context.
#[unsafe(no_mangle)]
pub extern "C" fn ph_future_cancel(ctx: ph_ctx_t, future: ph_future_t) -> ph_result_t {
    guard(|| {
        context(ctx)?.run(|context| {
            task(context, future)?.cancel();
            Ok(())
        })
    })
}

/// Gives a future back: its task is cancelled if it has not begun, and waited for if it runs. From
/// the task itself, it does not wait.
///
/// @param ctx     The context of the future.
/// @param future  A future, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
///         of this context.
#[unsafe(no_mangle)]
pub extern "C" fn ph_future_free(ctx: ph_ctx_t, future: ph_future_t) -> ph_result_t {
    guard(|| {
        let context = context(ctx)?;
        if future.is_null() {
            return Ok(());
        }
        context.run(|context| {
            let task = task(context, future)?;
            FUTURES.remove(future);
            task.cancel();
            if RUNS.get() != Arc::as_ptr(&task) {
                task.wait()?;
            }
            Ok(())
        })
    })
}
