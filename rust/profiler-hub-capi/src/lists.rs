//! What a context hands out for as long as it lives: tracks, nodes, agents, processes, in C's form.

use std::collections::HashMap;
use std::ffi::{CString, c_char};

use rocpd::reader::{Reader, RowId, Track, TrackKind};

use crate::boundary::text;
use crate::types::{
    PH_ID_NONE, ph_agent_list_t, ph_agent_t, ph_node_info_t, ph_node_t, ph_process_list_t,
    ph_process_t, ph_track_category_t, ph_track_list_t, ph_track_t, ph_value_range_t,
};

/// Texts that stay where they are. The same text is kept once.
#[derive(Default)]
pub(crate) struct Texts(HashMap<String, CString>);

impl Texts {
    pub(crate) fn keep(&mut self, wanted: &str) -> *const c_char {
        if let Some(kept) = self.0.get(wanted) {
            return kept.as_ptr();
        }
        let kept = text(wanted);
        let pointer = kept.as_ptr();
        self.0.insert(wanted.to_owned(), kept);
        pointer
    }

    /// As `keep`; what is not there is empty.
    pub(crate) fn keep_or_empty(&mut self, wanted: Option<&String>) -> *const c_char {
        wanted.map_or(c"".as_ptr(), |wanted| self.keep(wanted))
    }
}

/// Structs side by side, and a pointer to each: a list whose structs can grow.
pub(crate) struct Rows<T> {
    pub(crate) pointers: Box<[*const T]>,
    _rows: Box<[T]>,
}

impl<T> Rows<T> {
    pub(crate) fn new(rows: impl Iterator<Item = T>) -> Self {
        let rows: Box<[T]> = rows.collect();
        Self {
            pointers: rows.iter().map(std::ptr::from_ref).collect(),
            _rows: rows,
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.pointers.len() as u64
    }

    pub(crate) fn items(&self) -> *const *const T {
        if self.pointers.is_empty() {
            return std::ptr::null();
        }
        self.pointers.as_ptr()
    }
}

/// What a context hands out for as long as it lives.
pub(crate) struct Lists {
    tracks: Box<[ph_track_t]>,
    nodes: Box<[Node]>,
    /// Owns what the others point to.
    _texts: Texts,
}

struct Node {
    info: ph_node_info_t,
    agents: Box<[ph_agent_t]>,
    processes: Box<[ph_process_t]>,
    /// Its tracks lie side by side.
    tracks: std::ops::Range<usize>,
}

// SAFETY: the pointers lead into what `Lists` owns, and nothing of it changes once it is made.
unsafe impl Send for Lists {}
// SAFETY: as above.
unsafe impl Sync for Lists {}

/// An id in 32 bits.
fn short(id: Option<u64>) -> u32 {
    id.and_then(|id| u32::try_from(id).ok())
        .unwrap_or(PH_ID_NONE)
}

fn short_row(row: Option<RowId>) -> u32 {
    row.and_then(|RowId(id)| u32::try_from(id).ok())
        .unwrap_or(PH_ID_NONE)
}

/// A count in 32 bits; what is more is the most that they hold.
fn count(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(crate) fn category(kind: TrackKind) -> ph_track_category_t {
    use ph_track_category_t as c;
    match kind {
        TrackKind::Regions => c::PH_TRACK_CATEGORY_THREAD,
        TrackKind::Samples => c::PH_TRACK_CATEGORY_THREAD_SAMPLE,
        TrackKind::Counter => c::PH_TRACK_CATEGORY_PMC_AGENT,
        TrackKind::KernelDispatches => c::PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE,
        TrackKind::MemoryAllocations => c::PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE,
        TrackKind::MemoryCopies => c::PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE,
        TrackKind::Stream => c::PH_TRACK_CATEGORY_STREAM,
    }
}

fn track(texts: &mut Texts, track: &Track) -> ph_track_t {
    let (min, max) = track.values.unwrap_or_default();
    ph_track_t {
        id: track.id.0,
        track_name: texts.keep(&track.name),
        nid: short_row(track.node_row),
        pid: short(track.pid),
        tid: short(track.tid),
        event_count: count(track.count),
        agent_id: short(track.agent),
        category: category(track.kind),
        queue_id: short_row(track.queue_row),
        stream_id: short_row(track.stream_row),
        start_ts: track.first.unwrap_or(0),
        end_ts: track.last.unwrap_or(0),
        value_range: ph_value_range_t {
            min,
            max,
            is_valid: u32::from(track.values.is_some()),
        },
        nesting_depth: track.depth,
    }
}

impl Lists {
    pub(crate) fn new(reader: &Reader) -> Self {
        let mut texts = Texts::default();
        let tracks: Box<[ph_track_t]> = reader
            .tracks()
            .iter()
            .map(|t| track(&mut texts, t))
            .collect();
        let nodes = reader.info().nodes.iter().map(|node| {
            let of_node = |nid: Option<RowId>| nid == Some(node.row_id);
            let info = ph_node_info_t {
                id: short_row(Some(node.row_id)),
                machine_id: texts.keep_or_empty(node.machine_id.as_ref()),
                system_name: texts.keep_or_empty(node.system_name.as_ref()),
                hostname: texts.keep_or_empty(node.hostname.as_ref()),
                release: texts.keep_or_empty(node.release.as_ref()),
                version: texts.keep_or_empty(node.version.as_ref()),
                hardware_name: texts.keep_or_empty(node.hardware_name.as_ref()),
                domain_name: texts.keep_or_empty(node.domain_name.as_ref()),
            };
            let agents = reader.info().agents.iter().filter(|a| of_node(a.nid));
            let agents = agents.map(|agent| ph_agent_t {
                id: short(agent.absolute_index),
                agent_type: texts.keep_or_empty(agent.agent_type.as_ref()),
                absolute_index: short(agent.absolute_index),
                logical_index: short(agent.logical_index),
                uuid: short(agent.uuid),
                name: texts.keep_or_empty(agent.name.as_ref()),
                model_name: texts.keep_or_empty(agent.model_name.as_ref()),
                vendor_name: texts.keep_or_empty(agent.vendor_name.as_ref()),
                product_name: texts.keep_or_empty(agent.product_name.as_ref()),
                user_name: texts.keep_or_empty(agent.user_name.as_ref()),
            });
            let agents = agents.collect();
            let processes = reader.info().processes.iter().filter(|p| of_node(p.nid));
            let processes = processes.map(|process| ph_process_t {
                id: short(process.pid),
                command: texts.keep_or_empty(process.command.as_ref()),
            });
            let processes = processes.collect();
            let first = reader
                .tracks()
                .partition_point(|t| t.node_row.is_some() && t.node_row < Some(node.row_id));
            let until = reader
                .tracks()
                .partition_point(|t| t.node_row.is_some() && t.node_row <= Some(node.row_id));
            Node {
                info,
                agents,
                processes,
                tracks: first..until,
            }
        });
        let nodes = nodes.collect();
        Self {
            tracks,
            nodes,
            _texts: texts,
        }
    }

    pub(crate) fn tracks(&self) -> ph_track_list_t {
        track_list(&self.tracks)
    }

    /// The first node; without one, empty texts and all tracks.
    pub(crate) fn node(&self) -> ph_node_t {
        let Some(node) = self.nodes.first() else {
            return ph_node_t {
                track_list: self.tracks(),
                ..empty_node()
            };
        };
        ph_node_t {
            info: node.info,
            agents: ph_agent_list_t {
                list_size: count(node.agents.len() as u64),
                agents: pointer(&node.agents),
            },
            process_list: ph_process_list_t {
                list_size: count(node.processes.len() as u64),
                processes: pointer(&node.processes),
            },
            track_list: track_list(&self.tracks[node.tracks.clone()]),
        }
    }
}

fn track_list(tracks: &[ph_track_t]) -> ph_track_list_t {
    ph_track_list_t {
        list_size: count(tracks.len() as u64),
        tracks: pointer(tracks),
    }
}

/// The first of some structs; NULL if there are none.
pub(crate) fn pointer<T>(list: &[T]) -> *mut T {
    if list.is_empty() {
        return std::ptr::null_mut();
    }
    list.as_ptr().cast_mut()
}

/// A node that is not there.
pub(crate) fn empty_node() -> ph_node_t {
    let empty = c"".as_ptr();
    ph_node_t {
        info: ph_node_info_t {
            id: PH_ID_NONE,
            machine_id: empty,
            system_name: empty,
            hostname: empty,
            release: empty,
            version: empty,
            hardware_name: empty,
            domain_name: empty,
        },
        agents: ph_agent_list_t {
            list_size: 0,
            agents: std::ptr::null_mut(),
        },
        process_list: ph_process_list_t {
            list_size: 0,
            processes: std::ptr::null_mut(),
        },
        track_list: track_list(&[]),
    }
}
