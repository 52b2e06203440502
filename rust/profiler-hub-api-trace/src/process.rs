//! Facts about this process and its machine, for the file's info tables.

use std::ffi::{CStr, c_char};
use std::fs;
use std::mem::MaybeUninit;

/// What `uname` and the machine id say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    pub(crate) machine_id: String,
    pub(crate) system_name: String,
    pub(crate) hostname: String,
    pub(crate) release: String,
    pub(crate) version: String,
    pub(crate) hardware_name: String,
    pub(crate) domain_name: String,
}

impl Machine {
    /// This machine. What the system does not tell is empty.
    pub(crate) fn this() -> Self {
        let mut names = MaybeUninit::<libc::utsname>::zeroed();
        // SAFETY: a place for the answer.
        unsafe { libc::uname(names.as_mut_ptr()) };
        // SAFETY: zeroes, or filled; both are valid.
        let names = unsafe { names.assume_init() };
        let text = |field: &[c_char]| {
            let bytes: Vec<u8> = field.iter().map(|byte| byte.cast_unsigned()).collect();
            let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
            rocpd::writer::text_from_bytes(text.to_bytes()).into_owned()
        };
        let hostname = text(&names.nodename);
        let machine_id = ["/etc/machine-id", "/var/lib/dbus/machine-id"]
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .filter_map(|content| content.lines().next().map(|line| line.trim().to_owned()))
            .find(|line| !line.is_empty())
            .unwrap_or_else(|| hostname.clone());
        Self {
            machine_id,
            system_name: text(&names.sysname),
            hostname,
            release: text(&names.release),
            version: text(&names.version),
            hardware_name: text(&names.machine),
            domain_name: text(&names.domainname),
        }
    }

    /// A number for the machine: FNV-1a of the machine id, 64 bits.
    pub(crate) fn hash(&self) -> u64 {
        self.machine_id
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

/// When this process started, ns on `CLOCK_BOOTTIME`.
pub(crate) fn start() -> Option<u64> {
    start_of(
        &fs::read_to_string("/proc/self/stat").ok()?,
        ticks_per_second()?,
    )
}

fn ticks_per_second() -> Option<u64> {
    // SAFETY: takes a name, returns a number.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) })
        .ok()
        .filter(|ticks| *ticks > 0)
}

/// Field 22 of a line of `/proc/<pid>/stat`; field 2, in parentheses, may hold anything.
fn start_of(stat: &str, ticks_per_second: u64) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks: u64 = rest.split_whitespace().nth(19)?.parse().ok()?;
    let start = u128::from(ticks) * 1_000_000_000 / u128::from(ticks_per_second);
    u64::try_from(start).ok()
}

/// The command line, its words separated by blanks.
pub(crate) fn command() -> Option<String> {
    let words = fs::read("/proc/self/cmdline").ok()?;
    let words = words.strip_suffix(b"\0").unwrap_or(&words);
    let line: Vec<u8> = words
        .iter()
        .map(|byte| if *byte == 0 { b' ' } else { *byte })
        .collect();
    Some(rocpd::writer::text_from_bytes(&line).into_owned())
}

/// The name of a thread of this process, if it is there still.
pub(crate) fn thread_name(tid: u32) -> Option<String> {
    let name = fs::read(format!("/proc/self/task/{tid}/comm")).ok()?;
    Some(rocpd::writer::text_from_bytes(name.trim_ascii_end()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_field_22_whatever_the_name_is() {
        let fields: Vec<String> = (3..=52).map(|field| field.to_string()).collect();
        for name in ["sh", "a b", ")", ") 1 (x"] {
            let stat = format!("7 ({name}) {}", fields.join(" "));
            assert_eq!(start_of(&stat, 100), Some(220_000_000), "{name}");
        }
        assert_eq!(start_of("7 (sh) 3 4", 100), None);
        assert_eq!(start_of("", 100), None);
    }

    #[test]
    fn this_process_started_before_now() {
        assert!(start().unwrap() <= crate::clock::now());
        assert!(command().unwrap().contains("profiler_hub_api_trace"));
        assert!(!Machine::this().machine_id.is_empty());
    }
}
