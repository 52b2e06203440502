//! A pool of read-only connections, and work spread over it.

use std::ops::{ControlFlow, Deref};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::options::Progress;
use crate::{Error, Result, Source};

/// How many prepared statements each connection keeps.
const STATEMENTS: usize = 128;

/// Read-only connections to one file, as many as are used at once.
pub(crate) struct Pool {
    source: Source,
    idle: Mutex<Vec<Connection>>,
    threads: usize,
}

/// A connection on loan; it goes back to the pool when it is dropped.
pub(crate) struct Lease<'p> {
    pool: &'p Pool,
    connection: Option<Connection>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    pub(crate) fn new(source: Source, threads: usize) -> Self {
        Self {
            source,
            idle: Mutex::default(),
            threads: threads.max(1),
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn take(&self) -> Result<Lease<'_>> {
        let idle = lock(&self.idle).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let connection = self.source.connect()?;
                connection.set_prepared_statement_cache_capacity(STATEMENTS);
                super::table::add_functions(&connection).map_err(self.sqlite())?;
                super::row::add_function(&connection).map_err(self.sqlite())?;
                connection
            }
        };
        Ok(Lease {
            pool: self,
            connection: Some(connection),
        })
    }

    /// Names the file that SQLite's error is about.
    pub(crate) fn sqlite(&self) -> impl FnOnce(rusqlite::Error) -> Error {
        Error::sqlite(self.source.path())
    }

    /// Runs `work` over all tasks on the pool's threads, each with a connection of its own.
    ///
    /// The results come in the order of the tasks. The first error ends the rest.
    pub(crate) fn spread<T: Sync, R: Send>(
        &self,
        tasks: &[T],
        watch: &Watch<'_>,
        work: impl Fn(&Connection, &T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        self.spread_with(
            || self.take(),
            tasks,
            watch,
            |connection, task| work(connection, task),
        )
    }

    /// As [`Pool::spread`], for work that needs no connection.
    pub(crate) fn spread_in_memory<T: Sync, R: Send>(
        &self,
        tasks: &[T],
        watch: &Watch<'_>,
        work: impl Fn(&T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        self.spread_with(|| Ok(()), tasks, watch, |(), task| work(task))
    }

    fn spread_with<S, T: Sync, R: Send>(
        &self,
        begin: impl Fn() -> Result<S> + Sync,
        tasks: &[T],
        watch: &Watch<'_>,
        work: impl Fn(&S, &T) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let run = || -> Result<Vec<(usize, R)>> {
            let state = begin()?;
            let mut done = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(index) else { break };
                let result = (watch.check())
                    .and_then(|()| work(&state, task))
                    .and_then(|result| watch.step().map(|()| result));
                match result {
                    Ok(result) => done.push((index, result)),
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
            }
            Ok(done)
        };
        let threads = self.threads.min(tasks.len());
        let parts = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            let mut parts = vec![run()];
            for other in others {
                match other.join() {
                    Ok(part) => parts.push(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            parts
        });
        let mut results = Vec::with_capacity(tasks.len());
        for part in parts {
            results.extend(part?);
        }
        results.sort_unstable_by_key(|(index, _)| *index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

impl Deref for Lease<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("taken out by drop only")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else {
            return;
        };
        let mut idle = lock(&self.pool.idle);
        if idle.len() < self.pool.threads {
            idle.push(connection);
        }
    }
}

/// Looks out for cancellation, and tells how far the work has come.
pub(crate) struct Watch<'a> {
    path: &'a std::path::Path,
    cancelled: &'a AtomicBool,
    report: Option<Report<'a>>,
}

struct Report<'a> {
    callback: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    state: Mutex<Progress>,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(
        path: &'a std::path::Path,
        cancelled: &'a AtomicBool,
        callback: Option<&'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)>,
    ) -> Self {
        let report = callback.map(|callback| Report {
            callback,
            state: Mutex::new(Progress::default()),
        });
        Self {
            path,
            cancelled,
            report,
        }
    }

    /// Begins a stage of so many steps.
    pub(crate) fn begin(&self, stage: super::options::Stage, total: usize) -> Result<()> {
        self.change(|state| {
            *state = Progress {
                stage,
                done: 0,
                total,
            };
        })
    }

    /// One step of the stage is done.
    pub(crate) fn step(&self) -> Result<()> {
        self.change(|state| state.done += 1)
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) -> Result<()> {
        if let Some(report) = &self.report {
            // Held while the callback runs: it is never called twice at once.
            let mut state = lock(&report.state);
            change(&mut state);
            if (report.callback)(*state).is_break() {
                self.cancelled.store(true, Ordering::Relaxed);
            }
        }
        self.check()
    }

    /// An error if the work is to end.
    pub(crate) fn check(&self) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled {
                path: self.path.into(),
            });
        }
        Ok(())
    }
}
