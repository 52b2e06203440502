//! The info lists: nodes, processes, threads, agents, queues, streams, PMCs, code objects, kernel
//! symbols, named tracks, texts.
//!
//! Each row gives its `row_id`, which the event tables carry, and names what it belongs to by
//! public identifiers: a node by its id, a process by its pid of the operating system, an agent by
//! its absolute index within its node. What a file does not have, or has NULL, is `None`; so is a
//! public identifier whose row is missing.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::cell;
use super::names::{Interner, Name, Names};
use super::pool::{Pool, Watch};
use crate::open::quote_identifier;
use crate::{GuidTables, Result};

/// The id of a row in its table. It means something only within its guid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub i64);

/// Which guid of the file: its place in [`crate::Catalog::guids`].
pub type GuidIndex = usize;

trait Column: Sized {
    fn read(value: ValueRef<'_>) -> Self;
}

impl Column for Option<u64> {
    fn read(value: ValueRef<'_>) -> Self {
        cell::unsigned(value)
    }
}

impl Column for Option<i64> {
    fn read(value: ValueRef<'_>) -> Self {
        cell::integer(value)
    }
}

impl Column for Option<String> {
    fn read(value: ValueRef<'_>) -> Self {
        cell::text(value)
    }
}

impl Column for Option<RowId> {
    fn read(value: ValueRef<'_>) -> Self {
        cell::integer(value).map(RowId)
    }
}

/// A list of the file: what its rows have, and from which columns.
trait InfoRow: Sized + Send {
    const TABLE: &'static str;
    const COLUMNS: &'static [&'static str];
    fn read(guid: GuidIndex, row: &Row<'_>) -> rusqlite::Result<Self>;
    fn row_id(&self) -> RowId;
}

macro_rules! info_row {
    (
        $(#[$doc:meta])* $name:ident from $table:literal
        { $($(#[$column_doc:meta])* $column:ident: $type:ty = $sql:literal,)* }
        resolved { $($(#[$public_doc:meta])* $public:ident,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            /// The guid that the row belongs to.
            pub guid: GuidIndex,
            /// The row's id in its table.
            pub row_id: RowId,
            $($(#[$column_doc])* pub $column: $type,)*
            $($(#[$public_doc])* pub $public: Option<u64>,)*
        }

        impl InfoRow for $name {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &["id", $($sql,)*];

            fn read(guid: GuidIndex, row: &Row<'_>) -> rusqlite::Result<Self> {
                let row_id = RowId(cell::integer(row.get_ref(0)?).unwrap_or_default());
                let mut next = 0;
                $(
                    next += 1;
                    let $column = <$type as Column>::read(row.get_ref(next)?);
                )*
                let _ = next;
                Ok(Self { guid, row_id, $($column,)* $($public: None,)* })
            }

            fn row_id(&self) -> RowId {
                self.row_id
            }
        }
    };
}

info_row! {
    /// A machine. Its public id is its row id.
    Node from "rocpd_info_node" {
        /// A hash of the machine id.
        hash: Option<u64> = "hash",
        /// As in `/etc/machine-id`.
        machine_id: Option<String> = "machine_id",
        /// The name of the operating system.
        system_name: Option<String> = "system_name",
        /// The host's name.
        hostname: Option<String> = "hostname",
        /// The release of the operating system.
        release: Option<String> = "release",
        /// The version of the operating system.
        version: Option<String> = "version",
        /// The machine's architecture.
        hardware_name: Option<String> = "hardware_name",
        /// The NIS domain.
        domain_name: Option<String> = "domain_name",
    } resolved {}
}

info_row! {
    /// A process.
    Process from "rocpd_info_process" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The pid of its parent.
        ppid: Option<i64> = "ppid",
        /// Its pid of the operating system: the public id.
        pid: Option<u64> = "pid",
        /// When it was initialised, in ns.
        init: Option<u64> = "init",
        /// When it was finalised, in ns.
        fini: Option<u64> = "fini",
        /// When it started, in ns, as stored. See [`super::Reader::process_range`].
        start: Option<u64> = "start",
        /// When it ended, in ns, as stored.
        end: Option<u64> = "end",
        /// Its command line.
        command: Option<String> = "command",
        /// Its environment, as JSON.
        environment: Option<String> = "environment",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {}
}

info_row! {
    /// A thread.
    Thread from "rocpd_info_thread" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// The pid of its process's parent.
        ppid: Option<i64> = "ppid",
        /// Its id of the operating system: the public id.
        tid: Option<u64> = "tid",
        /// Its name.
        name: Option<String> = "name",
        /// When it started, in ns.
        start: Option<u64> = "start",
        /// When it ended, in ns.
        end: Option<u64> = "end",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
    }
}

info_row! {
    /// A processor.
    Agent from "rocpd_info_agent" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of the process that saw it.
        process_row: Option<RowId> = "pid",
        /// `CPU`, `GPU` or `NIC`.
        agent_type: Option<String> = "type",
        /// Its place among all agents of its node: the public id.
        absolute_index: Option<u64> = "absolute_index",
        /// Its place among those that the application sees.
        logical_index: Option<u64> = "logical_index",
        /// Its place among those of its type.
        type_index: Option<u64> = "type_index",
        /// Its unique id, as the driver gives it.
        uuid: Option<u64> = "uuid",
        /// Its name, as gfx942.
        name: Option<String> = "name",
        /// Its model.
        model_name: Option<String> = "model_name",
        /// Its vendor.
        vendor_name: Option<String> = "vendor_name",
        /// Its product name.
        product_name: Option<String> = "product_name",
        /// The name that the user gave it.
        user_name: Option<String> = "user_name",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
    }
}

info_row! {
    /// A queue. Its public id is its row id.
    Queue from "rocpd_info_queue" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// Its name.
        name: Option<String> = "name",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
    }
}

info_row! {
    /// A stream. Its public id is its row id.
    Stream from "rocpd_info_stream" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// Its name.
        name: Option<String> = "name",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
    }
}

info_row! {
    /// A counter of an agent. Its public id is its row id.
    Pmc from "rocpd_info_pmc" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// The row of its agent.
        agent_row: Option<RowId> = "agent_id",
        /// `CPU`, `GPU` or `NIC`.
        target_arch: Option<String> = "target_arch",
        /// The event's code.
        event_code: Option<u64> = "event_code",
        /// Which instance of the hardware block.
        instance_id: Option<u64> = "instance_id",
        /// Its name.
        name: Option<String> = "name",
        /// Its symbol.
        symbol: Option<String> = "symbol",
        /// A description.
        description: Option<String> = "description",
        /// A longer one.
        long_description: Option<String> = "long_description",
        /// What it is a part of.
        component: Option<String> = "component",
        /// The unit of its values.
        units: Option<String> = "units",
        /// `ABS`, `ACCUM` or `RELATIVE`.
        value_type: Option<String> = "value_type",
        /// The hardware block.
        block: Option<String> = "block",
        /// How it is derived from other counters.
        expression: Option<String> = "expression",
        /// 1 if its value never changes.
        is_constant: Option<i64> = "is_constant",
        /// 1 if it is derived from other counters.
        is_derived: Option<i64> = "is_derived",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
        /// Its agent's absolute index.
        agent,
    }
}

info_row! {
    /// A code object. Its public id is its row id.
    CodeObject from "rocpd_info_code_object" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// The row of its agent.
        agent_row: Option<RowId> = "agent_id",
        /// Where it comes from.
        uri: Option<String> = "uri",
        /// The address that it is loaded at.
        load_base: Option<u64> = "load_base",
        /// Its size in memory, in bytes.
        load_size: Option<u64> = "load_size",
        /// The load address less the one in the file, in bytes.
        load_delta: Option<u64> = "load_delta",
        /// `FILE` or `MEMORY`.
        storage_type: Option<String> = "storage_type",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
        /// Its agent's absolute index.
        agent,
    }
}

info_row! {
    /// A kernel. Its public id is its row id.
    KernelSymbol from "rocpd_info_kernel_symbol" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// Its code object.
        code_object: Option<RowId> = "code_object_id",
        /// The symbol's name.
        kernel_name: Option<String> = "kernel_name",
        /// The name for a person.
        display_name: Option<String> = "display_name",
        /// The address of its descriptor.
        kernel_object: Option<u64> = "kernel_object",
        /// The size of its arguments, in bytes.
        kernarg_segment_size: Option<u64> = "kernarg_segment_size",
        /// How its arguments are aligned, in bytes.
        kernarg_segment_alignment: Option<u64> = "kernarg_segment_alignment",
        /// LDS for each work-group, in bytes.
        group_segment_size: Option<u64> = "group_segment_size",
        /// Scratch for each work-item, in bytes.
        private_segment_size: Option<u64> = "private_segment_size",
        /// Scalar registers.
        sgpr_count: Option<u64> = "sgpr_count",
        /// Vector registers.
        arch_vgpr_count: Option<u64> = "arch_vgpr_count",
        /// Accumulation registers.
        accum_vgpr_count: Option<u64> = "accum_vgpr_count",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {
        /// Its process's pid of the operating system.
        pid,
    }
}

info_row! {
    /// A named track of samples, as the file lists it.
    NamedTrack from "rocpd_track" {
        /// Its node.
        nid: Option<RowId> = "nid",
        /// The row of its process.
        process_row: Option<RowId> = "pid",
        /// The row of its thread.
        thread_row: Option<RowId> = "tid",
        /// The text that is its name.
        name: Option<RowId> = "name_id",
        /// Further data, as JSON.
        extdata: Option<String> = "extdata",
    } resolved {}
}

/// All info lists of a file, each ordered by guid and row id.
#[derive(Debug, Default)]
pub struct Info {
    /// The machines.
    pub nodes: Vec<Node>,
    /// The processes.
    pub processes: Vec<Process>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The processors.
    pub agents: Vec<Agent>,
    /// The queues.
    pub queues: Vec<Queue>,
    /// The streams.
    pub streams: Vec<Stream>,
    /// The counters.
    pub pmcs: Vec<Pmc>,
    /// The code objects.
    pub code_objects: Vec<CodeObject>,
    /// The kernels.
    pub kernel_symbols: Vec<KernelSymbol>,
    /// The named tracks.
    pub named_tracks: Vec<NamedTrack>,
    /// For each guid, its texts by row.
    strings: Vec<BTreeMap<RowId, Name<'static>>>,
    /// For each guid, what its kernels are called, by row.
    kernel_names: Vec<BTreeMap<RowId, Name<'static>>>,
    /// Owns what the names point to, so it goes last.
    names: Names,
}

/// The row with this id in a list that is ordered by guid and row id.
macro_rules! find {
    ($list:expr, $guid:expr, $row:expr) => {{
        let wanted = ($guid, $row?);
        let found = $list.binary_search_by_key(&wanted, |row| (row.guid, row.row_id));
        found.ok().map(|index| &$list[index])
    }};
}

impl Info {
    /// The node of a row id.
    #[must_use]
    pub fn node(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Node> {
        find!(self.nodes, guid, row)
    }

    /// The process of a row id, which is no pid.
    #[must_use]
    pub fn process(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Process> {
        find!(self.processes, guid, row)
    }

    /// The thread of a row id, which is no tid.
    #[must_use]
    pub fn thread(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Thread> {
        find!(self.threads, guid, row)
    }

    /// The agent of a row id, which is no index.
    #[must_use]
    pub fn agent(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Agent> {
        find!(self.agents, guid, row)
    }

    /// The queue of a row id.
    #[must_use]
    pub fn queue(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Queue> {
        find!(self.queues, guid, row)
    }

    /// The stream of a row id.
    #[must_use]
    pub fn stream(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Stream> {
        find!(self.streams, guid, row)
    }

    /// The counter of a row id.
    #[must_use]
    pub fn pmc(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&Pmc> {
        find!(self.pmcs, guid, row)
    }

    /// The kernel of a row id.
    #[must_use]
    pub fn kernel_symbol(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&KernelSymbol> {
        find!(self.kernel_symbols, guid, row)
    }

    /// The named track of a row id.
    #[must_use]
    pub fn named_track(&self, guid: GuidIndex, row: Option<RowId>) -> Option<&NamedTrack> {
        find!(self.named_tracks, guid, row)
    }

    /// The text of a row id.
    #[must_use]
    pub fn string(&self, guid: GuidIndex, row: Option<RowId>) -> Option<Name<'_>> {
        self.strings.get(guid)?.get(&row?).copied()
    }

    /// All texts of a guid, by row id.
    pub fn strings(&self, guid: GuidIndex) -> impl Iterator<Item = (RowId, Name<'_>)> {
        (self.strings.get(guid).into_iter().flatten()).map(|(row, name)| (*row, *name))
    }

    /// What a kernel is called: its display name, else its symbol's name.
    #[must_use]
    pub fn kernel_name(&self, guid: GuidIndex, row: Option<RowId>) -> Option<Name<'_>> {
        self.kernel_names.get(guid)?.get(&row?).copied()
    }

    /// The texts of a guid; `'static` only as long as `self` lives.
    pub(crate) fn string_map(&self, guid: GuidIndex) -> &BTreeMap<RowId, Name<'static>> {
        &self.strings[guid]
    }

    /// The kernels' names of a guid; `'static` only as long as `self` lives.
    pub(crate) fn kernel_map(&self, guid: GuidIndex) -> &BTreeMap<RowId, Name<'static>> {
        &self.kernel_names[guid]
    }
}

/// What one table gives.
enum Part {
    Nodes(Vec<Node>),
    Processes(Vec<Process>),
    Threads(Vec<Thread>),
    Agents(Vec<Agent>),
    Queues(Vec<Queue>),
    Streams(Vec<Stream>),
    Pmcs(Vec<Pmc>),
    CodeObjects(Vec<CodeObject>),
    KernelSymbols(Vec<KernelSymbol>),
    NamedTracks(Vec<NamedTrack>),
    Strings(GuidIndex, Vec<(RowId, String)>),
}

/// The info lists with what only the reader needs.
pub(crate) struct Loaded {
    pub(crate) info: Info,
    /// Names that are not in the file's texts: types of allocations.
    pub(crate) allocation_names: BTreeMap<String, Name<'static>>,
}

/// The types of allocations that the schema knows; others share the empty name.
const ALLOCATION_TYPES: &[&str] = &["ALLOC", "FREE", "REALLOC", "RECLAIM"];

impl Info {
    pub(crate) fn load(pool: &Pool, guids: &[GuidTables], watch: &Watch<'_>) -> Result<Loaded> {
        type Read = fn(&Connection, &GuidTables, GuidIndex) -> rusqlite::Result<Part>;
        let reads: [Read; 11] = [
            |c, t, g| Ok(Part::Strings(g, read_strings(c, t)?)),
            |c, t, g| Ok(Part::KernelSymbols(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Nodes(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Processes(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Threads(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Agents(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Queues(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Streams(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::Pmcs(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::CodeObjects(read_rows(c, t, g)?)),
            |c, t, g| Ok(Part::NamedTracks(read_rows(c, t, g)?)),
        ];
        let tasks: Vec<(GuidIndex, Read)> = (0..guids.len())
            .flat_map(|guid| reads.map(|read| (guid, read)))
            .collect();
        watch.begin(super::Stage::Metadata, tasks.len())?;
        let parts = pool.spread(&tasks, watch, |connection, &(guid, read)| {
            read(connection, &guids[guid], guid).map_err(pool.sqlite())
        })?;

        let mut info = Self {
            strings: vec![BTreeMap::new(); guids.len()],
            kernel_names: vec![BTreeMap::new(); guids.len()],
            ..Self::default()
        };
        let mut interner = Interner::default();
        for part in parts {
            match part {
                Part::Nodes(rows) => info.nodes.extend(rows),
                Part::Processes(rows) => info.processes.extend(rows),
                Part::Threads(rows) => info.threads.extend(rows),
                Part::Agents(rows) => info.agents.extend(rows),
                Part::Queues(rows) => info.queues.extend(rows),
                Part::Streams(rows) => info.streams.extend(rows),
                Part::Pmcs(rows) => info.pmcs.extend(rows),
                Part::CodeObjects(rows) => info.code_objects.extend(rows),
                Part::KernelSymbols(rows) => info.kernel_symbols.extend(rows),
                Part::NamedTracks(rows) => info.named_tracks.extend(rows),
                Part::Strings(guid, rows) => {
                    info.strings[guid] = rows
                        .into_iter()
                        .map(|(row, text)| (row, interner.intern(&text)))
                        .collect();
                }
            }
        }
        for kernel in &info.kernel_symbols {
            let name = kernel.display_name.as_ref().or(kernel.kernel_name.as_ref());
            let name = interner.intern(name.map_or("", String::as_str));
            info.kernel_names[kernel.guid].insert(kernel.row_id, name);
        }
        let allocation_names = ALLOCATION_TYPES
            .iter()
            .map(|&text| (text.to_owned(), interner.intern(text)))
            .collect();
        info.names = interner.finish();
        info.resolve();
        Ok(Loaded {
            info,
            allocation_names,
        })
    }

    /// Fills in the public identifiers of what rows belong to.
    fn resolve(&mut self) {
        let processes = &self.processes;
        let pid = |guid: GuidIndex, row: Option<RowId>| find!(processes, guid, row)?.pid;
        let agents = &self.agents;
        let index = |guid: GuidIndex, row: Option<RowId>| find!(agents, guid, row)?.absolute_index;
        for row in &mut self.threads {
            row.pid = pid(row.guid, row.process_row);
        }
        for row in &mut self.queues {
            row.pid = pid(row.guid, row.process_row);
        }
        for row in &mut self.streams {
            row.pid = pid(row.guid, row.process_row);
        }
        for row in &mut self.pmcs {
            row.pid = pid(row.guid, row.process_row);
            row.agent = index(row.guid, row.agent_row);
        }
        for row in &mut self.code_objects {
            row.pid = pid(row.guid, row.process_row);
            row.agent = index(row.guid, row.agent_row);
        }
        for row in &mut self.kernel_symbols {
            row.pid = pid(row.guid, row.process_row);
        }
        for row in &mut self.agents {
            row.pid = pid(row.guid, row.process_row);
        }
    }
}

/// `"a", NULL, "c"`: the columns that the table has, and NULL for those that it does not.
pub(crate) fn select_list(table: &crate::catalog::Table, columns: &[&str]) -> String {
    let columns: Vec<String> = columns
        .iter()
        .map(|column| match table.has(column) {
            true => quote_identifier(column),
            false => "NULL".to_owned(),
        })
        .collect();
    columns.join(", ")
}

fn read_rows<T: InfoRow>(
    connection: &Connection,
    tables: &GuidTables,
    guid: GuidIndex,
) -> rusqlite::Result<Vec<T>> {
    let Some(table) = tables.table(T::TABLE) else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT {} FROM {}",
        select_list(table, T::COLUMNS),
        quote_identifier(&table.name)
    );
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| T::read(guid, row))?;
    let mut list = rows.collect::<rusqlite::Result<Vec<T>>>()?;
    list.sort_by_key(InfoRow::row_id);
    Ok(list)
}

fn read_strings(
    connection: &Connection,
    tables: &GuidTables,
) -> rusqlite::Result<Vec<(RowId, String)>> {
    let Some(table) = tables.table("rocpd_string") else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT {} FROM {}",
        select_list(table, &["id", "string"]),
        quote_identifier(&table.name)
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let mut strings = Vec::new();
    while let Some(row) = rows.next()? {
        let Some(id) = cell::integer(row.get_ref(0)?) else {
            continue;
        };
        let text = cell::text(row.get_ref(1)?).unwrap_or_default();
        strings.push((RowId(id), text));
    }
    Ok(strings)
}
