//! The flow of a call: the events that belong together by stack id and correlation id.
//!
//! A launch and what it launched share a stack id; an inner call names the stack id of the outer
//! one as its parent. Writers put 0 where there is no stack or correlation, so 0 relates nothing.

use std::ops::ControlFlow;

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use super::cell;
use super::details::EventRef;
use super::info::{RowId, select_list};
use super::lane::{LANED, Laned};
use super::open::Reader;
use super::row::for_each_row;
use super::scan::LaneColumns;
use super::table::Table;
use super::track::TrackId;
use crate::open::quote_identifier;
use crate::{GuidTables, Result};

/// How an event belongs to another. The first that holds is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// Both have the same stack id: a launch and what it launched.
    SameStack,
    /// It is the call that the other was made in.
    Parent,
    /// It was made in the other.
    Child,
    /// Both have the same correlation id.
    SameCorrelation,
}

/// An event that belongs to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelatedEvent {
    /// How.
    pub relation: Relation,
    /// Which event.
    pub event: EventRef,
    /// The track that its row belongs to; of the device, that of its queue.
    pub track: Option<TrackId>,
    /// When it starts, in ns.
    pub start: u64,
    /// When it ends, in ns.
    pub end: u64,
}

/// What relates an event row to others.
#[derive(Clone, Copy)]
struct Ids {
    stack: Option<i64>,
    parent: Option<i64>,
    correlation: Option<i64>,
}

fn ids(
    connection: &Connection,
    tables: &GuidTables,
    event: EventRef,
) -> rusqlite::Result<Option<Ids>> {
    let (Some(table), Some(events)) = (
        tables.table(event.table.base()),
        tables.table("rocpd_event"),
    ) else {
        return Ok(None);
    };
    if !table.has("event_id") {
        return Ok(None);
    }
    let sql = format!(
        "SELECT {} FROM {} WHERE \"id\" = (SELECT \"event_id\" FROM {} WHERE \"id\" = ?1)",
        select_list(events, &["stack_id", "parent_stack_id", "correlation_id"]),
        quote_identifier(&events.name),
        quote_identifier(&table.name)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([event.row.0])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let id = |column| Ok::<_, rusqlite::Error>(cell::integer(row.get_ref(column)?));
    let given = |id: Option<i64>| id.filter(|&id| id != 0);
    Ok(Some(Ids {
        stack: given(id(0)?),
        parent: given(id(1)?),
        correlation: given(id(2)?),
    }))
}

/// The event rows that belong to those ids, with how.
fn related_rows(
    connection: &Connection,
    tables: &GuidTables,
    this: Ids,
) -> rusqlite::Result<FxHashMap<i64, Relation>> {
    let Some(events) = tables.table("rocpd_event") else {
        return Ok(FxHashMap::default());
    };
    let columns = ["id", "stack_id", "parent_stack_id", "correlation_id"];
    // An id that is NULL equals nothing.
    let sql = format!(
        "SELECT i, CASE WHEN s = ?1 THEN 0 WHEN s = ?2 THEN 1 WHEN p = ?1 THEN 2 ELSE 3 END \
         FROM (SELECT {} FROM {}) WHERE s = ?1 OR s = ?2 OR p = ?1 OR c = ?3",
        (columns.iter().zip(["i", "s", "p", "c"]))
            .map(|(column, short)| format!("{} AS {short}", select_list(events, &[column])))
            .collect::<Vec<_>>()
            .join(", "),
        quote_identifier(&events.name)
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((this.stack, this.parent, this.correlation), |row| {
        let relation = match row.get(1)? {
            0 => Relation::SameStack,
            1 => Relation::Parent,
            2 => Relation::Child,
            _ => Relation::SameCorrelation,
        };
        Ok((row.get(0)?, relation))
    })?;
    rows.collect()
}

impl Reader {
    /// The events that belong to an event, itself left out, ordered by relation, start, table and
    /// row.
    ///
    /// The file has no index by stack or event, so this looks at every event row once.
    ///
    /// # Errors
    /// Those of reading the file. An event that is not there has no relations.
    pub fn related(&self, event: EventRef) -> Result<Vec<RelatedEvent>> {
        let Some(tables) = self.guids.get(event.guid) else {
            return Ok(Vec::new());
        };
        let connection = self.pool.take()?;
        let Some(this) = ids(&connection, tables, event).map_err(self.pool.sqlite())? else {
            return Ok(Vec::new());
        };
        let rows = related_rows(&connection, tables, this).map_err(self.pool.sqlite())?;
        let mut found = Vec::new();
        for laned in LANED {
            let more = self.rows_of_events(&connection, event.guid, laned, &rows);
            found.extend(more.map_err(self.pool.sqlite())?);
        }
        found.retain(|related| related.event != event);
        found.sort_by_key(|related| (related.relation, related.start, related.event));
        Ok(found)
    }

    /// The rows of a table that have one of these event rows.
    fn rows_of_events(
        &self,
        connection: &Connection,
        guid: usize,
        laned: Laned,
        relations: &FxHashMap<i64, Relation>,
    ) -> rusqlite::Result<Vec<RelatedEvent>> {
        let columns = LaneColumns::new(laned, &["id", "event_id"]);
        let table = self.guids[guid].table(laned.base);
        let Some(table) = table.filter(|table| table.has("event_id")) else {
            return Ok(Vec::new());
        };
        let list = select_list(table, &columns.columns);
        let from = format!("FROM {}", quote_identifier(&table.name));
        let mut found = Vec::new();
        for_each_row(connection, &list, &from, &[], |row| {
            let event = row.integer(LaneColumns::MORE + 1);
            let relation = event.and_then(|event| relations.get(&event));
            let id = row.integer(LaneColumns::MORE);
            if let (Some(id), Some(&relation)) = (id, relation) {
                let (start, end) = columns.times(row);
                found.push(RelatedEvent {
                    relation,
                    event: EventRef {
                        guid,
                        table: Table::of(laned),
                        row: RowId(id),
                    },
                    track: self.track_of(guid, columns.lane(row)),
                    start,
                    end,
                });
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }
}
