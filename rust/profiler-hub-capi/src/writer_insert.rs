//! Writing a file: what happened.

use std::borrow::Cow;

use rocpd::writer::{
    self as w, AllocationLevel, AllocationType, KernelSymbolId, ProcessId, QueueId, StreamId,
    TrackId,
};

use crate::boundary::{Failure, Growing, get_sized, growing};
use crate::types::ph_result_t;
use crate::writer::{Session, given, number, optional_agent, unknown, with_writer};
use crate::writer_types::{
    ph_writer_arg_t, ph_writer_environment_t, ph_writer_event_t, ph_writer_kernel_dispatch_t,
    ph_writer_memory_alloc_t, ph_writer_memory_copy_t, ph_writer_pmc_event_t, ph_writer_region_t,
    ph_writer_t,
};

growing!(
    ph_writer_environment_t,
    ph_writer_event_t,
    ph_writer_region_t,
    ph_writer_kernel_dispatch_t,
    ph_writer_memory_copy_t,
    ph_writer_memory_alloc_t,
    ph_writer_pmc_event_t,
);

/// The texts of an event, which its row borrows.
struct EventTexts<'a> {
    event: ph_writer_event_t,
    category: Option<Cow<'a, str>>,
    call_stack: Cow<'a, str>,
    line_info: Cow<'a, str>,
    extdata: Cow<'a, str>,
}

impl EventTexts<'_> {
    /// # Safety
    /// `event` is NULL, or a struct whose size is set and whose texts are as the header asks.
    unsafe fn read(event: *const ph_writer_event_t) -> Result<Option<Self>, Failure> {
        if event.is_null() {
            return Ok(None);
        }
        // SAFETY: as the caller promises; zeros are a valid struct.
        unsafe {
            let event = get_sized(event, "event")?;
            Ok(Some(Self {
                category: given(event.category)?,
                call_stack: given(event.call_stack)?.unwrap_or_default(),
                line_info: given(event.line_info)?.unwrap_or_default(),
                extdata: given(event.extdata)?.unwrap_or_default(),
                event,
            }))
        }
    }

    fn row(&self) -> w::Event<'_> {
        w::Event {
            category: self.category.as_deref(),
            stack_id: number(self.event.stack_id),
            parent_stack_id: number(self.event.parent_stack_id),
            correlation_id: number(self.event.correlation_id),
            call_stack: &self.call_stack,
            line_info: &self.line_info,
            extdata: &self.extdata,
        }
    }
}

/// Where something happened, looked up.
struct Place {
    process: ProcessId,
    environment: ph_writer_environment_t,
    track: Option<TrackId>,
}

impl Place {
    /// # Safety
    /// `environment` is NULL, or a struct whose size is set and whose texts are as the header asks.
    unsafe fn find(
        session: &Session,
        environment: *const ph_writer_environment_t,
    ) -> Result<Self, Failure> {
        // SAFETY: as the caller promises; zeros are a valid struct.
        let environment = unsafe { get_sized(environment, "environment") }?;
        let pid = number(environment.process_id)
            .ok_or_else(|| Failure::argument("environment.process_id is missing; set it"))?;
        // SAFETY: as above.
        let track = match unsafe { given(environment.track_name) }? {
            None => None,
            Some(name) => Some(session.track(&name).ok_or_else(|| {
                Failure::argument(format!(
                    "track '{name}' is not registered; register it before what refers to it"
                ))
            })?),
        };
        Ok(Self {
            process: session.find_process(number(environment.node_id), pid)?,
            environment,
            track,
        })
    }

    fn thread(&self, session: &Session) -> Result<Option<w::ThreadId>, Failure> {
        let tid = number(self.environment.thread_id);
        tid.map(|tid| session.thread(self.process, tid)).transpose()
    }

    fn queue(&self) -> Option<QueueId> {
        number(self.environment.queue_id).map(QueueId::new)
    }

    fn stream(&self) -> Option<StreamId> {
        number(self.environment.stream_id).map(StreamId::new)
    }
}

fn missing(field: &str) -> Failure {
    Failure::argument(format!("environment.{field} is missing; set it"))
}

/// # Safety
/// As for the exported functions.
unsafe fn region(
    session: &mut Session,
    data: &ph_writer_region_t,
    environment: *const ph_writer_environment_t,
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let place = Place::find(session, environment)?;
        let event = EventTexts::read(data.event)?;
        let args = Args::read(data.args, data.arg_count)?;
        let args: Vec<_> = args.iter().map(Args::row).collect();
        let thread = place.thread(session)?.ok_or_else(|| missing("thread_id"))?;
        session.writer().insert_region(&w::Region {
            thread,
            name: given(data.name)?.as_deref().unwrap_or(""),
            start: data.start,
            end: data.end,
            event: event.as_ref().map(EventTexts::row),
            args: &args,
            track: place.track,
            extdata: given(data.extdata)?.as_deref().unwrap_or(""),
        })?;
    }
    Ok(())
}

/// The texts of an argument.
struct Args<'a> {
    position: u64,
    argument_type: Cow<'a, str>,
    name: Cow<'a, str>,
    value: Option<Cow<'a, str>>,
    extdata: Cow<'a, str>,
}

impl Args<'_> {
    /// # Safety
    /// `args` is NULL, or there are `count` of them, with texts as the header asks.
    unsafe fn read(args: *const ph_writer_arg_t, count: u64) -> Result<Vec<Self>, Failure> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let most = isize::MAX.unsigned_abs() / size_of::<ph_writer_arg_t>();
        let count = usize::try_from(count).ok().filter(|&count| count <= most);
        let Some(count) = count.filter(|_| !args.is_null()) else {
            return Err(Failure::argument(
                "args is NULL, or arg_count is larger than any array",
            ));
        };
        // SAFETY: not NULL, and the caller promises that so many are there.
        let args = unsafe { std::slice::from_raw_parts(args, count) };
        let args = args.iter().map(|arg| {
            // SAFETY: as the caller promises.
            unsafe {
                Ok(Self {
                    position: arg.position,
                    argument_type: given(arg.r#type)?.unwrap_or_default(),
                    name: given(arg.name)?.unwrap_or_default(),
                    value: given(arg.value)?,
                    extdata: given(arg.extdata)?.unwrap_or_default(),
                })
            }
        });
        args.collect()
    }

    fn row(&self) -> w::Arg<'_> {
        w::Arg {
            position: self.position,
            arg_type: &self.argument_type,
            name: &self.name,
            value: self.value.as_deref(),
            extdata: &self.extdata,
        }
    }
}

/// # Safety
/// As for the exported functions.
unsafe fn kernel_dispatch(
    session: &mut Session,
    data: &ph_writer_kernel_dispatch_t,
    environment: *const ph_writer_environment_t,
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let place = Place::find(session, environment)?;
        let event = EventTexts::read(data.event)?;
        let name_text = given(data.name)?;
        let extdata_text = given(data.extdata)?.unwrap_or_default();
        let agent = optional_agent(place.environment.agent)?.ok_or_else(|| missing("agent"))?;
        let dispatch = w::KernelDispatch {
            process: place.process,
            thread: place.thread(session)?,
            agent: session.agent(place.process, agent)?,
            kernel: KernelSymbolId::new(data.kernel_symbol_id),
            dispatch_id: data.dispatch_id,
            queue: place.queue().ok_or_else(|| missing("queue_id"))?,
            stream: place.stream().ok_or_else(|| missing("stream_id"))?,
            start: data.start,
            end: data.end,
            private_segment_size: number(data.private_segment_size),
            group_segment_size: number(data.group_segment_size),
            workgroup_size: data.workgroup_size,
            grid_size: data.grid_size,
            region_name: name_text.as_deref(),
            event: event.as_ref().map(EventTexts::row),
            track: place.track,
            extdata: &extdata_text,
        };
        session.writer().insert_kernel_dispatch(&dispatch)?;
    }
    Ok(())
}

/// # Safety
/// As for the exported functions.
unsafe fn memory_copy(
    session: &mut Session,
    data: &ph_writer_memory_copy_t,
    environment: *const ph_writer_environment_t,
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let place = Place::find(session, environment)?;
        let event = EventTexts::read(data.event)?;
        let name_text = given(data.name)?.unwrap_or_default();
        let region_name_text = given(data.region_name)?;
        let extdata_text = given(data.extdata)?.unwrap_or_default();
        let (dst, src) = (
            optional_agent(data.dst_agent)?,
            optional_agent(data.src_agent)?,
        );
        let copy = w::MemoryCopy {
            process: place.process,
            thread: place.thread(session)?,
            start: data.start,
            end: data.end,
            name: &name_text,
            dst_agent: session.optional_agent(place.process, dst)?,
            dst_address: number(data.dst_address),
            src_agent: session.optional_agent(place.process, src)?,
            src_address: number(data.src_address),
            size: data.bytes,
            queue: place.queue(),
            stream: place.stream(),
            region_name: region_name_text.as_deref(),
            event: event.as_ref().map(EventTexts::row),
            track: place.track,
            extdata: &extdata_text,
        };
        session.writer().insert_memory_copy(&copy)?;
    }
    Ok(())
}

/// # Safety
/// As for the exported functions.
unsafe fn memory_alloc(
    session: &mut Session,
    data: &ph_writer_memory_alloc_t,
    environment: *const ph_writer_environment_t,
) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let place = Place::find(session, environment)?;
        let event = EventTexts::read(data.event)?;
        let extdata_text = given(data.extdata)?.unwrap_or_default();
        let agent = optional_agent(place.environment.agent)?;
        let allocation = w::MemoryAllocation {
            process: place.process,
            thread: place.thread(session)?,
            agent: session.optional_agent(place.process, agent)?,
            allocation_type: allocation_type(given(data.r#type)?.as_deref())?,
            level: allocation_level(given(data.level)?.as_deref())?,
            start: data.start,
            end: data.end,
            address: number(data.address),
            size: data.bytes,
            queue: place.queue(),
            stream: place.stream(),
            event: event.as_ref().map(EventTexts::row),
            track: place.track,
            extdata: &extdata_text,
        };
        session.writer().insert_memory_allocation(&allocation)?;
    }
    Ok(())
}

fn allocation_type(text: Option<&str>) -> Result<Option<AllocationType>, Failure> {
    Ok(Some(match text {
        None => return Ok(None),
        Some("ALLOC") => AllocationType::Alloc,
        Some("FREE") => AllocationType::Free,
        Some("REALLOC") => AllocationType::Realloc,
        Some("RECLAIM") => AllocationType::Reclaim,
        Some(other) => {
            return Err(unknown(
                "allocation type",
                other,
                "ALLOC, FREE, REALLOC, RECLAIM",
            ));
        }
    }))
}

fn allocation_level(text: Option<&str>) -> Result<Option<AllocationLevel>, Failure> {
    Ok(Some(match text {
        None => return Ok(None),
        Some("REAL") => AllocationLevel::Real,
        Some("VIRTUAL") => AllocationLevel::Virtual,
        Some("SCRATCH") => AllocationLevel::Scratch,
        Some(other) => return Err(unknown("allocation level", other, "REAL, VIRTUAL, SCRATCH")),
    }))
}

/// # Safety
/// As for the exported functions.
unsafe fn pmc_event(session: &mut Session, data: &ph_writer_pmc_event_t) -> Result<(), Failure> {
    // SAFETY: as the caller promises.
    unsafe {
        let event = EventTexts::read(data.event)?;
        let extdata_text = given(data.extdata)?.unwrap_or_default();
        let name = given(data.pmc_name)?.unwrap_or_default();
        let sample_extdata = given(data.sample_extdata)?.unwrap_or_default();
        let track = given(data.sample_track)?.and_then(|name| session.track(&name));
        let value = w::PmcEvent {
            pmc: session.pmc(&name, optional_agent(data.pmc_agent)?)?,
            value: data.value,
            event: event.as_ref().map(EventTexts::row),
            sample: track.map(|track| w::PmcSample {
                track,
                timestamp: data.sample_timestamp,
                extdata: &sample_extdata,
            }),
            extdata: &extdata_text,
        };
        session.writer().insert_pmc_event(&value)?;
    }
    Ok(())
}

/// Inserts the structs that pointers lead to, until one fails.
///
/// # Safety
/// `items` and `environments` are NULL, or there are `count` of each; `inserted` is NULL or can be
/// written; and what the exported functions ask for.
unsafe fn insert<T: Growing>(
    handle: ph_writer_t,
    items: *const *const T,
    environments: *const *const ph_writer_environment_t,
    count: u64,
    inserted: *mut u64,
    insert_one: impl Fn(&mut Session, &T, *const ph_writer_environment_t) -> Result<(), Failure>,
) -> ph_result_t {
    if !inserted.is_null() {
        // SAFETY: not NULL, and the caller promises that it can be written.
        unsafe { inserted.write(0) };
    }
    with_writer(handle, |session| {
        if count > 0 && items.is_null() {
            return Err(Failure::argument(format!(
                "items is NULL, but count is {count}"
            )));
        }
        for place in 0..usize::try_from(count).unwrap_or(usize::MAX) {
            // SAFETY: the caller promises that so many are there; zeros are a valid struct.
            let (item, environment) = unsafe {
                let environment = match environments.is_null() {
                    true => std::ptr::null(),
                    false => environments.add(place).read(),
                };
                (get_sized(items.add(place).read(), "data")?, environment)
            };
            insert_one(session, &item, environment)?;
            if !inserted.is_null() {
                // SAFETY: as above.
                unsafe { inserted.write(place as u64 + 1) };
            }
        }
        Ok(())
    })
}

/// Inserts a region with its arguments.
///
/// @param writer       A writer.
/// @param data         What to insert, size set.
/// @param environment  Where it happened, size set.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a struct is
///         NULL, a size is wrong, or it names what is not registered or not known: nothing of it
///         is left; PH_RESULT_INVALID_DATABASE if the file cannot be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_region(
    writer: ph_writer_t,
    data: *const ph_writer_region_t,
    environment: *const ph_writer_environment_t,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        with_writer(writer, |session| {
            let data = get_sized(data, "data")?;
            region(session, &data, environment)
        })
    }
}

/// Inserts regions, as many calls of ph_writer_insert_region would, until one fails.
///
/// @param writer        A writer.
/// @param items         A pointer to each, size set.
/// @param environments  A pointer to where each happened; the same may come again.
/// @param count         How many.
/// @param inserted      Where to write how many were inserted; may be NULL.
/// @return As ph_writer_insert_region, for the first that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_regions(
    writer: ph_writer_t,
    items: *const *const ph_writer_region_t,
    environments: *const *const ph_writer_environment_t,
    count: u64,
    inserted: *mut u64,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        insert(
            writer,
            items,
            environments,
            count,
            inserted,
            |session, data, environment| region(session, data, environment),
        )
    }
}

/// Inserts a kernel dispatch, whose agent, queue and stream must be set.
///
/// @param writer       A writer.
/// @param data         What to insert, size set.
/// @param environment  Where it happened, size set.
/// @return As ph_writer_insert_region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_kernel_dispatch(
    writer: ph_writer_t,
    data: *const ph_writer_kernel_dispatch_t,
    environment: *const ph_writer_environment_t,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        with_writer(writer, |session| {
            let data = get_sized(data, "data")?;
            kernel_dispatch(session, &data, environment)
        })
    }
}

/// Inserts kernel dispatches, as many calls of ph_writer_insert_kernel_dispatch would, until one fails.
///
/// @param writer        A writer.
/// @param items         A pointer to each, size set.
/// @param environments  A pointer to where each happened; the same may come again.
/// @param count         How many.
/// @param inserted      Where to write how many were inserted; may be NULL.
/// @return As ph_writer_insert_kernel_dispatch, for the first that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_kernel_dispatches(
    writer: ph_writer_t,
    items: *const *const ph_writer_kernel_dispatch_t,
    environments: *const *const ph_writer_environment_t,
    count: u64,
    inserted: *mut u64,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        insert(
            writer,
            items,
            environments,
            count,
            inserted,
            |session, data, environment| kernel_dispatch(session, data, environment),
        )
    }
}

/// Inserts a memory copy.
///
/// @param writer       A writer.
/// @param data         What to insert, size set.
/// @param environment  Where it happened, size set.
/// @return As ph_writer_insert_region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_memory_copy(
    writer: ph_writer_t,
    data: *const ph_writer_memory_copy_t,
    environment: *const ph_writer_environment_t,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        with_writer(writer, |session| {
            let data = get_sized(data, "data")?;
            memory_copy(session, &data, environment)
        })
    }
}

/// Inserts memory copies, as many calls of ph_writer_insert_memory_copy would, until one fails.
///
/// @param writer        A writer.
/// @param items         A pointer to each, size set.
/// @param environments  A pointer to where each happened; the same may come again.
/// @param count         How many.
/// @param inserted      Where to write how many were inserted; may be NULL.
/// @return As ph_writer_insert_memory_copy, for the first that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_memory_copies(
    writer: ph_writer_t,
    items: *const *const ph_writer_memory_copy_t,
    environments: *const *const ph_writer_environment_t,
    count: u64,
    inserted: *mut u64,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        insert(
            writer,
            items,
            environments,
            count,
            inserted,
            |session, data, environment| memory_copy(session, data, environment),
        )
    }
}

/// Inserts an allocation or release of memory.
///
/// @param writer       A writer.
/// @param data         What to insert, size set.
/// @param environment  Where it happened, size set.
/// @return As ph_writer_insert_region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_memory_alloc(
    writer: ph_writer_t,
    data: *const ph_writer_memory_alloc_t,
    environment: *const ph_writer_environment_t,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        with_writer(writer, |session| {
            let data = get_sized(data, "data")?;
            memory_alloc(session, &data, environment)
        })
    }
}

/// Inserts allocations, as many calls of ph_writer_insert_memory_alloc would, until one fails.
///
/// @param writer        A writer.
/// @param items         A pointer to each, size set.
/// @param environments  A pointer to where each happened; the same may come again.
/// @param count         How many.
/// @param inserted      Where to write how many were inserted; may be NULL.
/// @return As ph_writer_insert_memory_alloc, for the first that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_memory_allocs(
    writer: ph_writer_t,
    items: *const *const ph_writer_memory_alloc_t,
    environments: *const *const ph_writer_environment_t,
    count: u64,
    inserted: *mut u64,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        insert(
            writer,
            items,
            environments,
            count,
            inserted,
            |session, data, environment| memory_alloc(session, data, environment),
        )
    }
}

/// Inserts a value of a counter.
///
/// @param writer       A writer.
/// @param data         What to insert, size set.
/// @return As ph_writer_insert_region.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_pmc_event(
    writer: ph_writer_t,
    data: *const ph_writer_pmc_event_t,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        with_writer(writer, |session| {
            let data = get_sized(data, "data")?;
            pmc_event(session, &data)
        })
    }
}

/// Inserts values of counters, as many calls of ph_writer_insert_pmc_event would, until one fails.
///
/// @param writer        A writer.
/// @param items         A pointer to each, size set.
/// @param count         How many.
/// @param inserted      Where to write how many were inserted; may be NULL.
/// @return As ph_writer_insert_pmc_event, for the first that fails.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_writer_insert_pmc_events(
    writer: ph_writer_t,
    items: *const *const ph_writer_pmc_event_t,
    count: u64,
    inserted: *mut u64,
) -> ph_result_t {
    // SAFETY: as the header asks.
    unsafe {
        insert(
            writer,
            items,
            std::ptr::null(),
            count,
            inserted,
            |session, data, _| pmc_event(session, data),
        )
    }
}
