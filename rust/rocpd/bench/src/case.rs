//! What is measured.

use std::fs;
use std::path::Path;

use rocpd::Mode;
use rocpd::rusqlite::Connection;

use crate::Result;
use crate::limit::{self, Options};
use crate::ours::{self, COUNTERS};

/// One way to write values.
#[derive(Debug)]
pub(crate) struct Case {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The case that it is compared with.
    pub(crate) limit: &'static str,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Limit(Options, u64),
    SharedEvent(Mode),
    FreshEvent(Mode),
}

/// What a case took, of the whole process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// User and system time, microseconds.
    pub(crate) cpu_us: u64,
    /// Peak resident memory, KiB.
    pub(crate) peak_kib: u64,
    /// Bytes of the file.
    pub(crate) file_bytes: u64,
}

const fn case(name: &'static str, limit: &'static str, way: Way) -> Case {
    Case { name, limit, way }
}

const fn option(name: &'static str, options: Options) -> Case {
    case(name, "as in fast mode", Way::Limit(options, COUNTERS))
}

impl Case {
    /// The writer beside its limits.
    pub(crate) const WRITING: &'static [Self] = &[
        case(
            "shared event, fast: limit",
            "shared event, fast: limit",
            Way::Limit(Options::FAST, COUNTERS),
        ),
        case(
            "shared event, fast",
            "shared event, fast: limit",
            Way::SharedEvent(Mode::Fast),
        ),
        case(
            "shared event, durable: limit",
            "shared event, durable: limit",
            Way::Limit(Options::DURABLE, COUNTERS),
        ),
        case(
            "shared event, durable",
            "shared event, durable: limit",
            Way::SharedEvent(Mode::Durable),
        ),
        case(
            "fresh event, fast: limit",
            "fresh event, fast: limit",
            Way::Limit(Options::FAST, 1),
        ),
        case(
            "fresh event, fast",
            "fresh event, fast: limit",
            Way::FreshEvent(Mode::Fast),
        ),
        case(
            "fresh event, durable: limit",
            "fresh event, durable: limit",
            Way::Limit(Options::DURABLE, 1),
        ),
        case(
            "fresh event, durable",
            "fresh event, durable: limit",
            Way::FreshEvent(Mode::Durable),
        ),
    ];

    /// The limit with other options of the database, one changed at a time.
    pub(crate) const OPTIONS: &'static [Self] = &[
        option("as in fast mode", Options::FAST),
        option(
            "pages of 4 KiB",
            Options {
                page_size: 4096,
                ..Options::FAST
            },
        ),
        option(
            "pages of 8 KiB",
            Options {
                page_size: 8192,
                ..Options::FAST
            },
        ),
        option(
            "pages of 16 KiB",
            Options {
                page_size: 16384,
                ..Options::FAST
            },
        ),
        option(
            "pages of 64 KiB",
            Options {
                page_size: 65536,
                ..Options::FAST
            },
        ),
        option(
            "cache of 0.5 MiB",
            Options {
                cache_kib: 512,
                ..Options::FAST
            },
        ),
        option(
            "cache of 8 MiB",
            Options {
                cache_kib: 8 * 1024,
                ..Options::FAST
            },
        ),
        option(
            "cache of 64 MiB",
            Options {
                cache_kib: 64 * 1024,
                ..Options::FAST
            },
        ),
        option(
            "foreign keys checked",
            Options {
                foreign_keys: true,
                ..Options::FAST
            },
        ),
        option(
            "journal in memory",
            Options {
                journal: "MEMORY",
                ..Options::FAST
            },
        ),
        option(
            "no journal",
            Options {
                journal: "OFF",
                ..Options::FAST
            },
        ),
        option(
            "synchronous FULL",
            Options {
                synchronous: "FULL",
                ..Options::FAST
            },
        ),
        option(
            "WAL, synchronous OFF",
            Options {
                synchronous: "OFF",
                ..Options::DURABLE
            },
        ),
        option("as in durable mode", Options::DURABLE),
        option(
            "WAL, synchronous FULL",
            Options {
                synchronous: "FULL",
                ..Options::DURABLE
            },
        ),
        option(
            "WAL, commit every 1,000 values",
            Options {
                commit_every: 1000,
                ..Options::DURABLE
            },
        ),
    ];

    /// The case of that name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        Self::WRITING
            .iter()
            .chain(Self::OPTIONS)
            .find(|case| case.name == name)
    }

    /// Writes a file in a temporary folder and says what it took.
    pub(crate) fn measure(&self, values: u64) -> Result<Measured> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("values.db");
        match &self.way {
            Way::Limit(options, per_event) => limit::write(&path, options, *per_event, values)?,
            Way::SharedEvent(mode) => ours::shared_event(&path, *mode, values)?,
            Way::FreshEvent(mode) => ours::fresh_event(&path, *mode, values)?,
        }
        let (cpu_us, peak_kib) = usage();
        check(&path, values)?;
        Ok(Measured {
            cpu_us,
            peak_kib,
            file_bytes: fs::metadata(&path)?.len(),
        })
    }
}

/// The file has to hold what was measured.
fn check(path: &Path, values: u64) -> Result<()> {
    let connection = Connection::open(path)?;
    let found: i64 =
        connection.query_row("SELECT count(*) FROM rocpd_pmc_event", [], |row| row.get(0))?;
    if found.cast_unsigned() != values {
        return Err(format!("the file holds {found} values, expected {values}").into());
    }
    Ok(())
}

/// CPU time in microseconds and peak memory in KiB of this process.
fn usage() -> (u64, u64) {
    // SAFETY: all-zero bytes are a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `usage` is a valid `rusage` that the call may write; it cannot fail for this process.
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &raw mut usage) };
    let us = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    let cpu_us = us(usage.ru_utime) + us(usage.ru_stime);
    (cpu_us.cast_unsigned(), usage.ru_maxrss.cast_unsigned())
}
