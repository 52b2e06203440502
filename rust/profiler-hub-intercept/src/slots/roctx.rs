//! Layouts of ROCTx's tables; the signatures are in [`crate::roctx`].

use super::{Header, Layout, SlotInfo};

/// `ROCPROFILER_MARKER_CORE_TABLE`: marks and ranges.
pub static CORE: Layout = Layout {
    name: "roctxCoreApiTable_t",
    header: Header::Size,
    slots: &[
        SlotInfo {
            name: "roctxMarkA",
            offset: 8,
        },
        SlotInfo {
            name: "roctxRangePushA",
            offset: 16,
        },
        SlotInfo {
            name: "roctxRangePop",
            offset: 24,
        },
        SlotInfo {
            name: "roctxRangeStartA",
            offset: 32,
        },
        SlotInfo {
            name: "roctxRangeStop",
            offset: 40,
        },
        SlotInfo {
            name: "roctxGetThreadId",
            offset: 48,
        },
    ],
};

/// `ROCPROFILER_MARKER_CONTROL_TABLE`: pausing and resuming the profiler.
pub static CONTROL: Layout = Layout {
    name: "roctxControlApiTable_t",
    header: Header::Size,
    slots: &[
        SlotInfo {
            name: "roctxProfilerPause",
            offset: 8,
        },
        SlotInfo {
            name: "roctxProfilerResume",
            offset: 16,
        },
    ],
};

/// `ROCPROFILER_MARKER_NAME_TABLE`: names for threads, agents, devices and streams.
pub static NAME: Layout = Layout {
    name: "roctxNameApiTable_t",
    header: Header::Size,
    slots: &[
        SlotInfo {
            name: "roctxNameOsThread",
            offset: 8,
        },
        SlotInfo {
            name: "roctxNameHsaAgent",
            offset: 16,
        },
        SlotInfo {
            name: "roctxNameHipDevice",
            offset: 24,
        },
        SlotInfo {
            name: "roctxNameHipStream",
            offset: 32,
        },
    ],
};
