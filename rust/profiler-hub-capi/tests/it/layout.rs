//! Every struct is laid out in C as in Rust: sizes and offsets, field by field.

use std::fmt::Write as _;
use std::mem::offset_of;

use profiler_hub::*;

use crate::native::compile_text;

/// One line of C for the size of each struct and the offset of each field.
macro_rules! asserts {
    ($($name:ident { $($field:ident,)* })*) => {{
        let mut text = String::new();
        $(
            let name = stringify!($name);
            writeln!(text, "LAYOUT(sizeof({name}) == {});", size_of::<$name>()).unwrap();
            $(
                let field = stringify!($field).trim_start_matches("r#");
                let offset = offset_of!($name, $field);
                writeln!(text, "LAYOUT(offsetof({name}, {field}) == {offset});").unwrap();
            )*
        )*
        text
    }};
}

const HEAD: &str = "\
#include <profiler-hub/c/profiler_hub.h>
#ifdef __cplusplus
#define LAYOUT(that) static_assert(that, #that)
#else
#define LAYOUT(that) _Static_assert(that, #that)
#endif
int main(void) { return 0; }
";

#[test]
fn structs_are_laid_out_in_c_as_in_rust() {
    let mut text = HEAD.to_owned();
    text += &asserts! {
        ph_version_t { major, minor, patch, }
        ph_value_range_t { min, max, is_valid, }
        ph_track_t { id, track_name, nid, pid, tid, event_count, agent_id, category, queue_id, stream_id, start_ts, end_ts, value_range, nesting_depth, }
        ph_track_list_t { list_size, tracks, }
        ph_node_info_t { id, machine_id, system_name, hostname, release, version, hardware_name, domain_name, }
        ph_agent_t { id, agent_type, absolute_index, logical_index, uuid, name, model_name, vendor_name, product_name, user_name, }
        ph_agent_list_t { list_size, agents, }
        ph_process_t { id, command, }
        ph_process_list_t { list_size, processes, }
        ph_node_t { info, agents, process_list, track_list, }
        ph_event_t { id, start, end, name, r#type, depth, }
        ph_event_list_t { list_size, events, }
        ph_sample_t { timestamp, value, }
        ph_sample_list_t { list_size, samples, }
        ph_database_probe_t { size, status, has_version, version, guid_count, guid, message, }
        ph_node_row_t { size, row_id, hash, machine_id, system_name, hostname, release, version, hardware_name, domain_name, agent_count, agents, }
        ph_node_row_list_t { size, count, items, }
        ph_process_row_t { size, row_id, node_id, pid, ppid, init, fini, start, end, command, environment, extdata, }
        ph_process_row_list_t { size, count, items, }
        ph_thread_row_t { size, row_id, node_id, pid, tid, ppid, start, end, name, extdata, }
        ph_thread_row_list_t { size, count, items, }
        ph_agent_row_t { size, row_id, node_id, pid, agent_type, absolute_index, logical_index, type_index, uuid, name, model_name, vendor_name, product_name, user_name, extdata, }
        ph_agent_row_list_t { size, count, items, }
        ph_queue_row_t { size, row_id, node_id, pid, name, extdata, }
        ph_queue_row_list_t { size, count, items, }
        ph_stream_row_t { size, row_id, node_id, pid, name, extdata, }
        ph_stream_row_list_t { size, count, items, }
        ph_pmc_row_t { size, row_id, node_id, pid, agent_id, target_arch, event_code, instance_id, name, symbol, description, long_description, component, units, value_type, block, expression, is_constant, is_derived, extdata, }
        ph_pmc_row_list_t { size, count, items, }
        ph_code_object_row_t { size, row_id, node_id, pid, agent_id, uri, load_base, load_size, load_delta, storage_type, extdata, }
        ph_code_object_row_list_t { size, count, items, }
        ph_kernel_symbol_row_t { size, row_id, node_id, pid, code_object_id, kernel_name, display_name, kernel_object, kernarg_segment_size, kernarg_segment_alignment, group_segment_size, private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count, extdata, }
        ph_kernel_symbol_row_list_t { size, count, items, }
        ph_string_row_t { size, row_id, text, }
        ph_string_row_list_t { size, count, items, }
        ph_open_options_t { size, threads, progress, user_data, }
        ph_trace_info_t { size, start_ts, end_ts, event_count, value_count, odd_time_count, warnings, guid, }
        ph_track_info_t { size, count, odd_time_count, node_row, process_row, thread_row, agent_row, queue_row, stream_row, pmc_row, named_track_row, pid, tid, agent_id, }
        ph_cell_t { column, r#type, as_int64, as_uint64, as_double, as_text, }
        ph_table_query_t { size, table, descending, start_ts, end_ts, track_ids, track_count, name_contains, sort_by, offset, limit, }
        ph_table_page_t { size, total, row_count, column_count, columns, cells, }
        ph_argument_t { position, r#type, name, value, extdata, }
        ph_event_details_t { size, table, row_id, name, category, call_stack, line_info, row_cell_count, row_cells, event_cell_count, event_cells, argument_count, arguments, }
        ph_related_event_t { size, relation, table, row_id, start, end, track_id, r#type, }
        ph_related_list_t { size, count, items, }
        ph_bucket_t { events, busy, }
        ph_name_summary_t { size, name, count, total, mean, min, max, p50, p95, }
        ph_summary_t { size, count, items, }
        ph_text_t { data, size, }
        ph_optional_t { value, is_set, }
        ph_agent_ref_t { r#type, type_index, is_set, }
        ph_writer_environment_t { size, node_id, process_id, thread_id, agent, stream_id, queue_id, track_name, }
        ph_writer_node_t { size, node_id, hash, machine_id, system_name, hostname, release, version, hardware_name, domain_name, }
        ph_writer_process_t { size, node_id, pid, ppid, init, fini, start, end, command, environment, extdata, }
        ph_writer_thread_t { size, node_id, process_id, thread_id, parent_process_id, name, start, end, extdata, }
        ph_writer_agent_t { size, node_id, process_id, unique_id, absolute_index, logical_index, uuid, name, model_name, vendor_name, product_name, user_name, extdata, }
        ph_writer_pmc_t { size, node_id, process_id, name, agent, target_arch, event_code, instance_id, symbol, description, long_description, component, units, value_type, block, expression, is_constant, is_derived, extdata, }
        ph_writer_lane_t { size, node_id, process_id, id, name, extdata, }
        ph_writer_code_object_t { size, node_id, process_id, id, agent, uri, load_base, load_size, load_delta, storage_type, extdata, }
        ph_writer_kernel_symbol_t { size, id, code_object_id, name, display_name, kernel_object, kernarg_segment_size, kernarg_segment_alignment, group_segment_size, private_segment_size, sgpr_count, arch_vgpr_count, accum_vgpr_count, extdata, }
        ph_writer_track_t { size, node_id, process_id, thread_id, name, extdata, }
        ph_writer_event_t { size, stack_id, parent_stack_id, correlation_id, call_stack, line_info, category, extdata, }
        ph_writer_arg_t { position, r#type, name, value, extdata, }
        ph_writer_region_t { size, event, start, end, name, extdata, args, arg_count, }
        ph_writer_kernel_dispatch_t { size, event, dispatch_id, start, end, kernel_symbol_id, private_segment_size, group_segment_size, workgroup_size, grid_size, name, extdata, }
        ph_writer_memory_copy_t { size, event, start, end, dst_agent, dst_address, src_agent, src_address, bytes, name, region_name, extdata, }
        ph_writer_memory_alloc_t { size, event, r#type, level, start, end, address, bytes, extdata, }
        ph_writer_pmc_event_t { size, event, pmc_name, pmc_agent, value, extdata, sample_track, sample_timestamp, sample_extdata, }
    };
    compile_text("c11", "layout.c", &text);
    compile_text("c++17", "layout.cpp", &text);
}

#[test]
fn every_struct_is_among_them() {
    let here = include_str!("layout.rs");
    for source in [
        include_str!("../../src/types.rs"),
        include_str!("../../src/info_types.rs"),
        include_str!("../../src/query_types.rs"),
        include_str!("../../src/writer_types.rs"),
    ] {
        for rest in source.split("#[repr(C)]").skip(1) {
            let Some((_, name)) = rest.split_once("pub struct ") else {
                continue;
            };
            if rest.find("pub struct ") > rest.find("pub enum ") && rest.contains("pub enum ") {
                continue; // an enum; its structs come with their own repr
            }
            let name = name.split(' ').next().unwrap();
            assert!(
                here.contains(&format!("        {name} {{")),
                "{name} has no line here"
            );
        }
    }
}
