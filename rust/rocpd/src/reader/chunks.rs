//! A list that grows without moving what it holds, for what a scan gathers by the million.
//!
//! A vector that grows copies its elements to memory that the system has to hand out first; beside
//! a scan that shows. Lists are appended without a copy too, and become one vector at the end.

/// Elements in the order in which they came.
#[derive(Debug)]
pub(crate) struct Chunks<T> {
    /// Full ones, in order.
    full: Vec<Vec<T>>,
    last: Vec<T>,
}

/// Elements of the first chunk.
const FIRST: usize = 64;

/// Bytes of the largest chunk: below what the C library asks the system for each time.
const LARGEST: usize = 1 << 16;

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self {
            full: Vec::new(),
            last: Vec::new(),
        }
    }
}

impl<T: Copy> Chunks<T> {
    const MOST: usize = LARGEST / size_of::<T>();

    pub(crate) fn push(&mut self, element: T) {
        if self.last.len() == self.last.capacity() {
            let room = (2 * self.last.len()).clamp(FIRST, Self::MOST);
            let full = std::mem::replace(&mut self.last, Vec::with_capacity(room));
            if !full.is_empty() {
                self.full.push(full);
            }
        }
        self.last.push(element);
    }

    /// Takes over the elements of another list.
    pub(crate) fn append(&mut self, other: Self) {
        let mine = std::mem::replace(&mut self.last, other.last);
        if !mine.is_empty() {
            self.full.push(mine);
        }
        self.full.extend(other.full);
    }

    pub(crate) fn len(&self) -> usize {
        self.full.iter().map(Vec::len).sum::<usize>() + self.last.len()
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        if self.full.is_empty() {
            return self.last;
        }
        let mut all = Vec::with_capacity(self.len());
        // Each chunk is given back as soon as it is copied.
        for chunk in self.full {
            all.extend_from_slice(&chunk);
        }
        all.extend_from_slice(&self.last);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_vector_of_what_was_pushed_and_appended(
            lists in proptest::collection::vec(0_usize..3 * Chunks::<usize>::MOST, 0..4)
        ) {
            let (mut chunks, mut expected) = (Chunks::default(), Vec::new());
            for length in lists {
                let mut more = Chunks::default();
                for element in expected.len()..expected.len() + length {
                    more.push(element);
                    expected.push(element);
                }
                chunks.append(more);
            }
            chunks.push(0);
            expected.push(0);
            prop_assert_eq!(chunks.into_vec(), expected);
        }
    }
}
