//! The functions that are recorded: their names, and their signatures, without which nothing can be
//! wrapped.

mod hip;
mod hsa;
mod list;
mod observers;
mod roctx;

use std::collections::HashSet;

use profiler_hub_intercept::{Handover, SlotError, SlotState, Table, WrapError, Wrapped};

use crate::report;

pub(crate) use list::{FUNCTIONS, Id};

/// A function that is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Function {
    /// Its public name.
    pub name: &'static str,
    /// The category of its regions.
    pub category: &'static str,
    /// Whether its first argument is a message.
    pub has_message: bool,
}

/// Wraps every function of the handover whose signature is built in. What is left alone is named at
/// the end of the process.
pub(crate) fn wrap(handover: &Handover<'_>) {
    for table in handover.tables() {
        let mut wrapping = Wrapping {
            table: &table,
            wrapped: HashSet::new(),
            null: Vec::new(),
            refused: Vec::new(),
        };
        roctx::wrap(&mut wrapping);
        hip::wrap(&mut wrapping);
        hsa::wrap(&mut wrapping);
        wrapping.name_the_rest();
    }
}

/// A table that is being wrapped.
struct Wrapping<'a> {
    table: &'a Table<'a>,
    wrapped: HashSet<&'static str>,
    /// Functions whose signature is known, in slots that hold NULL.
    null: Vec<&'static str>,
    refused: Vec<String>,
}

impl Wrapping<'_> {
    /// Takes note of what came of a slot.
    fn note(&mut self, wrapped: Result<Wrapped, WrapError>) {
        match wrapped {
            Ok(wrapped) => {
                self.wrapped.insert(wrapped.slot());
            }
            Err(WrapError::Slot(SlotError::Null { slot, .. })) => self.null.push(slot),
            // Counted with all slots behind the end.
            Err(WrapError::Slot(SlotError::PastEnd { .. })) => {}
            Err(WrapError::Slot(SlotError::OtherTable { .. })) => {}
            Err(error) => self.refused.push(error.to_string()),
        }
    }

    fn name_the_rest(self) {
        let name = self.table.layout().name;
        let (mut unknown, mut absent) = (Vec::new(), 0);
        for (slot, state) in self.table.slots() {
            match state {
                SlotState::PastEnd => absent += 1,
                SlotState::Present if !self.wrapped.contains(slot.name) => unknown.push(slot.name),
                SlotState::Present | SlotState::Null => {}
            }
        }
        // A table refuses all its functions for one reason.
        if let Some(first) = self.refused.first() {
            let others = self.refused.len() - 1;
            report::say_at_the_end(format!(
                "{name}: {first}, and so for {others} other functions"
            ));
            return;
        }
        let newer = self.table.unknown_slots();
        if !unknown.is_empty() || newer > 0 {
            let count = unknown.len();
            let names = unknown.join(", ");
            let newer = if newer > 0 {
                format!("; and {newer} that are newer than this tool")
            } else {
                String::new()
            };
            report::say_at_the_end(format!(
                "{name}: left alone for want of a signature: {count} functions: {names}{newer}"
            ));
        }
        if !self.null.is_empty() {
            let names = self.null.join(", ");
            report::say_at_the_end(format!("{name}: NULL in this runtime: {names}"));
        }
        if absent > 0 {
            report::say_at_the_end(format!(
                "{name}: this runtime is older than {absent} of its functions known here"
            ));
        }
    }
}
