//! Capture: from the record callback to the file, in bounded memory.
//!
//! A callback appends plain records to a [`Buffer`] of its own thread. Its lock is taken by one
//! other thread only, the [writer](drain), and only to swap the buffer. Full buffers go to a queue
//! that never blocks; empty ones come back. The writer stores what there is four times a second, or
//! sooner where much has come, each time in one transaction.

mod buffer;
mod drain;
mod sequence;
mod session;
mod slot;
mod tally;

pub use buffer::{Buffer, Dispatch, Value};
pub use drain::gate;
pub use sequence::{Resolve, Token};
pub use session::{Session, Summary};
pub use tally::Reason;
pub(crate) use tally::Tally;
