//! Inserting: what happened. Everything is checked before anything is kept or written.

use rusqlite::params;

use super::pending::{ArgRow, EventRest, EventRow, Extdata, RegionRow, SampleRow, ValueRow};
use super::{
    Arg, Event, KernelDispatch, MemoryAllocation, MemoryCopy, PmcEvent, PmcId, Region, Sample,
    TrackId, Writer, stored_json,
};
use crate::Result;

/// Errors of all of them: [`Error::Unregistered`](crate::Error::Unregistered) if a row would refer
/// to something that is not registered, then the call has left nothing;
/// [`Error::Write`](crate::Error::Write), then everything since the last commit is undone: rows
/// wait in memory for others to be written with, so that a call may meet the trouble of earlier
/// ones.
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
        let event = match &region.event {
            None if !region.args.is_empty() => Some(self.event_row(&Event::default())?),
            event => self.optional_event_row(event.as_ref())?,
        };
        let event_id = self.push_event(event, region.track, region.start);
        if let Some(event_id) = event_id {
            for arg in region.args {
                self.pending.arg(arg_row(event_id, arg));
            }
        }
        self.pending.region(RegionRow {
            numbers: [
                node.sql(),
                process.sql(),
                region.thread.sql(),
                region.start.cast_signed(),
                region.end.cast_signed(),
                name,
            ],
            event_id,
            extdata: Extdata::new(region.extdata),
        });
        self.flush_if_full()
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
        let region = self.optional_string(dispatch.region_name)?;
        let event = self.optional_event_row(dispatch.event.as_ref())?;
        let [workgroup_x, workgroup_y, workgroup_z] = dispatch.workgroup_size.map(u64::cast_signed);
        let [grid_x, grid_y, grid_z] = dispatch.grid_size.map(u64::cast_signed);
        self.write(
            |s| &s.kernel_dispatch,
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
                event.as_ref().map(|_| self.pending.next_event()),
                stored_json(dispatch.extdata),
            ],
        )?;
        self.push_event(event, dispatch.track, dispatch.start);
        self.flush_if_full()
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
        let region = self.optional_string(copy.region_name)?;
        let event = self.optional_event_row(copy.event.as_ref())?;
        self.write(
            |s| &s.memory_copy,
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
                event.as_ref().map(|_| self.pending.next_event()),
                stored_json(copy.extdata),
            ],
        )?;
        self.push_event(event, copy.track, copy.start);
        self.flush_if_full()
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
        let event = self.optional_event_row(memory.event.as_ref())?;
        self.write(
            |s| &s.memory_allocate,
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
                event.as_ref().map(|_| self.pending.next_event()),
                stored_json(memory.extdata),
            ],
        )?;
        self.push_event(event, memory.track, memory.start);
        self.flush_if_full()
    }

    /// Inserts a sample.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.registry.check_track(Some(sample.track))?;
        let event = self.optional_event_row(sample.event.as_ref())?;
        let event_id = self.push_event(event, None, 0);
        self.pending.sample(SampleRow {
            track_id: sample.track.sql(),
            timestamp: sample.timestamp.cast_signed(),
            event_id,
            extdata: Extdata::new(sample.extdata),
        });
        self.flush_if_full()
    }

    /// Inserts a counter value with an event of its own.
    ///
    /// # Errors
    /// As for all of them.
    pub fn insert_pmc_event(&mut self, value: &PmcEvent<'_>) -> Result<()> {
        self.registry.check_pmc(value.pmc)?;
        self.registry.check_track(value.sample.map(|s| s.track))?;
        let event = self.optional_event_row(value.event.as_ref())?;
        let event_id = self.push_event(event, None, 0);
        if let (Some(sample), Some(_)) = (value.sample, event_id) {
            self.pending.sample(SampleRow {
                track_id: sample.track.sql(),
                timestamp: sample.timestamp.cast_signed(),
                event_id,
                extdata: Extdata::new(sample.extdata),
            });
        }
        self.pending.value(ValueRow {
            event_id,
            pmc_id: value.pmc.sql(),
            value: value.value,
            extdata: Extdata::new(value.extdata),
        });
        self.flush_if_full()
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
        let event_id = self.pending.next_event();
        self.pending.event(EventRow {
            correlation_id: Some(dispatch_id.cast_signed()),
            rest: None,
        });
        for (pmc, value) in values {
            self.pending.value(ValueRow {
                event_id: Some(event_id),
                pmc_id: pmc.sql(),
                value: *value,
                extdata: Extdata::default(),
            });
        }
        self.flush_if_full()
    }

    /// Puts an event that is there among what waits, and its sample on a track if it is to have one.
    fn push_event(
        &mut self,
        event: Option<EventRow>,
        track: Option<TrackId>,
        timestamp: u64,
    ) -> Option<i64> {
        let event = event?;
        let event_id = Some(self.pending.next_event());
        self.pending.event(event);
        if let Some(track) = track {
            self.pending.sample(SampleRow {
                track_id: track.sql(),
                timestamp: timestamp.cast_signed(),
                event_id,
                extdata: Extdata::default(),
            });
        }
        event_id
    }

    fn optional_event_row(&mut self, event: Option<&Event<'_>>) -> Result<Option<EventRow>> {
        event.map(|event| self.event_row(event)).transpose()
    }

    fn event_row(&mut self, event: &Event<'_>) -> Result<EventRow> {
        let correlation_id = event.correlation_id.map(u64::cast_signed);
        let json = [event.call_stack, event.line_info, event.extdata];
        let has_json = !json.iter().all(|text| text.is_empty());
        let ids = (event.category, event.stack_id, event.parent_stack_id);
        let rest = if has_json || ids != (None, None, None) {
            Some(Box::new(EventRest {
                category_id: self.optional_string(event.category)?,
                stack_id: event.stack_id.map(u64::cast_signed),
                parent_stack_id: event.parent_stack_id.map(u64::cast_signed),
                json: has_json.then(|| json.map(|text| stored_json(text).into_owned())),
            }))
        } else {
            None
        };
        Ok(EventRow {
            correlation_id,
            rest,
        })
    }

    fn flush_if_full(&mut self) -> Result<()> {
        if self.pending.is_full() {
            self.flush()?;
        }
        Ok(())
    }
}

fn arg_row(event_id: i64, arg: &Arg<'_>) -> ArgRow {
    ArgRow {
        event_id,
        position: arg.position.cast_signed(),
        arg_type: arg.arg_type.into(),
        name: arg.name.into(),
        value: arg.value.map(Into::into),
        extdata: Extdata::new(arg.extdata),
    }
}
