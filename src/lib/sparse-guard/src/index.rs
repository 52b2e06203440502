//! Reads from git's index file what the guard asks about, without loading the rest of it.
//!
//! libgit2 builds every entry in memory and checks the file's hash, which on an index of 200,000
//! entries takes several times as long as git takes to answer; and it refuses sparse indexes. The
//! format is described in git's `Documentation/gitformat-index`. Writing is left to libgit2.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The mode of a symbolic link.
pub(crate) const MODE_SYMLINK: u32 = 0o120_000;
/// The mode of a submodule.
pub(crate) const MODE_GITLINK: u32 = 0o160_000;
/// The mode of a collapsed directory of a sparse index.
pub(crate) const MODE_DIRECTORY: u32 = 0o040_000;

const FLAG_EXTENDED: u16 = 0x4000;
const FLAG_SKIP_WORKTREE: u16 = 0x4000;
const NAME_MASK: u16 = 0x0fff;

/// Why an index file was not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IndexError {
    /// The file is not readable.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The index file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The content is not what the format says.
    #[error("{path} is not an index file that is understood here: {what}")]
    Format {
        /// The index file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
}

/// One entry, as long as the visit lasts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawEntry<'a> {
    /// The name, with `/` between folders; a collapsed directory ends with one.
    pub(crate) path: &'a [u8],
    /// The mode, with the type of the entry.
    pub(crate) mode: u32,
    /// The id of the object.
    pub(crate) id: [u8; 20],
    /// 0, or 1 to 3 for the sides of a conflict.
    pub(crate) stage: u8,
    /// Whether git leaves the entry out of the work tree.
    pub(crate) skip_worktree: bool,
    /// Time of the last change of the content: seconds and nanoseconds.
    pub(crate) modified: (u32, u32),
}

/// What follows the entries, as far as it decides who may use the index.
#[derive(Debug, Default, Clone)]
pub(crate) struct Extensions {
    /// Directories may be collapsed into one entry.
    pub(crate) sparse: bool,
    /// Most entries stand in another file.
    pub(crate) split: bool,
    /// A mandatory extension that is not known here.
    pub(crate) unknown: Option<String>,
}

/// The content of an index file.
pub(crate) struct IndexFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Which of the files that had this name it is.
    pub(crate) version: Version,
}

/// Tells one content of a file from another: git replaces its files, it does not write into them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    inode: u64,
    size: u64,
    /// Seconds and nanoseconds since 1970.
    pub(crate) modified: (i64, i64),
}

impl Version {
    /// The version of the file that is there now.
    pub(crate) fn of(file: &Path) -> io::Result<Self> {
        let file = fs::symlink_metadata(file)?;
        Ok(Self {
            inode: file.ino(),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
        })
    }
}

impl IndexFile {
    /// Reads `path`; a repository without an index has an empty one.
    pub(crate) fn read(path: &Path) -> Result<Self, IndexError> {
        // Should it be replaced in between, the version is that of the older one, and is not found
        // again later.
        let (version, bytes) = match Version::of(path).and_then(|v| Ok((v, fs::read(path)?))) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Default::default(),
            Err(source) => {
                return Err(IndexError::Io {
                    path: path.to_owned(),
                    source,
                });
            }
        };
        Ok(Self {
            path: path.to_owned(),
            bytes,
            version,
        })
    }

    /// Calls `visit` with every entry, in the order of the file.
    pub(crate) fn visit(
        &self,
        mut visit: impl FnMut(RawEntry<'_>),
    ) -> Result<Extensions, IndexError> {
        if self.bytes.is_empty() {
            return Ok(Extensions::default());
        }
        let mut input = Input {
            bytes: &self.bytes,
            at: 0,
        };
        let format = |what: String| IndexError::Format {
            path: self.path.clone(),
            what,
        };
        let cut = |at: usize| format(format!("it ends in the middle of an entry, at byte {at}"));
        let (Some(b"DIRC"), Some(version), Some(count)) = (input.take(4), input.u32(), input.u32())
        else {
            return Err(format("it does not begin with DIRC".to_owned()));
        };
        if !(2..=4).contains(&version) {
            return Err(format(format!("version {version}, where 2 to 4 are known")));
        }
        let mut name = Vec::new();
        for _ in 0..count {
            match read_entry(&mut input, version, &mut name) {
                Some(entry) => visit(entry),
                None => return Err(cut(input.at)),
            }
        }
        // The file ends with the hash of the content.
        let end = self.bytes.len().saturating_sub(20);
        let mut extensions = Extensions::default();
        while input.at < end {
            let (Some(signature), Some(length)) = (input.take(4), input.u32()) else {
                return Err(cut(input.at));
            };
            match signature {
                b"sdir" => extensions.sparse = true,
                b"link" => extensions.split = true,
                // A capital says that the extension may be passed over.
                [b'A'..=b'Z', ..] => {}
                other => {
                    extensions.unknown = Some(String::from_utf8_lossy(other).into_owned());
                }
            }
            let length = usize::try_from(length).unwrap_or(usize::MAX);
            if input.take(length).is_none() {
                return Err(cut(input.at));
            }
        }
        Ok(extensions)
    }
}

/// `None` where the bytes end before the entry does.
fn read_entry<'n, 'a: 'n>(
    input: &mut Input<'a>,
    version: u32,
    name: &'n mut Vec<u8>,
) -> Option<RawEntry<'n>> {
    let start = input.at;
    let fixed = input.take(62)?;
    let word = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(fixed.get(at..at + 4)?.try_into().ok()?))
    };
    let modified = (word(8)?, word(12)?);
    let mode = word(24)?;
    let id: [u8; 20] = fixed.get(40..60)?.try_into().ok()?;
    let flags = u16::from_be_bytes(fixed.get(60..62)?.try_into().ok()?);
    let extended = if flags & FLAG_EXTENDED == 0 {
        0
    } else {
        u16::from_be_bytes(input.take(2)?.try_into().ok()?)
    };
    let path: &[u8] = if version == 4 {
        let strip = input.varint()?;
        let keep = name.len().checked_sub(strip)?;
        name.truncate(keep);
        name.extend_from_slice(input.until_nul()?);
        name
    } else {
        let length = usize::from(flags & NAME_MASK);
        let path = if length < usize::from(NAME_MASK) {
            input.take(length)?
        } else {
            input
                .peek_until_nul()
                .and_then(|path| input.take(path.len()))?
        };
        // One to eight NULs fill the entry up to a multiple of eight.
        let length = input.at - start;
        input.take(8 - length % 8)?;
        path
    };
    Some(RawEntry {
        path,
        mode,
        id,
        stage: u8::try_from((flags >> 12) & 3).ok()?,
        skip_worktree: extended & FLAG_SKIP_WORKTREE != 0,
        modified,
    })
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn peek_until_nul(&self) -> Option<&'a [u8]> {
        let rest = self.bytes.get(self.at..)?;
        rest.get(..rest.iter().position(|&byte| byte == 0)?)
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let found = self.peek_until_nul()?;
        self.at += found.len() + 1;
        Some(found)
    }

    /// The number that git calls an offset encoding: each continuation adds one.
    fn varint(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value
                .checked_add(1)?
                .checked_mul(128)?
                .checked_add(usize::from(byte & 0x7f))?;
        }
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(version: u32, entries: &[u8], count: u32, rest: &[u8]) -> IndexFile {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(count.to_be_bytes());
        bytes.extend(entries);
        bytes.extend(rest);
        bytes.extend([0; 20]);
        IndexFile {
            path: "index".into(),
            bytes,
            version: Version::default(),
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_refused_and_never_read_past_its_end() {
        let mut entry = vec![0; 62];
        entry[27] = 1;
        entry[60..62].copy_from_slice(&3u16.to_be_bytes());
        entry.extend(b"a/b\0\0\0\0\0\0\0");
        let whole = index(2, &entry, 1, b"sdir\0\0\0\0");
        let mut seen = Vec::new();
        let extensions = whole.visit(|entry| seen.push(entry.path.to_vec())).unwrap();
        assert_eq!(seen, [b"a/b"]);
        assert!(extensions.sparse && !extensions.split);
        for length in 1..12 + entry.len() {
            let bytes = whole.bytes[..length].to_vec();
            let cut = IndexFile {
                path: "index".into(),
                bytes,
                version: Version::default(),
            };
            assert!(cut.visit(|_| ()).is_err(), "{length} bytes were accepted");
        }
    }

    #[test]
    fn an_unknown_mandatory_extension_is_reported_and_an_optional_one_is_not() {
        let found = index(2, &[], 0, b"xxxx\0\0\0\x01aTREE\0\0\0\0")
            .visit(|_| ())
            .unwrap();
        assert_eq!(found.unknown.as_deref(), Some("xxxx"));
        let found = index(2, &[], 0, b"TREE\0\0\0\0").visit(|_| ()).unwrap();
        assert_eq!(found.unknown, None);
        assert!(index(5, &[], 0, b"").visit(|_| ()).is_err());
    }
}
