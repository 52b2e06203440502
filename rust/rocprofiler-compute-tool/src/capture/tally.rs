//! What was stored and what was lost, counted.

use std::sync::atomic::{AtomicU64, Ordering};

/// Why a dispatch did not get into the file. Always the whole dispatch: a part of its instances
/// would sum to a plausible wrong number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Reason {
    /// The disk did not keep up.
    DiskTooSlow,
    /// The file could not be written.
    NotWritten,
    /// It came after the end.
    TooLate,
    /// One of its records is of a counter that was not asked for, or of none.
    UnknownCounter,
}

impl Reason {
    const ALL: [(Self, &str); 4] = [
        (Self::DiskTooSlow, "the disk did not keep up"),
        (Self::NotWritten, "could not be written"),
        (Self::TooLate, "came too late"),
        (Self::UnknownCounter, "of an unknown counter"),
    ];
}

#[derive(Debug, Default)]
struct Count {
    dispatches: AtomicU64,
    values: AtomicU64,
}

impl Count {
    const fn new() -> Self {
        Self {
            dispatches: AtomicU64::new(0),
            values: AtomicU64::new(0),
        }
    }

    fn add(&self, (dispatches, values): (u64, u64)) {
        self.dispatches.fetch_add(dispatches, Ordering::Relaxed);
        self.values.fetch_add(values, Ordering::Relaxed);
    }

    fn get(&self) -> (u64, u64) {
        (
            self.dispatches.load(Ordering::Relaxed),
            self.values.load(Ordering::Relaxed),
        )
    }
}

/// Dispatches and values, stored and lost.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    stored: Count,
    lost: [Count; Reason::ALL.len()],
}

impl Tally {
    pub(crate) const fn new() -> Self {
        Self {
            stored: Count::new(),
            lost: [const { Count::new() }; Reason::ALL.len()],
        }
    }

    pub(crate) fn stored(&self, count: (u64, u64)) {
        self.stored.add(count);
    }

    pub(crate) fn lost(&self, reason: Reason, count: (u64, u64)) {
        if let Some(lost) = self.lost.get(reason as usize) {
            lost.add(count);
        }
    }

    pub(crate) fn stored_so_far(&self) -> (u64, u64) {
        self.stored.get()
    }

    pub(crate) fn lost_so_far(&self, reason: Reason) -> (u64, u64) {
        self.lost.get(reason as usize).map_or((0, 0), Count::get)
    }

    /// Whether anything was lost.
    pub(crate) fn any_lost(&self) -> bool {
        self.lost.iter().any(|count| count.get().0 > 0)
    }

    /// Lost dispatches and values, with the reasons in words: `3 dispatches (3 came too late)`.
    pub(crate) fn lost_in_words(&self) -> String {
        let counts = Reason::ALL.map(|(reason, words)| (self.lost_so_far(reason), words));
        let dispatches: u64 = counts.iter().map(|((dispatches, _), _)| dispatches).sum();
        let values: u64 = counts.iter().map(|((_, values), _)| values).sum();
        let total = format!("{dispatches} dispatches, {values} values");
        let reasons: Vec<String> = counts
            .iter()
            .filter(|((dispatches, _), _)| *dispatches > 0)
            .map(|((dispatches, _), words)| format!("{dispatches} {words}"))
            .collect();
        if reasons.is_empty() {
            total
        } else {
            format!("{total} ({})", reasons.join(", "))
        }
    }
}
