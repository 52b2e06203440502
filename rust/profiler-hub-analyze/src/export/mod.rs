//! `pmc_perf.csv`: one row for each dispatch and counter, out of the SDK's files.
//!
//! Dispatches are read once and kept small; values are streamed. The standard view is not used: it
//! is slow and hides dispatches whose thread or kernel symbol is missing.

pub(crate) mod csv;
mod dispatches;
mod numbers;
mod order;
mod rows;
mod sums;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement, params};
use rustc_hash::FxHashMap;

use self::dispatches::{Dispatches, Finder, Pids};
use self::order::{Halt, Runs, Value, Window};
pub(crate) use self::rows::Seen;
pub(crate) use self::rows::Table;
use self::rows::{CounterNames, Origin, Rows};
use crate::error::reading;
use crate::inventory::{FileFacts, Kind, integer};
use crate::matching::Matching;
use crate::pairing::{At, Native};
use crate::places::Places;
use crate::report::Counts;
use crate::watch::{Watch, stop_when_asked};
use crate::{Error, Result};

/// Values are told to the watch in portions of so many.
const TELL_EVERY: u64 = 1 << 16;

/// One pass on its way into the table.
pub(crate) struct Export<'a> {
    pub(crate) scan: Scan<'a>,
    pub(crate) table: &'a mut Table,
    pub(crate) counts: Counts,
    pub(crate) seen: Seen,
}

/// Hands out the values of the pass.
pub(crate) struct Scan<'a> {
    pub(crate) pass: &'a str,
    pub(crate) files: &'a [FileFacts],
    /// Native guids whose values are not in the SDK's files: they are read where they are.
    pub(crate) unmerged: Vec<&'a Native>,
    /// How many values of a native guid (by its place above) were found for each SDK guid.
    pub(crate) found: FxHashMap<(usize, At), u64>,
    pub(crate) watch: &'a dyn Watch,
}

impl Export<'_> {
    /// Appends the rows of every SDK file of the pass.
    pub(crate) fn run(&mut self) -> Result<()> {
        for file in 0..self.scan.files.len() {
            if self.scan.files[file].has(Kind::Sdk) {
                self.file(file)?;
            }
        }
        self.counts.processes = self.seen.processes.len() as u64;
        self.counts.counters = self.seen.counters.len() as u64;
        Ok(())
    }

    fn file(&mut self, file: usize) -> Result<()> {
        let facts = &self.scan.files[file];
        let error = reading(facts.path());
        let mut connection = facts.connect()?;
        stop_when_asked(&mut connection, self.scan.watch).map_err(&error)?;
        connection
            .execute_batch(
                "CREATE TEMP TABLE shown (
                     dispatch_id INTEGER, agent_id INTEGER, counter INTEGER NOT NULL)",
            )
            .map_err(&error)?;
        let parts = parts(&connection, facts).map_err(&error)?;
        for (number, (guid, pids)) in parts.iter().enumerate() {
            let at = At { file, guid: *guid };
            self.part(&connection, at, pids.as_ref())?;
            // What the view folds is known when the guid is through.
            if !parts[number + 1..].iter().any(|(other, _)| other == guid) {
                self.counts.hidden_rows += take_folded(&connection).map_err(&error)?;
            }
        }
        facts.source.verify_unchanged()?;
        Ok(())
    }

    /// Appends the rows of some processes of a guid.
    fn part(&mut self, connection: &Connection, at: At, pids: Option<&Pids>) -> Result<()> {
        let Self {
            scan,
            table,
            counts,
            seen,
        } = self;
        let path = scan.files[at.file].path();
        let error = reading(path);
        let guid = at.of(scan.files);
        let dispatches = Dispatches::read(connection, guid, pids).map_err(&error)?;
        let counters = CounterNames::read(connection, guid).map_err(&error)?;
        let may_fold = pids.is_some() || dispatches.ids_repeat;
        let shown = last_shown(connection).map_err(&error)?;
        let before = (table.position(), counts.clone());
        let origin = Origin {
            connection,
            guid,
            path,
            dispatches: &dispatches,
            counters: &counters,
            may_fold,
        };
        let mut rows = Rows::new(table, counts, seen, origin).map_err(&error)?;

        let mut window = Window::new();
        let taken = scan
            .values(connection, at, &dispatches, &counters, &mut |value| {
                window.push(value, &mut rows)
            })
            .and_then(|()| window.finish(&mut rows));
        match taken {
            Ok(()) => return rows.finish(),
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::OutOfOrder) => {}
        }
        // Again, by way of a temporary file.
        rows.restart(before.0, before.1)?;
        connection
            .execute("DELETE FROM temp.shown WHERE rowid > ?1", [shown])
            .map_err(&error)?;
        let mut runs = Runs::new();
        let taken = scan.values(connection, at, &dispatches, &counters, &mut |value| {
            runs.push(value).map_err(Halt::from)
        });
        match taken {
            Ok(()) => {}
            Err(Halt::Failed(error)) => return Err(error),
            Err(Halt::OutOfOrder) => unreachable!("runs take any order"),
        }
        runs.finish(&mut rows)?;
        rows.finish()
    }
}

type Taker<'t> = dyn FnMut(Value) -> Result<(), Halt> + 't;

impl Scan<'_> {
    /// Hands out the values of an SDK guid in the order of their ids: those in its own file, then
    /// those that a merge would put there.
    fn values(
        &mut self,
        connection: &Connection,
        at: At,
        dispatches: &Dispatches,
        counters: &CounterNames,
        take: &mut Taker<'_>,
    ) -> Result<(), Halt> {
        let guid = at.of(self.files);
        let path = self.files[at.file].path();
        let error = reading(path);
        let columns = ["id", "guid", "event_id", "pmc_id", "value"];
        let values = guid.from("main", "rocpd_pmc_event", &columns);
        let sql = format!(
            "SELECT v.event_id, v.pmc_id, v.value FROM {values} AS v
             WHERE v.guid = ?1{} ORDER BY v.id",
            guid.not_spm("v")
        );
        let mut target = Target {
            finder: Finder::new(dispatches),
            counters,
            watch: self.watch,
            pass: self.pass,
        };
        let mut statement = connection
            .prepare(&sql)
            .map_err(&error)
            .map_err(Halt::from)?;
        statement
            .raw_bind_parameter(1, guid.guid())
            .map_err(&error)?;
        target.hand_on(&mut statement, path, take)?;
        drop(statement);

        for (place, native) in self.unmerged.clone().into_iter().enumerate() {
            let is_target = native
                .slots
                .iter()
                .any(|slot| slot.candidates.iter().any(|process| process.at == at));
            let merged = guid.mark(&native.at.of(self.files).tables.guid).is_some();
            if is_target && !guid.filled && !merged {
                let found = self.native_values(connection, at, native, &mut target, take)?;
                self.found.insert((place, at), found);
            }
        }
        Ok(())
    }

    /// Hands out the values of a native guid that belong to an SDK guid.
    fn native_values(
        &self,
        connection: &Connection,
        at: At,
        native: &Native,
        target: &mut Target<'_>,
        take: &mut Taker<'_>,
    ) -> Result<u64, Halt> {
        let places = Places::find(self.files, native)?;
        let Some(number) = places.targets.iter().position(|&target| target == at) else {
            return Ok(0);
        };
        let file = &self.files[native.at.file];
        let error = reading(file.path());
        let same_file = native.at.file == at.file;
        let schema = if same_file { "main" } else { "native" };
        if !same_file {
            file.source
                .attach(connection, schema)
                .map_err(Error::from)?;
        }
        let guid = native.at.of(self.files);
        let matching = Matching::load(connection, schema, guid, &places).map_err(&error)?;
        drop(places);
        let taken = (|| {
            let mut statement = connection.prepare(&matching.values_sql()).map_err(&error)?;
            let number = i64::try_from(number).expect("guids are few");
            statement
                .raw_bind_parameter(1, guid.guid())
                .and_then(|()| statement.raw_bind_parameter(2, number))
                .map_err(&error)?;
            target.hand_on(&mut statement, file.path(), take)
        })();
        // Also where the values came out of order: they are read again.
        matching.unload().map_err(&error)?;
        if !same_file {
            connection.execute_batch("DETACH native").map_err(&error)?;
        }
        file.source.verify_unchanged().map_err(Error::from)?;
        taken
    }
}

/// Where values go: dispatches by event, counters by PMC.
struct Target<'a> {
    finder: Finder<'a>,
    counters: &'a CounterNames,
    watch: &'a dyn Watch,
    pass: &'a str,
}

impl Target<'_> {
    /// Hands on what a statement of (event, PMC, value) gives. Returns the number of its rows; those
    /// that are no dispatch's or no counter's are among them.
    fn hand_on(
        &mut self,
        statement: &mut Statement<'_>,
        path: &std::path::Path,
        take: &mut Taker<'_>,
    ) -> Result<u64, Halt> {
        let error = reading(path);
        let mut rows = statement.raw_query();
        let mut count = 0;
        while let Some(row) = rows.next().map_err(&error)? {
            count += 1;
            if count % TELL_EVERY == 0 {
                self.watch.values_read(self.pass, TELL_EVERY);
            }
            let (event, pmc) = (
                integer(row, 0).map_err(&error)?,
                integer(row, 1).map_err(&error)?,
            );
            let (Some(event), Some(pmc)) = (event, pmc) else {
                continue;
            };
            let Some(&counter) = self.counters.of_pmc.get(&pmc) else {
                continue;
            };
            let value = number(row.get_ref(2).map_err(&error)?);
            for dispatch in self.finder.ranks(event) {
                take(Value {
                    dispatch,
                    counter,
                    value,
                })?;
            }
        }
        Ok(count)
    }
}

/// A value column as a double. What is no number counts as NULL, which is NaN here.
fn number(value: ValueRef<'_>) -> f64 {
    match value {
        ValueRef::Real(value) => value,
        #[expect(
            clippy::cast_precision_loss,
            reason = "SQLite's SUM makes doubles of integers too"
        )]
        ValueRef::Integer(value) => value as f64,
        _ => f64::NAN,
    }
}

/// The guids of a file in the order of the table, each with the OS pids whose turn it is; all of
/// them where no other guid comes between.
fn parts(
    connection: &Connection,
    file: &FileFacts,
) -> rusqlite::Result<Vec<(usize, Option<Pids>)>> {
    let sdk: Vec<_> = file
        .guids
        .iter()
        .enumerate()
        .filter(|(_, guid)| guid.kind == Kind::Sdk)
        .collect();
    if let [(only, _)] = sdk.as_slice() {
        return Ok(vec![(*only, None)]);
    }
    let mut turns = Vec::new();
    for (number, guid) in sdk {
        let dispatches = guid.from("main", "rocpd_kernel_dispatch", &["guid", "pid"]);
        let sql = format!("SELECT DISTINCT pid FROM {dispatches} WHERE guid = ?1");
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([guid.guid()])?;
        while let Some(row) = rows.next()? {
            let process = integer(row, 0)?;
            let process = guid.processes.iter().find(|p| Some(p.row) == process);
            turns.push((process.and_then(|process| process.pid), number));
        }
    }
    turns.sort_unstable();
    turns.dedup();
    let mut parts: Vec<(usize, Pids)> = Vec::new();
    for (pid, guid) in turns {
        match parts.last_mut() {
            Some((last, pids)) if *last == guid => pids.push(pid),
            _ => parts.push((guid, vec![pid])),
        }
    }
    let whole = |parts: &[(usize, Pids)], guid| parts.iter().filter(|p| p.0 == guid).count() == 1;
    Ok(parts
        .iter()
        .map(|(guid, pids)| (*guid, (!whole(&parts, *guid)).then(|| pids.clone())))
        .collect())
}

fn last_shown(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(
        "SELECT coalesce(max(rowid), 0) FROM temp.shown",
        [],
        |row| row.get(0),
    )
}

/// How many rows the standard view folds into others: it has one for each dispatch id, agent and
/// counter name of a guid.
fn take_folded(connection: &Connection) -> rusqlite::Result<u64> {
    let folded = connection.query_row(
        "SELECT (SELECT count(*) FROM temp.shown)
              - (SELECT count(*) FROM (SELECT DISTINCT dispatch_id, agent_id, counter
                                       FROM temp.shown))",
        params![],
        |row| crate::inventory::count(row, 0),
    )?;
    connection.execute_batch("DELETE FROM temp.shown")?;
    Ok(folded)
}
