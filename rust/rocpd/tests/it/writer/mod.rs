//! Files that the writer makes, looked at with plain SQL.

mod round_trip;
mod rows;
mod trouble;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rocpd::rusqlite::Connection;
use rocpd::rusqlite::types::Value;
use rocpd::writer::{
    Agent, AgentId, AgentType, AllocationLevel, AllocationType, CodeObject, CodeObjectId, Event,
    KernelDispatch, KernelSymbol, KernelSymbolId, MemoryAllocation, MemoryCopy, Node, NodeId, Pmc,
    PmcEvent, PmcId, Process, ProcessId, Queue, QueueId, Region, StorageType, Stream, StreamId,
    Thread, ThreadId, Track, ValueType,
};
use rocpd::{Guid, Mode, Storage, Writer};
use tempfile::TempDir;

const NODE: Node<'_> = Node {
    id: NodeId::new(7),
    hash: u64::MAX,
    machine_id: "63b14d61",
    system_name: Some("Linux"),
    hostname: None,
    release: None,
    version: None,
    hardware_name: None,
    domain_name: None,
};

const PROCESS: Process<'_> = Process {
    node: NodeId::new(7),
    ppid: Some(1),
    pid: 4242,
    init: None,
    fini: None,
    start: Some(10),
    end: None,
    command: Some("./app"),
    environment: "",
    extdata: "",
};

const THREAD: Thread<'_> = Thread {
    process: ProcessId::new(1),
    ppid: Some(1),
    tid: 4243,
    name: Some("main"),
    start: None,
    end: None,
    extdata: "",
};

const AGENT: Agent<'_> = Agent {
    process: ProcessId::new(1),
    agent_type: Some(AgentType::Gpu),
    absolute_index: Some(4),
    logical_index: Some(2),
    type_index: Some(0),
    uuid: Some(u64::MAX - 1),
    name: Some("gfx942"),
    model_name: None,
    vendor_name: None,
    product_name: None,
    user_name: None,
    extdata: "",
};

const PMC: Pmc<'_> = Pmc {
    process: ProcessId::new(1),
    agent: Some(AgentId::new(1)),
    target_arch: Some(AgentType::Gpu),
    event_code: None,
    instance_id: Some(0),
    name: "SQ_WAVES",
    symbol: "SQ_WAVES",
    description: None,
    long_description: None,
    component: None,
    units: None,
    value_type: Some(ValueType::Absolute),
    block: None,
    expression: None,
    is_constant: Some(false),
    is_derived: Some(true),
    extdata: "",
};

const QUEUE: Queue<'_> = Queue {
    id: QueueId::new(0),
    process: ProcessId::new(1),
    name: Some("Queue 0"),
    extdata: "",
};

const STREAM: Stream<'_> = Stream {
    id: StreamId::new(0),
    process: ProcessId::new(1),
    name: None,
    extdata: "",
};

const CODE_OBJECT: CodeObject<'_> = CodeObject {
    id: CodeObjectId::new(0),
    process: ProcessId::new(1),
    agent: Some(AgentId::new(1)),
    uri: Some("file:///a.co"),
    load_base: Some(0x8000_0000_0000_0001),
    load_size: Some((1 << 53) + 1),
    load_delta: None,
    storage_type: Some(StorageType::Memory),
    extdata: "",
};

const KERNEL_SYMBOL: KernelSymbol<'_> = KernelSymbol {
    id: KernelSymbolId::new(3),
    code_object: CodeObjectId::new(0),
    kernel_name: Some("_Z1k.kd"),
    display_name: Some("k(int)"),
    kernel_object: None,
    kernarg_segment_size: Some(8),
    kernarg_segment_alignment: Some(8),
    group_segment_size: Some(0),
    private_segment_size: Some(0),
    sgpr_count: Some(16),
    arch_vgpr_count: Some(4),
    accum_vgpr_count: None,
    extdata: "",
};

const TRACK: Track<'_> = Track {
    node: NodeId::new(7),
    process: Some(ProcessId::new(1)),
    thread: Some(ThreadId::new(1)),
    name: Some("track"),
    extdata: "",
};

const EVENT: Event<'_> = Event {
    category: Some("CATEGORY"),
    stack_id: Some(5),
    parent_stack_id: Some(0),
    correlation_id: Some(u64::MAX),
    call_stack: "",
    line_info: "",
    extdata: "",
};

const REGION: Region<'_> = Region {
    thread: ThreadId::new(1),
    name: "call",
    start: 100,
    end: 200,
    event: Some(EVENT),
    args: &[],
    track: None,
    extdata: "",
};

const DISPATCH: KernelDispatch<'_> = KernelDispatch {
    process: ProcessId::new(1),
    thread: Some(ThreadId::new(1)),
    agent: AgentId::new(1),
    kernel: KernelSymbolId::new(3),
    dispatch_id: 11,
    queue: QueueId::new(0),
    stream: StreamId::new(0),
    start: 300,
    end: 400,
    private_segment_size: Some(0),
    group_segment_size: Some(1024),
    workgroup_size: [64, 2, 1],
    grid_size: [1024, 4, 1],
    region_name: Some(""),
    event: Some(EVENT),
    track: None,
    extdata: "",
};

const COPY: MemoryCopy<'_> = MemoryCopy {
    process: ProcessId::new(1),
    thread: Some(ThreadId::new(1)),
    start: 500,
    end: 600,
    name: "MEMORY_COPY_HOST_TO_DEVICE",
    dst_agent: Some(AgentId::new(1)),
    dst_address: Some(u64::MAX),
    src_agent: Some(AgentId::new(1)),
    src_address: None,
    size: 1 << 63,
    queue: None,
    stream: None,
    region_name: None,
    event: Some(EVENT),
    track: None,
    extdata: "",
};

const ALLOCATION: MemoryAllocation<'_> = MemoryAllocation {
    process: ProcessId::new(1),
    thread: Some(ThreadId::new(1)),
    agent: None,
    allocation_type: Some(AllocationType::Reclaim),
    level: Some(AllocationLevel::Scratch),
    start: 700,
    end: 800,
    address: None,
    size: 0,
    queue: Some(QueueId::new(0)),
    stream: None,
    event: Some(EVENT),
    track: None,
    extdata: "{\"flags\":1}",
};

const VALUE: PmcEvent<'_> = PmcEvent {
    pmc: PmcId::new(1),
    value: 1.5,
    event: Some(EVENT),
    sample: None,
    extdata: "",
};

/// A file being written, and where.
struct Fixture {
    folder: TempDir,
    path: PathBuf,
    writer: Writer,
}

impl Fixture {
    fn empty(mode: Mode) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("100% a?mode=rwc#1.db");
        let storage = Storage::create(&path, Guid::new(), mode).unwrap();
        let writer = Writer::new(storage).unwrap();
        Self {
            folder,
            path,
            writer,
        }
    }

    /// With one thing of each kind registered.
    fn new(mode: Mode) -> Self {
        let mut fixture = Self::empty(mode);
        fixture.register_all();
        fixture
    }

    fn register_all(&mut self) {
        let w = &mut self.writer;
        assert_eq!(w.register_node(&NODE).unwrap(), NODE.id);
        assert_eq!(w.register_process(&PROCESS).unwrap().get(), 1);
        assert_eq!(w.register_thread(&THREAD).unwrap().get(), 1);
        assert_eq!(w.register_agent(&AGENT).unwrap().get(), 1);
        assert_eq!(w.register_pmc(&PMC).unwrap().get(), 1);
        assert_eq!(w.register_queue(&QUEUE).unwrap(), QUEUE.id);
        assert_eq!(w.register_stream(&STREAM).unwrap(), STREAM.id);
        assert_eq!(
            w.register_code_object(&CODE_OBJECT).unwrap(),
            CODE_OBJECT.id
        );
        assert_eq!(
            w.register_kernel_symbol(&KERNEL_SYMBOL).unwrap(),
            KERNEL_SYMBOL.id
        );
        assert_eq!(w.register_track(&TRACK).unwrap().get(), 1);
        w.register_string("CATEGORY").unwrap();
    }

    /// Closes the file and opens it with plain SQLite, after looking that all is well with it.
    fn finish(self) -> Written {
        self.writer.close().unwrap();
        let names: Vec<_> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(
            names,
            std::slice::from_ref(&self.path),
            "a single file is left"
        );
        let written = Written {
            connection: Connection::open(&self.path).unwrap(),
            _folder: self.folder,
        };
        assert_eq!(written.text("PRAGMA integrity_check"), "ok");
        assert_eq!(written.text("PRAGMA journal_mode"), "delete");
        let dangling = written.rows("PRAGMA foreign_key_check");
        assert!(dangling.is_empty(), "{dangling:?}");
        written
    }
}

struct Written {
    connection: Connection,
    _folder: TempDir,
}

impl Written {
    fn rows(&self, sql: &str) -> Vec<Vec<Value>> {
        let mut statement = self.connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        statement
            .query_map([], |row| (0..columns).map(|c| row.get(c)).collect())
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap()
    }

    fn text(&self, sql: &str) -> String {
        self.connection
            .query_row(sql, [], |row| row.get(0))
            .unwrap()
    }

    fn count(&self, table: &str) -> i64 {
        self.connection
            .query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| {
                row.get(0)
            })
            .unwrap()
    }

    /// How many rows each table has that is not empty.
    fn counts(&self) -> BTreeMap<String, i64> {
        self.rows("SELECT name FROM sqlite_master WHERE type = 'view' AND name LIKE 'rocpd_%'")
            .into_iter()
            .filter_map(|row| match &row[0] {
                Value::Text(name) => Some((name.clone(), self.count(name))),
                _ => None,
            })
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}
