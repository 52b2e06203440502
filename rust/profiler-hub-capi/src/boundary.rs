//! The one boundary between C and Rust: no panic crosses it, each failure becomes a code and a text.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::types::ph_result_t;

/// A `ph_result_t` as C gives it, which may be any number. The header calls it `ph_result_t`.
pub(crate) type ResultCode = u32;

/// Why a call failed: the code for the program, the text for a person.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: ph_result_t,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: ph_result_t, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(ph_result_t::PH_RESULT_INVALID_ARGUMENT, message)
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
    static COPY: RefCell<CString> = RefCell::default();
}

/// Runs the body of an exported function.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> ph_result_t {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return ph_result_t::PH_RESULT_SUCCESS,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let said = (panic.downcast_ref::<&str>().copied())
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("no message");
            Failure::new(
                ph_result_t::PH_RESULT_INTERNAL_ERROR,
                format!("internal error, please report it: {said}"),
            )
        }
    };
    // A thread that is ending has no place for the text any more; the code still tells.
    let _ = LAST_ERROR.try_with(|last| last.replace(text(&failure.message)));
    failure.code
}

/// The text of this thread's last failure; it stays until the next one.
pub(crate) fn last_error() -> *const c_char {
    LAST_ERROR
        .try_with(|text| text.borrow().as_ptr())
        .unwrap_or(c"".as_ptr())
}

/// Keeps a text for this thread until the next one.
pub(crate) fn keep_copy(text: CString) -> *const c_char {
    let keep = |copy: &RefCell<CString>| {
        copy.replace(text);
        copy.borrow().as_ptr()
    };
    COPY.try_with(keep).unwrap_or(c"".as_ptr())
}

/// A text for C. It ends at its first NUL byte.
pub(crate) fn text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Sets an out-parameter, before anything else can fail.
///
/// # Safety
/// `out` is NULL or valid for a write of `T`.
pub(crate) unsafe fn set<T>(out: *mut T, value: T, name: &str) -> Result<(), Failure> {
    if out.is_null() {
        return Err(Failure::argument(format!(
            "{name} is NULL; expected a pointer to write to"
        )));
    }
    // SAFETY: not NULL, and the caller promises that it can be written.
    unsafe { out.write(value) };
    Ok(())
}

/// A struct that begins with its size, as its caller knows it, and grows at its end.
///
/// # Safety
/// The type is `repr(C)`, its first field is `size: usize`, and it may be copied byte by byte.
pub(crate) unsafe trait Growing {
    /// The size of the first struct of this kind that was ever released.
    const LEAST: usize;
}

/// Says that structs are repr(C), begin with their size, and are plain data.
macro_rules! growing {
    ($($name:ident),* $(,)?) => {
        $(
            // SAFETY: as the macro's comment says.
            unsafe impl crate::boundary::Growing for $name {
                const LEAST: usize = size_of::<Self>();
            }
        )*
    };
}
pub(crate) use growing;

fn wrong_size<T: Growing>(size: usize, name: &str) -> Failure {
    let (type_name, ours) = (std::any::type_name::<T>(), size_of::<T>());
    let type_name = type_name.rsplit("::").next().unwrap_or(type_name);
    Failure::argument(format!(
        "{name}->size is {size}; expected sizeof({type_name}), which is {ours} here"
    ))
}

/// Writes as much of a struct as its caller knows; its size stays what the caller set.
///
/// # Safety
/// `out` is NULL, or begins with a `size_t` that tells how many bytes of it may be written.
pub(crate) unsafe fn set_sized<T: Growing>(
    out: *mut T,
    value: &T,
    name: &str,
) -> Result<(), Failure> {
    if out.is_null() {
        return Err(Failure::argument(format!(
            "{name} is NULL; expected a struct whose size is set"
        )));
    }
    let skip = size_of::<usize>();
    // SAFETY: a size is there; it may be all that is.
    let size = unsafe { out.cast::<usize>().read() };
    if size < T::LEAST {
        return Err(wrong_size::<T>(size, name));
    }
    let bytes = size.min(size_of::<T>()) - skip;
    // SAFETY: `size` bytes may be written, and no more than the struct has are read.
    unsafe {
        let source = std::ptr::from_ref(value).cast::<u8>().add(skip);
        std::ptr::copy_nonoverlapping(source, out.cast::<u8>().add(skip), bytes);
    }
    Ok(())
}

/// Reads as much of a struct as its caller knows; the rest is zero.
///
/// # Safety
/// `from` is NULL, or begins with a `size_t` that tells how many bytes of it may be read; and all
/// zeros are a valid `T`.
pub(crate) unsafe fn get_sized<T: Growing>(from: *const T, name: &str) -> Result<T, Failure> {
    if from.is_null() {
        return Err(Failure::argument(format!(
            "{name} is NULL; expected a struct whose size is set"
        )));
    }
    // SAFETY: a size is there; it may be all that is.
    let size = unsafe { from.cast::<usize>().read() };
    if size < T::LEAST {
        return Err(wrong_size::<T>(size, name));
    }
    // SAFETY: the caller promises that zeros are a valid `T`, and that `size` bytes can be read.
    unsafe {
        let mut value: T = std::mem::zeroed();
        let bytes = size.min(size_of::<T>());
        let to = (&raw mut value).cast::<u8>();
        std::ptr::copy_nonoverlapping(from.cast::<u8>(), to, bytes);
        Ok(value)
    }
}
