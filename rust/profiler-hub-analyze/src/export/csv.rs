//! The table's file: written beside its place under another name, put there when it is complete.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{Error, Result};

/// The columns, in order.
const HEADER: &str = "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,\
LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,\
End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n";

/// Bytes that are gathered before they are handed to the system.
const BUFFER: usize = 256 * 1024;

/// A text file that appears whole or not at all.
#[derive(Debug)]
pub(crate) struct Pending {
    /// Where it goes, without symbolic links.
    target: PathBuf,
    file: NamedTempFile,
    /// The target is a device or a pipe: the bytes are copied there.
    copied: bool,
}

impl Pending {
    /// Makes sure that the file can be written before any work is done for it.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let failed = Error::output(path, "write it");
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let copied = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Error::Output {
                    path: path.into(),
                    action: "write it",
                    reason: "a folder has that name; name a file".into(),
                });
            }
            Ok(metadata) => !metadata.is_file(),
            Err(_) => false,
        };
        let file = if copied {
            NamedTempFile::new().map_err(failed)?
        } else {
            let folder = match target.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            use std::os::unix::fs::PermissionsExt;
            tempfile::Builder::new()
                .prefix(".profiler-hub-")
                // As any new file: the umask has its say.
                .permissions(fs::Permissions::from_mode(0o666))
                .tempfile_in(folder)
                .map_err(|error| Error::Output {
                    path: path.into(),
                    action: "write it",
                    reason: match error.kind() {
                        io::ErrorKind::NotFound => {
                            format!("the folder {} does not exist; make it", folder.display())
                        }
                        _ => error.to_string(),
                    },
                })?
        };
        Ok(Self {
            target,
            file,
            copied,
        })
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Puts the file in its place.
    pub(crate) fn publish(mut self) -> Result<()> {
        if self.copied {
            let mut copy = || {
                self.file.seek(SeekFrom::Start(0))?;
                let mut target = File::options().write(true).open(&self.target)?;
                io::copy(&mut self.file, &mut target).map(drop)
            };
            return copy().map_err(Error::output(&self.target, "write it"));
        }
        // Some file systems tell only now that there is no room.
        self.file
            .as_file()
            .sync_all()
            .map_err(Error::output(&self.target, "write it"))?;
        self.file
            .persist(&self.target)
            .map_err(|error| error.error)
            .map_err(Error::output(&self.target, "put it in its place"))?;
        Ok(())
    }

    /// Puts a text in its place.
    pub(crate) fn publish_text(mut self, text: &str) -> Result<()> {
        self.file
            .write_all(text.as_bytes())
            .map_err(Error::output(&self.target, "write it"))?;
        self.publish()
    }
}

/// The table, row by row.
#[derive(Debug)]
pub(crate) struct Csv {
    pending: Pending,
    buffer: Vec<u8>,
    /// Bytes in the file; those in the buffer come after them.
    written: u64,
}

impl Csv {
    /// Begins the table, with its header.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        Ok(Self {
            pending: Pending::create(path)?,
            buffer: HEADER.as_bytes().to_vec(),
            written: 0,
        })
    }

    pub(crate) fn target(&self) -> &Path {
        self.pending.target()
    }

    /// Where rows end now, to come back to.
    pub(crate) fn position(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Forgets every row after a position.
    pub(crate) fn rewind(&mut self, position: u64) -> Result<()> {
        self.flush()?;
        let file = self.pending.file.as_file_mut();
        file.set_len(position)
            .and_then(|()| file.seek(SeekFrom::Start(position)))
            .map_err(Error::output(&self.pending.target, "write it"))?;
        self.written = position;
        Ok(())
    }

    /// The buffer to append a row to; call [`Csv::row_done`] after each.
    pub(crate) fn row(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    pub(crate) fn row_done(&mut self) -> Result<()> {
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Puts the table in its place.
    pub(crate) fn publish(mut self) -> Result<()> {
        self.flush()?;
        self.pending.publish()
    }

    fn flush(&mut self) -> Result<()> {
        self.pending
            .file
            .write_all(&self.buffer)
            .map_err(Error::output(&self.pending.target, "write it"))?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Appends a field and quotes it only where RFC 4180 asks for it.
pub(crate) fn push_field(row: &mut Vec<u8>, field: &[u8]) {
    let special = |byte: &u8| matches!(byte, b'"' | b',' | b'\r' | b'\n');
    if !field.iter().any(special) {
        row.extend_from_slice(field);
        return;
    }
    row.push(b'"');
    for &byte in field {
        if byte == b'"' {
            row.push(b'"');
        }
        row.push(byte);
    }
    row.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_only_where_needed() {
        let table: [(&[u8], &[u8]); 8] = [
            (b"", b""),
            (b"a b", b"a b"),
            (b"a,b", b"\"a,b\""),
            (b"say \"x\"", b"\"say \"\"x\"\"\""),
            (b"two\nlines", b"\"two\nlines\""),
            (b"cr\r", b"\"cr\r\""),
            (b"%s \\ \xF0\x9F\x98\x80", b"%s \\ \xF0\x9F\x98\x80"),
            (b"nul\0 \xFF", b"nul\0 \xFF"),
        ];
        for (field, expected) in table {
            let mut row = Vec::new();
            push_field(&mut row, field);
            assert_eq!(row, expected);
        }
    }

    #[test]
    fn rewound_rows_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut csv = Csv::create(&path).unwrap();
        csv.row().extend_from_slice(b"one\n");
        let position = csv.position();
        for _ in 0..100_000 {
            csv.row().extend_from_slice(b"many more\n");
            csv.row_done().unwrap();
        }
        csv.rewind(position).unwrap();
        csv.row().extend_from_slice(b"two\n");
        csv.publish().unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            format!("{HEADER}one\ntwo\n")
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
