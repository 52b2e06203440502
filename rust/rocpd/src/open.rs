//! Opening a database that somebody else wrote, without leaving a trace.
//!
//! Reading never writes: no byte of the file, no `-wal`, no `-shm`, no `-journal`, also in a folder
//! that is writable. SQLite's own read-only mode does not promise that (it makes or rewrites a
//! `-shm`), and `immutable=1` alone overlooks a `-wal` and a hot journal, so the way is chosen by
//! what lies beside the file:
//!
//! | beside the file | way |
//! |---|---|
//! | nothing with content | `immutable=1` |
//! | a `-wal` with committed frames | VFS `unix-none`, exclusive locking: the committed frames are read, no `-shm` is made |
//! | a `-wal` without a committed frame | `immutable=1`: SQLite would delete it on closing |
//! | a hot `-journal` | a private copy, rolled back in a temporary folder |

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::{Error, Result, wal};

/// How long [`Source::open`] waits for another process to let go of a file.
pub const LOCK_WAIT: Duration = Duration::from_secs(10);

/// How long to sleep between two looks at a lock.
const LOCK_POLL: Duration = Duration::from_millis(50);

/// First bytes of a rollback journal that is hot; a finished one begins with zeros.
/// Source: SQLite's file format, "The Rollback Journal".
const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// SQLite's lock bytes. Source: SQLite's file format, "The Lock-Byte Page".
const LOCK_BYTES_START: libc::off_t = 0x4000_0000;
const LOCK_BYTES_LENGTH: libc::off_t = 512;

/// A database file that can be read any number of times at once, and is never written.
///
/// Looking at the locks opens and closes the file once; by POSIX rules that drops the locks that
/// *this* process may hold on it through another copy of SQLite. Do not open what the same process
/// is writing.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    /// The path without symbolic links: journals lie beside the real file.
    real: PathBuf,
    way: Way,
    unfinished: bool,
    stamp: Stamp,
}

#[derive(Debug)]
enum Way {
    Immutable,
    WriteAheadLog,
    PrivateCopy { _folder: TempDir, file: PathBuf },
}

/// What tells that a file is no longer the one that was opened.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified_s: i64,
    modified_ns: i64,
}

impl Source {
    /// Looks at the file and at what lies beside it. Waits up to [`LOCK_WAIT`] for a writer.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::NotAFile`], [`Error::Io`]; [`Error::Locked`] if a living
    /// process is writing the file. Whether it is a database is not looked at here.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_within(path, LOCK_WAIT)
    }

    /// The same as [`Source::open`], with another limit to the wait.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open_within(path: &Path, wait: Duration) -> Result<Self> {
        let io_error = |action| {
            move |source: io::Error| match source.kind() {
                io::ErrorKind::NotFound => Error::NotFound { path: path.into() },
                _ => Error::Io {
                    path: path.into(),
                    action,
                    source,
                },
            }
        };
        let real = fs::canonicalize(path).map_err(io_error("find the file"))?;
        let metadata = fs::metadata(&real).map_err(io_error("look at the file"))?;
        if !metadata.is_file() {
            let found = if metadata.is_dir() {
                "a directory"
            } else {
                "a special file"
            };
            return Err(Error::NotAFile {
                path: path.into(),
                found,
            });
        }
        let file = File::open(&real).map_err(io_error("open the file for reading"))?;

        let deadline = Instant::now() + wait;
        let beside = loop {
            let beside = Beside::look(&real).map_err(io_error("look at the journal beside it"))?;
            // With a -wal any connection counts: SQLite may checkpoint under our hands.
            let lock = match beside {
                Beside::WriteAheadLog | Beside::UncommittedLog => libc::F_WRLCK,
                Beside::Nothing | Beside::HotJournal => libc::F_RDLCK,
            };
            let Some(pid) = lock_holder(&file, lock).map_err(io_error("look at the locks"))? else {
                break beside;
            };
            if Instant::now() >= deadline {
                return Err(Error::Locked {
                    path: path.into(),
                    holder: describe_process(pid),
                    waited_s: wait.as_secs(),
                });
            }
            thread::sleep(LOCK_POLL);
        };
        let unfinished = beside != Beside::Nothing;
        let way = match beside {
            Beside::Nothing | Beside::UncommittedLog => Way::Immutable,
            Beside::WriteAheadLog => Way::WriteAheadLog,
            Beside::HotJournal => rolled_back_copy(path, &real)?,
        };
        let stamp = Stamp::of(&real).map_err(io_error("look at the file"))?;
        Ok(Self {
            path: path.into(),
            real,
            way,
            unfinished,
            stamp,
        })
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the writer of this file did not finish: it left a `-wal` with content or a hot
    /// journal behind.
    #[must_use]
    pub const fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// A new read-only connection. Each is for one thread at a time; there can be many.
    ///
    /// Double quotes are identifiers only (a typo is an error, not a text).
    ///
    /// # Errors
    /// [`Error::Sqlite`], also where the file is no database or is damaged at its start.
    pub fn connect(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(self.uri(), flags).map_err(self.sqlite())?;
        if matches!(self.way, Way::WriteAheadLog) {
            // Before the first read, so that the -wal's index is kept in memory, not in a -shm.
            connection
                .pragma_update(Some("main"), "locking_mode", "EXCLUSIVE")
                .map_err(self.sqlite())?;
            // Closing must not clear up: the -wal is not ours.
            connection
                .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
                .map_err(self.sqlite())?;
        }
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)
            .map_err(self.sqlite())?;
        connection
            .set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
            .map_err(self.sqlite())?;
        Ok(connection)
    }

    /// Attaches the file to another connection, under the name `schema`, as read-only as
    /// [`Source::connect`] opens it. The source has to live as long as the connection.
    ///
    /// The connection must have been opened with `SQLITE_OPEN_URI`.
    ///
    /// # Errors
    /// [`Error::Sqlite`].
    pub fn attach(&self, connection: &Connection, schema: &str) -> Result<()> {
        let attach = || {
            let sql = format!("ATTACH ?1 AS {}", quote_identifier(schema));
            connection.execute(&sql, [self.uri()]).map(drop)
        };
        if !matches!(self.way, Way::WriteAheadLog) {
            return attach().map_err(self.sqlite());
        }
        // ATTACH reads the file at once, so the mode has to be the connection's default by then.
        // The attached file keeps it afterwards: a -wal's index in memory cannot be given up.
        let mode: String = connection
            .pragma_query_value(Some("main"), "locking_mode", |row| row.get(0))
            .map_err(self.sqlite())?;
        connection
            .pragma_update(None, "locking_mode", "EXCLUSIVE")
            .map_err(self.sqlite())?;
        let attached = attach();
        connection
            .pragma_update(None, "locking_mode", "NORMAL")
            .map_err(self.sqlite())?;
        connection
            .pragma_update(Some("main"), "locking_mode", mode)
            .map_err(self.sqlite())?;
        attached.map_err(self.sqlite())
    }

    /// Says whether the file is still what it was when it was opened; call it when everything has
    /// been read, before anything is made of it.
    ///
    /// # Errors
    /// [`Error::Changed`] if the file was written, replaced or removed since.
    pub fn verify_unchanged(&self) -> Result<()> {
        match Stamp::of(&self.real) {
            Ok(stamp) if stamp == self.stamp => Ok(()),
            _ => Err(Error::Changed {
                path: self.path.clone(),
            }),
        }
    }

    fn uri(&self) -> String {
        let (file, query) = match &self.way {
            Way::Immutable => (&self.real, "mode=ro&immutable=1"),
            Way::WriteAheadLog => (&self.real, "mode=ro&vfs=unix-none"),
            Way::PrivateCopy { file, .. } => (file, "mode=ro&immutable=1"),
        };
        format!("{}?{query}", file_uri(file))
    }

    fn sqlite(&self) -> impl FnOnce(rusqlite::Error) -> Error {
        Error::sqlite(&self.path)
    }
}

/// `name` as SQL writes an identifier.
#[must_use]
pub fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A path as a `file:` URI without a query: every byte that could mean something else is encoded.
#[must_use]
pub fn file_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[derive(PartialEq, Eq)]
enum Beside {
    Nothing,
    WriteAheadLog,
    /// There is nothing in it that counts, but its writer may go on.
    UncommittedLog,
    HotJournal,
}

impl Beside {
    fn look(real: &Path) -> io::Result<Self> {
        let mut journal = Vec::new();
        match File::open(with_suffix(real, "-journal")) {
            Ok(file) => file.take(8).read_to_end(&mut journal).map(|_| ())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        if journal == JOURNAL_MAGIC {
            return Ok(Self::HotJournal);
        }
        let log = with_suffix(real, "-wal");
        match fs::metadata(&log) {
            Ok(found) if found.len() == 0 => Ok(Self::Nothing),
            Ok(_) if wal::has_commit(&log)? => Ok(Self::WriteAheadLog),
            Ok(_) => Ok(Self::UncommittedLog),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Nothing),
            Err(error) => Err(error),
        }
    }
}

impl Stamp {
    fn of(real: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(real)?;
        Ok(Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified_s: metadata.mtime(),
            modified_ns: metadata.mtime_nsec(),
        })
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Copies a file with its hot journal to a private folder and lets SQLite roll it back there.
fn rolled_back_copy(path: &Path, real: &Path) -> Result<Way> {
    let io_error = |source| Error::Io {
        path: path.into(),
        action: "copy it to a temporary folder, where its unfinished transaction is rolled back \
                 (TMPDIR names another one)",
        source,
    };
    let folder = tempfile::Builder::new()
        .prefix("rocpd-")
        .tempdir()
        .map_err(io_error)?;
    let file = folder.path().join("copy.db");
    for suffix in ["", "-journal"] {
        let to = with_suffix(&file, suffix);
        let mut from = File::open(with_suffix(real, suffix)).map_err(io_error)?;
        // Not fs::copy: it would copy read-only permissions too.
        io::copy(&mut from, &mut File::create(to).map_err(io_error)?).map_err(io_error)?;
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&file, flags).map_err(Error::sqlite(path))?;
    connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(()))
        .map_err(Error::sqlite(path))?;
    connection.close().map_err(|(_, source)| Error::Sqlite {
        path: path.into(),
        source,
    })?;
    Ok(Way::PrivateCopy {
        _folder: folder,
        file,
    })
}

/// The process that holds a lock on SQLite's lock bytes that conflicts with `kind`.
fn lock_holder(file: &File, kind: libc::c_int) -> io::Result<Option<libc::pid_t>> {
    // SAFETY: all-zero bytes are a valid `flock`.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    // The constants are small (0 to 2); their C type differs from the field's.
    lock.l_type = libc::c_short::try_from(kind).map_err(io::Error::other)?;
    lock.l_whence = 0; // SEEK_SET
    lock.l_start = LOCK_BYTES_START;
    lock.l_len = LOCK_BYTES_LENGTH;
    // SAFETY: the descriptor is open and `lock` is a valid `flock` that the call may write.
    if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &raw mut lock) } != 0 {
        return match io::Error::last_os_error() {
            // File systems without locks have no holders to tell of.
            error
                if matches!(
                    error.raw_os_error(),
                    Some(libc::ENOLCK | libc::EINVAL | libc::ENOTSUP)
                ) =>
            {
                Ok(None)
            }
            error => Err(error),
        };
    }
    Ok((libc::c_int::from(lock.l_type) != libc::F_UNLCK).then_some(lock.l_pid))
}

/// Who holds a lock on a database, as far as the system tells, for messages.
///
/// Looking opens and closes the file: by POSIX rules that drops the locks that this process has on
/// it. Close its connections to the file first.
#[must_use]
pub fn who_uses(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    lock_holder(&file, libc::F_WRLCK)
        .ok()
        .flatten()
        .map(describe_process)
}

fn describe_process(pid: libc::pid_t) -> String {
    match fs::read_to_string(format!("/proc/{pid}/comm")) {
        Ok(name) if pid > 0 => format!("process {pid} ({})", name.trim_end()),
        _ if pid > 0 => format!("process {pid}"),
        _ => "another process".into(),
    }
}
