//! Opening and closing a file.

use std::ffi::{CStr, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rocpd::{Catalog, SchemaVersion, Source};

use crate::boundary::{Failure, guard, set};
use crate::handle::Registry;
use crate::types::{ph_ctx_t, ph_result_t, ph_schema_version_t};

/// What a `ph_ctx_t` stands for.
pub(crate) struct Context {
    version: SchemaVersion,
}

pub(crate) static CONTEXTS: Registry<Context> = Registry::new(1);

/// The context of a handle.
pub(crate) fn context(handle: ph_ctx_t) -> Result<Arc<Context>, Failure> {
    CONTEXTS.get(handle).ok_or_else(|| {
        let found = if handle.is_null() {
            "the context is NULL"
        } else {
            "the context was freed, or is none of this library's"
        };
        Failure::new(
            ph_result_t::PH_RESULT_INVALID_CONTEXT,
            format!("{found}; expected one from ph_ctx_create"),
        )
    })
}

/// A path as C gives it: any bytes up to the first NUL.
///
/// # Safety
/// `path` is NULL or ends with a NUL.
pub(crate) unsafe fn path_of<'a>(path: *const c_char) -> Result<&'a Path, Failure> {
    if path.is_null() {
        return Err(Failure::argument("path is NULL; expected a file's path"));
    }
    // SAFETY: not NULL, and the caller promises the NUL at its end.
    let bytes = unsafe { CStr::from_ptr(path) }.to_bytes();
    if bytes.is_empty() {
        return Err(Failure::argument("path is empty; expected a file's path"));
    }
    Ok(Path::new(OsStr::from_bytes(bytes)))
}

/// Opens a file and makes a context of it.
///
/// @param ctx   Where to write the context; NULL is written on any failure.
/// @param path  The file's path; any bytes, up to the first NUL.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if a pointer is NULL or the path is
///         empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_ctx_create(ctx: *mut ph_ctx_t, path: *const c_char) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(ctx, std::ptr::null_mut(), "ctx") }?;
        // SAFETY: the header asks for NULL or a text that ends with a NUL.
        let path = unsafe { path_of(path) }?;
        let invalid = |error: &dyn std::fmt::Display| {
            Failure::new(ph_result_t::PH_RESULT_INVALID_DATABASE, error.to_string())
        };
        let source = Source::open(path).map_err(|e| invalid(&e))?;
        let connection = source.connect().map_err(|e| invalid(&e))?;
        let catalog = Catalog::read(&connection, "main").map_err(|e| invalid(&e))?;
        let guid = catalog.guids.first().ok_or_else(|| {
            Failure::new(
                ph_result_t::PH_RESULT_METADATA_MISSING,
                format!("{}: no rocpd metadata table", path.display()),
            )
        })?;
        let version = guid.version.clone().map_err(|e| invalid(&e))?;
        let handle = CONTEXTS.insert(Arc::new(Context { version }));
        // SAFETY: as above.
        unsafe { set(ctx, handle, "ctx") }
    })
}

/// Closes a context. Everything that was handed out through it dies with it.
///
/// @param ctx  A context, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was freed before or is none.
#[unsafe(no_mangle)]
pub extern "C" fn ph_ctx_free(ctx: ph_ctx_t) -> ph_result_t {
    guard(|| {
        if ctx.is_null() {
            return Ok(());
        }
        context(ctx)?;
        CONTEXTS.remove(ctx);
        Ok(())
    })
}

/// Tells the version of the file's schema.
///
/// @param ctx      A context.
/// @param version  Where to write it.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if version is
///         NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_schema_version(
    ctx: ph_ctx_t,
    version: *mut ph_schema_version_t,
) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(version, ph_schema_version_t::default(), "version") }?;
        let SchemaVersion {
            major,
            minor,
            patch,
        } = context(ctx)?.version;
        let found = ph_schema_version_t {
            major,
            minor,
            patch,
        };
        // SAFETY: as above.
        unsafe { set(version, found, "version") }
    })
}
