//! Text that comes as bytes.

use std::borrow::Cow;

/// The text that is stored for bytes, as they come from C or from the system: UTF-8 stays as it
/// is, byte for byte; each longest piece that cannot be UTF-8 becomes one U+FFFD.
#[must_use]
pub fn text_from_bytes(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_utf8_become_replacement_characters() {
        assert_eq!(text_from_bytes("é\0😀".as_bytes()), "é\0😀");
        assert_eq!(text_from_bytes(b"a\xffb\xe2\x82c"), "a\u{fffd}b\u{fffd}c");
    }
}
