//! Whether a write-ahead log holds anything that was committed.
//!
//! Source of the layout: SQLite's file format, "The Write-Ahead Log".

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// Bytes of the log's header.
const HEADER: usize = 32;

/// Bytes before each page in the log.
const FRAME_HEADER: usize = 24;

/// How a log begins; its last bit tells the order of the bytes that are summed up.
const MAGIC: u32 = 0x377f_0682;

/// Says whether there is a frame that ends a transaction, with sound frames only before it. SQLite
/// reads nothing from a log without one, and deletes such a log when it closes the database.
pub(crate) fn has_commit(log: &Path) -> io::Result<bool> {
    let mut log = BufReader::new(File::open(log)?);
    let mut header = [0; HEADER];
    if !read_whole(&mut log, &mut header)? {
        return Ok(false);
    }
    let magic = number(&header, 0);
    let page_size = usize::try_from(number(&header, 8)).unwrap_or(0);
    let mut sum = Checksum {
        big_endian: magic & 1 == 1,
        sums: [0; 2],
    };
    sum.add(&header[..24]);
    let is_log = magic & !1 == MAGIC && (512..=65536).contains(&page_size);
    if !is_log || !page_size.is_power_of_two() || !sum.is_at(&header, 24) {
        return Ok(false);
    }
    let mut frame = vec![0; FRAME_HEADER + page_size];
    while read_whole(&mut log, &mut frame)? {
        sum.add(&frame[..8]);
        sum.add(&frame[FRAME_HEADER..]);
        // The salts tell the frames of this log from those that an earlier one left behind.
        if frame[8..16] != header[16..24] || !sum.is_at(&frame, 16) {
            return Ok(false);
        }
        let pages_after_commit = number(&frame, 4);
        if pages_after_commit != 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Fills the buffer; says no if the file ends before.
fn read_whole(log: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match log.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The big-endian number at an offset.
fn number(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4]
        .iter()
        .fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The sum over everything so far.
struct Checksum {
    big_endian: bool,
    sums: [u32; 2],
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let [mut s0, mut s1] = self.sums;
        for pair in bytes.chunks_exact(8) {
            let (mut x0, mut x1) = (number(pair, 0), number(pair, 4));
            if !self.big_endian {
                (x0, x1) = (x0.swap_bytes(), x1.swap_bytes());
            }
            s0 = s0.wrapping_add(x0).wrapping_add(s1);
            s1 = s1.wrapping_add(x1).wrapping_add(s0);
        }
        self.sums = [s0, s1];
    }

    /// Whether the sum is the one that stands there.
    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        self.sums == [number(bytes, at), number(bytes, at + 4)]
    }
}
