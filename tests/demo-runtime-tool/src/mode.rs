//! What this copy of the tool is called, and what it does.

use std::ffi::{CStr, CString, c_char};
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

/// What the wrappers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Tell the program their name, call the next function: as replacements.
    Replace,
    /// The same, as observers.
    Observe,
    /// As replacements, of which `demo_foo` panics before it calls the next function.
    PanicBefore,
    /// As replacements, of which `demo_foo` panics after it called the next function.
    PanicAfter,
    /// As observers, of which `demo_foo` panics before and after.
    PanicObserver,
    /// As replacements, of which `demo_foo` calls `demo_tick` itself.
    Reenter,
    /// As replacements, of which `demo_foo` calls the next function twice, with other arguments.
    Twice,
    /// Panics in the handover itself, before it wraps anything.
    PanicInHandover,
}

impl Mode {
    pub(crate) fn current() -> Self {
        static MODE: OnceLock<Mode> = OnceLock::new();
        *MODE.get_or_init(|| {
            // `tool-b=observe,tool-c=reenter`, or one word for all.
            let setting = std::env::var("DEMO_TOOL_MODE").unwrap_or_default();
            let own = setting
                .split(',')
                .find_map(|part| match part.split_once('=') {
                    Some((tool, mode)) => (tool.as_bytes() == name().to_bytes()).then_some(mode),
                    None => Some(part),
                });
            match own.unwrap_or_default() {
                "observe" => Self::Observe,
                "panic-before" => Self::PanicBefore,
                "panic-after" => Self::PanicAfter,
                "panic-observer" => Self::PanicObserver,
                "reenter" => Self::Reenter,
                "twice" => Self::Twice,
                "panic-in-handover" => Self::PanicInHandover,
                _ => Self::Replace,
            }
        })
    }

    pub(crate) fn observes(self) -> bool {
        matches!(self, Self::Observe | Self::PanicObserver)
    }
}

/// The stem of this library's file.
pub(crate) fn name() -> &'static CStr {
    static NAME: OnceLock<CString> = OnceLock::new();
    NAME.get_or_init(|| {
        // SAFETY: all zeroes are valid for it.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: an address in this library, and a place for the answer.
        unsafe { libc::dladdr((name as *const ()).cast(), &raw mut info) };
        if info.dli_fname.is_null() {
            return CString::default();
        }
        // SAFETY: a C string of the loader.
        let path = unsafe { CStr::from_ptr(info.dli_fname) }
            .to_string_lossy()
            .into_owned();
        let stem = Path::new(&path)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        CString::new(stem).unwrap_or_default()
    })
}

/// Tells the program that a call has reached this tool.
pub(crate) fn layer() {
    type Tell = unsafe extern "C" fn(*const c_char);
    static TELL: OnceLock<Option<Tell>> = OnceLock::new();
    let tell = TELL.get_or_init(|| {
        // SAFETY: the name ends in NUL.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"demo_layer".as_ptr()) };
        // SAFETY: a program that exports it gives it this type; NULL is None.
        unsafe { std::mem::transmute::<*mut libc::c_void, Option<Tell>>(symbol) }
    });
    if let Some(tell) = tell {
        // SAFETY: a C string.
        unsafe { tell(name().as_ptr()) };
    }
}

/// Appends a line to the log.
pub(crate) fn log(line: &str) {
    let Some(path) = std::env::var_os("DEMO_TOOL_LOG") else {
        return;
    };
    if let Ok(mut file) = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
    {
        let _ = file.write_all(format!("{}: {line}\n", name().to_string_lossy()).as_bytes());
    }
}
