//! Inserting: what happened, row by row. Everything is checked before the first row is written.

use rusqlite::params;

use super::bulk::{EventRow, ValueRow};
use super::{
    Arg, BATCH_ROWS, Event, KernelDispatch, MemoryAllocation, MemoryCopy, PmcEvent, PmcId, Region,
    Sample, TrackId, Writer, stored_json,
};
use crate::Result;

/// Errors of all of them: [`Error::Unregistered`](crate::Error::Unregistered) if a row refers to
/// something that is not registered, [`Error::Write`](crate::Error::Write). After an error the call
/// has left no row. Counter values wait in memory for others to be written with: if that fails, it
/// is the error of a later call or of the commit, and all that waited are lost.
impl Writer {
    /// Inserts a region with its arguments.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_region(&mut self, region: &Region<'_>) -> Result<()> {
        let process = self.registry.process_of(region.thread)?;
        let node = self.registry.node_of(process)?;
        self.registry.check_track(region.track)?;
        let name = self.intern(region.name)?;
        let event = match region.event {
            None if !region.args.is_empty() => Some(Event::default()),
            event => event,
        };
        self.with_event(event, region.track, region.start, |writer, event| {
            for arg in region.args {
                writer.insert_arg(event, arg)?;
            }
            writer.execute(
                &writer.statements.region,
                params![
                    node,
                    process,
                    region.thread,
                    region.start.cast_signed(),
                    region.end.cast_signed(),
                    name,
                    event,
                    stored_json(region.extdata),
                ],
            )
        })
    }

    /// Inserts a kernel dispatch.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_kernel_dispatch(&mut self, dispatch: &KernelDispatch<'_>) -> Result<()> {
        let node = self.registry.node_of(dispatch.process)?;
        self.registry.check_thread(dispatch.thread)?;
        self.registry.check_agent(Some(dispatch.agent))?;
        self.registry.check_kernel_symbol(dispatch.kernel)?;
        self.registry.check_queue(Some(dispatch.queue))?;
        self.registry.check_stream(Some(dispatch.stream))?;
        self.registry.check_track(dispatch.track)?;
        let region = self.string(dispatch.region_name)?;
        let [workgroup_x, workgroup_y, workgroup_z] = dispatch.workgroup_size.map(u64::cast_signed);
        let [grid_x, grid_y, grid_z] = dispatch.grid_size.map(u64::cast_signed);
        self.with_event(
            dispatch.event,
            dispatch.track,
            dispatch.start,
            |writer, event| {
                writer.execute(
                    &writer.statements.kernel_dispatch,
                    params![
                        node,
                        dispatch.process,
                        dispatch.thread,
                        dispatch.agent,
                        dispatch.kernel,
                        dispatch.dispatch_id.cast_signed(),
                        dispatch.queue,
                        dispatch.stream,
                        dispatch.start.cast_signed(),
                        dispatch.end.cast_signed(),
                        dispatch.private_segment_size.map(u64::cast_signed),
                        dispatch.group_segment_size.map(u64::cast_signed),
                        workgroup_x,
                        workgroup_y,
                        workgroup_z,
                        grid_x,
                        grid_y,
                        grid_z,
                        region,
                        event,
                        stored_json(dispatch.extdata),
                    ],
                )
            },
        )
    }

    /// Inserts a copy of memory.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_memory_copy(&mut self, copy: &MemoryCopy<'_>) -> Result<()> {
        let node = self.registry.node_of(copy.process)?;
        self.registry.check_thread(copy.thread)?;
        self.registry.check_agent(copy.dst_agent)?;
        self.registry.check_agent(copy.src_agent)?;
        self.registry.check_queue(copy.queue)?;
        self.registry.check_stream(copy.stream)?;
        self.registry.check_track(copy.track)?;
        let name = self.intern(copy.name)?;
        let region = self.string(copy.region_name)?;
        self.with_event(copy.event, copy.track, copy.start, |writer, event| {
            writer.execute(
                &writer.statements.memory_copy,
                params![
                    node,
                    copy.process,
                    copy.thread,
                    copy.start.cast_signed(),
                    copy.end.cast_signed(),
                    name,
                    copy.dst_agent,
                    copy.dst_address.map(u64::cast_signed),
                    copy.src_agent,
                    copy.src_address.map(u64::cast_signed),
                    copy.size.cast_signed(),
                    copy.queue,
                    copy.stream,
                    region,
                    event,
                    stored_json(copy.extdata),
                ],
            )
        })
    }

    /// Inserts an allocation or release of memory.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_memory_allocation(&mut self, memory: &MemoryAllocation<'_>) -> Result<()> {
        let node = self.registry.node_of(memory.process)?;
        self.registry.check_thread(memory.thread)?;
        self.registry.check_agent(memory.agent)?;
        self.registry.check_queue(memory.queue)?;
        self.registry.check_stream(memory.stream)?;
        self.registry.check_track(memory.track)?;
        self.with_event(memory.event, memory.track, memory.start, |writer, event| {
            writer.execute(
                &writer.statements.memory_allocate,
                params![
                    node,
                    memory.process,
                    memory.thread,
                    memory.agent,
                    memory.allocation_type,
                    memory.level,
                    memory.start.cast_signed(),
                    memory.end.cast_signed(),
                    memory.address.map(u64::cast_signed),
                    memory.size.cast_signed(),
                    memory.queue,
                    memory.stream,
                    event,
                    stored_json(memory.extdata),
                ],
            )
        })
    }

    /// Inserts a sample.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.registry.check_track(Some(sample.track))?;
        self.with_event(sample.event, None, 0, |writer, event| {
            writer.sample(sample.track, sample.timestamp, event, sample.extdata)
        })
    }

    /// Inserts a counter value with an event of its own.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_pmc_event(&mut self, value: &PmcEvent<'_>) -> Result<()> {
        self.registry.check_pmc(value.pmc)?;
        self.registry.check_track(value.sample.map(|s| s.track))?;
        let plain_event = value.event.is_none_or(|event| {
            [event.call_stack, event.line_info, event.extdata]
                .iter()
                .all(|json| json.is_empty())
        });
        if plain_event && value.sample.is_none() && value.extdata.is_empty() {
            let event = match &value.event {
                Some(event) => {
                    let category_id = self.string(event.category)?;
                    Some(self.add_event(EventRow {
                        category_id,
                        stack_id: event.stack_id.map(u64::cast_signed),
                        parent_stack_id: event.parent_stack_id.map(u64::cast_signed),
                        correlation_id: event.correlation_id.map(u64::cast_signed),
                    }))
                }
                None => None,
            };
            self.add_value(event, value.pmc, value.value);
            return self.flush_if_full();
        }
        self.flush()?;
        self.with_event(value.event, None, 0, |writer, event| {
            if let (Some(sample), Some(_)) = (value.sample, event) {
                writer.sample(sample.track, sample.timestamp, event, sample.extdata)?;
            }
            writer.execute(
                &writer.statements.pmc_event,
                params![event, value.pmc, value.value, stored_json(value.extdata)],
            )
        })
    }

    /// Inserts all counter values of one dispatch on one event that they share, whose correlation
    /// id is the dispatch id: half the rows of [`Writer::insert_pmc_event`].
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_counter_values(
        &mut self,
        dispatch_id: u64,
        values: &[(PmcId, f64)],
    ) -> Result<()> {
        for (pmc, _) in values {
            self.registry.check_pmc(*pmc)?;
        }
        if values.is_empty() {
            return Ok(());
        }
        let event = self.add_event(EventRow {
            category_id: None,
            stack_id: None,
            parent_stack_id: None,
            correlation_id: Some(dispatch_id.cast_signed()),
        });
        for (pmc, value) in values {
            self.add_value(Some(event), *pmc, *value);
        }
        self.flush_if_full()
    }

    /// Queues an event and gives the id that SQLite will choose.
    fn add_event(&mut self, event: EventRow) -> i64 {
        // A file has less than 2^63 events, and the batch far less.
        let id = self
            .next_event
            .saturating_add_unsigned(self.events.rows.len() as u64);
        self.events.rows.push(event);
        id
    }

    fn add_value(&mut self, event_id: Option<i64>, pmc: PmcId, value: f64) {
        self.values.rows.push(ValueRow {
            event_id,
            pmc_id: pmc.sql(),
            value,
        });
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.events.rows.len() + self.values.rows.len() < BATCH_ROWS {
            return Ok(());
        }
        self.flush()
    }

    /// Inserts an event if there is one, then what hangs on it, then its sample on a track: all of
    /// it or nothing.
    fn with_event(
        &mut self,
        event: Option<Event<'_>>,
        track: Option<TrackId>,
        timestamp: u64,
        insert: impl FnOnce(&mut Self, Option<i64>) -> Result<i64>,
    ) -> Result<()> {
        // The events that wait have lower ids.
        self.flush()?;
        let Some(event) = event else {
            self.begin()?;
            return insert(self, None).map(|_| ());
        };
        let category = self.string(event.category)?;
        self.atomically(|writer| {
            let id = writer.execute(
                &writer.statements.event,
                params![
                    category,
                    event.stack_id.map(u64::cast_signed),
                    event.parent_stack_id.map(u64::cast_signed),
                    event.correlation_id.map(u64::cast_signed),
                    stored_json(event.call_stack),
                    stored_json(event.line_info),
                    stored_json(event.extdata),
                ],
            )?;
            writer.next_event = id + 1;
            insert(writer, Some(id))?;
            if let Some(track) = track {
                writer.sample(track, timestamp, Some(id), "")?;
            }
            Ok(())
        })
    }

    fn insert_arg(&mut self, event: Option<i64>, arg: &Arg<'_>) -> Result<()> {
        self.execute(
            &self.statements.arg,
            params![
                event,
                arg.position.cast_signed(),
                arg.arg_type,
                arg.name,
                arg.value,
                stored_json(arg.extdata),
            ],
        )?;
        Ok(())
    }

    fn sample(
        &mut self,
        track: TrackId,
        timestamp: u64,
        event: Option<i64>,
        extdata: &str,
    ) -> Result<i64> {
        self.execute(
            &self.statements.sample,
            params![track, timestamp.cast_signed(), event, stored_json(extdata)],
        )
    }
}
