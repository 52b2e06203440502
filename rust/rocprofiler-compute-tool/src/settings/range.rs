//! Which launches of a kernel are counted: `[4,7-9]`, from 1.

/// Launches by their number.
#[derive(Debug, PartialEq, Eq)]
pub struct LaunchRange {
    /// First and last, both counted.
    spans: Vec<(u64, u64)>,
}

impl LaunchRange {
    /// Parses `[4,7-9]`; the brackets may be left out.
    ///
    /// # Errors
    /// The token that is wrong and what is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let tokens = match (trimmed.strip_prefix('['), trimmed.ends_with(']')) {
            (Some(rest), true) => rest.trim_end_matches(']'),
            (None, false) => trimmed,
            _ => {
                return Err("found one bracket, expected launches from 1 like `[4,7-9]`".to_owned());
            }
        };
        let spans = tokens
            .split(',')
            .map(parse_span)
            .collect::<Result<_, _>>()?;
        Ok(Self { spans })
    }

    /// Whether a launch is counted; the first is 1.
    #[must_use]
    pub fn contains(&self, launch: u64) -> bool {
        self.spans
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&launch))
    }
}

fn parse_span(token: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("found {token:?}, expected launches from 1 like `[4,7-9]`");
    // `parse` would take a sign.
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits
            .then(|| text.parse::<u64>().ok())
            .flatten()
            .filter(|number| *number > 0)
    };
    let (first, last) = token.split_once('-').unwrap_or((token, token));
    let span = number(first.trim())
        .zip(number(last.trim()))
        .ok_or_else(wrong)?;
    if span.0 > span.1 {
        return Err(wrong());
    }
    Ok(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_counted_from_one() {
        let cases: [(&str, &[u64]); 5] = [
            ("[4,7-9]", &[4, 7, 8, 9]),
            ("1", &[1]),
            (" [ 2 - 3 , 2 ] ", &[2, 3]),
            ("[9,1]", &[1, 9]),
            ("10-12", &[10, 11, 12]),
        ];
        for (text, expected) in cases {
            let range = LaunchRange::parse(text).unwrap();
            let counted: Vec<u64> = (0..20).filter(|launch| range.contains(*launch)).collect();
            assert_eq!(counted, expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_launch_is_refused() {
        for text in [
            "0",
            "-1",
            "3:2",
            "x",
            "[3-2]",
            "[]",
            "",
            "[1",
            "1]",
            "[1,]",
            "[+1]",
            "[1-2-3]",
            "[0-3]",
            "[18446744073709551616]",
            "[[1]]",
        ] {
            assert!(LaunchRange::parse(text).is_err(), "{text:?}");
        }
    }
}
