//! Rows of the table out of values that come dispatch by dispatch.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement, params};

use super::csv::{Csv, push_field};
use super::dispatches::{Dispatches, Rank};
use super::numbers::Numbers;
use super::order::{Take, Value};
use super::sums::Sum;
use crate::error::reading;
use crate::inventory::{GuidFacts, MachineId, bytes, integer};
use crate::report::Counts;
use crate::{Error, Result};

/// How many dispatches are read ahead while they are asked for in a row.
const AHEAD: usize = 64;

/// The table, and the numbers that run through all of it.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) csv: Csv,
    dispatches: Numbers,
    kernels: Numbers,
    names: Numbers,
    processes: HashMap<(MachineId, Option<i64>), u32>,
}

/// A place in the table, to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    csv: u64,
    dispatches: u32,
    kernels: u32,
}

impl Table {
    pub(crate) fn new(csv: Csv) -> Self {
        Self {
            csv,
            dispatches: Numbers::new(),
            kernels: Numbers::new(),
            names: Numbers::new(),
            processes: HashMap::new(),
        }
    }

    pub(crate) fn position(&self) -> Position {
        Position {
            csv: self.csv.position(),
            dispatches: self.dispatches.position(),
            kernels: self.kernels.position(),
        }
    }

    /// Forgets what came after a position. Names and processes keep their inner numbers, which are
    /// not seen.
    pub(crate) fn rewind(&mut self, position: Position) -> Result<()> {
        self.csv.rewind(position.csv)?;
        self.dispatches.rewind(position.dispatches);
        self.kernels.rewind(position.kernels);
        Ok(())
    }

    fn process(&mut self, machine: &MachineId, pid: Option<i64>) -> u32 {
        let next = u32::try_from(self.processes.len()).expect("processes are few");
        *self.processes.entry((machine.clone(), pid)).or_insert(next)
    }
}

/// The counters of an SDK guid, by name.
#[derive(Debug)]
pub(crate) struct CounterNames {
    /// In order of their bytes.
    names: Vec<Box<[u8]>>,
    /// PMC row to place in that order.
    pub(crate) of_pmc: rustc_hash::FxHashMap<i64, u32>,
}

impl CounterNames {
    pub(crate) fn read(connection: &Connection, guid: &GuidFacts) -> rusqlite::Result<Self> {
        let table = guid.from("main", "rocpd_info_pmc", &["id", "guid", "name"]);
        let sql = format!("SELECT id, name FROM {table} WHERE guid = ?1");
        let mut found = Vec::new();
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([guid.guid()])?;
        while let Some(row) = rows.next()? {
            if let Some(id) = integer(row, 0)? {
                found.push((bytes(row, 1)?.unwrap_or_default(), id));
            }
        }
        found.sort();
        let mut names: Vec<Box<[u8]>> = Vec::new();
        let mut of_pmc = rustc_hash::FxHashMap::default();
        for (name, id) in found {
            if names.last() != Some(&name) {
                names.push(name);
            }
            let place = u32::try_from(names.len() - 1).expect("counters are few");
            of_pmc.insert(id, place);
        }
        Ok(Self { names, of_pmc })
    }
}

/// What the table says of a dispatch.
#[derive(Debug)]
struct Details {
    row: i64,
    process: Option<i64>,
    dispatch_id: Option<i64>,
    agent: Option<i64>,
    stack_id: Option<i64>,
    grid: Option<i128>,
    workgroup: Option<i128>,
    lds: Option<i64>,
    scratch: Option<i64>,
    arch_vgpr: Option<i64>,
    accum_vgpr: Option<i64>,
    sgpr: Option<i64>,
    kernel: Option<Box<[u8]>>,
    start: Option<i64>,
    end: Option<i64>,
    /// Thread, kernel symbol, agent, process and event are all there.
    complete: bool,
}

/// What has had a row.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Names of counters.
    pub(crate) counters: BTreeSet<Box<[u8]>>,
    /// Processes, by their inner number.
    pub(crate) processes: BTreeSet<u32>,
}

/// Makes rows of the values of one SDK guid.
pub(crate) struct Rows<'a> {
    table: &'a mut Table,
    counts: &'a mut Counts,
    seen: &'a mut Seen,
    dispatches: &'a Dispatches,
    guid: &'a GuidFacts,
    /// The file, for messages.
    path: &'a Path,
    counters: &'a CounterNames,
    /// Each name as a field, with the comma behind it.
    fields: Vec<Vec<u8>>,
    /// Which counters have had a row.
    used: Vec<bool>,
    sums: Vec<Sum>,
    /// The counters that the open dispatch has values of, a bit each.
    touched: Vec<u64>,
    open: Option<Rank>,
    details: Statement<'a>,
    ahead: Vec<Details>,
    ahead_count: usize,
    /// Notes what the standard view shows, where it may fold rows into one.
    shown: Option<Statement<'a>>,
    prefix: Vec<u8>,
    last_name: Option<(Option<Box<[u8]>>, u32)>,
}

/// What rows are made from.
pub(crate) struct Origin<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) guid: &'a GuidFacts,
    pub(crate) path: &'a Path,
    pub(crate) dispatches: &'a Dispatches,
    pub(crate) counters: &'a CounterNames,
    /// Whether the standard view may fold rows into one.
    pub(crate) may_fold: bool,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(
        table: &'a mut Table,
        counts: &'a mut Counts,
        seen: &'a mut Seen,
        origin: Origin<'a>,
    ) -> rusqlite::Result<Self> {
        let names = &origin.counters.names;
        let fields = names.iter().map(|name| {
            let mut field = Vec::new();
            push_field(&mut field, name);
            field.push(b',');
            field
        });
        let connection = origin.connection;
        let shown = match origin.may_fold {
            true => Some(connection.prepare("INSERT INTO temp.shown VALUES (?1, ?2, ?3)")?),
            false => None,
        };
        Ok(Self {
            fields: fields.collect(),
            used: vec![false; names.len()],
            sums: vec![Sum::default(); names.len()],
            touched: vec![0; names.len().div_ceil(64)],
            open: None,
            details: connection.prepare(&details_sql(origin.guid))?,
            ahead: Vec::new(),
            ahead_count: 1,
            shown,
            prefix: Vec::new(),
            last_name: None,
            table,
            counts,
            seen,
            dispatches: origin.dispatches,
            guid: origin.guid,
            path: origin.path,
            counters: origin.counters,
        })
    }

    /// Forgets every row since a position.
    pub(crate) fn restart(&mut self, position: Position, counts: Counts) -> Result<()> {
        self.table.rewind(position)?;
        *self.counts = counts;
        self.open = None;
        self.sums.fill(Sum::default());
        self.touched.fill(0);
        Ok(())
    }

    /// Writes the last rows.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.close()?;
        for (name, used) in self.counters.names.iter().zip(&self.used) {
            if *used && !self.seen.counters.contains(name) {
                self.seen.counters.insert(name.clone());
            }
        }
        Ok(())
    }

    /// Writes the rows of the open dispatch.
    fn close(&mut self) -> Result<()> {
        let Some(rank) = self.open.take() else {
            return Ok(());
        };
        let row = self.dispatches.row(rank);
        let details = self.details(row).map_err(reading(self.path))?;
        let Some(details) = details else {
            return Err(Error::Input(rocpd::Error::Changed {
                path: self.path.into(),
            }));
        };
        self.begin_row(&details);
        let mut rows = 0;
        for word in 0..self.touched.len() {
            let mut bits = std::mem::take(&mut self.touched[word]);
            while bits != 0 {
                let counter = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                rows += 1;
                self.used[counter] = true;
                let sum = std::mem::take(&mut self.sums[counter]).finish();
                self.write_row(counter, sum)?;
                if details.complete
                    && let Some(shown) = &mut self.shown
                {
                    let counter = i64::try_from(counter).expect("counters are few");
                    shown
                        .execute(params![details.dispatch_id, details.agent, counter])
                        .map_err(reading(self.path))?;
                }
            }
        }
        self.counts.rows += rows;
        self.counts.dispatches += 1;
        if !details.complete {
            self.counts.hidden_rows += rows;
        }
        let odd = match (details.start, details.end) {
            (Some(start), Some(end)) => end < start || (start == 0 && end == 0),
            _ => true,
        };
        self.counts.odd_timestamps += u64::from(odd);
        Ok(())
    }

    fn write_row(&mut self, counter: usize, sum: Option<f64>) -> Result<()> {
        let row = self.table.csv.row();
        row.extend_from_slice(&self.prefix);
        row.extend_from_slice(&self.fields[counter]);
        match sum {
            Some(sum) if sum.is_finite() => {
                push_double(row, sum);
            }
            Some(_) => self.counts.infinite_sums += 1,
            None => {}
        }
        row.push(b'\n');
        self.table.csv.row_done()
    }

    /// Makes what the rows of a dispatch have in common, up to the kernel's number.
    fn begin_row(&mut self, details: &Details) {
        let table = &mut *self.table;
        let process = self
            .guid
            .processes
            .iter()
            .find(|process| Some(process.row) == details.process);
        let process = match process {
            Some(process) => table.process(&process.machine, process.pid),
            None => table.process(&None, None),
        };
        self.seen.processes.insert(process);
        let name = match &self.last_name {
            Some((name, number)) if *name == details.kernel => *number,
            _ => {
                let number = table.names.number(&details.kernel);
                self.last_name = Some((details.kernel.clone(), number));
                number
            }
        };
        let shape = (name, details.grid, details.workgroup, details.lds);
        let kernel = table.kernels.number(&shape);
        let dispatch = table
            .dispatches
            .number(&(process, shape, details.start, details.end));

        let row = &mut self.prefix;
        row.clear();
        push_number(row, details.agent);
        row.extend_from_slice(self.guid.guid().as_bytes());
        row.push(b',');
        push_number(row, details.stack_id);
        push_number(row, Some(dispatch));
        push_number(row, details.grid);
        push_number(row, details.workgroup);
        push_number(row, details.lds);
        push_number(row, details.scratch);
        push_number(row, details.arch_vgpr);
        push_number(row, details.accum_vgpr);
        push_number(row, details.sgpr);
        push_field(row, details.kernel.as_deref().unwrap_or_default());
        row.push(b',');
        push_number(row, details.start);
        push_number(row, details.end);
        push_number(row, Some(kernel));
    }

    /// What is known of a dispatch. While rows are asked for one after the other, some are read
    /// ahead.
    fn details(&mut self, row: i64) -> rusqlite::Result<Option<Details>> {
        if let Ok(place) = self.ahead.binary_search_by_key(&row, |details| details.row) {
            let details = self.ahead.drain(..=place).next_back();
            self.ahead_count = AHEAD;
            return Ok(details);
        }
        let follows = self.ahead.is_empty();
        self.ahead_count = if follows { self.ahead_count * 2 } else { 1 }.clamp(1, AHEAD);
        self.ahead.clear();
        let limit = i64::try_from(self.ahead_count).expect("a small number");
        let mut rows = self.details.query(params![row, self.guid.guid(), limit])?;
        while let Some(row) = rows.next()? {
            self.ahead.push(Details {
                row: integer(row, 0)?.unwrap_or_default(),
                process: integer(row, 1)?,
                dispatch_id: integer(row, 2)?,
                agent: integer(row, 3)?,
                stack_id: integer(row, 4)?,
                grid: product([integer(row, 5)?, integer(row, 6)?, integer(row, 7)?]),
                workgroup: product([integer(row, 8)?, integer(row, 9)?, integer(row, 10)?]),
                lds: integer(row, 11)?,
                scratch: integer(row, 12)?,
                arch_vgpr: integer(row, 13)?,
                accum_vgpr: integer(row, 14)?,
                sgpr: integer(row, 15)?,
                kernel: bytes(row, 16)?,
                start: integer(row, 17)?,
                end: integer(row, 18)?,
                complete: !matches!(row.get_ref(19)?, ValueRef::Integer(0)),
            });
        }
        drop(rows);
        match self.ahead.first() {
            Some(first) if first.row == row => Ok(self.ahead.drain(..1).next()),
            _ => Ok(None),
        }
    }
}

impl Take for Rows<'_> {
    fn take(&mut self, value: Value) -> Result<()> {
        if self.open != Some(value.dispatch) {
            self.close()?;
            self.open = Some(value.dispatch);
        }
        let counter = value.counter as usize;
        self.touched[counter / 64] |= 1 << (counter % 64);
        self.sums[counter].add(value.value);
        Ok(())
    }
}

/// From a dispatch on, in the order of rows. Parameters: the row, the guid, how many.
fn details_sql(guid: &GuidFacts) -> String {
    let dispatches = guid.from("main", "rocpd_kernel_dispatch", &[]);
    let events = guid.from("main", "rocpd_event", &["id", "guid", "stack_id"]);
    let symbols = [
        "id",
        "guid",
        "display_name",
        "arch_vgpr_count",
        "accum_vgpr_count",
        "sgpr_count",
    ];
    let symbols = guid.from("main", "rocpd_info_kernel_symbol", &symbols);
    let threads = guid.from("main", "rocpd_info_thread", &["id", "guid"]);
    let agents = guid.from("main", "rocpd_info_agent", &["id", "guid"]);
    let processes = guid.from("main", "rocpd_info_process", &["id", "guid"]);
    format!(
        "SELECT d.id, d.pid, d.dispatch_id, d.agent_id, e.stack_id,
                d.grid_size_x, d.grid_size_y, d.grid_size_z,
                d.workgroup_size_x, d.workgroup_size_y, d.workgroup_size_z,
                d.group_segment_size, d.private_segment_size,
                k.arch_vgpr_count, k.accum_vgpr_count, k.sgpr_count, k.display_name,
                d.start, d.\"end\",
                e.id IS NOT NULL AND k.id IS NOT NULL AND t.id IS NOT NULL
                    AND a.id IS NOT NULL AND p.id IS NOT NULL
         FROM {dispatches} AS d
         LEFT JOIN {events} AS e ON e.id = d.event_id AND e.guid = d.guid
         LEFT JOIN {symbols} AS k ON k.id = d.kernel_id AND k.guid = d.guid
         LEFT JOIN {threads} AS t ON t.id = d.tid AND t.guid = d.guid
         LEFT JOIN {agents} AS a ON a.id = d.agent_id AND a.guid = d.guid
         LEFT JOIN {processes} AS p ON p.id = d.pid AND p.guid = d.guid
         WHERE d.id >= ?1 AND d.guid = ?2 ORDER BY d.id LIMIT ?3"
    )
}

/// x·y·z, exact; nothing where a part is missing.
fn product(sizes: [Option<i64>; 3]) -> Option<i128> {
    sizes.into_iter().try_fold(1i128, |product, size| {
        product.checked_mul(i128::from(size?))
    })
}

/// Appends a finite double in the shortest form that reads back as the same. Most counters count:
/// whole numbers take a shorter way to the same text.
fn push_double(row: &mut Vec<u8>, double: f64) {
    /// Ryu writes an exponent from 1e16 on.
    const LIMIT: u64 = 1_000_000_000_000_000;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "what was lost shows when it is compared"
    )]
    let (whole, back) = (double as i64, double as i64 as f64);
    // By bits, because -0.0 has a sign that an integer has not.
    if whole.unsigned_abs() < LIMIT && back.to_bits() == double.to_bits() {
        row.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
        row.extend_from_slice(b".0");
    } else {
        row.extend_from_slice(ryu::Buffer::new().format_finite(double).as_bytes());
    }
}

fn push_number(row: &mut Vec<u8>, number: Option<impl itoa::Integer>) {
    if let Some(number) = number {
        row.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
    row.push(b',');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_look_like_any_other_double() {
        let edges = [0.0, 0.5, 1.0, 1.5, 999_999_999_999_999.0, 1e15, 1e16, 1e17];
        let large = [2f64.powi(53), 2f64.powi(63), 2f64.powi(64), 1e300, f64::MAX];
        let small = [f64::MIN_POSITIVE, 5e-324, 1e-7];
        let powers = (0..70).flat_map(|power| {
            let power = 2f64.powi(power);
            [power - 1.0, power, power + 1.0, power + 0.5]
        });
        let all = edges.into_iter().chain(large).chain(small).chain(powers);
        for double in all.flat_map(|double| [double, -double]) {
            let mut row = Vec::new();
            push_double(&mut row, double);
            let text = String::from_utf8(row).unwrap();
            assert_eq!(text, ryu::Buffer::new().format_finite(double));
        }
    }
}
