//! The info lists of a context, made when one of them is first asked for.

use std::ffi::c_char;

use rocpd::reader::{Reader, RowId};

use crate::boundary::{Growing, guard, set_sized};
use crate::context::context;
use crate::info_types::{
    PH_NONE, ph_agent_row_list_t, ph_agent_row_t, ph_code_object_row_list_t, ph_code_object_row_t,
    ph_kernel_symbol_row_list_t, ph_kernel_symbol_row_t, ph_node_row_list_t, ph_node_row_t,
    ph_pmc_row_list_t, ph_pmc_row_t, ph_process_row_list_t, ph_process_row_t, ph_queue_row_list_t,
    ph_queue_row_t, ph_stream_row_list_t, ph_stream_row_t, ph_string_row_list_t, ph_string_row_t,
    ph_thread_row_list_t, ph_thread_row_t,
};
use crate::lists::{Rows, Texts};
use crate::types::{ph_ctx_t, ph_result_t};

/// All info lists.
pub(crate) struct InfoLists {
    nodes: Rows<ph_node_row_t>,
    processes: Rows<ph_process_row_t>,
    threads: Rows<ph_thread_row_t>,
    agents: Rows<ph_agent_row_t>,
    queues: Rows<ph_queue_row_t>,
    streams: Rows<ph_stream_row_t>,
    pmcs: Rows<ph_pmc_row_t>,
    code_objects: Rows<ph_code_object_row_t>,
    kernel_symbols: Rows<ph_kernel_symbol_row_t>,
    strings: Rows<ph_string_row_t>,
    /// The agents of each node.
    _node_agents: Vec<Box<[*const ph_agent_row_t]>>,
    /// Owns the texts.
    _texts: Texts,
}

// SAFETY: the pointers lead into what the lists and the reader own, and nothing of it changes.
unsafe impl Send for InfoLists {}
// SAFETY: as above.
unsafe impl Sync for InfoLists {}

fn number(number: Option<u64>) -> u64 {
    number.unwrap_or(PH_NONE)
}

fn signed(number: Option<i64>) -> u64 {
    number.map_or(PH_NONE, i64::cast_unsigned)
}

fn row(row: Option<RowId>) -> u64 {
    signed(row.map(|RowId(id)| id))
}

impl InfoLists {
    pub(crate) fn new(reader: &Reader) -> Self {
        let mut texts = Texts::default();
        let info = reader.info();
        let agents = Rows::new(info.agents.iter().map(|x| ph_agent_row_t {
            size: size_of::<ph_agent_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            agent_type: texts.keep_or_empty(x.agent_type.as_ref()),
            absolute_index: number(x.absolute_index),
            logical_index: number(x.logical_index),
            type_index: number(x.type_index),
            uuid: number(x.uuid),
            name: texts.keep_or_empty(x.name.as_ref()),
            model_name: texts.keep_or_empty(x.model_name.as_ref()),
            vendor_name: texts.keep_or_empty(x.vendor_name.as_ref()),
            product_name: texts.keep_or_empty(x.product_name.as_ref()),
            user_name: texts.keep_or_empty(x.user_name.as_ref()),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let mut node_agents: Vec<Box<[*const ph_agent_row_t]>> = Vec::new();
        let nodes = Rows::new(info.nodes.iter().map(|x| {
            let of_node = info.agents.iter().zip(&agents.pointers);
            let of_node = of_node.filter(|(agent, _)| agent.nid == Some(x.row_id));
            let own: Box<[*const ph_agent_row_t]> = of_node.map(|(_, agent)| *agent).collect();
            let row = ph_node_row_t {
                size: size_of::<ph_node_row_t>(),
                row_id: row(Some(x.row_id)),
                hash: number(x.hash),
                machine_id: texts.keep_or_empty(x.machine_id.as_ref()),
                system_name: texts.keep_or_empty(x.system_name.as_ref()),
                hostname: texts.keep_or_empty(x.hostname.as_ref()),
                release: texts.keep_or_empty(x.release.as_ref()),
                version: texts.keep_or_empty(x.version.as_ref()),
                hardware_name: texts.keep_or_empty(x.hardware_name.as_ref()),
                domain_name: texts.keep_or_empty(x.domain_name.as_ref()),
                agent_count: own.len() as u64,
                agents: match own.is_empty() {
                    true => std::ptr::null(),
                    false => own.as_ptr(),
                },
            };
            node_agents.push(own);
            row
        }));
        let processes = Rows::new(info.processes.iter().map(|x| {
            let range = reader.process_range(x.guid, x.row_id);
            ph_process_row_t {
                size: size_of::<ph_process_row_t>(),
                row_id: row(Some(x.row_id)),
                node_id: row(x.nid),
                pid: number(x.pid),
                ppid: signed(x.ppid),
                init: number(x.init),
                fini: number(x.fini),
                start: number(range.map(|(start, _)| start)),
                end: number(range.map(|(_, end)| end)),
                command: texts.keep_or_empty(x.command.as_ref()),
                environment: texts.keep_or_empty(x.environment.as_ref()),
                extdata: texts.keep_or_empty(x.extdata.as_ref()),
            }
        }));
        let threads = Rows::new(info.threads.iter().map(|x| ph_thread_row_t {
            size: size_of::<ph_thread_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            tid: number(x.tid),
            ppid: signed(x.ppid),
            start: number(x.start),
            end: number(x.end),
            name: texts.keep_or_empty(x.name.as_ref()),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let queues = Rows::new(info.queues.iter().map(|x| ph_queue_row_t {
            size: size_of::<ph_queue_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            name: texts.keep_or_empty(x.name.as_ref()),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let streams = Rows::new(info.streams.iter().map(|x| ph_stream_row_t {
            size: size_of::<ph_stream_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            name: texts.keep_or_empty(x.name.as_ref()),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let pmcs = Rows::new(info.pmcs.iter().map(|x| ph_pmc_row_t {
            size: size_of::<ph_pmc_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            agent_id: number(x.agent),
            target_arch: texts.keep_or_empty(x.target_arch.as_ref()),
            event_code: number(x.event_code),
            instance_id: number(x.instance_id),
            name: texts.keep_or_empty(x.name.as_ref()),
            symbol: texts.keep_or_empty(x.symbol.as_ref()),
            description: texts.keep_or_empty(x.description.as_ref()),
            long_description: texts.keep_or_empty(x.long_description.as_ref()),
            component: texts.keep_or_empty(x.component.as_ref()),
            units: texts.keep_or_empty(x.units.as_ref()),
            value_type: texts.keep_or_empty(x.value_type.as_ref()),
            block: texts.keep_or_empty(x.block.as_ref()),
            expression: texts.keep_or_empty(x.expression.as_ref()),
            is_constant: signed(x.is_constant),
            is_derived: signed(x.is_derived),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let code_objects = Rows::new(info.code_objects.iter().map(|x| ph_code_object_row_t {
            size: size_of::<ph_code_object_row_t>(),
            row_id: row(Some(x.row_id)),
            node_id: row(x.nid),
            pid: number(x.pid),
            agent_id: number(x.agent),
            uri: texts.keep_or_empty(x.uri.as_ref()),
            load_base: number(x.load_base),
            load_size: number(x.load_size),
            load_delta: number(x.load_delta),
            storage_type: texts.keep_or_empty(x.storage_type.as_ref()),
            extdata: texts.keep_or_empty(x.extdata.as_ref()),
        }));
        let kernel_symbols =
            Rows::new(info.kernel_symbols.iter().map(|x| ph_kernel_symbol_row_t {
                size: size_of::<ph_kernel_symbol_row_t>(),
                row_id: row(Some(x.row_id)),
                node_id: row(x.nid),
                pid: number(x.pid),
                code_object_id: row(x.code_object),
                kernel_name: texts.keep_or_empty(x.kernel_name.as_ref()),
                display_name: texts.keep_or_empty(x.display_name.as_ref()),
                kernel_object: number(x.kernel_object),
                kernarg_segment_size: number(x.kernarg_segment_size),
                kernarg_segment_alignment: number(x.kernarg_segment_alignment),
                group_segment_size: number(x.group_segment_size),
                private_segment_size: number(x.private_segment_size),
                sgpr_count: number(x.sgpr_count),
                arch_vgpr_count: number(x.arch_vgpr_count),
                accum_vgpr_count: number(x.accum_vgpr_count),
                extdata: texts.keep_or_empty(x.extdata.as_ref()),
            }));
        let strings = Rows::new(info.strings(0).map(|(id, text)| ph_string_row_t {
            size: size_of::<ph_string_row_t>(),
            row_id: row(Some(id)),
            text: text.as_ptr().cast::<c_char>(),
        }));
        Self {
            nodes,
            processes,
            threads,
            agents,
            queues,
            streams,
            pmcs,
            code_objects,
            kernel_symbols,
            strings,
            _node_agents: node_agents,
            _texts: texts,
        }
    }
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_node_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_process_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_thread_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_agent_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_queue_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_stream_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_pmc_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_code_object_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_kernel_symbol_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

// SAFETY: it is repr(C), begins with its size, and is plain data.
unsafe impl Growing for ph_string_row_list_t {
    const LEAST: usize = size_of::<Self>();
}

/// Lists the machines, each with its agents, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_nodes(ctx: ph_ctx_t, list: *mut ph_node_row_list_t) -> ph_result_t {
    let filled = |count, items| ph_node_row_list_t {
        size: size_of::<ph_node_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().nodes;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the processes, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_processes(
    ctx: ph_ctx_t,
    list: *mut ph_process_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_process_row_list_t {
        size: size_of::<ph_process_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().processes;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the threads, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_threads(
    ctx: ph_ctx_t,
    list: *mut ph_thread_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_thread_row_list_t {
        size: size_of::<ph_thread_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().threads;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the processors of all nodes, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_agents(
    ctx: ph_ctx_t,
    list: *mut ph_agent_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_agent_row_list_t {
        size: size_of::<ph_agent_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().agents;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the queues, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_queues(
    ctx: ph_ctx_t,
    list: *mut ph_queue_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_queue_row_list_t {
        size: size_of::<ph_queue_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().queues;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the streams, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_streams(
    ctx: ph_ctx_t,
    list: *mut ph_stream_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_stream_row_list_t {
        size: size_of::<ph_stream_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().streams;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the counters, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_pmc_infos(
    ctx: ph_ctx_t,
    list: *mut ph_pmc_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_pmc_row_list_t {
        size: size_of::<ph_pmc_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().pmcs;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the code objects, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_code_objects(
    ctx: ph_ctx_t,
    list: *mut ph_code_object_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_code_object_row_list_t {
        size: size_of::<ph_code_object_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().code_objects;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the kernels, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_kernel_symbols(
    ctx: ph_ctx_t,
    list: *mut ph_kernel_symbol_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_kernel_symbol_row_list_t {
        size: size_of::<ph_kernel_symbol_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().kernel_symbols;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}

/// Lists the texts of the file, by row id.
///
/// @param ctx   A context.
/// @param list  Where to write the list, its size set; it stays valid until the context is freed.
/// @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
///         NULL or its size is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ph_get_strings(
    ctx: ph_ctx_t,
    list: *mut ph_string_row_list_t,
) -> ph_result_t {
    let filled = |count, items| ph_string_row_list_t {
        size: size_of::<ph_string_row_list_t>(),
        count,
        items,
    };
    guard(|| {
        // SAFETY: the header asks for NULL or a struct whose size is set.
        unsafe { set_sized(list, &filled(0, std::ptr::null()), "list") }?;
        context(ctx)?.run(|context| {
            let rows = &context.info().strings;
            // SAFETY: as above.
            unsafe { set_sized(list, &filled(rows.count(), rows.items()), "list") }
        })
    })
}
