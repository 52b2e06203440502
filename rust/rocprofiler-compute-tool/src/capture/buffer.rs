//! What a thread appends to: dispatches, each with its values, in plain memory.

use crate::plan::{AgentIndex, CounterIndex};

/// Values in a buffer. A dispatch that has more gets a buffer of its size.
const VALUES: usize = 1024;
/// Dispatches in a buffer.
const DISPATCHES: usize = 512;

/// A counted dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// The SDK's number.
    pub dispatch_id: u64,
    /// The SDK's number of the kernel.
    pub kernel_id: u64,
    /// Where it ran.
    pub agent: AgentIndex,
    /// LDS of a workgroup, bytes.
    pub lds: u32,
}

/// One value of one instance of a counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The counter.
    pub counter: CounterIndex,
    /// The value.
    pub value: f64,
}

/// Whole dispatches.
#[derive(Debug)]
pub struct Buffer {
    /// Each with the end of its values.
    dispatches: Vec<(Dispatch, usize)>,
    values: Vec<Value>,
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Buffer {
    /// A buffer without memory.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            dispatches: Vec::new(),
            values: Vec::new(),
        }
    }

    /// An empty buffer of the usual size.
    #[must_use]
    pub fn new() -> Self {
        Self {
            dispatches: Vec::with_capacity(DISPATCHES),
            values: Vec::with_capacity(VALUES),
        }
    }

    /// Whether a dispatch of so many values fits without growing. Into an empty one anything fits.
    #[must_use]
    pub fn has_room(&self, values: usize) -> bool {
        self.dispatches.is_empty()
            || (self.dispatches.len() < self.dispatches.capacity()
                && values <= self.values.capacity() - self.values.len())
    }

    /// Appends a dispatch.
    pub fn push(&mut self, dispatch: Dispatch, values: impl Iterator<Item = Value>) {
        self.values.extend(values);
        self.dispatches.push((dispatch, self.values.len()));
    }

    /// The dispatches with their values, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = (&Dispatch, &[Value])> {
        let mut start = 0;
        self.dispatches.iter().map(move |(dispatch, end)| {
            let values = self.values.get(start..*end).unwrap_or_default();
            start = *end;
            (dispatch, values)
        })
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dispatches.is_empty()
    }

    /// How many dispatches and values are in it.
    #[must_use]
    pub fn len(&self) -> (u64, u64) {
        (self.dispatches.len() as u64, self.values.len() as u64)
    }

    /// Bytes that it takes, whatever is in it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.dispatches.capacity() * size_of::<(Dispatch, usize)>()
            + self.values.capacity() * size_of::<Value>()
    }

    /// Empties it. Memory beyond the usual is given back.
    pub fn clear(&mut self) {
        self.dispatches.clear();
        self.values.clear();
        self.values.shrink_to(VALUES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispatch(dispatch_id: u64) -> Dispatch {
        Dispatch {
            dispatch_id,
            kernel_id: 1,
            agent: 0,
            lds: 0,
        }
    }

    fn values(count: u32) -> impl Iterator<Item = Value> {
        (0..count).map(|counter| Value {
            counter,
            value: f64::from(counter),
        })
    }

    #[test]
    fn dispatches_keep_their_values() {
        let mut buffer = Buffer::new();
        for (id, count) in [(1, 3), (2, 0), (3, 2)] {
            buffer.push(dispatch(id), values(count));
        }
        let found: Vec<_> = buffer
            .iter()
            .map(|(d, v)| (d.dispatch_id, v.len()))
            .collect();
        assert_eq!(found, [(1, 3), (2, 0), (3, 2)]);
        assert_eq!(buffer.len(), (3, 5));
        assert_eq!(
            buffer.iter().next().unwrap().1,
            values(3).collect::<Vec<_>>()
        );
    }

    #[test]
    fn nothing_grows_while_there_is_room() {
        let mut buffer = Buffer::new();
        let bytes = buffer.bytes();
        let mut pushed = 0;
        while buffer.has_room(3) {
            buffer.push(dispatch(pushed), values(3));
            pushed += 1;
        }
        assert!(pushed > 100);
        assert_eq!(buffer.bytes(), bytes);
    }

    #[test]
    fn a_huge_dispatch_fits_an_empty_buffer_and_its_memory_is_given_back() {
        let mut buffer = Buffer::new();
        let bytes = buffer.bytes();
        assert!(buffer.has_room(1_000_000));
        buffer.push(dispatch(1), values(1_000_000));
        assert!(!buffer.has_room(1) || buffer.bytes() > bytes);
        buffer.clear();
        assert!(buffer.is_empty());
        assert!(buffer.bytes() < 2 * bytes, "{}", buffer.bytes());
    }
}
