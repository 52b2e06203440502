//! Brings values into the order of dispatches, in little memory.
//!
//! Values mostly come nearly in order already, and a buffer is enough. Where they do not, sorted
//! runs go to a temporary file and are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use super::dispatches::Rank;
use crate::{Error, Result};

/// How many values are held: 16 bytes each.
const BUFFER: usize = 1 << 20;

/// Bytes of a run that are read at once.
const READ: usize = 32 * 1024;

/// A value on its way into the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) dispatch: Rank,
    /// The counter, by the place of its name in the order of names.
    pub(crate) counter: u32,
    /// NaN stands for NULL.
    pub(crate) value: f64,
}

/// Takes values in the order of dispatches; those of one dispatch in the order they came.
pub(crate) trait Take {
    fn take(&mut self, value: Value) -> Result<()>;
}

/// Why values could not be handed on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// A value came too late for its place: start again with [`Runs`].
    OutOfOrder,
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Orders values within a buffer.
pub(crate) struct Window {
    buffer: Vec<Value>,
    capacity: usize,
    /// The dispatch whose values were handed on last.
    floor: Rank,
}

impl Window {
    pub(crate) fn new() -> Self {
        Self::of(BUFFER)
    }

    fn of(capacity: usize) -> Self {
        Self {
            buffer: Vec::new(),
            capacity,
            floor: 0,
        }
    }

    pub(crate) fn push(&mut self, value: Value, to: &mut impl Take) -> Result<(), Halt> {
        if value.dispatch < self.floor {
            return Err(Halt::OutOfOrder);
        }
        if self.buffer.len() == self.capacity {
            self.hand_on(self.capacity / 2, to)?;
        }
        self.buffer.push(value);
        Ok(())
    }

    pub(crate) fn finish(mut self, to: &mut impl Take) -> Result<(), Halt> {
        self.hand_on(self.buffer.len(), to)
    }

    fn hand_on(&mut self, count: usize, to: &mut impl Take) -> Result<(), Halt> {
        sort(&mut self.buffer);
        for value in self.buffer.drain(..count) {
            self.floor = value.dispatch;
            to.take(value)?;
        }
        Ok(())
    }
}

/// Sorts by dispatch; values of one dispatch stay in order.
fn sort(values: &mut Vec<Value>) {
    if values.is_sorted_by_key(|value| value.dispatch) {
        return;
    }
    let dispatches = values.iter().map(|value| value.dispatch);
    let (first, last) = dispatches.fold((Rank::MAX, 0), |(first, last), dispatch| {
        (first.min(dispatch), last.max(dispatch))
    });
    let range = (last - first) as usize + 1;
    if range > values.len() {
        values.sort_by_key(|value| value.dispatch);
        return;
    }
    // Few dispatches: count them, and each value's place is known.
    let mut places = vec![0u32; range];
    for value in &*values {
        places[(value.dispatch - first) as usize] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        (*place, next) = (next, next + *place);
    }
    let mut sorted = values.clone();
    for value in &*values {
        let place = &mut places[(value.dispatch - first) as usize];
        sorted[*place as usize] = *value;
        *place += 1;
    }
    *values = sorted;
}

/// Orders any number of values through a temporary file.
pub(crate) struct Runs {
    buffer: Vec<Value>,
    capacity: usize,
    file: Option<BufWriter<File>>,
    /// How many values each run has.
    lengths: Vec<usize>,
}

impl Runs {
    pub(crate) fn new() -> Self {
        Self::of(BUFFER)
    }

    fn of(capacity: usize) -> Self {
        Self {
            buffer: Vec::new(),
            capacity,
            file: None,
            lengths: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, value: Value) -> Result<()> {
        self.buffer.push(value);
        if self.buffer.len() == self.capacity {
            self.write_run().map_err(spill_failed)?;
        }
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        sort(&mut self.buffer);
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for value in &self.buffer {
            file.write_all(&value.dispatch.to_ne_bytes())?;
            file.write_all(&value.counter.to_ne_bytes())?;
            file.write_all(&value.value.to_bits().to_ne_bytes())?;
        }
        self.lengths.push(self.buffer.len());
        self.buffer.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self, to: &mut impl Take) -> Result<()> {
        self.write_run().map_err(spill_failed)?;
        let Some(file) = self.file else { return Ok(()) };
        let file = file
            .into_inner()
            .map_err(|error| spill_failed(error.into_error()))?;
        drop(self.buffer);
        let mut runs = Vec::with_capacity(self.lengths.len());
        let mut start = 0;
        for length in self.lengths {
            runs.push(Run::new(&file, start, length));
            start += length as u64 * Run::VALUE;
        }
        // Of equal dispatches the earlier run comes first: their values stay in order.
        let mut heads = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            if let Some(value) = run.next().map_err(spill_failed)? {
                heads.push(Reverse((value.dispatch, number)));
                run.head = Some(value);
            }
        }
        while let Some(Reverse((dispatch, number))) = heads.pop() {
            let run = &mut runs[number];
            // The rest of the dispatch's values in this run follow without a look at the others.
            while let Some(value) = run.head.take() {
                if value.dispatch != dispatch {
                    heads.push(Reverse((value.dispatch, number)));
                    run.head = Some(value);
                    break;
                }
                to.take(value)?;
                run.head = run.next().map_err(spill_failed)?;
            }
        }
        Ok(())
    }
}

fn spill_failed(error: io::Error) -> Error {
    Error::output(&std::env::temp_dir(), "sort values in a temporary file")(error)
}

/// A sorted run in the file.
struct Run<'a> {
    file: BufReader<At<'a>>,
    left: usize,
    head: Option<Value>,
}

/// Reads a shared file at a place of its own.
struct At<'a> {
    file: &'a File,
    position: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(self.position))?;
        let read = self.file.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl<'a> Run<'a> {
    /// Bytes of a value in the file.
    const VALUE: u64 = 16;

    fn new(file: &'a File, position: u64, left: usize) -> Self {
        Self {
            file: BufReader::with_capacity(READ, At { file, position }),
            left,
            head: None,
        }
    }

    fn next(&mut self) -> io::Result<Option<Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let (mut dispatch, mut counter, mut value) = ([0; 4], [0; 4], [0; 8]);
        self.file.read_exact(&mut dispatch)?;
        self.file.read_exact(&mut counter)?;
        self.file.read_exact(&mut value)?;
        Ok(Some(Value {
            dispatch: Rank::from_ne_bytes(dispatch),
            counter: u32::from_ne_bytes(counter),
            value: f64::from_bits(u64::from_ne_bytes(value)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Taken(Vec<Value>);

    impl Take for Taken {
        fn take(&mut self, value: Value) -> Result<()> {
            self.0.push(value);
            Ok(())
        }
    }

    fn values(dispatches: impl IntoIterator<Item = u32>) -> Vec<Value> {
        (0..)
            .zip(dispatches)
            .map(|(number, dispatch)| Value {
                dispatch,
                counter: number,
                value: f64::from(number),
            })
            .collect()
    }

    fn sorted(mut values: Vec<Value>) -> Vec<Value> {
        values.sort_by_key(|value| value.dispatch);
        values
    }

    fn shuffled(count: u32) -> Vec<Value> {
        values((0..count).map(|i| i.wrapping_mul(2_654_435_761) % 97))
    }

    #[test]
    fn a_window_puts_near_values_in_order() {
        let nearly = values((0..1000).map(|i| (i / 4) ^ 1));
        let mut window = Window::of(64);
        let mut taken = Taken(Vec::new());
        for &value in &nearly {
            window.push(value, &mut taken).unwrap();
        }
        window.finish(&mut taken).unwrap();
        assert_eq!(taken.0, sorted(nearly));
    }

    #[test]
    fn a_window_says_when_a_value_comes_too_late() {
        let mut window = Window::of(64);
        let mut taken = Taken(Vec::new());
        let halted = shuffled(1000)
            .into_iter()
            .try_for_each(|value| window.push(value, &mut taken));
        assert!(matches!(halted, Err(Halt::OutOfOrder)));
    }

    #[test]
    fn runs_put_any_values_in_order() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let mut runs = Runs::of(64);
            let mut taken = Taken(Vec::new());
            for value in shuffled(count) {
                runs.push(value).unwrap();
            }
            runs.finish(&mut taken).unwrap();
            assert_eq!(taken.0, sorted(shuffled(count)), "{count}");
        }
    }

    #[test]
    fn one_dispatch_may_have_more_values_than_fit() {
        let many = values(std::iter::repeat_n(7, 1000));
        let mut window = Window::of(64);
        let mut taken = Taken(Vec::new());
        for &value in &many {
            window.push(value, &mut taken).unwrap();
        }
        window.finish(&mut taken).unwrap();
        assert_eq!(taken.0, many);
    }
}
