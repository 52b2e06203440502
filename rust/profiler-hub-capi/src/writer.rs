//! Writing a file: opening, registering, closing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rocpd::writer::{
    self as w, AgentId, AgentType, KernelSymbolId, NodeId, PmcId, ProcessId, StorageType, ThreadId,
    TrackId, ValueType, text_from_bytes,
};
use rocpd::{Guid, Mode, SchemaVersion, Storage, Writer};

use crate::boundary::{Failure, Growing, get_sized, growing, guard, set};
use crate::context::path_of;
use crate::handle::Registry;
use crate::types::{ph_result_t, ph_schema_version_t};
use crate::writer_types::{
    PH_TEXT_NUL, ph_agent_ref_t, ph_optional_t, ph_text_t, ph_writer_agent_t,
    ph_writer_code_object_t, ph_writer_kernel_symbol_t, ph_writer_lane_t, ph_writer_node_t,
    ph_writer_pmc_t, ph_writer_process_t, ph_writer_t, ph_writer_thread_t, ph_writer_track_t,
};

growing!(
    ph_writer_node_t,
    ph_writer_process_t,
    ph_writer_thread_t,
    ph_writer_agent_t,
    ph_writer_pmc_t,
    ph_writer_lane_t,
    ph_writer_code_object_t,
    ph_writer_kernel_symbol_t,
    ph_writer_track_t,
);

/// How a client calls an agent: type and place.
type AgentName = (Option<AgentType>, u64);

/// What a `ph_writer_t` stands for: a writer, and what clients call the things it knows by row.
pub(crate) struct Session {
    writer: Writer,
    processes: HashMap<(u64, u64), ProcessId>,
    threads: HashMap<(ProcessId, u64), ThreadId>,
    /// An agent may be seen by several processes; each has a row of its own.
    agents: HashMap<(ProcessId, AgentName), AgentId>,
    pmcs: HashMap<(ProcessId, String, Option<AgentName>), PmcId>,
    tracks: HashMap<String, TrackId>,
}

static WRITERS: Registry<Mutex<Option<Session>>> = Registry::new(3);

/// A text as C gives it.
///
/// # Safety
/// `text.data` is NULL, or there are as many bytes as `text.size` says.
pub(crate) unsafe fn given<'a>(text: ph_text_t) -> Result<Option<Cow<'a, str>>, Failure> {
    if text.data.is_null() {
        return Ok(None);
    }
    let bytes = if text.size == PH_TEXT_NUL {
        // SAFETY: not NULL, and the caller promises the NUL at its end.
        unsafe { CStr::from_ptr(text.data) }.to_bytes()
    } else {
        if isize::try_from(text.size).is_err() {
            return Err(Failure::argument(format!(
                "a text of {} bytes; expected fewer, or PH_TEXT_NUL",
                text.size
            )));
        }
        // SAFETY: the caller promises that so many bytes are there.
        unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) }
    };
    Ok(Some(text_from_bytes(bytes)))
}

pub(crate) fn number(optional: ph_optional_t) -> Option<u64> {
    (optional.is_set != 0).then_some(optional.value)
}

fn agent_type(text: Option<&str>) -> Result<Option<AgentType>, Failure> {
    match text {
        None => Ok(None),
        Some("CPU") => Ok(Some(AgentType::Cpu)),
        Some("GPU") => Ok(Some(AgentType::Gpu)),
        Some("NIC") => Ok(Some(AgentType::Nic)),
        Some(other) => Err(unknown("agent type", other, "CPU, GPU, NIC")),
    }
}

pub(crate) fn unknown(what: &str, found: &str, expected: &str) -> Failure {
    Failure::argument(format!("no {what} '{found}'; expected one of {expected}"))
}

/// An agent as C gives it, whether `is_set` or not.
///
/// # Safety
/// As for [`given`].
unsafe fn agent_name(agent: ph_agent_ref_t) -> Result<AgentName, Failure> {
    // SAFETY: as the caller promises.
    let text = unsafe { given(agent.r#type) }?;
    Ok((agent_type(text.as_deref())?, agent.type_index))
}

/// An agent as C gives it.
///
/// # Safety
/// As for [`given`].
pub(crate) unsafe fn optional_agent(agent: ph_agent_ref_t) -> Result<Option<AgentName>, Failure> {
    if agent.is_set == 0 {
        return Ok(None);
    }
    // SAFETY: as the caller promises.
    unsafe { agent_name(agent) }.map(Some)
}

fn not_registered(what: &str, id: impl std::fmt::Display) -> Failure {
    Failure::argument(format!(
        "{what} {id} is not registered; register it before what refers to it"
    ))
}

fn show((kind, index): AgentName) -> String {
    let kind = match kind {
        Some(AgentType::Cpu) => "CPU ",
        Some(AgentType::Gpu) => "GPU ",
        Some(AgentType::Nic) => "NIC ",
        None => "",
    };
    format!("{kind}{index}")
}

impl Session {
    pub(crate) fn writer(&mut self) -> &mut Writer {
        &mut self.writer
    }

    fn process(&self, node: u64, pid: u64) -> Result<ProcessId, Failure> {
        let found = self.processes.get(&(node, pid)).copied();
        found.ok_or_else(|| not_registered("process", format!("{pid} of node {node}")))
    }

    /// A process whose node may be missing, if only one node has it.
    pub(crate) fn find_process(&self, node: Option<u64>, pid: u64) -> Result<ProcessId, Failure> {
        if let Some(node) = node {
            return self.process(node, pid);
        }
        let mut found = self.processes.iter().filter(|((_, of), _)| *of == pid);
        match (found.next(), found.next()) {
            (Some((_, id)), None) => Ok(*id),
            (None, _) => Err(not_registered("process", pid)),
            _ => Err(Failure::argument(format!(
                "several nodes have a process {pid}; set node_id"
            ))),
        }
    }

    pub(crate) fn thread(&self, process: ProcessId, tid: u64) -> Result<ThreadId, Failure> {
        let found = self.threads.get(&(process, tid)).copied();
        found.ok_or_else(|| not_registered("thread", tid))
    }

    /// The agent as the process sees it, else as any process of the file does.
    pub(crate) fn agent(&self, process: ProcessId, name: AgentName) -> Result<AgentId, Failure> {
        let own = self.agents.get(&(process, name));
        let any = || {
            let others = self.agents.iter().filter(|((_, of), _)| *of == name);
            others.map(|(_, id)| id).min()
        };
        let found = own.or_else(any).copied();
        found.ok_or_else(|| not_registered("agent", show(name)))
    }

    pub(crate) fn optional_agent(
        &self,
        process: ProcessId,
        name: Option<AgentName>,
    ) -> Result<Option<AgentId>, Failure> {
        name.map(|name| self.agent(process, name)).transpose()
    }

    /// A counter; it is told by name and agent, whichever process it belongs to.
    pub(crate) fn pmc(&self, name: &str, agent: Option<AgentName>) -> Result<PmcId, Failure> {
        let found = self
            .pmcs
            .iter()
            .filter(|((_, of, on), _)| of == name && *on == agent);
        found.map(|(_, id)| *id).min().ok_or_else(|| {
            let on = agent.map_or_else(String::new, |agent| format!(" of agent {}", show(agent)));
            not_registered("counter", format!("{name}{on}"))
        })
    }

    pub(crate) fn track(&self, name: &str) -> Option<TrackId> {
        self.tracks.get(name).copied()
    }
}

/// Runs a call on a writer, which one thread at a time uses.
pub(crate) fn with_writer(
    handle: ph_writer_t,
    call: impl FnOnce(&mut Session) -> Result<(), Failure>,
) -> ph_result_t {
    guard(|| {
        let session = living(handle)?;
        let mut session = lock(&session);
        call(session.as_mut().ok_or_else(closed)?)
    })
}

fn living(handle: ph_writer_t) -> Result<Arc<Mutex<Option<Session>>>, Failure> {
    WRITERS.get(handle).ok_or_else(|| {
        if WRITERS.is_inherited(handle) {
            Failure::new(
                ph_result_t::PH_RESULT_INVALID_CONTEXT,
                "the writer is that of the process this one was forked from, and its file too; \
                 expected one from ph_writer_open in this process",
            )
        } else {
            closed()
        }
    })
}

fn closed() -> Failure {
    Failure::new(
        ph_result_t::PH_RESULT_INVALID_CONTEXT,
        "the writer is NULL, was closed, or is none of this library's; expected one from \
         ph_writer_open",
    )
}

fn lock(session: &Mutex<Option<Session>>) -> MutexGuard<'_, Option<Session>> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a struct, finds what it names, and registers it.
///
/// # Safety
/// `info` is NULL, or a struct whose size is set and whose pointers are as the header asks.
unsafe fn register<T: Growing>(
    handle: ph_writer_t,
    info: *const T,
    call: impl FnOnce(&mut Session, &T) -> Result<(), Failure>,
) -> ph_result_t {
    with_writer(handle, |session| {
        // SAFETY: as the caller promises; zeros are a valid struct of numbers and NULLs.
        let info = unsafe { get_sized(info, "info") }?;
        call(session, &info)
    })
}

/// Makes a file of schema 3.0.0 and opens it for writing.
///
/// A writer may be used from any thread; calls wait for each other. In a forked child it is the
/// parent's: calls give PH_RESULT_INVALID_CONTEXT, and ph_writer_close leaves the file alone.
///
/// @param writer  Where to write the handle; NULL is written on any failure.
/// @param path    Where to make the file; any bytes, up to the first NUL. There must be nothing.
/// @param guid    The file's guid, 1 to 64 ASCII letters, digits, '-' and '_'; best a UUID. NULL
///                for a new one, a UUID of version 7.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if writer or path is NULL, or guid is no
///         guid; PH_RESULT_INVALID_DATABASE if the file exists or cannot be made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_open(
    writer: *mut ph_writer_t,
    path: *const c_char,
    guid: *const c_char,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(writer, std::ptr::null_mut(), "writer") }?;
        // SAFETY: the header asks for NULL or a text that ends with a NUL.
        let path = unsafe { path_of(path) }?;
        let guid = if guid.is_null() {
            Guid::new()
        } else {
            // SAFETY: as above.
            let text = unsafe { CStr::from_ptr(guid) };
            Guid::parse(&text.to_string_lossy()).map_err(|e| Failure::argument(e.to_string()))?
        };
        let session = Session {
            writer: Writer::new(Storage::create(path, guid, Mode::Fast)?)?,
            processes: HashMap::new(),
            threads: HashMap::new(),
            agents: HashMap::new(),
            pmcs: HashMap::new(),
            tracks: HashMap::new(),
        };
        let handle = WRITERS.insert(Arc::new(Mutex::new(Some(session))));
        // SAFETY: as above.
        unsafe { set(writer, handle, "writer") }
    })
}

/// Tells the version of the schema that is written.
///
/// @param writer   A writer.
/// @param version  Where to write it.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if version is
///         NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_get_schema_version(
    writer: ph_writer_t,
    version: *mut ph_schema_version_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(version, ph_schema_version_t::default(), "version") }?;
        let session = living(writer)?;
        let session = lock(&session);
        let SchemaVersion {
            major,
            minor,
            patch,
        } = session
            .as_ref()
            .ok_or_else(closed)?
            .writer
            .storage()
            .schema_version();
        let found = ph_schema_version_t {
            major,
            minor,
            patch,
        };
        // SAFETY: as above.
        unsafe { set(version, found, "version") }
    })
}

/// Puts everything so far into the file for good, in one step.
///
/// @param writer  A writer.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_DATABASE if the file
///         cannot be written.
#[unsafe(no_mangle)]
pub extern "C" fn ph_writer_commit(writer: ph_writer_t) -> ph_result_t {
    with_writer(writer, |session| Ok(session.writer.commit()?))
}

/// Puts everything into the file and closes it. The handle is dead afterwards, also on a failure.
///
/// In a forked child a writer of the parent's is let go of, and its file left alone.
///
/// @param writer  A writer, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was closed before or is none;
///         PH_RESULT_INVALID_DATABASE if the file cannot be written: what was committed before is
///         in it.
#[unsafe(no_mangle)]
pub extern "C" fn ph_writer_close(writer: ph_writer_t) -> ph_result_t {
    guard(|| {
        if writer.is_null() || WRITERS.is_inherited(writer) {
            return Ok(());
        }
        let session = WRITERS.remove(writer).ok_or_else(closed)?;
        // Another thread may be in a call: the session is taken when that has ended.
        let session = lock(&session).take().ok_or_else(closed)?;
        Ok(session.writer.close()?)
    })
}

/// Registers a machine. Here and below: what is registered again, by what makes it the same thing
/// (its id, or its process and number or name), keeps what it was registered with first, and the
/// call succeeds. An id that is another's is an error.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
///         NULL, its size is wrong, or it names what is not registered or not known, or takes an
///         id, hash or machine_id that is another's; PH_RESULT_INVALID_DATABASE if the file cannot
///         be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_node(
    writer: ph_writer_t,
    info: *const ph_writer_node_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            session.writer.register_node(&w::Node {
                id: NodeId::new(info.node_id),
                hash: info.hash,
                machine_id: given(info.machine_id)?.as_deref().unwrap_or(""),
                system_name: given(info.system_name)?.as_deref(),
                hostname: given(info.hostname)?.as_deref(),
                release: given(info.release)?.as_deref(),
                version: given(info.version)?.as_deref(),
                hardware_name: given(info.hardware_name)?.as_deref(),
                domain_name: given(info.domain_name)?.as_deref(),
            })?;
            Ok(())
        })
    }
}

/// Registers a process.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_process(
    writer: ph_writer_t,
    info: *const ph_writer_process_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let id = session.writer.register_process(&w::Process {
                node: NodeId::new(info.node_id),
                ppid: number(info.ppid),
                pid: info.pid,
                init: number(info.init),
                fini: number(info.fini),
                start: number(info.start),
                end: number(info.end),
                command: given(info.command)?.as_deref(),
                environment: given(info.environment)?.as_deref().unwrap_or(""),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            session.processes.insert((info.node_id, info.pid), id);
            Ok(())
        })
    }
}

/// Registers a thread.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_thread(
    writer: ph_writer_t,
    info: *const ph_writer_thread_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            let id = session.writer.register_thread(&w::Thread {
                process,
                ppid: number(info.parent_process_id),
                tid: info.thread_id,
                name: given(info.name)?.as_deref(),
                start: number(info.start),
                end: number(info.end),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            session.threads.insert((process, info.thread_id), id);
            Ok(())
        })
    }
}

/// Registers an agent.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_agent(
    writer: ph_writer_t,
    info: *const ph_writer_agent_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            let name = agent_name(info.unique_id)?;
            let id = session.writer.register_agent(&w::Agent {
                process,
                agent_type: name.0,
                absolute_index: number(info.absolute_index),
                logical_index: number(info.logical_index),
                type_index: Some(name.1),
                uuid: number(info.uuid),
                name: given(info.name)?.as_deref(),
                model_name: given(info.model_name)?.as_deref(),
                vendor_name: given(info.vendor_name)?.as_deref(),
                product_name: given(info.product_name)?.as_deref(),
                user_name: given(info.user_name)?.as_deref(),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            session.agents.insert((process, name), id);
            Ok(())
        })
    }
}

/// Registers a counter.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_pmc(
    writer: ph_writer_t,
    info: *const ph_writer_pmc_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            let agent = optional_agent(info.agent)?;
            let name = given(info.name)?.unwrap_or_default();
            let value_type = match given(info.value_type)?.as_deref() {
                None => None,
                Some("ABS") => Some(ValueType::Absolute),
                Some("ACCUM") => Some(ValueType::Accumulated),
                Some("RELATIVE") => Some(ValueType::Relative),
                Some(other) => return Err(unknown("value type", other, "ABS, ACCUM, RELATIVE")),
            };
            let id = session.writer.register_pmc(&w::Pmc {
                process,
                agent: session.optional_agent(process, agent)?,
                target_arch: agent_type(given(info.target_arch)?.as_deref())?,
                event_code: number(info.event_code),
                instance_id: number(info.instance_id),
                name: &name,
                symbol: given(info.symbol)?.as_deref().unwrap_or(&name),
                description: given(info.description)?.as_deref(),
                long_description: given(info.long_description)?.as_deref(),
                component: given(info.component)?.as_deref(),
                units: given(info.units)?.as_deref(),
                value_type,
                block: given(info.block)?.as_deref(),
                expression: given(info.expression)?.as_deref(),
                is_constant: number(info.is_constant).map(|number| number != 0),
                is_derived: number(info.is_derived).map(|number| number != 0),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            session.pmcs.insert((process, name.into_owned(), agent), id);
            Ok(())
        })
    }
}

/// Registers a queue.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_queue(
    writer: ph_writer_t,
    info: *const ph_writer_lane_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            session.writer.register_queue(&w::Queue {
                id: w::QueueId::new(info.id),
                process,
                name: given(info.name)?.as_deref(),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            Ok(())
        })
    }
}

/// Registers a stream.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_stream(
    writer: ph_writer_t,
    info: *const ph_writer_lane_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            session.writer.register_stream(&w::Stream {
                id: w::StreamId::new(info.id),
                process,
                name: given(info.name)?.as_deref(),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            Ok(())
        })
    }
}

/// Registers a code object.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_code_object(
    writer: ph_writer_t,
    info: *const ph_writer_code_object_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = session.process(info.node_id, info.process_id)?;
            let agent = optional_agent(info.agent)?;
            let storage_type = match given(info.storage_type)?.as_deref() {
                None => None,
                Some("FILE") => Some(StorageType::File),
                Some("MEMORY") => Some(StorageType::Memory),
                Some(other) => return Err(unknown("storage type", other, "FILE, MEMORY")),
            };
            session.writer.register_code_object(&w::CodeObject {
                id: w::CodeObjectId::new(info.id),
                process,
                agent: session.optional_agent(process, agent)?,
                uri: given(info.uri)?.as_deref(),
                load_base: number(info.load_base),
                load_size: number(info.load_size),
                load_delta: number(info.load_delta),
                storage_type,
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            Ok(())
        })
    }
}

/// Registers a kernel.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_kernel_symbol(
    writer: ph_writer_t,
    info: *const ph_writer_kernel_symbol_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            session.writer.register_kernel_symbol(&w::KernelSymbol {
                id: KernelSymbolId::new(info.id),
                code_object: w::CodeObjectId::new(info.code_object_id),
                kernel_name: given(info.name)?.as_deref(),
                display_name: given(info.display_name)?.as_deref(),
                kernel_object: number(info.kernel_object),
                kernarg_segment_size: number(info.kernarg_segment_size),
                kernarg_segment_alignment: number(info.kernarg_segment_alignment),
                group_segment_size: number(info.group_segment_size),
                private_segment_size: number(info.private_segment_size),
                sgpr_count: number(info.sgpr_count),
                arch_vgpr_count: number(info.arch_vgpr_count),
                accum_vgpr_count: number(info.accum_vgpr_count),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            Ok(())
        })
    }
}

/// Registers a named track of samples.
///
/// @param writer  A writer.
/// @param info    What to register, size set.
/// @return As ph_writer_register_node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_track(
    writer: ph_writer_t,
    info: *const ph_writer_track_t,
) -> ph_result_t {
    // SAFETY: as the header asks; so for the texts below.
    unsafe {
        register(writer, info, |session, info| {
            let process = number(info.process_id);
            let process = process
                .map(|pid| session.process(info.node_id, pid))
                .transpose()?;
            let thread = match (number(info.thread_id), process) {
                (None, _) => None,
                (Some(tid), Some(process)) => Some(session.thread(process, tid)?),
                (Some(tid), None) => {
                    return Err(Failure::argument(format!(
                        "thread_id {tid} without process_id; set both"
                    )));
                }
            };
            let name = given(info.name)?;
            let id = session.writer.register_track(&w::Track {
                node: NodeId::new(info.node_id),
                process,
                thread,
                name: name.as_deref(),
                extdata: given(info.extdata)?.as_deref().unwrap_or(""),
            })?;
            if let Some(name) = name {
                session.tracks.insert(name.into_owned(), id);
            }
            Ok(())
        })
    }
}

/// Registers a text.
///
/// @param writer  A writer.
/// @param string  The text.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if it is
///         missing; PH_RESULT_INVALID_DATABASE if the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_register_string(
    writer: ph_writer_t,
    string: ph_text_t,
) -> ph_result_t {
    with_writer(writer, |session| {
        // SAFETY: as the header asks.
        let string = unsafe { given(string) }?;
        let string = string.ok_or_else(|| Failure::argument("string is NULL; expected a text"))?;
        session.writer.register_string(&string)?;
        Ok(())
    })
}
