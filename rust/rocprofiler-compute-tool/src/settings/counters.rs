//! The sets of counters: `pmc: A B` or `pmc: A B, pmc: C D`.

/// Counters that are collected together: names, each once, not empty.
pub type CounterSet = Vec<String>;

/// Parses the sets.
///
/// # Errors
/// What was found and what is expected.
pub fn parse_counter_sets(text: &str) -> Result<Vec<CounterSet>, String> {
    text.split(',').map(parse_set).collect()
}

fn parse_set(text: &str) -> Result<CounterSet, String> {
    let names = text.trim().strip_prefix("pmc:").ok_or_else(|| {
        format!(
            "found {text:?} where a set like `pmc: A B` is expected; sets are separated by commas"
        )
    })?;
    let mut set: CounterSet = Vec::new();
    for name in names.split_whitespace() {
        if name == "pmc:" {
            return Err(format!(
                "found a second `pmc:` in {text:?}; sets are separated by commas"
            ));
        }
        if !set.iter().any(|known| known == name) {
            set.push(name.to_owned());
        }
    }
    if set.is_empty() {
        return Err(format!("found no counter in {text:?}, expected `pmc: A B`"));
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_parsed() {
        let cases: [(&str, &[&[&str]]); 5] = [
            ("pmc: A B C", &[&["A", "B", "C"]]),
            ("pmc: A B, pmc: C D", &[&["A", "B"], &["C", "D"]]),
            (
                "  pmc:\tTCC_HIT[0]  A\n,pmc:B ",
                &[&["TCC_HIT[0]", "A"], &["B"]],
            ),
            ("pmc: A A B A", &[&["A", "B"]]),
            ("pmc: A, pmc: A", &[&["A"], &["A"]]),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_counter_sets(text).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for text in [
            " ",
            "A B",
            "pmc:",
            "pmc: ,pmc: A",
            "pmc: A,",
            "pmc: A,B",
            "pmc: A pmc: B",
            "PMC: A",
        ] {
            assert!(parse_counter_sets(text).is_err(), "{text:?}");
        }
    }
}
