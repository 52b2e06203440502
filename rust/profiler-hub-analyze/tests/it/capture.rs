//! Databases for tests, row by row, in the SDK's conventions for ids. Nothing here uses our writer.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params};

/// A file with its guids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Db {
    pub(crate) name: String,
    pub(crate) guids: Vec<Capture>,
}

/// The rows of one guid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capture {
    pub(crate) guid: String,
    /// Schema 3.0.3 instead of 3.0.0: sample_id, xcc and so on.
    pub(crate) spm: bool,
    /// The event table has the extra column `pid`.
    pub(crate) event_pids: bool,
    /// (id, machine id)
    pub(crate) nodes: Vec<(i64, String)>,
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<i64>,
    /// (id, absolute index)
    pub(crate) agents: Vec<(i64, Option<i64>)>,
    /// (id, display name)
    pub(crate) symbols: Vec<(i64, Option<String>)>,
    pub(crate) pmcs: Vec<Pmc>,
    pub(crate) events: Vec<Event>,
    /// (id, process)
    pub(crate) tracks: Vec<(i64, Option<i64>)>,
    /// (id, track, event)
    pub(crate) samples: Vec<(i64, i64, Option<i64>)>,
    pub(crate) values: Vec<PmcEvent>,
    pub(crate) dispatches: Vec<Dispatch>,
}

#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) id: i64,
    pub(crate) node: i64,
    pub(crate) pid: i64,
    pub(crate) start: Option<i64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Pmc {
    pub(crate) id: i64,
    pub(crate) node: i64,
    pub(crate) process: i64,
    pub(crate) agent: Option<i64>,
    pub(crate) arch: Option<&'static str>,
    pub(crate) name: String,
    pub(crate) symbol: String,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Event {
    pub(crate) id: i64,
    pub(crate) stack: Option<i64>,
    pub(crate) correlation: Option<i64>,
    pub(crate) pid: Option<i64>,
}

#[derive(Clone, Debug)]
pub(crate) struct PmcEvent {
    pub(crate) id: i64,
    pub(crate) event: Option<i64>,
    pub(crate) sample: Option<i64>,
    pub(crate) pmc: i64,
    pub(crate) value: Option<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Dispatch {
    pub(crate) id: i64,
    pub(crate) process: i64,
    pub(crate) thread: Option<i64>,
    pub(crate) agent: i64,
    pub(crate) symbol: i64,
    pub(crate) dispatch_id: i64,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) lds: Option<i64>,
    pub(crate) grid: i64,
    pub(crate) event: Option<i64>,
}

/// The tables, the way the field's tools declare them: text defaults in double quotes, foreign keys.
/// `{s}` is the table suffix, `{g}` the guid.
const SCHEMA: &str = r#"
CREATE TABLE "rocpd_metadata{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, tag TEXT NOT NULL,
  value TEXT NOT NULL);
CREATE TABLE "rocpd_info_node{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", hash BIGINT NOT NULL UNIQUE, machine_id TEXT NOT NULL UNIQUE);
CREATE TABLE "rocpd_info_process{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL,
  init BIGINT, fini BIGINT, start BIGINT, "end" BIGINT,
  FOREIGN KEY (nid) REFERENCES "rocpd_info_node{s}" (id) ON UPDATE CASCADE);
CREATE TABLE "rocpd_info_thread{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", tid INTEGER);
CREATE TABLE "rocpd_info_agent{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", absolute_index INTEGER);
CREATE TABLE "rocpd_info_pmc{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", nid INTEGER NOT NULL, pid INTEGER NOT NULL, agent_id INTEGER,
  target_arch TEXT CHECK (target_arch IN ('CPU', 'GPU')), name TEXT NOT NULL, symbol TEXT NOT NULL);
CREATE TABLE "rocpd_info_kernel_symbol{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", display_name TEXT, sgpr_count INTEGER, arch_vgpr_count INTEGER,
  accum_vgpr_count INTEGER);
CREATE TABLE "rocpd_track{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", pid INTEGER);
CREATE TABLE "rocpd_sample{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", track_id INTEGER NOT NULL, event_id INTEGER);
CREATE TABLE "rocpd_event{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", {pid} stack_id INTEGER, correlation_id INTEGER,
  extdata JSONB NOT NULL DEFAULT "{}");
CREATE TABLE "rocpd_pmc_event{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", event_id INTEGER, {sample} pmc_id INTEGER NOT NULL,
  value REAL DEFAULT 0.0, {instance} extdata JSONB DEFAULT "{}",
  FOREIGN KEY (pmc_id) REFERENCES "rocpd_info_pmc{s}" (id) ON UPDATE CASCADE,
  FOREIGN KEY (event_id) REFERENCES "rocpd_event{s}" (id) ON UPDATE CASCADE);
CREATE TABLE "rocpd_kernel_dispatch{s}" (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  guid TEXT NOT NULL DEFAULT "{g}", nid INTEGER, pid INTEGER NOT NULL, tid INTEGER,
  agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, dispatch_id INTEGER NOT NULL,
  start BIGINT NOT NULL, "end" BIGINT NOT NULL, private_segment_size INTEGER,
  group_segment_size INTEGER, workgroup_size_x INTEGER NOT NULL, workgroup_size_y INTEGER NOT NULL,
  workgroup_size_z INTEGER NOT NULL, grid_size_x INTEGER NOT NULL, grid_size_y INTEGER NOT NULL,
  grid_size_z INTEGER NOT NULL, event_id INTEGER);
"#;

impl Db {
    /// Writes the file into a folder.
    pub(crate) fn write(&self, folder: &Path) {
        let connection = Connection::open(folder.join(&self.name)).unwrap();
        connection
            .execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN")
            .unwrap();
        for capture in &self.guids {
            capture.write(&connection);
        }
        connection.execute_batch("COMMIT").unwrap();
    }
}

impl Capture {
    pub(crate) fn suffix(&self) -> String {
        format!("_{}", self.guid.replace('-', "_"))
    }

    fn write(&self, connection: &Connection) {
        let suffix = self.suffix();
        let sql = SCHEMA
            .replace("{s}", &suffix)
            .replace("{g}", &self.guid)
            .replace("{pid}", if self.event_pids { "pid INTEGER," } else { "" })
            .replace("{sample}", if self.spm { "sample_id INTEGER," } else { "" })
            .replace(
                "{instance}",
                if self.spm {
                    "xcc INTEGER, shader_engine INTEGER, instance INTEGER,"
                } else {
                    ""
                },
            );
        connection.execute_batch(&sql).unwrap();
        let guid = || Value::from(self.guid.clone());
        let insert = |base: &str, columns: &str, row: Vec<Value>| {
            let marks = vec!["?"; row.len()].join(", ");
            let sql = format!("INSERT INTO \"{base}{suffix}\" ({columns}) VALUES ({marks})");
            let mut statement = connection.prepare_cached(&sql).unwrap();
            statement.execute(rusqlite::params_from_iter(row)).unwrap();
        };
        let version = if self.spm { "3.0.3" } else { "3" };
        for (tag, value) in [
            ("schema_version", version),
            ("uuid", &suffix),
            ("guid", &self.guid),
        ] {
            let sql = format!("INSERT INTO \"rocpd_metadata{suffix}\" (tag, value) VALUES (?, ?)");
            connection.execute(&sql, params![tag, value]).unwrap();
        }
        for (id, machine) in &self.nodes {
            let row = vec![(*id).into(), guid(), (*id).into(), machine.clone().into()];
            insert("rocpd_info_node", "id, guid, hash, machine_id", row);
        }
        for p in &self.processes {
            let row = vec![
                p.id.into(),
                guid(),
                p.node.into(),
                p.pid.into(),
                p.start.into(),
            ];
            insert("rocpd_info_process", "id, guid, nid, pid, start", row);
        }
        for id in &self.threads {
            insert("rocpd_info_thread", "id, guid", vec![(*id).into(), guid()]);
        }
        for (id, index) in &self.agents {
            let row = vec![(*id).into(), guid(), (*index).into()];
            insert("rocpd_info_agent", "id, guid, absolute_index", row);
        }
        for (id, name) in &self.symbols {
            let row = vec![
                (*id).into(),
                guid(),
                name.clone().into(),
                16.into(),
                4.into(),
                8.into(),
            ];
            let columns = "id, guid, display_name, sgpr_count, arch_vgpr_count, accum_vgpr_count";
            insert("rocpd_info_kernel_symbol", columns, row);
        }
        for p in &self.pmcs {
            let row = vec![
                p.id.into(),
                guid(),
                p.node.into(),
                p.process.into(),
                p.agent.into(),
                p.arch.map(str::to_owned).into(),
                p.name.clone().into(),
                p.symbol.clone().into(),
            ];
            let columns = "id, guid, nid, pid, agent_id, target_arch, name, symbol";
            insert("rocpd_info_pmc", columns, row);
        }
        for e in &self.events {
            let mut row = vec![e.id.into(), guid(), e.stack.into(), e.correlation.into()];
            let mut columns = "id, guid, stack_id, correlation_id".to_owned();
            if self.event_pids {
                row.push(e.pid.into());
                columns += ", pid";
            }
            insert("rocpd_event", &columns, row);
        }
        for (id, process) in &self.tracks {
            let row = vec![(*id).into(), guid(), (*process).into()];
            insert("rocpd_track", "id, guid, pid", row);
        }
        for (id, track, event) in &self.samples {
            let row = vec![(*id).into(), guid(), (*track).into(), (*event).into()];
            insert("rocpd_sample", "id, guid, track_id, event_id", row);
        }
        for v in &self.values {
            let mut row = vec![
                v.id.into(),
                guid(),
                v.event.into(),
                v.pmc.into(),
                v.value.into(),
                "{}".to_owned().into(),
            ];
            let mut columns = "id, guid, event_id, pmc_id, value, extdata".to_owned();
            if self.spm {
                row.extend([v.sample.into(), (v.id % 8).into()]);
                columns += ", sample_id, xcc";
            }
            insert("rocpd_pmc_event", &columns, row);
        }
        for d in &self.dispatches {
            let row: Vec<Value> = vec![
                d.id.into(),
                guid(),
                d.process.into(),
                d.thread.into(),
                d.agent.into(),
                d.symbol.into(),
                d.dispatch_id.into(),
                d.start.into(),
                d.end.into(),
                3.into(),
                d.lds.into(),
                8.into(),
                4.into(),
                2.into(),
                d.grid.into(),
                1.into(),
                1.into(),
                d.event.into(),
            ];
            let columns = "id, guid, pid, tid, agent_id, kernel_id, dispatch_id, start, \"end\", \
                           private_segment_size, group_segment_size, workgroup_size_x, \
                           workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, \
                           grid_size_z, event_id";
            insert("rocpd_kernel_dispatch", columns, row);
        }
    }
}
