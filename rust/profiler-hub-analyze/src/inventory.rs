//! What the files of a pass hold: for each guid its kind, its processes and the marks of merges.

use std::path::Path;

use rocpd::open::quote_identifier;
use rocpd::probe::{AcceptedVersions, Status, probe};
use rocpd::{Catalog, Guid, GuidTables, Source};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use rustc_hash::FxHashMap;

use crate::error::reading;
use crate::mark::Mark;
use crate::{Error, Result};

/// What a guid is, judged by its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It has kernel dispatches: the SDK's tool wrote it.
    Sdk,
    /// It has PMC events and no kernel dispatch: the native tool wrote it.
    Native,
    /// It has neither.
    WithoutData,
}

/// The machine id of a process's node. A process without a node has none.
pub(crate) type MachineId = Option<Box<[u8]>>;

/// A row of `rocpd_info_process`.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// The row's id, what every `pid` column but one refers to.
    pub(crate) row: i64,
    /// The OS pid.
    pub(crate) pid: Option<i64>,
    /// The machine.
    pub(crate) machine: MachineId,
    /// Start time in ns; nothing where it is NULL or 0.
    pub(crate) start: Option<i64>,
}

/// A guid of a file.
#[derive(Debug)]
pub(crate) struct GuidFacts {
    pub(crate) tables: GuidTables,
    pub(crate) kind: Kind,
    pub(crate) processes: Vec<Process>,
    /// Node row to machine.
    pub(crate) machines: FxHashMap<i64, MachineId>,
    /// The merges that were done into this guid, by native guid.
    pub(crate) marks: Vec<(Guid, Mark)>,
    /// How many PMC events are SPM samples.
    pub(crate) spm_values: u64,
    /// SDK guids: whether it has values that no mark explains. Something else put them there.
    pub(crate) filled: bool,
}

/// A usable file.
#[derive(Debug)]
pub(crate) struct FileFacts {
    pub(crate) source: Source,
    pub(crate) guids: Vec<GuidFacts>,
    /// What a person should know, although the file is used.
    pub(crate) warning: Option<String>,
}

impl GuidFacts {
    pub(crate) fn guid(&self) -> &str {
        self.tables.guid.as_str()
    }

    pub(crate) fn mark(&self, native: &Guid) -> Option<&Mark> {
        self.marks
            .iter()
            .find_map(|(guid, mark)| (guid == native).then_some(mark))
    }

    /// The table of a base name for a FROM clause; where the file lacks it, an empty one.
    pub(crate) fn from(&self, schema: &str, base: &str, columns: &[&str]) -> String {
        match self.tables.table(base) {
            Some(table) => format!("{schema}.{}", quote_identifier(&table.name)),
            None => {
                let columns: Vec<_> = columns
                    .iter()
                    .map(|column| format!("NULL AS {}", quote_identifier(column)))
                    .collect();
                format!("(SELECT {} WHERE 0)", columns.join(", "))
            }
        }
    }

    /// Whether a table of this base name is there and has the column.
    pub(crate) fn has(&self, base: &str, column: &str) -> bool {
        self.tables
            .table(base)
            .is_some_and(|table| table.has(column))
    }

    /// `AND <alias>.sample_id IS NULL` where there is such a column: SPM samples are no values.
    pub(crate) fn not_spm(&self, alias: &str) -> String {
        if self.has("rocpd_pmc_event", "sample_id") {
            format!(" AND {alias}.sample_id IS NULL")
        } else {
            String::new()
        }
    }
}

impl FileFacts {
    pub(crate) fn path(&self) -> &Path {
        self.source.path()
    }

    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.guids.iter().any(|guid| guid.kind == kind)
    }

    /// A read-only connection to the file.
    pub(crate) fn connect(&self) -> Result<Connection> {
        Ok(self.source.connect()?)
    }

    /// Looks into a file.
    ///
    /// # Errors
    /// What makes the file unusable; the message says it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let finding = probe(path);
        let unusable = |found: String, expected: &str| Error::Unusable {
            path: path.into(),
            found,
            expected: expected.into(),
        };
        if !matches!(
            finding.status,
            Status::Supported | Status::MetadataAmbiguous
        ) {
            return Err(Error::Refused {
                path: path.into(),
                message: without_path(path, &finding.message),
            });
        }
        let source = Source::open(path)?;
        let connection = source.connect()?;
        let catalog = Catalog::read(&connection, "main").map_err(|error| match error {
            rocpd::catalog::CatalogError::Sqlite(error) => reading(path)(error),
            rocpd::catalog::CatalogError::Guid(error) => Error::Input(error),
        })?;
        let mut warnings = Vec::new();
        let mut guids = Vec::with_capacity(catalog.guids.len());
        for tables in catalog.guids {
            let version = match &tables.version {
                Ok(version) if AcceptedVersions::ROCPD_3.accepts(*version) => *version,
                Ok(version) => {
                    return Err(unusable(
                        format!("schema {version} for the guid {}", tables.guid),
                        "schema 3.x for every guid",
                    ));
                }
                Err(error) => {
                    return Err(unusable(
                        error.to_string(),
                        "a schema version for every guid",
                    ));
                }
            };
            if AcceptedVersions::ROCPD_3.is_newer(version) {
                warnings.push(format!(
                    "schema {version} is newer than what is known here; only what is known is read"
                ));
            }
            guids.push(read_guid(&connection, tables).map_err(reading(path))?);
        }
        // A capture that ended properly leaves nothing beside its file.
        if source.is_unfinished() && guids.iter().any(|guid| guid.kind == Kind::Native) {
            warnings.push("the process did not finish; what it had stored is used".into());
        }
        Ok(Self {
            source,
            guids,
            warning: (!warnings.is_empty()).then(|| warnings.join("; ")),
        })
    }
}

fn without_path(path: &Path, message: &str) -> String {
    let prefix = format!("{}: ", path.display());
    message.strip_prefix(&prefix).unwrap_or(message).to_owned()
}

fn read_guid(connection: &Connection, tables: GuidTables) -> rusqlite::Result<GuidFacts> {
    let marks = tables
        .metadata
        .iter()
        .filter_map(|(tag, value)| Mark::read(tag, value))
        .collect::<Vec<_>>();
    let mut facts = GuidFacts {
        tables,
        kind: Kind::WithoutData,
        processes: Vec::new(),
        machines: FxHashMap::default(),
        marks,
        spm_values: 0,
        filled: false,
    };
    let any = |sql: String| {
        connection.query_row(&format!("SELECT EXISTS ({sql})"), [], |row| {
            row.get::<_, bool>(0)
        })
    };
    let values = facts.from("main", "rocpd_pmc_event", &["id", "guid"]);
    let dispatches = facts.from("main", "rocpd_kernel_dispatch", &["guid"]);
    if any(format!("SELECT 1 FROM {dispatches}"))? {
        facts.kind = Kind::Sdk;
        let not_spm = facts.not_spm("v");
        facts.filled =
            facts.marks.is_empty() && any(format!("SELECT 1 FROM {values} AS v WHERE 1{not_spm}"))?;
    } else if any(format!("SELECT 1 FROM {values}"))? {
        facts.kind = Kind::Native;
    }
    if facts.kind == Kind::WithoutData {
        return Ok(facts);
    }
    if facts.has("rocpd_pmc_event", "sample_id") {
        facts.spm_values = connection.query_row(
            &format!("SELECT count(*) FROM {values} WHERE sample_id IS NOT NULL"),
            [],
            |row| count(row, 0),
        )?;
    }
    let guid = facts.guid().to_owned();
    let nodes = facts.from("main", "rocpd_info_node", &["id", "guid", "machine_id"]);
    let sql = format!("SELECT id, machine_id FROM {nodes} WHERE guid = ?1");
    for row in connection
        .prepare(&sql)?
        .query_map([&guid], |row| Ok((integer(row, 0)?, bytes(row, 1)?)))?
    {
        if let (Some(id), machine) = row? {
            facts.machines.insert(id, machine);
        }
    }
    let columns = ["id", "guid", "nid", "pid", "start"];
    let processes = facts.from("main", "rocpd_info_process", &columns);
    let sql = format!("SELECT id, nid, pid, start FROM {processes} WHERE guid = ?1 ORDER BY id");
    facts.processes = connection
        .prepare(&sql)?
        .query_map([&guid], |row| {
            let node = integer(row, 1)?;
            Ok(Process {
                row: integer(row, 0)?.unwrap_or_default(),
                pid: integer(row, 2)?,
                machine: node.and_then(|node| facts.machines.get(&node).cloned().flatten()),
                start: integer(row, 3)?.filter(|&start| start != 0),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    Ok(facts)
}

/// An integer column; anything else is as good as NULL.
pub(crate) fn integer(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(value) => Some(value),
        _ => None,
    })
}

/// A text column's bytes; NULL is nothing.
pub(crate) fn bytes(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Box<[u8]>>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(value) | ValueRef::Blob(value) => Some(value.into()),
        ValueRef::Integer(value) => Some(value.to_string().into_bytes().into()),
        ValueRef::Real(value) => Some(value.to_string().into_bytes().into()),
        ValueRef::Null => None,
    })
}

/// A count(*) column.
pub(crate) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(integer(row, column)?
        .and_then(|value| u64::try_from(value).ok())
        .unwrap_or_default())
}
