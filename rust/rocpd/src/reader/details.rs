//! All that a file has on one event: its row, its event row, its arguments.

use rusqlite::Connection;

use super::cell::{self, Cell, is_unsigned};
use super::event::{Event, EventKind};
use super::info::{GuidIndex, Info, RowId};
use super::open::Reader;
use super::table::{Sql, Table};
use super::track::{Track, TrackKind};
use crate::open::quote_identifier;
use crate::{Error, GuidTables, Result};

/// Which event: a row of an event table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventRef {
    /// Its guid.
    pub guid: GuidIndex,
    /// Its table.
    pub table: Table,
    /// Its row.
    pub row: RowId,
}

/// A value with the name of its column.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCell {
    /// The column.
    pub column: String,
    /// The value.
    pub value: Cell,
}

/// An argument of an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its place among the arguments, as stored.
    pub position: i64,
    /// Its type.
    pub argument_type: String,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Option<String>,
    /// Further data, as JSON.
    pub extdata: Option<String>,
}

/// All that a file has on one event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDetails {
    /// Which event.
    pub event: EventRef,
    /// What it is called; empty if the file does not tell.
    pub name: String,
    /// The columns of its row.
    pub row: Vec<NamedCell>,
    /// The columns of its event row; none if it names none, or one that is missing.
    pub event_row: Vec<NamedCell>,
    /// The category of its event row.
    pub category: Option<String>,
    /// The call stack of its event row, as JSON.
    pub call_stack: Option<String>,
    /// The line info of its event row, as JSON.
    pub line_info: Option<String>,
    /// The arguments of its event row, by position.
    pub arguments: Vec<Argument>,
}

impl Track {
    /// Which row an event of this track is.
    #[must_use]
    pub fn event_ref(&self, event: &Event<'_>) -> EventRef {
        self.row_ref(event.kind, RowId(event.id.cast_signed()))
    }

    /// Which row of this track's tables has a kind and an id.
    #[must_use]
    pub fn row_ref(&self, kind: EventKind, row: RowId) -> EventRef {
        let table = match (kind, self.kind) {
            (_, TrackKind::Counter) => Table::PmcEvent,
            (EventKind::Region, TrackKind::Samples) => Table::Sample,
            (EventKind::Region, _) => Table::Region,
            (EventKind::KernelDispatch, _) => Table::KernelDispatch,
            (EventKind::MemoryCopy, _) => Table::MemoryCopy,
            (EventKind::MemoryAllocate, _) => Table::MemoryAllocate,
        };
        EventRef {
            guid: self.guid,
            table,
            row,
        }
    }

    /// The key that its rows have.
    pub(super) fn lane_key(&self) -> [Option<i64>; 3] {
        let key = match self.kind {
            TrackKind::Regions => [self.node_row, self.process_row, self.thread_row],
            TrackKind::Samples => [self.named_track_row, None, None],
            TrackKind::Counter => [self.pmc_row, None, None],
            TrackKind::KernelDispatches
            | TrackKind::MemoryAllocations
            | TrackKind::MemoryCopies => [self.node_row, self.agent_row, self.queue_row],
            TrackKind::Stream => [self.node_row, self.process_row, self.stream_row],
        };
        key.map(|row| row.map(|RowId(id)| id))
    }
}

/// The columns of the row with this id; none if there is no such row.
fn row_by_id(
    connection: &Connection,
    table: &crate::catalog::Table,
    id: i64,
) -> rusqlite::Result<Vec<NamedCell>> {
    let columns: Vec<_> = table
        .columns
        .iter()
        .map(|column| quote_identifier(column))
        .collect();
    let sql = format!(
        "SELECT {} FROM {} WHERE \"id\" = ?1",
        columns.join(", "),
        quote_identifier(&table.name)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else {
        return Ok(Vec::new());
    };
    let cells = table.columns.iter().enumerate().map(|(i, column)| {
        Ok(NamedCell {
            column: column.clone(),
            value: Cell::read(row.get_ref(i)?, is_unsigned(column)),
        })
    });
    cells.collect()
}

fn integer(row: &[NamedCell], column: &str) -> Option<i64> {
    match &row.iter().find(|cell| cell.column == column)?.value {
        Cell::Integer(number) => Some(*number),
        _ => None,
    }
}

fn text(row: &[NamedCell], column: &str) -> Option<String> {
    match &row.iter().find(|cell| cell.column == column)?.value {
        Cell::Text(text) => Some(text.clone()),
        _ => None,
    }
}

fn arguments(
    connection: &Connection,
    tables: &GuidTables,
    event: i64,
) -> rusqlite::Result<Vec<Argument>> {
    let Some(table) = tables
        .table("rocpd_arg")
        .filter(|table| table.has("event_id"))
    else {
        return Ok(Vec::new());
    };
    let columns = ["position", "type", "name", "value", "extdata"];
    let sql = format!(
        "SELECT {} FROM {} WHERE \"event_id\" = ?1 ORDER BY 1, rowid",
        super::info::select_list(table, &columns),
        quote_identifier(&table.name)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([event], |row| {
        Ok(Argument {
            position: cell::integer(row.get_ref(0)?).unwrap_or_default(),
            argument_type: cell::text(row.get_ref(1)?).unwrap_or_default(),
            name: cell::text(row.get_ref(2)?).unwrap_or_default(),
            value: cell::text(row.get_ref(3)?),
            extdata: cell::text(row.get_ref(4)?),
        })
    })?;
    rows.collect()
}

impl Reader {
    /// All that the file has on one event.
    ///
    /// Arguments have no index in the file, so this looks at every one of them once.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no such row; those of reading the file.
    pub fn details(&self, event: EventRef) -> Result<EventDetails> {
        let missing = || Error::Argument {
            found: format!(
                "no row {} in {} of guid {}",
                event.row.0,
                event.table.base(),
                event.guid
            ),
        };
        let tables = self.guids.get(event.guid).ok_or_else(missing)?;
        let table = tables.table(event.table.base()).ok_or_else(missing)?;
        let connection = self.pool.take()?;
        let row = row_by_id(&connection, table, event.row.0).map_err(self.pool.sqlite())?;
        if row.is_empty() {
            return Err(missing());
        }
        let event_id = integer(&row, "event_id");
        let event_row = match (event_id, tables.table("rocpd_event")) {
            (Some(id), Some(table)) => {
                row_by_id(&connection, table, id).map_err(self.pool.sqlite())?
            }
            _ => Vec::new(),
        };
        let arguments = match event_id {
            Some(id) => arguments(&connection, tables, id).map_err(self.pool.sqlite())?,
            None => Vec::new(),
        };
        let category = integer(&event_row, "category_id").map(RowId);
        Ok(EventDetails {
            event,
            name: self.name_of(&connection, tables, event)?,
            category: string(&self.info, event.guid, category),
            call_stack: text(&event_row, "call_stack"),
            line_info: text(&event_row, "line_info"),
            row,
            event_row,
            arguments,
        })
    }

    fn name_of(
        &self,
        connection: &Connection,
        tables: &GuidTables,
        event: EventRef,
    ) -> Result<String> {
        let Some(sql) = Sql::new(tables, event.table) else {
            return Ok(String::new());
        };
        let query = format!(
            "SELECT {} FROM {} AS t WHERE t.\"id\" = ?1",
            sql.name(),
            quote_identifier(&sql.table.name)
        );
        let name = connection.prepare_cached(&query).and_then(|mut statement| {
            statement.query_row([event.row.0], |row| Ok(cell::text(row.get_ref(0)?)))
        });
        Ok(name.map_err(self.pool.sqlite())?.unwrap_or_default())
    }
}

fn string(info: &Info, guid: GuidIndex, row: Option<RowId>) -> Option<String> {
    info.string(guid, row).map(|name| name.as_str().to_owned())
}
