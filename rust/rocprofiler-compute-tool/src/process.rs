//! Facts of this process and its machine, for the rows that name them.

use std::ffi::CStr;
use std::fs;
use std::hash::Hasher;
use std::mem::MaybeUninit;

const NANOSECONDS: u64 = 1_000_000_000;

/// CLOCK_BOOTTIME, ns: the clock of all times in a rocpd.
#[must_use]
pub fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is valid; the clock exists since Linux 2.6.39.
    unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &raw mut time) };
    time.tv_sec.unsigned_abs() * NANOSECONDS + time.tv_nsec.unsigned_abs()
}

/// This process.
#[derive(Clone, Debug)]
pub struct Process {
    /// OS pid.
    pub pid: u32,
    /// The parent's.
    pub ppid: u32,
    /// When it started, CLOCK_BOOTTIME in ns. Source: `/proc/self/stat`, field 22.
    pub start: Option<u64>,
    /// The command line, arguments separated by blanks.
    pub command: String,
}

impl Process {
    /// Reads the facts of the calling process.
    #[must_use]
    pub fn current() -> Self {
        let stat = fs::read("/proc/self/stat").ok();
        // SAFETY: no arguments, no failure that matters.
        let ticks_per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let arguments = fs::read("/proc/self/cmdline").unwrap_or_default();
        let arguments = arguments.strip_suffix(b"\0").unwrap_or(&arguments);
        let command = arguments
            .split(|byte| *byte == 0)
            .map(String::from_utf8_lossy);
        Self {
            pid: std::process::id(),
            ppid: std::os::unix::process::parent_id(),
            start: stat.and_then(|stat| start_time(&stat, ticks_per_second.unsigned_abs())),
            command: command.collect::<Vec<_>>().join(" "),
        }
    }
}

/// The start time in `/proc/<pid>/stat`, ns. The command's name may hold blanks and brackets.
fn start_time(stat: &[u8], ticks_per_second: u64) -> Option<u64> {
    let behind_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let fields = std::str::from_utf8(stat.get(behind_name..)?).ok()?;
    // The first field behind the name is the third of all.
    let ticks: u64 = fields.split_ascii_whitespace().nth(22 - 3)?.parse().ok()?;
    let seconds = ticks.checked_div(ticks_per_second)?;
    let rest = (ticks % ticks_per_second) * NANOSECONDS / ticks_per_second;
    seconds.checked_mul(NANOSECONDS)?.checked_add(rest)
}

/// This machine.
#[derive(Clone, Debug)]
pub struct Node {
    /// First line of `/etc/machine-id`, else of `/var/lib/dbus/machine-id`, as the SDK finds it.
    pub machine_id: String,
    /// `uname`: sysname, nodename, release, version, machine.
    pub uname: [String; 5],
}

impl Node {
    /// Reads the facts of this machine.
    #[must_use]
    pub fn current() -> Self {
        let first_line = |path: &str| {
            let text = fs::read(path).ok()?;
            let line = text.split(|byte| *byte == b'\n').next()?;
            (!line.is_empty()).then(|| String::from_utf8_lossy(line).into_owned())
        };
        let files = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
        Self {
            machine_id: files.into_iter().find_map(first_line).unwrap_or_default(),
            uname: uname(),
        }
    }

    /// A number for the machine id, the same in every process.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(self.machine_id.as_bytes());
        // SQLite's integers have a sign.
        hasher.finish() >> 1
    }
}

fn uname() -> [String; 5] {
    let mut names = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: `names` has room for the answer, and is zero where there is none.
    let names = unsafe {
        libc::uname(names.as_mut_ptr());
        names.assume_init()
    };
    [
        &names.sysname,
        &names.nodename,
        &names.release,
        &names.version,
        &names.machine,
    ]
    .map(|name| {
        // SAFETY: uname ends each name with NUL.
        unsafe { CStr::from_ptr(name.as_ptr()) }
            .to_string_lossy()
            .into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_time_is_field_22_also_behind_a_name_with_brackets() {
        let line = b"77 (a ) b (c) S 1 77 77 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 12345 1000 2";
        assert_eq!(start_time(line, 100), Some(123_450_000_000));
        assert_eq!(start_time(b"77 (a) S 1", 100), None);
        assert_eq!(start_time(b"", 100), None);
    }

    #[test]
    fn this_process_started_before_now() {
        let process = Process::current();
        assert_eq!(process.pid, std::process::id());
        assert!(process.start.unwrap() < now());
        assert!(process.command.contains("rocprofiler"));
    }
}
