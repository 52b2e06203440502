//! The file: records become regions of a rocpd.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rocpd::writer::{Event, Node, NodeId, Process, ProcessId, Region, Thread, ThreadId};
use rocpd::{Error, Guid, Mode, Result, Storage, Writer};

use crate::clock::{Moment, Timeline, now, ticks};
use crate::functions::FUNCTIONS;
use crate::lane::Lane;
use crate::process::{self, Machine};
use crate::record::{Kind, Record};
use crate::report::{self, Totals};
use crate::settings::{OUTPUT, settings};

/// How many names are tried for the file where others are taken.
const NAMES: u32 = 1000;

/// The file of this process, and what is open in it.
pub(crate) struct Store {
    writer: Writer,
    path: PathBuf,
    process: ProcessId,
    timeline: Timeline,
    /// By the lane's number.
    threads: HashMap<u32, ThreadId>,
    /// Ranges of threads, by their stack id.
    ranges: HashMap<u64, Open>,
    /// Ranges of the process, by the runtime's copy and its id.
    process_ranges: HashMap<(u16, u64), Open>,
    /// Ends of ranges of the process whose beginning is in a lane that has not been read yet.
    stops: HashMap<(u16, u64), u64>,
    regions: u64,
    uncommitted: bool,
}

/// A range that has not been closed.
struct Open {
    thread: ThreadId,
    record: Record,
    message: Box<[u8]>,
}

impl Store {
    /// The store, which is made here the first time, for a recording that began at `first`.
    pub(crate) fn opened(store: &mut Option<Self>, first: Moment) -> Result<&mut Self> {
        match store {
            Some(store) => Ok(store),
            None => Ok(store.insert(Self::create(first)?)),
        }
    }

    fn create(first: Moment) -> Result<Self> {
        let settings = settings();
        let folder = match &settings.folder {
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(|source| Error::Io {
                    path: folder.clone(),
                    action: "make the folder that ROCPROF_OUTPUT_PATH names",
                    source,
                })?;
                folder
            }
            None => &settings.current,
        };
        let store = Self::create_in(folder, first)?;
        if settings.folder.is_none() {
            report::say(&format!(
                "{OUTPUT} is not set: writing to {}",
                store.path.display()
            ));
        }
        Ok(store)
    }

    fn create_in(folder: &Path, first: Moment) -> Result<Self> {
        let storage = storage(folder)?;
        let path = storage.path().to_owned();
        let mut writer = Writer::new(storage)?;
        let process = register(&mut writer)?;
        // A crash from here on leaves a file that opens.
        writer.checkpoint()?;
        Ok(Self {
            writer,
            path,
            process,
            timeline: Timeline::since(first),
            threads: HashMap::new(),
            ranges: HashMap::new(),
            process_ranges: HashMap::new(),
            stops: HashMap::new(),
            regions: 0,
            uncommitted: false,
        })
    }

    /// Takes a record of a lane.
    pub(crate) fn take(&mut self, lane: &Lane, record: &Record, message: &[u8]) -> Result<()> {
        let thread = self.thread(lane)?;
        match record.kind {
            Kind::Call => self.region(thread, record, message, record.end, false),
            Kind::Push => {
                let open = Open {
                    thread,
                    record: *record,
                    message: message.into(),
                };
                self.ranges.insert(record.stack_id, open);
                Ok(())
            }
            Kind::Pop => match self.ranges.remove(&record.stack_id) {
                Some(open) => self.close_range(&open, record.end),
                // Its beginning was dropped, and counted as lost.
                None => Ok(()),
            },
            Kind::Start => {
                let key = (record.instance, record.range);
                let open = Open {
                    thread,
                    record: *record,
                    message: message.into(),
                };
                match self.stops.remove(&key) {
                    Some(end) => self.close_range(&open, end),
                    None => {
                        self.process_ranges.insert(key, open);
                        Ok(())
                    }
                }
            }
            Kind::Stop => {
                let key = (record.instance, record.range);
                match self.process_ranges.remove(&key) {
                    Some(open) => self.close_range(&open, record.end),
                    None => {
                        self.stops.insert(key, record.end);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Whether something was taken since the last commit.
    pub(crate) fn has_uncommitted(&self) -> bool {
        self.uncommitted
    }

    /// Puts what was taken into the file for good.
    pub(crate) fn commit(&mut self) -> Result<()> {
        self.uncommitted = false;
        self.timeline.follow();
        self.writer.commit()
    }

    /// All lanes were found empty: a range of the process that ended begins nowhere, if its
    /// beginning was not read by now.
    pub(crate) fn forget_stray_ends(&mut self) {
        self.stops.clear();
    }

    /// Writes the ranges that are still open, up to now, and closes the file; its path.
    pub(crate) fn close(mut self, totals: &mut Totals) -> Result<PathBuf> {
        let end = ticks();
        let mut open: Vec<Open> = self.ranges.drain().map(|(_, open)| open).collect();
        open.extend(self.process_ranges.drain().map(|(_, open)| open));
        open.sort_unstable_by_key(|open| open.record.start);
        totals.unfinished += u64::try_from(open.len()).unwrap_or(0);
        for open in open {
            self.region(open.thread, &open.record, &open.message, end, true)?;
        }
        totals.regions += self.regions;
        let end = now();
        self.writer
            .end_process(self.process, Some(end), Some(end))?;
        self.writer.close()?;
        Ok(self.path)
    }

    fn close_range(&mut self, open: &Open, end: u64) -> Result<()> {
        self.region(open.thread, &open.record, &open.message, end, false)
    }

    fn region(
        &mut self,
        thread: ThreadId,
        record: &Record,
        message: &[u8],
        end: u64,
        unfinished: bool,
    ) -> Result<()> {
        let Some(function) = FUNCTIONS.get(usize::from(record.function)) else {
            return Ok(());
        };
        self.writer.insert_region(&Region {
            thread,
            name: function.name,
            start: self.timeline.ns(record.start),
            end: self.timeline.ns(end),
            event: Some(Event {
                category: Some(function.category),
                stack_id: Some(record.stack_id),
                parent_stack_id: Some(record.parent_stack_id),
                correlation_id: Some(0),
                extdata: &extdata(function.has_message, message, unfinished),
                ..Event::default()
            }),
            args: &[],
            track: None,
            extdata: "",
        })?;
        self.regions += 1;
        self.uncommitted = true;
        Ok(())
    }

    fn thread(&mut self, lane: &Lane) -> Result<ThreadId> {
        if let Some(thread) = self.threads.get(&lane.number) {
            return Ok(*thread);
        }
        let thread = self.writer.register_thread(&Thread {
            process: self.process,
            ppid: parent(),
            tid: u64::from(lane.tid),
            name: process::thread_name(lane.tid).as_deref(),
            start: None,
            end: None,
            extdata: "",
        })?;
        self.threads.insert(lane.number, thread);
        Ok(thread)
    }
}

/// The event's JSON.
fn extdata(has_message: bool, message: &[u8], unfinished: bool) -> String {
    if !has_message {
        return String::new();
    }
    let text = rocpd::writer::text_from_bytes(message);
    let mut json = serde_json::json!({ "message": text });
    if unfinished {
        json["unfinished"] = true.into();
    }
    json.to_string()
}

/// Creates the file; where its name is taken, one with a number.
fn storage(folder: &Path) -> Result<Storage> {
    let guid = Guid::new();
    let pid = std::process::id();
    let first = folder.join(format!("{pid}_api_trace.db"));
    let mut result = Storage::create(&first, guid.clone(), Mode::Durable);
    for number in 2..NAMES {
        let Err(Error::Exists { .. }) = result else {
            break;
        };
        let path = folder.join(format!("{pid}_api_trace_{number}.db"));
        result = Storage::create(&path, guid.clone(), Mode::Durable);
        if result.is_ok() {
            report::say(&format!(
                "{} is there already: writing to {}",
                first.display(),
                path.display()
            ));
        }
    }
    result
}

fn parent() -> Option<u64> {
    // SAFETY: takes nothing, cannot fail.
    u64::try_from(unsafe { libc::getppid() }).ok()
}

/// Registers machine and process.
fn register(writer: &mut Writer) -> Result<ProcessId> {
    let machine = Machine::this();
    let hash = machine.hash();
    let node = writer.register_node(&Node {
        // Half of the hash: readers take the id for a number of 32 bits.
        id: NodeId::new(hash & u64::from(u32::MAX)),
        hash: hash >> 1,
        machine_id: &machine.machine_id,
        system_name: Some(&machine.system_name),
        hostname: Some(&machine.hostname),
        release: Some(&machine.release),
        version: Some(&machine.version),
        hardware_name: Some(&machine.hardware_name),
        domain_name: Some(&machine.domain_name),
    })?;
    writer.register_process(&Process {
        node,
        ppid: parent(),
        pid: u64::from(std::process::id()),
        init: Some(now()),
        fini: None,
        start: process::start(),
        end: None,
        command: process::command().as_deref(),
        environment: "",
        extdata: "",
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::functions::Id;
    use crate::lane::Budget;

    fn record(kind: Kind, range: u64) -> Record {
        Record {
            kind,
            function: Id::roctxRangeStartA.index(),
            instance: 0,
            stack_id: range,
            parent_stack_id: 0,
            start: ticks(),
            end: ticks(),
            range,
        }
    }

    #[test]
    fn ranges_are_closed_whichever_end_is_read_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create_in(folder.path(), Moment::now()).unwrap();
        let budget = Arc::new(Budget::new(std::thread::current()));
        let [one, two] = [1, 2].map(|number| Lane::new(number, number, Arc::clone(&budget)));
        let (start, stop) = (record(Kind::Start, 1), record(Kind::Stop, 1));
        // The lane of the thread that ended it is read first.
        store.take(&two, &stop, b"").unwrap();
        store.take(&one, &start, b"crossing").unwrap();
        // An end that has no beginning is not kept for a later range of the same id.
        store.take(&two, &record(Kind::Stop, 2), b"").unwrap();
        store.forget_stray_ends();
        store
            .take(&one, &record(Kind::Start, 2), b"left open")
            .unwrap();
        // A range whose beginning was dropped.
        store.take(&one, &record(Kind::Pop, 9), b"").unwrap();
        assert!(store.has_uncommitted());
        store.commit().unwrap();
        assert!(!store.has_uncommitted());

        let mut totals = Totals::default();
        let path = store.close(&mut totals).unwrap();
        assert_eq!((totals.regions, totals.unfinished), (2, 1));
        let connection = rocpd::rusqlite::Connection::open(path).unwrap();
        let sql = "SELECT extdata, tid FROM regions ORDER BY id";
        let mut statement = connection.prepare(sql).unwrap();
        let rows: Vec<(String, u32)> = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let expected = [
            (r#"{"message":"crossing"}"#.to_owned(), 1),
            (r#"{"message":"left open","unfinished":true}"#.to_owned(), 1),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn messages_are_json_whatever_they_hold() {
        assert_eq!(extdata(false, b"x", true), "");
        let json: serde_json::Value =
            serde_json::from_str(&extdata(true, b"a \"b\"\n\xff\\", false)).unwrap();
        assert_eq!(
            json,
            serde_json::json!({ "message": "a \"b\"\n\u{fffd}\\" })
        );
    }
}
