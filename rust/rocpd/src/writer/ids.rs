//! Ids of rows, a type for each table: the id of a process's row is not its OS pid.

use std::fmt;

use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;

/// Declares the id of a table's rows.
macro_rules! row_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u64);

        impl $name {
            /// An id out of its number; 0 is an id like any other.
            #[must_use]
            pub const fn new(id: u64) -> Self {
                Self(id)
            }

            /// The number.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0
            }

            /// The number as it stands in the file.
            pub(super) const fn sql(self) -> i64 {
                self.0.cast_signed()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.sql().into())
            }
        }
    };
}

row_id!(
    /// `rocpd_info_node.id`, given by the caller.
    NodeId
);
row_id!(
    /// `rocpd_info_process.id`, given by the writer: 1, 2, …
    ProcessId
);
row_id!(
    /// `rocpd_info_thread.id`, given by the writer: 1, 2, …
    ThreadId
);
row_id!(
    /// `rocpd_info_agent.id`, given by the writer: 1, 2, …
    AgentId
);
row_id!(
    /// `rocpd_info_queue.id`, given by the caller.
    QueueId
);
row_id!(
    /// `rocpd_info_stream.id`, given by the caller.
    StreamId
);
row_id!(
    /// `rocpd_info_pmc.id`, given by the writer: 1, 2, …
    PmcId
);
row_id!(
    /// `rocpd_info_code_object.id`, given by the caller.
    CodeObjectId
);
row_id!(
    /// `rocpd_info_kernel_symbol.id`, given by the caller.
    KernelSymbolId
);
row_id!(
    /// `rocpd_track.id`, given by the writer: 1, 2, …
    TrackId
);
row_id!(
    /// `rocpd_string.id`, given by the writer: 1, 2, …
    StringId
);
