//! Single values of a row, as other writers may have stored them.

use rusqlite::types::ValueRef;

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// NULL, or the column is not in this file.
    Null,
    /// A number with a sign.
    Integer(i64),
    /// A time, an address or a size: 64 bits without sign. SQLite stores it as two's complement.
    Unsigned(u64),
    /// A floating-point number.
    Real(f64),
    /// A text; what is not UTF-8 comes with U+FFFD in place of each invalid part.
    Text(String),
}

/// Columns whose 64 bits have no sign.
const UNSIGNED: &[&str] = &[
    "start",
    "end",
    "init",
    "fini",
    "timestamp",
    "address",
    "dst_address",
    "src_address",
    "size",
    "load_base",
    "load_size",
    "load_delta",
    "kernel_object",
    "hash",
];

pub(crate) fn is_unsigned(column: &str) -> bool {
    UNSIGNED.contains(&column)
}

impl Cell {
    pub(crate) fn read(value: ValueRef<'_>, unsigned: bool) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(bits) if unsigned => Self::Unsigned(bits.cast_unsigned()),
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                Self::Text(String::from_utf8_lossy(bytes).into_owned())
            }
        }
    }
}

/// A whole number; NULL is none, and so is what is not a whole number.
pub(crate) fn integer(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Null | ValueRef::Blob(_) => None,
        ValueRef::Real(number) => whole(number),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).ok()?.trim().parse().ok(),
    }
}

fn whole(number: f64) -> Option<i64> {
    let in_range = (-9.2e18..9.2e18).contains(&number) && number.fract() == 0.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and within 64 bits, as just checked"
    )]
    in_range.then_some(number as i64)
}

/// A time in ns: 64 bits without sign, kept by SQLite as two's complement.
pub(crate) fn unsigned(value: ValueRef<'_>) -> Option<u64> {
    integer(value).map(i64::cast_unsigned)
}

/// A text; numbers as SQLite writes them.
pub(crate) fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}
