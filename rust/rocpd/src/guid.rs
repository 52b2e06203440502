//! The identity of one capture inside a rocpd file.

use std::fmt;

use crate::{Error, Result};

/// A guid, checked: its text can stand in a table name.
///
/// The guids that we make are UUIDs of version 7, as the format asks for. Files of other writers
/// may hold any text of ASCII letters, digits, `-` and `_`, which is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid(Box<str>);

impl Guid {
    /// Makes a new guid, a UUID of version 7 (its time is now).
    #[must_use]
    pub fn new() -> Self {
        Self(uuid::Uuid::now_v7().to_string().into())
    }

    /// Checks a text and takes it as a guid.
    ///
    /// # Errors
    /// [`Error::Guid`] if the text is empty, longer than 64 bytes, or has a character other than
    /// ASCII letters, digits, `-` and `_`.
    pub fn parse(text: &str) -> Result<Self> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if text.is_empty() || text.len() > 64 || !text.chars().all(allowed) {
            return Err(Error::Guid {
                found: text.chars().take(80).collect(),
            });
        }
        Ok(Self(text.into()))
    }

    /// The guid's text, as it stands in the column `guid`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What follows a base name in a table name: `_` and the guid with `-` written as `_`.
    #[must_use]
    pub fn table_suffix(&self) -> String {
        format!("_{}", self.0.replace('-', "_"))
    }
}

impl Default for Guid {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_guid_is_a_version_7_uuid() {
        let uuid = uuid::Uuid::parse_str(Guid::new().as_str()).unwrap();
        assert_eq!(uuid.get_version_num(), 7);
    }

    #[test]
    fn only_what_can_stand_in_a_table_name_is_a_guid() {
        for bad in ["", "a b", "a\"b", "é", "a;b", "a\0b", &"x".repeat(65)] {
            assert!(Guid::parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(
            Guid::parse("0190d1a2-77").unwrap().table_suffix(),
            "_0190d1a2_77"
        );
    }
}
