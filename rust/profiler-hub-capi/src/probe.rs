//! What a file is, before anything is opened.

use std::ffi::c_char;
use std::path::Path;

use rocpd::probe::{Finding, Status};

use crate::boundary::{Failure, Growing, guard, set_sized};
use crate::context::path_of;
use crate::types::{
    PH_GUID_SIZE, PH_MESSAGE_SIZE, ph_database_probe_t, ph_probe_status_t, ph_result_t,
    ph_schema_version_t,
};

/// The code that `ph_ctx_create` gives for a file of this status.
pub(crate) fn code(status: Status) -> ph_result_t {
    match status {
        Status::Supported => ph_result_t::PH_RESULT_SUCCESS,
        Status::FileNotFound
        | Status::Unreadable
        | Status::MetadataMalformed
        | Status::MetadataAmbiguous => ph_result_t::PH_RESULT_INVALID_DATABASE,
        Status::NotSqlite => ph_result_t::PH_RESULT_UNSUPPORTED_DATABASE,
        Status::MetadataMissing => ph_result_t::PH_RESULT_METADATA_MISSING,
        Status::UnsupportedSchemaVersion => ph_result_t::PH_RESULT_UNSUPPORTED_SCHEMA_VERSION,
    }
}

/// Refuses what the probe refuses, with its reason.
pub(crate) fn admit(path: &Path) -> Result<(), Failure> {
    verdict(&rocpd::probe::probe(path))
}

fn verdict(finding: &Finding) -> Result<(), Failure> {
    match code(finding.status) {
        ph_result_t::PH_RESULT_SUCCESS => Ok(()),
        code => Err(Failure::new(code, finding.message.as_str())),
    }
}

/// Copies a text into an array, cut at a character where it does not fit; a NUL follows.
pub(crate) fn fill<const N: usize>(text: &str) -> [c_char; N] {
    let text = text.split('\0').next().unwrap_or_default();
    let mut end = text.len().min(N - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut array = [0; N];
    for (place, byte) in array.iter_mut().zip(&text.as_bytes()[..end]) {
        *place = c_char::from_ne_bytes([*byte]);
    }
    array
}

// SAFETY: it is repr(C) and begins with its size.
unsafe impl Growing for ph_database_probe_t {
    const LEAST: usize = std::mem::offset_of!(Self, has_version);
}

fn empty() -> ph_database_probe_t {
    ph_database_probe_t {
        size: size_of::<ph_database_probe_t>(),
        status: ph_probe_status_t::PH_PROBE_UNREADABLE,
        has_version: 0,
        version: ph_schema_version_t::default(),
        guid_count: 0,
        guid: [0; PH_GUID_SIZE],
        message: [0; PH_MESSAGE_SIZE],
    }
}

fn of(finding: &Finding) -> ph_database_probe_t {
    let version = finding.version.map(|v| ph_schema_version_t {
        major: v.major,
        minor: v.minor,
        patch: v.patch,
    });
    ph_database_probe_t {
        status: match finding.status {
            Status::Supported => ph_probe_status_t::PH_PROBE_SUPPORTED,
            Status::FileNotFound => ph_probe_status_t::PH_PROBE_FILE_NOT_FOUND,
            Status::Unreadable => ph_probe_status_t::PH_PROBE_UNREADABLE,
            Status::NotSqlite => ph_probe_status_t::PH_PROBE_NOT_SQLITE,
            Status::MetadataMissing => ph_probe_status_t::PH_PROBE_METADATA_MISSING,
            Status::MetadataAmbiguous => ph_probe_status_t::PH_PROBE_METADATA_AMBIGUOUS,
            Status::MetadataMalformed => ph_probe_status_t::PH_PROBE_METADATA_MALFORMED,
            Status::UnsupportedSchemaVersion => {
                ph_probe_status_t::PH_PROBE_UNSUPPORTED_SCHEMA_VERSION
            }
        },
        has_version: u32::from(version.is_some()),
        version: version.unwrap_or_default(),
        guid_count: u32::try_from(finding.guids.len()).unwrap_or(u32::MAX),
        guid: fill(finding.guids.first().map_or("", |guid| guid.as_str())),
        message: fill(&finding.message),
        ..empty()
    }
}

/// Tells what a file is, and why it cannot be opened. Nothing is created beside the file.
///
/// @param path   The file's path; any bytes, up to the first NUL.
/// @param probe  Where to write what was found. Its size tells how much of it the caller knows.
/// @return What ph_ctx_create would return for the file; PH_RESULT_INVALID_ARGUMENT if a pointer
///         is NULL, the path is empty, or size is smaller than size and status together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_probe_database(
    path: *const c_char,
    probe: *mut ph_database_probe_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(probe, &empty(), "probe") }?;
        // SAFETY: the header asks for NULL or a text that ends with a NUL.
        let path = unsafe { path_of(path) }?;
        let finding = rocpd::probe::probe(path);
        // SAFETY: as above.
        unsafe { set_sized(probe, &of(&finding), "probe") }?;
        verdict(&finding)
    })
}
