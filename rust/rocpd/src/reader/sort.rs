//! Sorting what is nearly sorted.
//!
//! Profilers store events as they end, so starts are out of order by the few calls inside a call.
//! Moving each to its place costs a few steps there, and much less than a sort that expects
//! nothing.

use std::cmp::Ordering;

/// Steps for each element that may be made before giving up on order.
const PATIENCE: usize = 8;

/// Sorts; what is nearly in order takes little time. Equal elements may change places.
pub(crate) fn sort_nearly_sorted<T: Copy>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut patience = list.len().saturating_mul(PATIENCE);
    for place in 1..list.len() {
        let element = list[place];
        if compare(&list[place - 1], &element) != Ordering::Greater {
            continue;
        }
        let mut to = place - 1;
        while to > 0 && patience > 0 && compare(&list[to - 1], &element) == Ordering::Greater {
            to -= 1;
            patience -= 1;
        }
        list[to..=place].rotate_right(1);
        if patience == 0 {
            // The rest may be in any order. Mostly it is the rows of other tables, each in its own
            // order, and the stable sort finds and merges such runs.
            list.sort_by(compare);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_anything(mut list in proptest::collection::vec(0_u32..50, 0..200)) {
            let mut expected = list.clone();
            expected.sort_unstable();
            sort_nearly_sorted(&mut list, u32::cmp);
            prop_assert_eq!(list, expected);
        }

        #[test]
        fn sorts_what_is_nearly_sorted(
            mut list in (0_usize..500).prop_map(|n| (0..n).map(|i| i ^ 3).collect::<Vec<_>>())
        ) {
            let mut expected = list.clone();
            expected.sort_unstable();
            sort_nearly_sorted(&mut list, usize::cmp);
            prop_assert_eq!(list, expected);
        }
    }
}
