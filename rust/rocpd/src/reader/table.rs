//! Event tables as pages of rows: filtered, sorted, counted.

use std::fmt::Write as _;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Value;

use super::cell::{Cell, is_unsigned, unsigned};
use super::event::Window;
use super::info::GuidIndex;
use super::lane::{KERNEL_DISPATCH, Laned, MEMORY_ALLOCATE, MEMORY_COPY, NONE, REGION, SAMPLE};
use super::open::Reader;
use super::track::{Track, TrackId, TrackKind};
use crate::open::quote_identifier;
use crate::{Error, GuidTables, Result};

/// An event table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Table {
    /// Regions of threads.
    Region,
    /// Kernel dispatches.
    KernelDispatch,
    /// Memory copies.
    MemoryCopy,
    /// Memory allocations, releases and the like.
    MemoryAllocate,
    /// Samples of named tracks.
    Sample,
    /// Values of counters.
    PmcEvent,
}

/// Which rows of a table, in which order.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// The table.
    pub table: Table,
    /// Only rows that overlap it; of [`Table::PmcEvent`], only rows whose time lies in it.
    pub window: Window,
    /// Only rows of these tracks; empty for all. Tracks of other tables have no rows here.
    pub tracks: &'a [TrackId],
    /// Only rows whose name contains this text, byte by byte; empty for all.
    pub name_contains: &'a str,
    /// The column to sort by; empty for the order of guids and ids. Numbers are sorted as
    /// numbers, times, addresses and sizes as numbers without sign, texts by their bytes, NULL
    /// first.
    pub sort_by: &'a str,
    /// Whether to sort from the last to the first.
    pub descending: bool,
    /// How many rows to leave out at the start.
    pub offset: u64,
    /// How many rows to give at most.
    pub limit: u64,
}

/// Some rows of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// How many rows the filters leave, on all pages.
    pub total: u64,
    /// The columns: `guid_index`, those of the table, then `name`, and `duration` (in ns) or, of
    /// a PMC event, `timestamp`.
    pub columns: Vec<String>,
    /// The rows, as many cells as columns.
    pub rows: Vec<Vec<Cell>>,
}

impl<'a> Query<'a> {
    /// All rows of a table, a thousand at a time, in their order in the file.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self {
            table,
            window: Window::ALL,
            tracks: &[],
            name_contains: "",
            sort_by: "",
            descending: false,
            offset: 0,
            limit: 1000,
        }
    }
}

impl Table {
    /// The table's base name.
    #[must_use]
    pub fn base(self) -> &'static str {
        match self.laned() {
            Some(laned) => laned.base,
            None => "rocpd_pmc_event",
        }
    }

    /// The table of a lane table.
    pub(super) fn of(laned: Laned) -> Self {
        match laned.kind {
            TrackKind::Regions => Self::Region,
            TrackKind::Samples => Self::Sample,
            TrackKind::Counter => Self::PmcEvent,
            TrackKind::MemoryAllocations => Self::MemoryAllocate,
            TrackKind::MemoryCopies => Self::MemoryCopy,
            TrackKind::KernelDispatches | TrackKind::Stream => Self::KernelDispatch,
        }
    }

    pub(super) fn laned(self) -> Option<Laned> {
        match self {
            Self::Region => Some(REGION),
            Self::KernelDispatch => Some(KERNEL_DISPATCH),
            Self::MemoryCopy => Some(MEMORY_COPY),
            Self::MemoryAllocate => Some(MEMORY_ALLOCATE),
            Self::Sample => Some(SAMPLE),
            Self::PmcEvent => None,
        }
    }
}

/// The SQL function for how long an event takes: SQLite's own numbers have a sign.
const DURATION: &str = "rocpd_duration";

/// Makes the functions that pages use.
pub(super) fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function(DURATION, 2, flags, |context| {
        let time = |place| unsigned(context.get_raw(place));
        let times = time(0).zip(time(1));
        Ok(times.map(|(start, end)| end.saturating_sub(start).cast_signed()))
    })
}

/// The SQL of a table of one guid.
pub(super) struct Sql<'a> {
    tables: &'a GuidTables,
    pub(super) table: &'a crate::catalog::Table,
    kind: Table,
}

impl<'a> Sql<'a> {
    pub(super) fn new(tables: &'a GuidTables, kind: Table) -> Option<Self> {
        let table = tables.table(kind.base())?;
        Some(Self {
            tables,
            table,
            kind,
        })
    }

    /// A column of the table, or NULL.
    fn column(&self, name: &str) -> String {
        match self.table.has(name) {
            true => format!("t.{}", quote_identifier(name)),
            false => "NULL".to_owned(),
        }
    }

    /// `(SELECT column FROM base WHERE id = …)`, or NULL if the file has no such table or column.
    fn lookup(&self, base: &str, column: &str, id: &str) -> String {
        match self.tables.table(base) {
            Some(table) if table.has(column) && table.has("id") => format!(
                "(SELECT l.{} FROM {} AS l WHERE l.\"id\" = {id})",
                quote_identifier(column),
                quote_identifier(&table.name)
            ),
            _ => "NULL".to_owned(),
        }
    }

    /// What a row is called, as an expression.
    pub(super) fn name(&self) -> String {
        let string = |id: String| self.lookup("rocpd_string", "string", &id);
        let kernel = |column| {
            let id = self.column("kernel_id");
            self.lookup("rocpd_info_kernel_symbol", column, &id)
        };
        match self.kind {
            Table::Region | Table::MemoryCopy => string(self.column("name_id")),
            Table::KernelDispatch => format!(
                "coalesce(nullif(coalesce({}, {}), ''), {})",
                kernel("display_name"),
                kernel("kernel_name"),
                string(self.column("region_name_id"))
            ),
            Table::MemoryAllocate => self.column("type"),
            Table::Sample => {
                string(self.lookup("rocpd_track", "name_id", &self.column("track_id")))
            }
            Table::PmcEvent => self.lookup("rocpd_info_pmc", "name", &self.column("pmc_id")),
        }
    }

    /// Joins that give a PMC event its time, each by an index that SQLite makes in memory.
    fn joins(&self) -> String {
        let mut joins = String::new();
        for (place, source) in self.time_sources() {
            let (id, table, [time, _]) = source;
            // Writing to a String cannot fail.
            let _ = write!(
                joins,
                " LEFT JOIN (SELECT {0} AS k, min({1}) AS at FROM {2} GROUP BY {0}) AS {place} \
                 ON {place}.k = {3}",
                quote_identifier(id),
                quote_identifier(time),
                quote_identifier(&table.name),
                self.column(if id == "id" { "sample_id" } else { "event_id" }),
            );
        }
        joins
    }

    /// Where times of a PMC event come from: alias, key column, table, its times.
    fn time_sources(
        &self,
    ) -> impl Iterator<
        Item = (
            String,
            (&'static str, &'a crate::catalog::Table, [&'static str; 2]),
        ),
    > {
        let all = [
            ("id", SAMPLE),
            ("event_id", SAMPLE),
            ("event_id", KERNEL_DISPATCH),
            ("event_id", MEMORY_COPY),
            ("event_id", MEMORY_ALLOCATE),
            ("event_id", REGION),
        ];
        let is_pmc = self.kind == Table::PmcEvent;
        let by_sample = self.table.has("sample_id");
        let tables = self.tables;
        all.into_iter()
            .enumerate()
            .filter_map(move |(i, (id, laned))| {
                let table = tables.table(laned.base)?;
                let usable = is_pmc && (id != "id" || by_sample);
                let has = table.has(id) && table.has(laned.times[0]);
                (usable && has).then(|| (format!("x{i}"), (id, table, laned.times)))
            })
    }

    /// Start and end, as expressions.
    fn times(&self) -> [String; 2] {
        match self.kind.laned() {
            Some(laned) => laned.times.map(|column| self.column(column)),
            None => {
                let mut times: Vec<String> = self
                    .time_sources()
                    .map(|(place, _)| format!("{place}.at"))
                    .collect();
                times.push("NULL".to_owned());
                times.push("NULL".to_owned());
                let time = format!("coalesce({})", times.join(", "));
                [time.clone(), time]
            }
        }
    }

    /// What follows the table's own columns: its name and its expression.
    fn last_column(&self) -> (&'static str, String) {
        let [start, end] = self.times();
        match self.kind {
            Table::PmcEvent => ("timestamp", start),
            _ => ("duration", format!("{DURATION}({start}, {end})")),
        }
    }

    /// ` FROM … WHERE …` with its parameters.
    fn source(&self, query: &Query<'_>, keys: &Keys) -> (String, Vec<Value>) {
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        let [start, end] = self.times();
        if query.window != Window::ALL {
            // SQLite's numbers have a sign; (x < 0, x) puts those of 64 bits without sign in order.
            let from = query.window.start.cast_signed();
            let to = query.window.end.cast_signed();
            conditions.push(format!("({start} < 0, {start}) <= (? < 0, ?)"));
            values.extend([Value::Integer(to), Value::Integer(to)]);
            conditions.push(format!(
                "(({start} < 0, {start}) >= (? < 0, ?) OR ({end} < 0, {end}) >= (? < 0, ?))"
            ));
            values.extend([from, from, from, from].map(Value::Integer));
        }
        if !query.tracks.is_empty() {
            let mut any = vec!["0".to_owned()];
            for (columns, keys) in &keys.0 {
                any.push(format!(
                    "({}) IN (SELECT {} FROM json_each(?))",
                    self.key(columns),
                    [0, 1, 2]
                        .map(|i| format!("ifnull(value ->> {i}, '')"))
                        .join(", ")
                ));
                values.push(Value::Text(keys.clone()));
            }
            conditions.push(format!("({})", any.join(" OR ")));
        }
        if !query.name_contains.is_empty() {
            conditions.push(format!("instr({}, ?) > 0", self.name()));
            values.push(Value::Text(query.name_contains.to_owned()));
        }
        let mut sql = format!(" FROM {} AS t", quote_identifier(&self.table.name));
        sql.push_str(&self.joins());
        if !conditions.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&conditions.join(" AND "));
        }
        (sql, values)
    }

    fn key(&self, columns: &[&str; 3]) -> String {
        columns
            .map(|column| format!("ifnull({}, '')", self.column(column)))
            .join(", ")
    }
}

/// The keys of tracks: for each set of columns, the ids as JSON, an array of arrays.
struct Keys(Vec<([&'static str; 3], String)>);

impl Keys {
    /// The keys that rows of a table have if they are of these tracks of a guid.
    fn new(table: Table, guid: GuidIndex, tracks: &[&Track]) -> Self {
        let mut keys = Vec::new();
        let mut add = |kind, columns| {
            let of_kind = tracks.iter().filter(|t| t.guid == guid && t.kind == kind);
            let ids: Vec<_> = of_kind.map(|track| track.lane_key()).collect();
            keys.push((columns, json(&ids)));
        };
        match table.laned() {
            Some(laned) => {
                add(laned.kind, laned.key);
                if let Some(columns) = laned.stream {
                    add(TrackKind::Stream, columns);
                }
            }
            None => add(TrackKind::Counter, ["pmc_id", NONE, NONE]),
        }
        Self(keys)
    }
}

fn json(keys: &[[Option<i64>; 3]]) -> String {
    let id = |id: Option<i64>| id.map_or_else(|| "null".to_owned(), |id| id.to_string());
    let keys: Vec<_> = (keys.iter())
        .map(|key| format!("[{}]", key.map(id).join(",")))
        .collect();
    format!("[{}]", keys.join(","))
}

impl Reader {
    /// A page of an event table.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown track or column; those of reading the file.
    pub fn page(&self, query: &Query<'_>) -> Result<Page> {
        let tracks = query.tracks.iter();
        let tracks = tracks
            .map(|&id| self.track(id))
            .collect::<Result<Vec<_>>>()?;
        let parts: Vec<_> = (self.guids.iter().enumerate())
            .filter_map(|(guid, tables)| {
                let keys = Keys::new(query.table, guid, &tracks);
                Some((guid, Sql::new(tables, query.table)?, keys))
            })
            .collect();
        let Some(columns) = columns(&parts) else {
            return Ok(Page {
                total: 0,
                columns: Vec::new(),
                rows: Vec::new(),
            });
        };
        let connection = self.pool.take()?;
        let mut total = 0_u64;
        let mut selects = Vec::new();
        let mut values = Vec::new();
        for (guid, sql, keys) in &parts {
            let (from, mut params) = sql.source(query, keys);
            let count = format!("SELECT count(*){from}");
            let mut count = connection
                .prepare_cached(&count)
                .map_err(self.pool.sqlite())?;
            let rows: i64 = count
                .query_row(rusqlite::params_from_iter(&params), |row| row.get(0))
                .map_err(self.pool.sqlite())?;
            total += rows.unsigned_abs();
            let list: Vec<_> = columns
                .iter()
                .map(|column| sql.expression(column, *guid))
                .collect();
            selects.push(format!("SELECT {}{from}", list.join(", ")));
            values.append(&mut params);
        }
        let names: Vec<_> = columns
            .iter()
            .map(|column| quote_identifier(column))
            .collect();
        let mut sql = format!(
            "SELECT {} FROM ({})",
            names.join(", "),
            selects.join(" UNION ALL ")
        );
        sql.push_str(&order(query, &columns)?);
        sql.push_str(" LIMIT ? OFFSET ?");
        let most = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        values.extend([most(query.limit), most(query.offset)]);
        let mut statement = connection
            .prepare_cached(&sql)
            .map_err(self.pool.sqlite())?;
        let rows = statement.query_map(rusqlite::params_from_iter(&values), |row| {
            let cells = columns.iter().enumerate().map(|(i, column)| {
                let unsigned = is_unsigned(column) || column == "duration";
                Ok(Cell::read(row.get_ref(i)?, unsigned))
            });
            cells.collect::<rusqlite::Result<Vec<_>>>()
        });
        let rows = rows
            .and_then(Iterator::collect)
            .map_err(self.pool.sqlite())?;
        Ok(Page {
            total,
            columns,
            rows,
        })
    }
}

impl Sql<'_> {
    /// A column of a page, as an expression with its name.
    fn expression(&self, column: &str, guid: GuidIndex) -> String {
        let (last, expression) = self.last_column();
        let expression = match column {
            GUID => guid.to_string(),
            "name" => self.name(),
            _ if column == last => expression,
            _ => self.column(column),
        };
        format!("{expression} AS {}", quote_identifier(column))
    }
}

const GUID: &str = "guid_index";

/// The columns of a page: all that any guid's table has.
fn columns(parts: &[(GuidIndex, Sql<'_>, Keys)]) -> Option<Vec<String>> {
    let (_, first, _) = parts.first()?;
    let last = first.last_column().0;
    let mut columns = vec![GUID.to_owned()];
    for (_, sql, _) in parts {
        for column in &sql.table.columns {
            if !columns.contains(column) && column != "name" && column != last {
                columns.push(column.clone());
            }
        }
    }
    columns.push("name".to_owned());
    columns.push(last.to_owned());
    Some(columns)
}

/// ` ORDER BY …`.
fn order(query: &Query<'_>, columns: &[String]) -> Result<String> {
    let mut terms = Vec::new();
    if !query.sort_by.is_empty() {
        let Some(column) = columns.iter().find(|column| *column == query.sort_by) else {
            let found = format!(
                "no column '{}' to sort by; the columns are {}",
                query.sort_by,
                columns.join(", ")
            );
            return Err(Error::Argument { found });
        };
        let quoted = quote_identifier(column);
        if is_unsigned(column) || column == "duration" {
            terms.push(format!("{quoted} < 0"));
        }
        terms.push(quoted);
    }
    terms.push(quote_identifier(GUID));
    if columns.iter().any(|column| column == "id") {
        terms.push("\"id\"".to_owned());
    }
    let direction = if query.descending { " DESC" } else { "" };
    let terms: Vec<_> = terms
        .iter()
        .map(|term| format!("{term}{direction}"))
        .collect();
    Ok(format!(" ORDER BY {}", terms.join(", ")))
}
