//! What a dispatch table looks like in memory.

/// What a table begins with; both say how many bytes the table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// Eight bytes: the size of the table in bytes, as the runtime was built. HIP, ROCTx.
    Size,
    /// Sixteen bytes, four `u32`: major, minor, step, reserved. HSA, whose runtime puts the size of
    /// the table in bytes into minor.
    Version,
}

impl Header {
    /// Bytes of the header.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Size => 8,
            Self::Version => 16,
        }
    }
}

/// A slot of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotInfo {
    /// The field's name in the runtime's header.
    pub name: &'static str,
    /// Bytes from the start of the table.
    pub offset: usize,
}

/// The layout of a table.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The table's type in the runtime's header.
    pub name: &'static str,
    /// What it begins with.
    pub header: Header,
    /// The slots known here, by rising offset.
    pub slots: &'static [SlotInfo],
}

impl Layout {
    /// The slot of this name.
    #[must_use]
    pub const fn slot(&self, name: &str) -> Option<&SlotInfo> {
        let mut index = 0;
        while index < self.slots.len() {
            if same(self.slots[index].name.as_bytes(), name.as_bytes()) {
                return Some(&self.slots[index]);
            }
            index += 1;
        }
        None
    }

    /// Bytes of a table that ends with the last slot known here.
    #[must_use]
    pub const fn known_size(&self) -> usize {
        match self.slots.last() {
            Some(last) => last.offset + size_of::<*const ()>(),
            None => self.header.bytes(),
        }
    }
}

/// `==` of byte strings, in constants too.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOTS: &[SlotInfo] = &[
        SlotInfo {
            name: "ab",
            offset: 8,
        },
        SlotInfo {
            name: "abc",
            offset: 16,
        },
    ];
    const LAYOUT: Layout = Layout {
        name: "t",
        header: Header::Size,
        slots: SLOTS,
    };

    #[test]
    fn a_slot_is_found_by_its_whole_name() {
        assert_eq!(LAYOUT.slot("abc"), Some(&SLOTS[1]));
        assert_eq!(LAYOUT.slot("ab"), Some(&SLOTS[0]));
        for name in ["", "a", "abcd", "abd"] {
            assert_eq!(LAYOUT.slot(name), None, "{name}");
        }
    }

    #[test]
    fn the_known_size_ends_with_the_last_slot() {
        assert_eq!(LAYOUT.known_size(), 24);
        assert_eq!(
            Layout {
                slots: &[],
                ..LAYOUT
            }
            .known_size(),
            8
        );
    }
}
