//! The mark that a merge leaves in the SDK file's metadata: one row for each native guid.
//!
//! The tag is `profiler_hub_merge:<native guid>`, the value a JSON object. Nothing that reads a
//! rocpd's version or guid looks at such a tag.

use rocpd::Guid;
use serde::{Deserialize, Serialize};

use crate::report::Unmerged;

const TAG: &str = "profiler_hub_merge:";

/// What a merge inserted, and what it counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// First and last id of the rows that were inserted; nothing if there were none.
    pub(crate) ids: Option<(i64, i64)>,
    /// The rows of `rocpd_info_process` whose values came from the native guid.
    #[serde(default)]
    pub(crate) processes: Vec<i64>,
    /// How many values the native guid has; SPM values are not among them.
    pub(crate) native_values: u64,
    /// How many of them were merged into this guid of the SDK's file.
    pub(crate) merged_values: u64,
    /// Those that were merged nowhere, by reason.
    pub(crate) unmerged_values: Unmerged,
    /// The highest id among the native values, to see whether some were added later.
    pub(crate) last_native_id: Option<i64>,
}

impl Mark {
    pub(crate) fn tag(native: &Guid) -> String {
        format!("{TAG}{native}")
    }

    pub(crate) fn value(&self) -> String {
        serde_json::to_string(self).expect("numbers always have a JSON form")
    }

    /// Reads a metadata row. Rows that are no mark, or one that cannot be read, give nothing.
    pub(crate) fn read(tag: &str, value: &str) -> Option<(Guid, Self)> {
        let native = Guid::parse(tag.strip_prefix(TAG)?).ok()?;
        Some((native, serde_json::from_str(value).ok()?))
    }
}
