//! Rows that wait in memory to go into the file together: those of which there are many.
//!
//! Events are in here, all of them, so that what hangs on them can be written before them; the ids
//! that SQLite will give them are known, since nobody else writes.

use std::ffi::{CStr, c_int};

use rusqlite::Connection;
use rusqlite::vtab::Context;

use super::bulk::{Batch, Row};
use super::json::EMPTY;
use crate::Guid;

/// Rows that wait before all of them are written.
const MAX_ROWS: usize = 8 * 1024;

/// Bytes of text that wait before all rows are written.
const MAX_TEXT: usize = 1024 * 1024;

/// What waits, by table.
#[derive(Debug)]
pub(super) struct Pending {
    statements: Statements,
    events: Batch<EventRow>,
    args: Batch<ArgRow>,
    values: Batch<ValueRow>,
    regions: Batch<RegionRow>,
    samples: Batch<SampleRow>,
    /// The id of the first event that waits.
    next_event: i64,
    /// Bytes of text in all rows.
    text: usize,
}

#[derive(Clone, Debug)]
pub(super) struct EventRow {
    pub(super) correlation_id: Option<i64>,
    /// The rest, if there is any: most events are those of counter values, which have none.
    pub(super) rest: Option<Box<EventRest>>,
}

#[derive(Clone, Debug)]
pub(super) struct EventRest {
    pub(super) category_id: Option<i64>,
    pub(super) stack_id: Option<i64>,
    pub(super) parent_stack_id: Option<i64>,
    /// Call stack, line info, extdata, unless all are empty.
    pub(super) json: Option<[String; 3]>,
}

#[derive(Clone, Debug)]
pub(super) struct ArgRow {
    pub(super) event_id: i64,
    pub(super) position: i64,
    pub(super) arg_type: String,
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) extdata: Extdata,
}

#[derive(Clone, Debug)]
pub(super) struct ValueRow {
    pub(super) event_id: Option<i64>,
    pub(super) pmc_id: i64,
    pub(super) value: f64,
    pub(super) extdata: Extdata,
}

#[derive(Clone, Debug)]
pub(super) struct RegionRow {
    /// `nid`, `pid`, `tid`, `start`, `end`, `name_id`.
    pub(super) numbers: [i64; 6],
    pub(super) event_id: Option<i64>,
    pub(super) extdata: Extdata,
}

#[derive(Clone, Debug)]
pub(super) struct SampleRow {
    pub(super) track_id: i64,
    pub(super) timestamp: i64,
    pub(super) event_id: Option<i64>,
    pub(super) extdata: Extdata,
}

/// A JSON column's text, unless it is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Extdata(Option<Box<str>>);

impl Extdata {
    pub(super) fn new(text: &str) -> Self {
        Self((!text.is_empty()).then(|| super::stored_json(text).into()))
    }

    fn get(&self) -> &str {
        self.0.as_deref().unwrap_or(EMPTY)
    }

    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |text| text.len())
    }
}

impl Pending {
    /// Nothing yet, for the tables of `guid`, with its virtual tables in `connection`.
    pub(super) fn new(connection: &Connection, guid: &Guid) -> rusqlite::Result<Self> {
        Ok(Self {
            statements: Statements::new(guid),
            events: Batch::new(connection)?,
            args: Batch::new(connection)?,
            values: Batch::new(connection)?,
            regions: Batch::new(connection)?,
            samples: Batch::new(connection)?,
            next_event: 1,
            text: 0,
        })
    }

    /// The id of the event that is put in next.
    pub(super) fn next_event(&self) -> i64 {
        // A file has less than 2^63 events, and memory far less.
        self.next_event
            .saturating_add_unsigned(self.events.rows.len() as u64)
    }

    pub(super) fn event(&mut self, row: EventRow) {
        let json = row.rest.as_ref().and_then(|rest| rest.json.as_ref());
        self.text += json.map_or(0, |json| json.iter().map(String::len).sum());
        self.events.rows.push(row);
    }

    pub(super) fn arg(&mut self, row: ArgRow) {
        let value = row.value.as_ref().map_or(0, String::len);
        self.text += row.arg_type.len() + row.name.len() + value + row.extdata.len();
        self.args.rows.push(row);
    }

    pub(super) fn value(&mut self, row: ValueRow) {
        self.text += row.extdata.len();
        self.values.rows.push(row);
    }

    pub(super) fn region(&mut self, row: RegionRow) {
        self.text += row.extdata.len();
        self.regions.rows.push(row);
    }

    pub(super) fn sample(&mut self, row: SampleRow) {
        self.text += row.extdata.len();
        self.samples.rows.push(row);
    }

    /// Whether so much waits that it should be written.
    pub(super) fn is_full(&self) -> bool {
        self.len() >= MAX_ROWS || self.text >= MAX_TEXT
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.events.rows.len()
            + self.args.rows.len()
            + self.values.rows.len()
            + self.regions.rows.len()
            + self.samples.rows.len()
    }

    /// Writes all that waits. If that fails, some of it may be written.
    pub(super) fn flush(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let next_event = self.next_event();
        let s = &self.statements;
        // The fewer columns are asked for, the faster it is.
        let events = match self.events.rows.iter().map(EventRow::shape).max() {
            Some(Shape::Full) => &s.full_events,
            Some(Shape::Linked) => &s.linked_events,
            _ => &s.plain_events,
        };
        let values = if self.values.rows.iter().all(|row| row.extdata.0.is_none()) {
            &s.plain_values
        } else {
            &s.full_values
        };
        self.events.insert(connection, events)?;
        self.args.insert(connection, &s.args)?;
        self.values.insert(connection, values)?;
        self.regions.insert(connection, &s.regions)?;
        self.samples.insert(connection, &s.samples)?;
        self.next_event = next_event;
        self.text = 0;
        Ok(())
    }

    /// Forgets all that waits; the next event in the file gets the id `next_event`.
    pub(super) fn clear(&mut self, next_event: i64) {
        self.events.rows.clear();
        self.args.rows.clear();
        self.values.rows.clear();
        self.regions.rows.clear();
        self.samples.rows.clear();
        self.next_event = next_event;
        self.text = 0;
    }
}

/// What there is in an event, from less to more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// The correlation id at most.
    Plain,
    /// Category and stack ids too.
    Linked,
    /// JSON too.
    Full,
}

impl EventRow {
    const fn shape(&self) -> Shape {
        match &self.rest {
            None => Shape::Plain,
            Some(rest) if rest.json.is_none() => Shape::Linked,
            Some(_) => Shape::Full,
        }
    }
}

impl Row for EventRow {
    const NAME: &'static CStr = c"pending_events";
    const DECLARATION: &'static CStr = c"CREATE TABLE x(correlation_id, category_id, stack_id, \
                                         parent_stack_id, call_stack, line_info, extdata)";

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()> {
        if column == 0 {
            return optional(self.correlation_id, context);
        }
        let rest = self.rest.as_ref();
        let number = |part: fn(&EventRest) -> Option<i64>| rest.and_then(|rest| part(rest));
        let json = |index: usize| {
            rest.and_then(|rest| rest.json.as_ref())
                .map_or(EMPTY, |json| json[index].as_str())
        };
        match column {
            1 => optional(number(|rest| rest.category_id), context),
            2 => optional(number(|rest| rest.stack_id), context),
            3 => optional(number(|rest| rest.parent_stack_id), context),
            4 => context.set_result(json(0)),
            5 => context.set_result(json(1)),
            _ => context.set_result(json(2)),
        }
    }
}

impl Row for ArgRow {
    const NAME: &'static CStr = c"pending_args";
    const DECLARATION: &'static CStr =
        c"CREATE TABLE x(event_id, position, type, name, value, extdata)";

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()> {
        match column {
            0 => context.set_result(self.event_id),
            1 => context.set_result(self.position),
            2 => context.set_result(self.arg_type.as_str()),
            3 => context.set_result(self.name.as_str()),
            4 => context.set_result(self.value.as_deref()),
            _ => context.set_result(self.extdata.get()),
        }
    }
}

impl Row for ValueRow {
    const NAME: &'static CStr = c"pending_values";
    const DECLARATION: &'static CStr = c"CREATE TABLE x(event_id, pmc_id, value, extdata)";

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()> {
        match column {
            0 => optional(self.event_id, context),
            1 => context.set_result(self.pmc_id),
            // SQLite makes NULL of NaN.
            2 => context.set_result(self.value),
            _ => context.set_result(self.extdata.get()),
        }
    }
}

impl Row for RegionRow {
    const NAME: &'static CStr = c"pending_regions";
    const DECLARATION: &'static CStr =
        c"CREATE TABLE x(nid, pid, tid, start, \"end\", name_id, event_id, extdata)";

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()> {
        let number = usize::try_from(column)
            .ok()
            .and_then(|column| self.numbers.get(column));
        match (number, column) {
            (Some(number), _) => context.set_result(*number),
            (None, 6) => optional(self.event_id, context),
            (None, _) => context.set_result(self.extdata.get()),
        }
    }
}

impl Row for SampleRow {
    const NAME: &'static CStr = c"pending_samples";
    const DECLARATION: &'static CStr = c"CREATE TABLE x(track_id, timestamp, event_id, extdata)";

    fn column(&self, column: c_int, context: &mut Context) -> rusqlite::Result<()> {
        match column {
            0 => context.set_result(self.track_id),
            1 => context.set_result(self.timestamp),
            2 => optional(self.event_id, context),
            _ => context.set_result(self.extdata.get()),
        }
    }
}

/// Sets a column that may be NULL, which it is by default.
fn optional(value: Option<i64>, context: &mut Context) -> rusqlite::Result<()> {
    value.map_or(Ok(()), |value| context.set_result(value))
}

/// The text of the statements.
#[derive(Debug)]
struct Statements {
    plain_events: String,
    linked_events: String,
    full_events: String,
    args: String,
    plain_values: String,
    full_values: String,
    regions: String,
    samples: String,
}

impl Statements {
    fn new(guid: &Guid) -> Self {
        let suffix = guid.table_suffix();
        let insert = |table: &str, columns: &str, pending: &CStr| {
            let columns: Vec<_> = columns.split(' ').map(|c| format!("\"{c}\"")).collect();
            let columns = columns.join(", ");
            let pending = pending.to_string_lossy();
            format!("INSERT INTO \"{table}{suffix}\" ({columns}) SELECT {columns} FROM {pending}")
        };
        let events = |columns| insert("rocpd_event", columns, EventRow::NAME);
        let values = |columns| insert("rocpd_pmc_event", columns, ValueRow::NAME);
        Self {
            plain_events: events("correlation_id"),
            linked_events: events("category_id stack_id parent_stack_id correlation_id"),
            full_events: events(
                "category_id stack_id parent_stack_id correlation_id call_stack line_info extdata",
            ),
            args: insert(
                "rocpd_arg",
                "event_id position type name value extdata",
                ArgRow::NAME,
            ),
            plain_values: values("event_id pmc_id value"),
            full_values: values("event_id pmc_id value extdata"),
            regions: insert(
                "rocpd_region",
                "nid pid tid start end name_id event_id extdata",
                RegionRow::NAME,
            ),
            samples: insert(
                "rocpd_sample",
                "track_id timestamp event_id extdata",
                SampleRow::NAME,
            ),
        }
    }
}
