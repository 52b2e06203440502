//! The text of the statements that write a single row. Every one names its columns.

use crate::Guid;

/// One statement for each table, with a parameter for each column that we give; ids that are not
/// given are SQLite's to choose, the guid is the column's default.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) string: String,
    pub(super) node: String,
    pub(super) process: String,
    pub(super) thread: String,
    pub(super) agent: String,
    pub(super) queue: String,
    pub(super) stream: String,
    pub(super) pmc: String,
    pub(super) code_object: String,
    pub(super) kernel_symbol: String,
    pub(super) track: String,
    pub(super) kernel_dispatch: String,
    pub(super) memory_copy: String,
    pub(super) memory_allocate: String,
    pub(super) end_process: String,
}

impl Statements {
    pub(super) fn new(guid: &Guid) -> Self {
        let suffix = guid.table_suffix();
        let insert = |table: &str, columns: &str| {
            let columns: Vec<_> = columns.split(' ').map(|c| format!("\"{c}\"")).collect();
            format!(
                "INSERT INTO \"{table}{suffix}\" ({}) VALUES ({})",
                columns.join(", "),
                vec!["?"; columns.len()].join(", ")
            )
        };
        Self {
            string: insert("rocpd_string", "string"),
            node: insert(
                "rocpd_info_node",
                "id hash machine_id system_name hostname release version hardware_name domain_name",
            ),
            process: insert(
                "rocpd_info_process",
                "nid ppid pid init fini start end command environment extdata",
            ),
            thread: insert(
                "rocpd_info_thread",
                "nid ppid pid tid name start end extdata",
            ),
            agent: insert(
                "rocpd_info_agent",
                "nid pid type absolute_index logical_index type_index uuid name model_name \
                 vendor_name product_name user_name extdata",
            ),
            queue: insert("rocpd_info_queue", "id nid pid name extdata"),
            stream: insert("rocpd_info_stream", "id nid pid name extdata"),
            pmc: insert(
                "rocpd_info_pmc",
                "nid pid agent_id target_arch event_code instance_id name symbol description \
                 long_description component units value_type block expression is_constant \
                 is_derived extdata",
            ),
            code_object: insert(
                "rocpd_info_code_object",
                "id nid pid agent_id uri load_base load_size load_delta storage_type extdata",
            ),
            kernel_symbol: insert(
                "rocpd_info_kernel_symbol",
                "id nid pid code_object_id kernel_name display_name kernel_object \
                 kernarg_segment_size kernarg_segment_alignment group_segment_size \
                 private_segment_size sgpr_count arch_vgpr_count accum_vgpr_count extdata",
            ),
            track: insert("rocpd_track", "nid pid tid name_id extdata"),
            kernel_dispatch: insert(
                "rocpd_kernel_dispatch",
                "nid pid tid agent_id kernel_id dispatch_id queue_id stream_id start end \
                 private_segment_size group_segment_size workgroup_size_x workgroup_size_y \
                 workgroup_size_z grid_size_x grid_size_y grid_size_z region_name_id event_id \
                 extdata",
            ),
            memory_copy: insert(
                "rocpd_memory_copy",
                "nid pid tid start end name_id dst_agent_id dst_address src_agent_id src_address \
                 size queue_id stream_id region_name_id event_id extdata",
            ),
            memory_allocate: insert(
                "rocpd_memory_allocate",
                "nid pid tid agent_id type level start end address size queue_id stream_id \
                 event_id extdata",
            ),
            end_process: format!(
                "UPDATE \"rocpd_info_process{suffix}\" SET \"end\" = ?, \"fini\" = ? \
                 WHERE \"id\" = ?"
            ),
        }
    }
}
