//! Numbers for dispatches and kernels, given in the order of rows over the whole table.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

/// How many maps share the keys. Small ones, so that little is copied when one grows.
const SHARDS: usize = 256;

/// What a key is known by: 96 bits of a hash. Two of ten million keys meet once in 10^15 tables.
type Digest = [u32; 3];

/// Numbers keys in the order in which they are first seen. About 40 bytes a key at most.
#[derive(Debug)]
pub(crate) struct Numbers {
    shards: Vec<HashMap<Digest, u32, FxBuildHasher>>,
    next: u32,
}

impl Numbers {
    pub(crate) fn new() -> Self {
        Self {
            shards: vec![HashMap::default(); SHARDS],
            next: 0,
        }
    }

    /// The number of a key; a new key gets the next one.
    pub(crate) fn number(&mut self, key: &impl Hash) -> u32 {
        let digest = digest(key);
        let shard = digest[0] as usize % SHARDS;
        let next = self.next;
        let number = *self.shards[shard].entry(digest).or_insert(next);
        if number == next {
            self.next += 1;
        }
        number
    }

    /// How many keys there are, to come back to.
    pub(crate) fn position(&self) -> u32 {
        self.next
    }

    /// Forgets every key that was new after a position.
    pub(crate) fn rewind(&mut self, position: u32) {
        if position == self.next {
            return;
        }
        for shard in &mut self.shards {
            shard.retain(|_, number| *number < position);
        }
        self.next = position;
    }
}

fn digest(key: &impl Hash) -> Digest {
    let hash = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        key.hash(&mut hasher);
        hasher.finish()
    };
    let (one, two) = (hash(1), hash(2));
    let low = |bits: u64| u32::try_from(bits & u64::from(u32::MAX)).expect("32 bits");
    [low(one), low(one >> 32), low(two)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order_and_again_after_a_rewind() {
        let mut numbers = Numbers::new();
        assert_eq!(numbers.number(&("a", 1)), 0);
        assert_eq!(numbers.number(&("b", 1)), 1);
        assert_eq!(numbers.number(&("a", 1)), 0);
        let position = numbers.position();
        for key in 0..1000 {
            assert_eq!(numbers.number(&("c", key)), key + 2);
        }
        numbers.rewind(position);
        assert_eq!(numbers.number(&("c", 7)), 2);
        assert_eq!(numbers.number(&("b", 1)), 1);
    }
}
