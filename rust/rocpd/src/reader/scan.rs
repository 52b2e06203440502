//! Scans: tables read once, in ranges of rows that the pool's threads share.

use std::ops::ControlFlow;

use rusqlite::Connection;

use super::info::{GuidIndex, select_list};
use super::lane::{Lane, Laned, NONE};
use super::pool::{Pool, Watch};
use super::row::{ScanRow, for_each_row};
use super::track::TrackKind;
use crate::catalog::Table;
use crate::open::quote_identifier;
use crate::{Error, GuidTables, Result};

/// A range of a table's rows, both ends included; without one, the whole table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range<T> {
    /// What the rows are read for.
    pub(crate) what: T,
    pub(crate) guid: GuidIndex,
    rowids: Option<(i64, i64)>,
}

/// Ranges for each thread, so that one that is done early can take another.
const RANGES_PER_THREAD: u64 = 8;

/// Rowids that are worth a range of their own.
const SMALLEST_RANGE: u64 = 16_384;

/// No row takes fewer bytes in a file: a cell pointer, a size, a rowid, a header, a start.
const SMALLEST_ROW: u64 = 5;

/// Cuts a table into ranges.
pub(crate) fn ranges<T: Copy>(
    pool: &Pool,
    guid: GuidIndex,
    table: &Table,
    what: T,
) -> Result<Vec<Range<T>>> {
    let sql = format!(
        "SELECT (SELECT min(rowid) FROM {0}), (SELECT max(rowid) FROM {0})",
        quote_identifier(&table.name)
    );
    let connection = pool.take()?;
    // A table without rowids is no rocpd table, but readable as a whole.
    let Ok(mut statement) = connection.prepare(&sql) else {
        let rowids = None;
        return Ok(vec![Range { what, guid, rowids }]);
    };
    let bounds = statement
        .query_row([], |row| {
            Ok((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?))
        })
        .map_err(pool.sqlite())?;
    let (Some(first), Some(last)) = bounds else {
        return Ok(Vec::new());
    };
    let span = last.abs_diff(first);
    let parts = u64::try_from(pool.threads())
        .unwrap_or(1)
        .saturating_mul(RANGES_PER_THREAD);
    let width = (span / parts).max(SMALLEST_RANGE);
    let mut ranges = Vec::new();
    let mut from = first;
    loop {
        let to = from.saturating_add_unsigned(width).min(last);
        let rowids = Some((from, to));
        ranges.push(Range { what, guid, rowids });
        if to >= last {
            return Ok(ranges);
        }
        from = to + 1;
    }
}

/// Reads the columns of a range's rows; missing columns are NULL.
pub(crate) fn read(
    pool: &Pool,
    connection: &Connection,
    table: &Table,
    columns: &[&str],
    range: &Range<impl Copy>,
    watch: &Watch<'_>,
    mut each: impl FnMut(&ScanRow<'_>),
) -> Result<()> {
    let mut from = format!("FROM {}", quote_identifier(&table.name));
    let bounds = range.rowids.map(|(first, last)| [first, last]);
    if bounds.is_some() {
        from.push_str(" WHERE rowid BETWEEN ?2 AND ?3");
    }
    let parameters = bounds.as_ref().map_or(&[][..], |bounds| &bounds[..]);
    let list = select_list(table, columns);
    let mut left = row_limit(connection).map_err(pool.sqlite())?;
    let mut failure = None;
    let visit = |row: &ScanRow<'_>| {
        each(row);
        left = match left {
            0 => {
                failure = Some(Error::Damaged {
                    path: pool.source().path().into(),
                    found: format!("{} has more rows than fit the file", table.name),
                });
                return ControlFlow::Break(());
            }
            left => left - 1,
        };
        if left % 4096 == 0 {
            failure = watch.check().err();
            if failure.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    for_each_row(connection, &list, &from, parameters, visit).map_err(pool.sqlite())?;
    failure.map_or(Ok(()), Err)
}

/// How many rows the file can hold. A damaged file may lead in circles; this ends them.
fn row_limit(connection: &Connection) -> rusqlite::Result<u64> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    Ok(pages.unsigned_abs().saturating_mul(size.unsigned_abs()) / SMALLEST_ROW)
}

/// Where the columns of a lane table stand among those that are read.
pub(crate) struct LaneColumns {
    pub(crate) columns: Vec<&'static str>,
    laned: Laned,
}

impl LaneColumns {
    /// The key, the times, what a stream's key has besides, then `more`.
    pub(crate) fn new(laned: Laned, more: &[&'static str]) -> Self {
        let mut columns = laned.key.to_vec();
        columns.extend(laned.times);
        // A stream's key begins with the node, as the queue's key does.
        match laned.stream {
            Some([_, process, stream]) => columns.extend([process, stream]),
            // Nothing comes after them: a NULL would be made for each row.
            None if more.is_empty() => {}
            None => columns.extend([NONE; 2]),
        }
        columns.extend(more);
        Self { columns, laned }
    }

    /// Where the first of `more` stands.
    pub(crate) const MORE: usize = 7;

    pub(crate) fn lane(&self, row: &ScanRow<'_>) -> Lane {
        let key = match self.laned.kind {
            TrackKind::Samples | TrackKind::Counter => [row.integer(0), None, None],
            _ => [row.integer(0), row.integer(1), row.integer(2)],
        };
        Lane::new(self.laned.kind, key)
    }

    /// The stream's lane of a row whose own lane is known.
    pub(crate) fn stream(&self, row: &ScanRow<'_>, lane: Lane) -> Option<Lane> {
        self.laned.stream?;
        let key = [lane.key()[0], row.integer(5), row.integer(6)];
        Some(Lane::new(TrackKind::Stream, key))
    }

    /// Start and end, in ns. A NULL is 0: the schema has none.
    pub(crate) fn times(&self, row: &ScanRow<'_>) -> (u64, u64) {
        let start = row.unsigned(3).unwrap_or(0);
        match self.laned.kind {
            TrackKind::Samples => (start, start),
            _ => (start, row.unsigned(4).unwrap_or(0)),
        }
    }
}

/// The ranges of these tables in all guids.
pub(crate) fn lane_ranges(
    pool: &Pool,
    guids: &[GuidTables],
    tables: &[Laned],
) -> Result<Vec<Range<Laned>>> {
    let mut all = Vec::new();
    for (guid, tables_of_guid) in guids.iter().enumerate() {
        for &laned in tables {
            if let Some(table) = tables_of_guid.table(laned.base) {
                all.extend(ranges(pool, guid, table, laned)?);
            }
        }
    }
    Ok(all)
}
