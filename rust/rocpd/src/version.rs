//! Version text: three numbers, and the rules by which text becomes them. Knows nothing of schemas.

use std::fmt;
use std::str::FromStr;

/// A version of three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaVersion {
    /// Another major number is another layout.
    pub major: u32,
    /// A higher minor number adds to the layout.
    pub minor: u32,
    /// A higher patch number adds to the layout too, in this format.
    pub patch: u32,
}

impl SchemaVersion {
    /// A version out of its three numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }

    /// A version out of the texts of its three parts.
    ///
    /// # Errors
    /// [`MalformedVersion`] if a part is anything but decimal digits that fit 32 bits.
    pub fn from_parts(major: &str, minor: &str, patch: &str) -> Result<Self, MalformedVersion> {
        Ok(Self {
            major: part(major)?,
            minor: part(minor)?,
            patch: part(patch)?,
        })
    }
}

impl FromStr for SchemaVersion {
    type Err = MalformedVersion;

    /// Takes `3`, `3.0` and `3.0.1`; parts that are left out are 0.
    fn from_str(text: &str) -> Result<Self, MalformedVersion> {
        let mut numbers = [0; 3];
        let mut parts = text.split('.');
        for (number, text) in numbers.iter_mut().zip(parts.by_ref()) {
            *number = part(text)?;
        }
        if parts.next().is_some() {
            return Err(MalformedVersion { found: text.into() });
        }
        Ok(Self {
            major: numbers[0],
            minor: numbers[1],
            patch: numbers[2],
        })
    }
}

impl fmt::Display for SchemaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A text that is no version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{found}' is no version: expected one to three numbers of 32 bits, as in 3 or 3.0.1")]
pub struct MalformedVersion {
    /// The text, or the part of it, that was found.
    pub found: String,
}

fn part(text: &str) -> Result<u32, MalformedVersion> {
    // `u32::from_str` alone would take "+3".
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits => Ok(number),
        _ => Err(MalformedVersion {
            found: text.chars().take(80).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_texts() {
        let v = |major, minor, patch| Some(SchemaVersion::new(major, minor, patch));
        let table = [
            ("3", v(3, 0, 0)),
            ("3.0", v(3, 0, 0)),
            ("3.0.1", v(3, 0, 1)),
            ("4294967295", v(u32::MAX, 0, 0)),
            ("4294967296", None),
            ("", None),
            (".", None),
            ("3.", None),
            ("3.0.", None),
            ("3.0.1.2", None),
            ("-3", None),
            ("+3", None),
            (" 3", None),
            ("3 ", None),
            ("three", None),
            ("3.0.1-rc1", None),
            ("٣", None),
        ];
        for (text, expected) in table {
            assert_eq!(text.parse().ok(), expected, "{text:?}");
        }
    }
}
