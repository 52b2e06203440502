//! The statement that puts the values of a native guid on the SDK's dispatches.
//!
//! ```sql
//! SELECT l.event_id, c.pmc, v.value, …
//! FROM native.pmc_event v            -- the one scan
//! JOIN native.event e                -- by rowid: the dispatch id is e.correlation_id
//! JOIN temp.native_pmc p             -- PMC id → class of counters, slot of the process
//! JOIN temp.launch l                 -- slot and dispatch id → event and site
//! JOIN temp.verdict c                -- class and site → PMC of the SDK's file
//! ```
//!
//! The maps in `temp` are keyed by integers and small; [`crate::places`] makes them.

use rusqlite::{Connection, params};

use crate::inventory::GuidFacts;
use crate::places::{Outcome, Places};
use crate::report::Unmerged;

/// Columns of a PMC event that are carried over where both files have them.
const CARRIED: [&str; 6] = [
    "xcc",
    "shader_engine",
    "instance",
    "shader_array",
    "wgp",
    "extdata",
];

/// The maps, loaded into a connection that has the native file attached.
pub(crate) struct Matching<'a> {
    connection: &'a Connection,
    native: &'a GuidFacts,
    /// The name under which the native file is attached.
    schema: &'a str,
    single_slot: bool,
    sites: usize,
    carried_pids: bool,
    tracks: bool,
    rivals: bool,
    /// One process whose dispatches ran on one agent: a PMC id alone says what becomes of a value,
    /// and `temp.direct_pmc` stands for `native_pmc` and `verdict`.
    direct: bool,
}

const TABLES: [&str; 8] = [
    "native_pmc",
    "direct_pmc",
    "launch",
    "rival",
    "verdict",
    "event_process",
    "track_process",
    "sample_process",
];

impl<'a> Matching<'a> {
    /// Loads the maps. They stay until [`Matching::unload`].
    pub(crate) fn load(
        connection: &'a Connection,
        schema: &'a str,
        native: &'a GuidFacts,
        places: &Places,
    ) -> rusqlite::Result<Self> {
        let mut matching = Self {
            connection,
            native,
            schema,
            single_slot: places.slots == 1,
            sites: places.sites,
            carried_pids: native.has("rocpd_event", "pid"),
            tracks: !places.tracks.is_empty(),
            rivals: !places.rivals.is_empty(),
            direct: false,
        };
        matching.direct = matching.single_slot
            && matching.sites == 1
            && !(matching.carried_pids || matching.tracks || matching.rivals);
        // One process, as in nearly every file: the dispatch id alone is the key.
        let key = if matching.single_slot {
            "dispatch_id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL, slot INTEGER NOT NULL, \
             site INTEGER NOT NULL)"
        } else {
            "slot INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, site INTEGER NOT NULL, \
             event_id INTEGER NOT NULL, PRIMARY KEY (slot, dispatch_id)) WITHOUT ROWID"
        };
        connection.execute_batch(&format!(
            "CREATE TEMP TABLE native_pmc (
                 id INTEGER PRIMARY KEY, slot INTEGER, lost INTEGER NOT NULL,
                 class INTEGER, machine INTEGER NOT NULL);
             CREATE TEMP TABLE direct_pmc (
                 id INTEGER PRIMARY KEY, pmc INTEGER NOT NULL, target INTEGER NOT NULL);
             CREATE TEMP TABLE launch ({key};
             CREATE TEMP TABLE rival (
                 slot INTEGER NOT NULL, dispatch_id INTEGER NOT NULL, pick INTEGER NOT NULL,
                 event_id INTEGER NOT NULL, PRIMARY KEY (slot, dispatch_id, pick)) WITHOUT ROWID;
             CREATE TEMP TABLE verdict (
                 key INTEGER PRIMARY KEY, outcome INTEGER NOT NULL, target INTEGER,
                 pmc INTEGER NOT NULL, pick INTEGER NOT NULL);
             CREATE TEMP TABLE event_process (
                 pid INTEGER NOT NULL, machine INTEGER NOT NULL, slot INTEGER NOT NULL,
                 PRIMARY KEY (pid, machine)) WITHOUT ROWID;
             CREATE TEMP TABLE track_process (id INTEGER PRIMARY KEY, slot INTEGER NOT NULL);
             CREATE TEMP TABLE sample_process (event_id INTEGER PRIMARY KEY, slot INTEGER NOT NULL);"
        ))?;
        matching.fill(places)?;
        Ok(matching)
    }

    fn fill(&self, places: &Places) -> rusqlite::Result<()> {
        let connection = self.connection;
        let mut insert =
            connection.prepare("INSERT INTO temp.native_pmc VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for pmc in &places.pmcs {
            insert.execute(params![
                pmc.id,
                pmc.slot.map(number),
                pmc.lost,
                (pmc.slot.is_some() || self.tracks || self.carried_pids).then(|| number(pmc.class)),
                number(pmc.machine)
            ])?;
        }
        let mut insert = connection.prepare(
            "INSERT INTO temp.launch (slot, dispatch_id, site, event_id) VALUES (?1, ?2, ?3, ?4)",
        )?;
        for launch in &places.launches {
            insert.execute(params![
                launch.slot,
                launch.dispatch_id,
                launch.site,
                launch.event
            ])?;
        }
        let mut insert = connection.prepare("INSERT INTO temp.rival VALUES (?1, ?2, ?3, ?4)")?;
        for rival in &places.rivals {
            insert.execute(params![
                rival.slot,
                rival.dispatch_id,
                number(rival.pick),
                rival.event
            ])?;
        }
        let mut insert =
            connection.prepare("INSERT INTO temp.verdict VALUES (?1, ?2, ?3, ?4, ?5)")?;
        for verdict in &places.verdicts {
            insert.execute(params![
                number(verdict.class * places.sites + verdict.site),
                verdict.outcome as i64,
                (verdict.outcome == Outcome::Merged).then(|| number(verdict.target)),
                verdict.pmc,
                number(verdict.pick)
            ])?;
        }
        let mut insert =
            connection.prepare("INSERT INTO temp.event_process VALUES (?1, ?2, ?3)")?;
        for &(pid, machine, slot) in &places.carried {
            insert.execute(params![pid, number(machine), number(slot)])?;
        }
        if self.direct {
            // The only site is number 0.
            connection.execute_batch(
                "INSERT INTO temp.direct_pmc SELECT p.id, c.pmc, c.target
                 FROM temp.native_pmc AS p JOIN temp.verdict AS c ON c.key = p.class
                 WHERE c.target IS NOT NULL",
            )?;
        }
        if self.tracks {
            let mut insert =
                connection.prepare("INSERT INTO temp.track_process VALUES (?1, ?2)")?;
            for &(id, slot) in &places.tracks {
                insert.execute(params![id, number(slot)])?;
            }
            let columns = ["id", "guid", "track_id", "event_id"];
            let samples = self.native.from(self.schema, "rocpd_sample", &columns);
            connection.execute(
                &format!(
                    "INSERT OR IGNORE INTO temp.sample_process
                     SELECT s.event_id, t.slot FROM {samples} AS s
                     JOIN temp.track_process AS t ON t.id = s.track_id
                     WHERE s.guid = ?1 AND s.event_id IS NOT NULL ORDER BY s.id"
                ),
                [self.native.guid()],
            )?;
        }
        Ok(())
    }

    /// Takes the maps out again.
    pub(crate) fn unload(self) -> rusqlite::Result<()> {
        for table in TABLES {
            self.connection
                .execute_batch(&format!("DROP TABLE temp.{table}"))?;
        }
        Ok(())
    }

    /// The slot of a value's process.
    fn slot(&self) -> String {
        let by_pmc = if self.tracks {
            "CASE WHEN p.lost THEN t.slot ELSE p.slot END"
        } else {
            "p.slot"
        };
        if self.carried_pids {
            format!("CASE WHEN e.pid IS NULL THEN {by_pmc} ELSE o.slot END")
        } else {
            by_pmc.into()
        }
    }

    /// The values and their events; `join` is `CROSS JOIN` (in that order, matches only) or
    /// `LEFT JOIN` (all values).
    fn values_and_events(&self, join: &str) -> String {
        let values = ["id", "guid", "event_id", "pmc_id", "value"];
        let values = self.native.from(self.schema, "rocpd_pmc_event", &values);
        let events = ["id", "guid", "correlation_id"];
        let events = self.native.from(self.schema, "rocpd_event", &events);
        format!(
            "FROM {values} AS v
             {join} {events} AS e ON e.id = v.event_id AND e.guid = ?1 AND v.guid = ?1 "
        )
    }

    /// All joins.
    fn from(&self, join: &str) -> String {
        let mut sql = self.values_and_events(join);
        sql += &format!("{join} temp.native_pmc AS p ON p.id = v.pmc_id ");
        if join == "LEFT JOIN" {
            sql += "AND v.guid = ?1 ";
        }
        if self.carried_pids {
            sql += "LEFT JOIN temp.event_process AS o ON o.pid = e.pid AND o.machine = p.machine ";
        }
        if self.tracks {
            sql += "LEFT JOIN temp.sample_process AS t ON t.event_id = v.event_id ";
        }
        let slot = if self.single_slot {
            String::new()
        } else {
            format!("l.slot = {} AND ", self.slot())
        };
        let sites = self.sites;
        sql + &format!(
            "{join} temp.launch AS l ON {slot}l.dispatch_id = e.correlation_id
             {join} temp.verdict AS c ON c.key = p.class * {sites} + l.site "
        )
    }

    /// `SELECT event_id, pmc_id, value, …` of the values that belong to a target, in the order of
    /// their ids. Parameters: the native guid, the target's number.
    fn select(&self, more_columns: &str) -> String {
        let not_spm = self.native.not_spm("v");
        if self.direct {
            return format!(
                "SELECT l.event_id, c.pmc, v.value{more_columns} {}
                 CROSS JOIN temp.direct_pmc AS c ON c.id = v.pmc_id
                 CROSS JOIN temp.launch AS l ON l.dispatch_id = e.correlation_id
                 WHERE c.target = ?2{not_spm} ORDER BY v.id",
                self.values_and_events("CROSS JOIN"),
            );
        }
        let event = if self.rivals {
            "CASE c.pick WHEN 0 THEN l.event_id ELSE (
                 SELECT r.event_id FROM temp.rival AS r WHERE r.slot = l.slot
                 AND r.dispatch_id = l.dispatch_id AND r.pick = c.pick) END"
        } else {
            "l.event_id"
        };
        format!(
            "SELECT {event}, c.pmc, v.value{more_columns} {}
             WHERE c.target = ?2{}{not_spm} ORDER BY v.id",
            self.from("CROSS JOIN"),
            // A PMC without a slot has no class either, which is enough where it alone decides.
            if self.tracks || self.carried_pids {
                format!(" AND {} IS NOT NULL", self.slot())
            } else {
                String::new()
            },
        )
    }

    /// The statement that hands out the values of a target: event, PMC, value.
    pub(crate) fn values_sql(&self) -> String {
        self.select("")
    }

    /// The statement that inserts them into the target's table, in `main`.
    pub(crate) fn insert_sql(&self, sdk: &GuidFacts) -> String {
        let mut columns = String::new();
        let mut values = String::new();
        for column in CARRIED {
            if !sdk.has("rocpd_pmc_event", column) {
                continue;
            }
            if self.native.has("rocpd_pmc_event", column) {
                columns += &format!(", {column}");
                values += &format!(", v.{column}");
            } else if column == "extdata" {
                columns += ", extdata";
                values += ", '{}'";
            }
        }
        let table = sdk.from("main", "rocpd_pmc_event", &[]);
        // The guid comes last, so that the columns of the selection keep their places.
        format!(
            "INSERT INTO {table} (event_id, pmc_id, value{columns}, guid) {}",
            self.select(&format!("{values}, ?3"))
        )
    }

    /// Counts the values by what becomes of them: how many are merged (into any target), and the
    /// rest by reason.
    pub(crate) fn count(&self) -> rusqlite::Result<(u64, Unmerged)> {
        let sql = format!(
            "SELECT CASE WHEN p.id IS NULL OR {slot} IS NULL THEN {process}
                         WHEN l.site IS NULL THEN {dispatch}
                         WHEN c.key IS NULL THEN {counter}
                         ELSE c.outcome END, count(*)
             {from} WHERE 1{not_spm} GROUP BY 1",
            slot = self.slot(),
            process = Outcome::Process as i64,
            dispatch = Outcome::Dispatch as i64,
            counter = Outcome::Counter as i64,
            from = self.from("LEFT JOIN"),
            not_spm = self.native.not_spm("v"),
        );
        let mut merged = 0;
        let mut unmerged = Unmerged::default();
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([self.native.guid()])?;
        while let Some(row) = rows.next()? {
            let number = crate::inventory::count(row, 1)?;
            match row.get::<_, i64>(0)? {
                o if o == Outcome::Merged as i64 => merged += number,
                o if o == Outcome::Process as i64 => unmerged.process += number,
                o if o == Outcome::Dispatch as i64 => unmerged.dispatch += number,
                o if o == Outcome::Counter as i64 => unmerged.counter += number,
                _ => unmerged.ambiguous += number,
            }
        }
        Ok((merged, unmerged))
    }
}

/// How many values a native guid has, and the highest id among them.
pub(crate) fn total(
    connection: &Connection,
    schema: &str,
    native: &GuidFacts,
) -> rusqlite::Result<(u64, Option<i64>)> {
    let values = native.from(schema, "rocpd_pmc_event", &["id", "guid"]);
    // Without a condition, SQLite counts pages' cells, not rows.
    let not_spm = match native.not_spm("v") {
        spm if spm.is_empty() => spm,
        spm => format!(" WHERE 1{spm}"),
    };
    let sql = format!("SELECT count(*) FROM {values} AS v{not_spm}");
    let total = connection.query_row(&sql, [], |row| crate::inventory::count(row, 0))?;
    let sql = format!("SELECT max(v.id) FROM {values} AS v");
    let last = connection.query_row(&sql, [], |row| crate::inventory::integer(row, 0))?;
    Ok((total, last))
}

fn number(index: usize) -> i64 {
    i64::try_from(index).expect("an index of something in memory fits 63 bits")
}
