//! Sums of doubles as SQLite's `SUM` makes them: Neumaier's compensated addition, in order.

/// A running sum. NULL adds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    sum: f64,
    error: f64,
    seen: bool,
}

impl Sum {
    /// Adds a value; NaN stands for NULL.
    pub(crate) fn add(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        let sum = self.sum;
        let next = sum + value;
        self.error += if sum.abs() > value.abs() {
            (sum - next) + value
        } else {
            (value - next) + sum
        };
        self.sum = next;
        self.seen = true;
    }

    /// The sum; nothing if there was no value. It may be infinite or no number.
    pub(crate) fn finish(&self) -> Option<f64> {
        if !self.seen {
            return None;
        }
        // Where the sum is infinite, the error means nothing.
        let error = if self.error.is_finite() {
            self.error
        } else {
            0.0
        };
        Some(self.sum + error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sqlite(values: &[Option<f64>]) -> Option<f64> {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, v REAL)")
            .unwrap();
        for value in values {
            connection
                .execute("INSERT INTO t (v) VALUES (?1)", [value])
                .unwrap();
        }
        connection
            .query_row(
                "SELECT sum(v) FROM (SELECT v FROM t ORDER BY id)",
                [],
                |row| row.get(0),
            )
            .unwrap()
    }

    #[test]
    fn sums_are_those_of_sqlite_to_the_last_bit() {
        let mut state = 1u64;
        let mut cases = vec![
            vec![],
            vec![None],
            vec![None, Some(1.5), None],
            vec![Some(-0.0)],
            vec![Some(1.0), Some(1e100), Some(1.0), Some(-1e100)],
            vec![Some(1e308), Some(1e308)],
            vec![Some(f64::INFINITY), Some(f64::NEG_INFINITY)],
            vec![Some(f64::INFINITY), Some(1.0)],
        ];
        for length in 1..200 {
            let mut next = || {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                f64::from((state >> 33) as u32) * 10f64.powi((state % 40) as i32 - 20)
            };
            cases.push((0..length).map(|_| Some(next())).collect());
        }
        for case in cases {
            let mut sum = Sum::default();
            for value in &case {
                sum.add(value.unwrap_or(f64::NAN));
            }
            let (ours, theirs) = (sum.finish(), sqlite(&case));
            // SQLite hands out NaN as NULL.
            let ours = ours.filter(|sum| !sum.is_nan());
            assert_eq!(ours.map(f64::to_bits), theirs.map(f64::to_bits), "{case:?}");
        }
    }
}
