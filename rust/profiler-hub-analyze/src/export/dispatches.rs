//! The dispatches of an SDK guid in the order of the table, found by their events.

use rusqlite::Connection;
use rustc_hash::FxHashMap;

use crate::inventory::{GuidFacts, integer};

/// A dispatch's place in the order of the table.
pub(crate) type Rank = u32;

/// One dispatch: 16 bytes, and 4 where events are not in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dispatch {
    /// The id of its row.
    pub(crate) row: i64,
    event: i64,
}

/// The dispatches that have an event, by (OS pid, dispatch id, row).
#[derive(Debug, Default)]
pub(crate) struct Dispatches {
    list: Vec<Dispatch>,
    /// Ranks by event; nothing where the ranks are in that order themselves.
    by_event: Option<Vec<Rank>>,
    /// Whether two of them have the same dispatch id.
    pub(crate) ids_repeat: bool,
}

/// Which OS pids to take; NULL is that of a process that is missing.
pub(crate) type Pids = Vec<Option<i64>>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    pid: Option<i64>,
    dispatch_id: Option<i64>,
    row: i64,
    event: i64,
}

impl Dispatches {
    /// Reads the dispatches of some processes, or of all.
    pub(crate) fn read(
        connection: &Connection,
        guid: &GuidFacts,
        pids: Option<&Pids>,
    ) -> rusqlite::Result<Self> {
        let os_pids: FxHashMap<i64, Option<i64>> = guid
            .processes
            .iter()
            .map(|process| (process.row, process.pid))
            .collect();
        let columns = ["id", "guid", "pid", "dispatch_id", "event_id"];
        let table = guid.from("main", "rocpd_kernel_dispatch", &columns);
        let rows: i64 =
            connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
                row.get(0)
            })?;
        let mut entries = Vec::new();
        entries.reserve_exact(usize::try_from(rows).unwrap_or_default());
        let sql = format!(
            "SELECT id, pid, dispatch_id, event_id FROM {table} \
             WHERE guid = ?1 AND event_id IS NOT NULL ORDER BY id"
        );
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([guid.guid()])?;
        let mut several_processes = None;
        let mut first_process = None;
        while let Some(row) = rows.next()? {
            let (Some(id), Some(event)) = (integer(row, 0)?, integer(row, 3)?) else {
                continue;
            };
            let process = integer(row, 1)?;
            if *first_process.get_or_insert(process) != process {
                several_processes = Some(());
            }
            let pid = process.and_then(|process| os_pids.get(&process).copied().flatten());
            if pids.is_none_or(|pids| pids.contains(&pid)) {
                entries.push(Entry {
                    pid,
                    dispatch_id: integer(row, 2)?,
                    row: id,
                    event,
                });
            }
        }
        if !entries.is_sorted() {
            entries.sort_unstable();
        }
        let same = |w: &[Entry]| w[0].pid == w[1].pid && w[0].dispatch_id == w[1].dispatch_id;
        let ids_repeat = several_processes.is_some() || entries.windows(2).any(same);
        let list = entries
            .iter()
            .map(|entry| Dispatch {
                row: entry.row,
                event: entry.event,
            })
            .collect();
        drop(entries);
        Ok(Self::new(list, ids_repeat))
    }

    fn new(list: Vec<Dispatch>, ids_repeat: bool) -> Self {
        let in_order = list.windows(2).all(|w| w[0].event < w[1].event);
        let by_event = (!in_order).then(|| {
            let count = Rank::try_from(list.len()).expect("fewer than 2^32 dispatches in a guid");
            let mut ranks: Vec<_> = (0..count).collect();
            ranks.sort_unstable_by_key(|&rank| (list[rank as usize].event, rank));
            ranks
        });
        Self {
            list,
            by_event,
            ids_repeat,
        }
    }

    /// The row of the dispatch with this rank.
    pub(crate) fn row(&self, rank: Rank) -> i64 {
        self.list[rank as usize].row
    }

    fn rank_at(&self, position: usize) -> Rank {
        match &self.by_event {
            Some(ranks) => ranks[position],
            None => Rank::try_from(position).expect("fewer than 2^32 dispatches in a guid"),
        }
    }

    /// The first position whose event is not before this one. Events are mostly spread evenly, so
    /// the search begins where the event would then be.
    fn first_from(&self, event: i64) -> usize {
        let count = self.list.len();
        if count == 0 || event <= self.event_at(0) {
            return 0;
        }
        let (first, last) = (self.event_at(0), self.event_at(count - 1));
        if event > last {
            return count;
        }
        let part = (i128::from(event) - i128::from(first)) * (count as i128 - 1)
            / (i128::from(last) - i128::from(first));
        let guess = usize::try_from(part).unwrap_or(0).min(count - 1);
        let (mut low, mut high, mut step) = (guess, guess, 1);
        while self.event_at(low) >= event && low > 0 {
            (high, low) = (low, low.saturating_sub(step));
            step *= 2;
        }
        while high < count && self.event_at(high) < event {
            (low, high) = (high, (high + step).min(count));
            step *= 2;
        }
        while low < high {
            let middle = low.midpoint(high);
            if self.event_at(middle) < event {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn event_at(&self, position: usize) -> i64 {
        match &self.by_event {
            Some(ranks) => self.list[ranks[position] as usize].event,
            None => self.list[position].event,
        }
    }
}

/// Finds dispatches by event. Values of one event come in a row, and events mostly in order.
pub(crate) struct Finder<'a> {
    dispatches: &'a Dispatches,
    /// The event that was looked up last, and the positions of its dispatches.
    event: Option<i64>,
    start: usize,
    end: usize,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(dispatches: &'a Dispatches) -> Self {
        Self {
            dispatches,
            event: None,
            start: 0,
            end: 0,
        }
    }

    /// The ranks of the dispatches of an event. One, in a sound file; none if it is no dispatch's.
    pub(crate) fn ranks(&mut self, event: i64) -> impl Iterator<Item = Rank> + use<'a> {
        if self.event != Some(event) {
            self.look_up(event);
        }
        let dispatches = self.dispatches;
        (self.start..self.end).map(move |position| dispatches.rank_at(position))
    }

    fn look_up(&mut self, event: i64) {
        let dispatches = self.dispatches;
        let count = dispatches.list.len();
        let next = self.end;
        self.start = if next < count && dispatches.event_at(next) == event {
            next
        } else {
            dispatches.first_from(event)
        };
        self.end = self.start;
        while self.end < count && dispatches.event_at(self.end) == event {
            self.end += 1;
        }
        self.event = Some(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_are_found_by_event() {
        let dispatch = |row, event| Dispatch { row, event };
        for events in [
            vec![],
            vec![1, 2, 3],
            vec![3, 1, 2],
            vec![5, 5, 1],
            vec![i64::MIN, 0, i64::MAX],
            vec![1, 2, 3, 4, 5, 1000, 1001, i64::MAX],
            vec![0, 2, 2, 2, 2, 2, 5, 5],
        ] {
            let list: Vec<_> = (0..)
                .zip(&events)
                .map(|(row, &e)| dispatch(row, e))
                .collect();
            let dispatches = Dispatches::new(list, false);
            let mut finder = Finder::new(&dispatches);
            for event in [1, 2, 3, 3, 5, 0, 4, i64::MAX, i64::MIN, 1, 1, 2] {
                let expected: Vec<_> = (0..)
                    .zip(&events)
                    .filter_map(|(rank, &e)| (e == event).then_some(rank))
                    .collect();
                let found: Vec<Rank> = finder.ranks(event).collect();
                assert_eq!(found, expected, "{event} in {events:?}");
            }
        }
    }
}
