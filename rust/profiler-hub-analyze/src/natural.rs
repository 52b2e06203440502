//! Natural order of names: runs of digits compare as numbers, the rest by bytes.

use std::cmp::Ordering;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Compares two paths component by component.
pub(crate) fn compare_paths(a: &Path, b: &Path) -> Ordering {
    let mut left = a.components();
    let mut right = b.components();
    loop {
        match (left.next(), right.next()) {
            (Some(l), Some(r)) => {
                let order = compare(l.as_os_str().as_bytes(), r.as_os_str().as_bytes());
                if order != Ordering::Equal {
                    return order;
                }
            }
            (l, r) => return l.is_some().cmp(&r.is_some()),
        }
    }
}

/// Compares two names. Names that differ only in leading zeros are ordered by bytes.
pub(crate) fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let (mut left, mut right) = (a, b);
    while let (Some(&l), Some(&r)) = (left.first(), right.first()) {
        let order = if l.is_ascii_digit() && r.is_ascii_digit() {
            let (x, y);
            (x, left) = digits(left);
            (y, right) = digits(right);
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            (left, right) = (&left[1..], &right[1..]);
            l.cmp(&r)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// Splits off the leading number, without its leading zeros.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let zeros = number.iter().position(|&b| b != b'0').unwrap_or(end);
    (&number[zeros..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_order() {
        let ordered = [
            "", "01", "1", "2", "10", "A", "a", "a1", "a2", "a2b", "a10", "a10b2", "a10b10", "b",
        ];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(compare(a.as_bytes(), b.as_bytes()), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn numbers_of_any_length() {
        let big = b"99999999999999999999999999999999";
        assert_eq!(
            compare(b"100000000000000000000000000000000", big),
            Ordering::Greater
        );
    }

    #[test]
    fn paths_compare_by_component() {
        let order = |a: &str, b: &str| compare_paths(Path::new(a), Path::new(b));
        // By bytes of the whole text, '-' would come before '/'.
        assert_eq!(order("node/1.db", "node-a/1.db"), Ordering::Less);
        assert_eq!(order("n2/10.db", "n2/9.db"), Ordering::Greater);
        assert_eq!(order("n2/9.db", "n10/1.db"), Ordering::Less);
    }
}
