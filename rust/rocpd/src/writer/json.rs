//! Text for the JSON columns.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// What an empty JSON column holds.
pub(super) const EMPTY: &str = "{}";

/// What a JSON column holds for a text that was given for it. It is always valid JSON:
///
/// - an empty text gives `{}`;
/// - an object, an array, a string, `true`, `false` or `null` stays as it is, byte for byte;
/// - anything else becomes a JSON string of it. A bare number too: the columns are declared such
///   that SQLite would store a number, and write `1e2` as 100.
#[must_use]
pub fn stored_json(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text == EMPTY {
        return EMPTY.into();
    }
    let is_number = text
        .trim_start()
        .starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if !is_number && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return text.into();
    }
    serde_json::Value::from(text).to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_column_always_holds_json() {
        for (given, stored) in [
            ("", "{}"),
            ("{}", "{}"),
            (" {\"a\" : 1e400}\n", " {\"a\" : 1e400}\n"),
            ("[1, 2]", "[1, 2]"),
            ("\"x\"", "\"x\""),
            ("null", "null"),
            ("12", "\"12\""),
            (" -1.50 ", "\" -1.50 \""),
            ("NaN", "\"NaN\""),
            ("{test data}", "\"{test data}\""),
            ("{\"a\": 1", "\"{\\\"a\\\": 1\""),
            ("a\0b", "\"a\\u0000b\""),
        ] {
            assert_eq!(stored_json(given), stored, "{given:?}");
        }
    }
}
