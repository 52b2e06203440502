//! What a thread records: six words, and the message behind them.

/// Words in front of a message.
pub(crate) const HEADER: usize = 6;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A call, from `start` to `end`.
    Call = 0,
    /// A range of the thread opened at `start`.
    Push = 1,
    /// The thread's range `stack_id` closed at `end`.
    Pop = 2,
    /// A range of the process, `range`, opened at `start`.
    Start = 3,
    /// A range of the process, `range`, closed at `end`.
    Stop = 4,
}

/// A record, with its message apart. Times are ticks of [`clock`](crate::clock).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// What happened.
    pub kind: Kind,
    /// Index into [`FUNCTIONS`](crate::functions::FUNCTIONS).
    pub function: u16,
    /// Which copy of the runtime; only of a range of the process.
    pub instance: u16,
    /// The call's number.
    pub stack_id: u64,
    /// The number of what is around it; 0 for nothing.
    pub parent_stack_id: u64,
    /// When it began.
    pub start: u64,
    /// When it ended.
    pub end: u64,
    /// The runtime's id of a range of the process.
    pub range: u64,
}

impl Record {
    /// The words in front of a message of `length` bytes.
    #[inline(always)]
    pub(crate) fn encode(&self, length: u32) -> [u64; HEADER] {
        let head = u64::from(self.kind as u8)
            | (u64::from(self.instance & 0xff) << 8)
            | (u64::from(self.function) << 16)
            | (u64::from(length) << 32);
        [
            head,
            self.stack_id,
            self.parent_stack_id,
            self.start,
            self.end,
            self.range,
        ]
    }

    /// The record, and the bytes of its message.
    pub(crate) fn decode(words: [u64; HEADER]) -> (Self, usize) {
        let [head, stack_id, parent_stack_id, start, end, range] = words;
        let [kind, instance, low, high, length @ ..] = head.to_le_bytes();
        let kind = match kind {
            0 => Kind::Call,
            1 => Kind::Push,
            2 => Kind::Pop,
            3 => Kind::Start,
            _ => Kind::Stop,
        };
        let record = Self {
            kind,
            function: u16::from_le_bytes([low, high]),
            instance: u16::from(instance),
            stack_id,
            parent_stack_id,
            start,
            end,
            range,
        };
        (
            record,
            usize::try_from(u32::from_le_bytes(length)).unwrap_or(0),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_decoded_as_it_was_encoded() {
        for kind in [Kind::Call, Kind::Push, Kind::Pop, Kind::Start, Kind::Stop] {
            let record = Record {
                kind,
                function: 0xfedc,
                instance: 3,
                stack_id: u64::MAX,
                parent_stack_id: 1 << 63,
                start: 5,
                end: u64::MAX - 1,
                range: 7,
            };
            let length = u32::MAX - 2;
            assert_eq!(
                Record::decode(record.encode(length)),
                (record, usize::try_from(length).unwrap())
            );
        }
    }
}
