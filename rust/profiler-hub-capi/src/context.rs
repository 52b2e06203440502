//! Opening and closing a file.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rocpd::SchemaVersion;
use rocpd::reader::{OpenOptions, Reader};

use crate::boundary::{self, Failure, guard, set};
use crate::futures::TaskPool;
use crate::handed::Handed;
use crate::handle::Registry;
use crate::info::InfoLists;
use crate::lists::Lists;
use crate::probe;
use crate::types::{ph_ctx_t, ph_result_t, ph_schema_version_t};

/// What a `ph_ctx_t` stands for.
pub(crate) struct Context {
    /// Tasks come to an end before what they use does, so this goes first.
    pub(crate) tasks: TaskPool,
    pub(crate) handed: Handed,
    pub(crate) lists: Lists,
    version: SchemaVersion,
    last_error: Mutex<CString>,
    warnings: CString,
    info: OnceLock<InfoLists>,
    /// Owns what lists and events point to, so it goes last.
    pub(crate) reader: Reader,
}

pub(crate) static CONTEXTS: Registry<Context> = Registry::new(1);

impl Context {
    pub(crate) fn open(path: &Path, options: OpenOptions<'_>) -> Result<ph_ctx_t, Failure> {
        probe::admit(path)?;
        let reader = Reader::open_with(path, options)?;
        let version = match reader.guids() {
            [guid] => guid
                .version
                .as_ref()
                .copied()
                .unwrap_or(rocpd::schema::VERSION),
            several => {
                return Err(Failure::new(
                    ph_result_t::PH_RESULT_INVALID_DATABASE,
                    format!("{}: {} guids; expected one", path.display(), several.len()),
                ));
            }
        };
        let context = Self {
            tasks: TaskPool::default(),
            handed: Handed::default(),
            lists: Lists::new(&reader),
            version,
            last_error: Mutex::default(),
            warnings: boundary::text(&reader.warnings().join("\n")),
            info: OnceLock::new(),
            reader,
        };
        Ok(CONTEXTS.insert(Arc::new(context)))
    }

    pub(crate) fn warnings(&self) -> *const c_char {
        self.warnings.as_ptr()
    }

    /// The info lists, made when they are first asked for.
    pub(crate) fn info(&self) -> &InfoLists {
        self.info.get_or_init(|| InfoLists::new(&self.reader))
    }

    /// Runs a call; if it fails, the context remembers why.
    pub(crate) fn run<T>(
        &self,
        call: impl FnOnce(&Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        call(self).inspect_err(|failure| {
            let mut last = self
                .last_error
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *last = boundary::text(&failure.message);
        })
    }
}

impl From<rocpd::Error> for Failure {
    fn from(error: rocpd::Error) -> Self {
        let code = match &error {
            rocpd::Error::Rejected { status, .. } => probe::code(*status),
            rocpd::Error::Argument { .. }
            | rocpd::Error::Unregistered { .. }
            | rocpd::Error::Taken { .. } => ph_result_t::PH_RESULT_INVALID_ARGUMENT,
            rocpd::Error::Cancelled { .. } => ph_result_t::PH_RESULT_INTERNAL_ERROR,
            _ => ph_result_t::PH_RESULT_INVALID_DATABASE,
        };
        Self::new(code, error.to_string())
    }
}

/// The context of a handle.
pub(crate) fn context(handle: ph_ctx_t) -> Result<Arc<Context>, Failure> {
    CONTEXTS.get(handle).ok_or_else(|| {
        let found = if handle.is_null() {
            "the context is NULL"
        } else if CONTEXTS.is_inherited(handle) {
            "the context is that of the process this one was forked from"
        } else {
            "the context was freed, or is none of this library's"
        };
        Failure::new(
            ph_result_t::PH_RESULT_INVALID_CONTEXT,
            format!("{found}; expected one from ph_ctx_create in this process"),
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

/// Opens a file and makes a context of it. The probe runs first.
///
/// @param ctx   Where to write the context; NULL is written on any failure.
/// @param path  The file's path; any bytes, up to the first NUL.
/// @return PH_RESULT_SUCCESS; what ph_probe_database tells for the file;
///         PH_RESULT_INVALID_ARGUMENT if a pointer is NULL or the path is empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_ctx_create(ctx: *mut ph_ctx_t, path: *const c_char) -> ph_result_t {
    guard(|| {
        // SAFETY: the header asks for NULL or a pointer that can be written.
        unsafe { set(ctx, std::ptr::null_mut(), "ctx") }?;
        // SAFETY: the header asks for NULL or a text that ends with a NUL.
        let path = unsafe { path_of(path) }?;
        let handle = Context::open(path, OpenOptions::new())?;
        // SAFETY: as above.
        unsafe { set(ctx, handle, "ctx") }
    })
}

/// Closes a context. Everything that was handed out through it dies with it.
///
/// Tasks that have not begun are cancelled, and those that run are waited for. Their futures are
/// freed too.
///
/// In a forked child a context of the parent's is let go of: nothing is waited for, or freed.
///
/// @param ctx  A context, or NULL, which does nothing.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was freed before or is none;
///         PH_RESULT_INVALID_ARGUMENT from a task of the context itself, which would wait for
///         itself.
#[unsafe(no_mangle)]
pub extern "C" fn ph_ctx_free(ctx: ph_ctx_t) -> ph_result_t {
    guard(|| {
        if ctx.is_null() || CONTEXTS.is_inherited(ctx) {
            return Ok(());
        }
        if context(ctx)?.tasks.is_worker() {
            return Err(Failure::argument(
                "ph_ctx_free was called from a task of the same context, which would wait for \
                 itself; call it from another thread",
            ));
        }
        if let Some(context) = CONTEXTS.remove(ctx) {
            context.tasks.shut_down();
        }
        Ok(())
    })
}

/// Tells why the last call with this context that failed did so, whichever thread called.
///
/// @param ctx  A context.
/// @return A text in UTF-8 for a person; empty if no call failed yet, or for no context. It stays
///         until the next call of this function by the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn ph_ctx_last_error_message(ctx: ph_ctx_t) -> *const c_char {
    let text = CONTEXTS.get(ctx).map(|context| {
        let last = context.last_error.lock();
        last.unwrap_or_else(PoisonError::into_inner).clone()
    });
    boundary::keep_copy(text.unwrap_or_default())
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
        context(ctx)?.run(|context| {
            let found = ph_schema_version_t {
                major: context.version.major,
                minor: context.version.minor,
                patch: context.version.patch,
            };
            // SAFETY: as above.
            unsafe { set(version, found, "version") }
        })
    })
}
