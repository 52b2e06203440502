//! The names of events: each text kept once, and a name no larger than a pointer.
//!
//! A trace has millions of events and some hundred names, so an event holds a pointer of eight
//! bytes. The text ends with a NUL, so that a foreign interface can hand the pointer out as it is.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use rustc_hash::FxHashMap;

/// A text that lives as long as the reader it comes from.
///
/// What is not UTF-8 in the file comes with U+FFFD in place of each invalid part.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Name<'r> {
    /// The first byte of the text; four bytes before it tell its length, a NUL follows it.
    first: NonNull<u8>,
    reader: PhantomData<&'r str>,
}

// SAFETY: a name is a shared reference to bytes that never change while it lives.
unsafe impl Send for Name<'_> {}
// SAFETY: as above.
unsafe impl Sync for Name<'_> {}

/// How many bytes before the text tell its length.
const PREFIX: usize = size_of::<u32>();

/// What the empty name points into.
static EMPTY: [u8; PREFIX + 1] = [0; PREFIX + 1];

impl<'r> Name<'r> {
    /// The name of what has none.
    #[must_use]
    pub fn empty() -> Self {
        Self::at(&EMPTY)
    }

    /// The name in an entry: length, text, NUL.
    fn at(entry: &'r [u8]) -> Self {
        Self {
            first: NonNull::from(entry).cast::<u8>().map_addr(|start| {
                // An entry is longer than its prefix, so the sum is an address inside it.
                start.saturating_add(PREFIX)
            }),
            reader: PhantomData,
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(self) -> &'r str {
        // SAFETY: `first` lies in an entry, which begins with the text's length as four bytes, and
        // whose text was a `str` when it was copied in. Entries live and stay for 'r.
        unsafe {
            let prefix = self.first.sub(PREFIX).cast::<[u8; PREFIX]>().read();
            let length = u32::from_ne_bytes(prefix) as usize;
            let bytes = std::slice::from_raw_parts(self.first.as_ptr(), length);
            std::str::from_utf8_unchecked(bytes)
        }
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.as_str().is_empty()
    }

    /// The text's first byte; a NUL follows the text's last.
    #[must_use]
    pub fn as_ptr(self) -> *const u8 {
        self.first.as_ptr()
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.first == other.first || self.as_str() == other.as_str()
    }
}

impl Eq for Name<'_> {}

/// Owns the texts. Names of it are `'static` inside the reader only, and leave it shortened.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Never grown beyond its capacity once something points into it, so nothing in it moves.
    chunks: Vec<Vec<u8>>,
}

/// Bytes of a chunk, if no text needs more.
const CHUNK: usize = 1 << 16;

/// Takes texts in, each once.
#[derive(Default)]
pub(crate) struct Interner {
    names: Names,
    by_text: FxHashMap<Box<str>, Name<'static>>,
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> Name<'static> {
        if text.is_empty() {
            return Name::empty();
        }
        if let Some(&name) = self.by_text.get(text) {
            return name;
        }
        let name = self.names.push(text);
        self.by_text.insert(text.into(), name);
        name
    }

    pub(crate) fn finish(self) -> Names {
        self.names
    }
}

impl Names {
    fn push(&mut self, text: &str) -> Name<'static> {
        // SQLite's texts are below 2^31 bytes.
        let Ok(length) = u32::try_from(text.len()) else {
            return Name::empty();
        };
        let need = PREFIX + text.len() + 1;
        let fits = (self.chunks.last()).is_some_and(|c| c.capacity() - c.len() >= need);
        if !fits {
            self.chunks.push(Vec::with_capacity(need.max(CHUNK)));
        }
        let chunk = self.chunks.last_mut().expect("pushed just now if none was");
        let start = chunk.len();
        chunk.extend_from_slice(&length.to_ne_bytes());
        chunk.extend_from_slice(text.as_bytes());
        chunk.push(0);
        let entry = &raw const chunk[start..];
        // SAFETY: the chunk never grows beyond its capacity, so the bytes stay where they are for
        // as long as `self` lives; whoever holds `self` shortens the lifetime to that.
        Name::at(unsafe { &*entry })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_text_and_end_with_nul() {
        let mut interner = Interner::default();
        let long = "x".repeat(3 * CHUNK);
        let texts = ["", "a", "核函数(int)", "with\0nul", &long, "a"];
        let names: Vec<_> = texts.iter().map(|text| interner.intern(text)).collect();
        let many: Vec<_> = (0..20_000)
            .map(|i| interner.intern(&format!("name {i}")))
            .collect();
        let _names = interner.finish();
        for (text, name) in texts.iter().zip(&names) {
            assert_eq!(name.as_str(), *text);
            // SAFETY: the entry goes one byte beyond the text.
            assert_eq!(unsafe { *name.as_ptr().add(text.len()) }, 0);
        }
        assert_eq!(
            names[1].as_ptr(),
            names[5].as_ptr(),
            "one text, one pointer"
        );
        for (i, name) in many.iter().enumerate() {
            assert_eq!(name.as_str(), format!("name {i}"));
        }
    }
}
