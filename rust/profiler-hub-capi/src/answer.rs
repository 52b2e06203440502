//! What questions and answers are made of: texts, cells, tables, tracks.

use std::ffi::{CStr, CString, c_char};
use std::slice;

use rocpd::reader::{Cell, EventKind, RowId, Table, TrackId};

use crate::boundary::{Failure, text};
use crate::info_types::PH_NONE;
use crate::query_types::{ph_cell_t, ph_cell_type_t, ph_table_t};
use crate::tracks::event_type;
use crate::types::ph_event_type_t;

pub(crate) fn row(row: Option<RowId>) -> u64 {
    row.map_or(PH_NONE, |RowId(id)| id.cast_unsigned())
}

/// Texts and structs of one answer, which live and die together.
pub(crate) struct Answer<T> {
    /// What the struct that the caller sees points to.
    pub(crate) _parts: T,
    pub(crate) _texts: Vec<CString>,
}

/// Texts of an answer being made.
#[derive(Default)]
pub(crate) struct Kept(pub(crate) Vec<CString>);

impl Kept {
    pub(crate) fn keep(&mut self, wanted: &str) -> *const c_char {
        let kept = text(wanted);
        // The bytes stay where they are when the CString is moved.
        let pointer = kept.as_ptr();
        self.0.push(kept);
        pointer
    }

    pub(crate) fn keep_or_empty(&mut self, wanted: Option<&String>) -> *const c_char {
        wanted.map_or(c"".as_ptr(), |wanted| self.keep(wanted))
    }

    pub(crate) fn cell(&mut self, column: *const c_char, value: &Cell) -> ph_cell_t {
        let mut cell = ph_cell_t {
            column,
            r#type: ph_cell_type_t::PH_CELL_NULL,
            as_int64: 0,
            as_uint64: 0,
            as_double: 0.0,
            as_text: std::ptr::null(),
        };
        match value {
            Cell::Null => {}
            Cell::Integer(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_INT64;
                cell.as_int64 = *number;
            }
            Cell::Unsigned(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_UINT64;
                cell.as_uint64 = *number;
            }
            Cell::Real(number) => {
                cell.r#type = ph_cell_type_t::PH_CELL_DOUBLE;
                cell.as_double = *number;
            }
            Cell::Text(wanted) => {
                cell.r#type = ph_cell_type_t::PH_CELL_TEXT;
                cell.as_text = self.keep(wanted);
            }
        }
        cell
    }
}

/// The first of some structs; NULL if there are none.
pub(crate) fn first<T>(list: &[T]) -> *const T {
    if list.is_empty() {
        std::ptr::null()
    } else {
        list.as_ptr()
    }
}

pub(crate) fn table(number: u32) -> Result<Table, Failure> {
    Ok(match number {
        0 => Table::Region,
        1 => Table::KernelDispatch,
        2 => Table::MemoryCopy,
        3 => Table::MemoryAllocate,
        4 => Table::Sample,
        5 => Table::PmcEvent,
        _ => {
            return Err(Failure::argument(format!(
                "no table {number}; expected a ph_table_t, 0 to 5"
            )));
        }
    })
}

pub(crate) fn table_code(table: Table) -> ph_table_t {
    match table {
        Table::Region => ph_table_t::PH_TABLE_REGION,
        Table::KernelDispatch => ph_table_t::PH_TABLE_KERNEL_DISPATCH,
        Table::MemoryCopy => ph_table_t::PH_TABLE_MEMORY_COPY,
        Table::MemoryAllocate => ph_table_t::PH_TABLE_MEMORY_ALLOCATE,
        Table::Sample => ph_table_t::PH_TABLE_SAMPLE,
        Table::PmcEvent => ph_table_t::PH_TABLE_PMC_EVENT,
    }
}

pub(crate) fn table_event_type(table: Table) -> ph_event_type_t {
    event_type(match table {
        Table::Region | Table::Sample | Table::PmcEvent => EventKind::Region,
        Table::KernelDispatch => EventKind::KernelDispatch,
        Table::MemoryCopy => EventKind::MemoryCopy,
        Table::MemoryAllocate => EventKind::MemoryAllocate,
    })
}

/// Tracks as C gives them.
///
/// # Safety
/// `ids` is NULL, or there are `count` of them.
pub(crate) unsafe fn tracks(ids: *const u32, count: u64) -> Result<Vec<TrackId>, Failure> {
    if ids.is_null() {
        return match count {
            0 => Ok(Vec::new()),
            _ => Err(Failure::argument(format!(
                "track_ids is NULL, but track_count is {count}"
            ))),
        };
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count > isize::MAX.unsigned_abs() / size_of::<u32>() {
        return Err(Failure::argument("track_count is larger than any array"));
    }
    // SAFETY: the caller promises that so many are there.
    Ok(unsafe { slice::from_raw_parts(ids, count) }
        .iter()
        .map(|&id| TrackId(id))
        .collect())
}

/// A text as C gives it; NULL is empty.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
pub(crate) unsafe fn text_of(text: *const c_char, name: &str) -> Result<String, Failure> {
    if text.is_null() {
        return Ok(String::new());
    }
    // SAFETY: not NULL, and the caller promises the NUL at its end.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str()
        .map(str::to_owned)
        .map_err(|_| Failure::argument(format!("{name} is not UTF-8; expected text in UTF-8")))
}
