//! Every struct has the size, the alignment and the fields of the headers: offset, size and type.

use std::any::type_name;
use std::collections::BTreeMap;
use std::mem::offset_of;

use rocprofiler_sdk_sys::*;
use serde_json::Value;

#[derive(Debug, PartialEq)]
struct Field {
    name: String,
    offset: u64,
    size: u64,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
struct Layout {
    size: u64,
    align: u64,
    fields: Vec<Field>,
}

/// What can be told of a type on both sides. A struct or an enum is told by its name.
#[derive(Debug, PartialEq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
    Bytes,
    Pointer,
    Function,
    Named(String),
}

/// The kind of a C type of the headers.
fn c_kind(name: &str) -> Kind {
    let name = name.trim_start_matches("const ");
    match name {
        "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" | "size_t" => Kind::Unsigned,
        "int" | "int32_t" | "int64_t" | "rocprofiler_tracing_operation_t" => Kind::Signed,
        "double" => Kind::Float,
        "rocprofiler_tool_initialize_t" | "rocprofiler_tool_finalize_t" => Kind::Function,
        // Plain numbers under a name of their own.
        "rocprofiler_thread_id_t"
        | "rocprofiler_timestamp_t"
        | "rocprofiler_kernel_id_t"
        | "rocprofiler_dispatch_id_t"
        | "rocprofiler_counter_instance_id_t"
        | "rocprofiler_counter_dimension_id_t" => Kind::Unsigned,
        // The kernel driver's enums and bit fields, not declared here.
        name if name.starts_with("Hsa") || name.starts_with("HSA_") => Kind::Unsigned,
        name if name.ends_with('*') => Kind::Pointer,
        name if name.starts_with("uint8_t [") => Kind::Bytes,
        name => Kind::Named(name.to_owned()),
    }
}

fn rust_kind<T>() -> Kind {
    let name = type_name::<T>();
    match name {
        "u8" | "u16" | "u32" | "u64" | "usize" => Kind::Unsigned,
        "i8" | "i16" | "i32" | "i64" => Kind::Signed,
        "f64" => Kind::Float,
        name if name.starts_with('*') => Kind::Pointer,
        name if name.starts_with("[u8;") => Kind::Bytes,
        name if name.contains("Option<unsafe extern") => Kind::Function,
        name => Kind::Named(name.rsplit("::").next().unwrap().to_owned()),
    }
}

fn as_u64(number: usize) -> u64 {
    u64::try_from(number).unwrap()
}

/// Builds the field from a function that has the field's type, so that nothing is written twice.
fn field<S, T>(name: &str, offset: usize, _: fn(&S) -> T) -> Field {
    let name = name.trim_end_matches('_').to_owned();
    Field {
        name,
        offset: as_u64(offset),
        size: as_u64(size_of::<T>()),
        kind: rust_kind::<T>(),
    }
}

macro_rules! layout {
    ($struct:ident { $($field:ident),* $(,)? }) => {{
        // Fails to compile where a field of the struct is not listed.
        fn _complete(value: &$struct) {
            let $struct { $($field: _),* } = value;
        }
        layout!(@ $struct { $($field),* })
    }};
    (union $struct:ident { $($field:ident),* $(,)? }) => {{
        layout!(@ $struct { $($field),* })
    }};
    (@ $struct:ident { $($field:ident),* }) => {
        (
            stringify!($struct),
            Layout {
                size: as_u64(size_of::<$struct>()),
                align: as_u64(align_of::<$struct>()),
                fields: vec![$(field(
                    stringify!($field),
                    offset_of!($struct, $field),
                    // SAFETY: never called.
                    |value: &$struct| unsafe { (&raw const value.$field).read() },
                )),*],
            },
        )
    };
}

fn declared() -> BTreeMap<&'static str, Layout> {
    BTreeMap::from([
        layout!(union rocprofiler_user_data_t { value, ptr }),
        layout!(union rocprofiler_address_t { handle, value, ptr }),
        layout!(rocprofiler_agent_runtime_visiblity_t { bits }),
        layout!(rocprofiler_counter_info_v0_t {
            id,
            name,
            description,
            block,
            expression,
            flags
        }),
        layout!(rocprofiler_counter_info_v1_t {
            size,
            id,
            name,
            description,
            block,
            expression,
            flags,
            dimensions_count,
            dimensions,
            dimensions_instances_count,
            dimensions_instances
        }),
        layout!(rocprofiler_callback_tracing_code_object_load_data_t {
            size,
            code_object_id,
            agent_id,
            hsa_agent,
            uri,
            load_base,
            load_size,
            load_delta,
            storage_type,
            storage
        }),
        layout!(rocprofiler_client_id_t { size, name, handle }),
        layout!(rocprofiler_tool_configure_result_t {
            size,
            initialize,
            finalize,
            tool_data
        }),
        layout!(rocprofiler_context_id_t { handle }),
        layout!(rocprofiler_agent_id_t { handle }),
        layout!(rocprofiler_counter_id_t { handle }),
        layout!(rocprofiler_counter_config_id_t { handle }),
        layout!(rocprofiler_queue_id_t { handle }),
        layout!(rocprofiler_stream_id_t { handle }),
        layout!(rocprofiler_buffer_id_t { handle }),
        layout!(rocprofiler_correlation_id_t {
            internal,
            external,
            ancestor
        }),
        layout!(rocprofiler_async_correlation_id_t { internal, external }),
        layout!(rocprofiler_dim3_t { x, y, z }),
        layout!(rocprofiler_uuid_t { bytes }),
        layout!(rocprofiler_version_triplet_t {
            major,
            minor,
            patch
        }),
        layout!(rocprofiler_callback_tracing_record_t {
            context_id,
            thread_id,
            correlation_id,
            kind,
            operation,
            phase,
            payload
        }),
        layout!(rocprofiler_kernel_dispatch_info_t {
            size,
            agent_id,
            queue_id,
            kernel_id,
            dispatch_id,
            private_segment_size,
            group_segment_size,
            workgroup_size,
            grid_size,
            reserved_padding
        }),
        layout!(rocprofiler_counter_record_t {
            id,
            counter_value,
            dispatch_id,
            user_data,
            agent_id
        }),
        layout!(rocprofiler_counter_record_dimension_info_t {
            name,
            instance_size,
            id
        }),
        layout!(rocprofiler_agent_v0_t {
            size,
            id,
            type_,
            cpu_cores_count,
            simd_count,
            mem_banks_count,
            caches_count,
            io_links_count,
            cpu_core_id_base,
            simd_id_base,
            max_waves_per_simd,
            lds_size_in_kb,
            gds_size_in_kb,
            num_gws,
            wave_front_size,
            num_xcc,
            cu_count,
            array_count,
            num_shader_banks,
            simd_arrays_per_engine,
            cu_per_simd_array,
            simd_per_cu,
            max_slots_scratch_cu,
            gfx_target_version,
            vendor_id,
            device_id,
            location_id,
            domain,
            drm_render_minor,
            num_sdma_engines,
            num_sdma_xgmi_engines,
            num_sdma_queues_per_engine,
            num_cp_queues,
            max_engine_clk_ccompute,
            max_engine_clk_fcompute,
            sdma_fw_version,
            fw_version,
            capability,
            cu_per_engine,
            max_waves_per_cu,
            family_id,
            workgroup_max_size,
            grid_max_size,
            local_mem_size,
            hive_id,
            gpu_id,
            workgroup_max_dim,
            grid_max_dim,
            mem_banks,
            caches,
            io_links,
            name,
            vendor_name,
            product_name,
            model_name,
            node_id,
            logical_node_id,
            logical_node_type_id,
            runtime_visibility,
            uuid
        }),
        layout!(rocprofiler_agent_cache_t {
            processor_id_low,
            size,
            level,
            cache_line_size,
            cache_lines_per_tag,
            association,
            latency,
            type_
        }),
        layout!(rocprofiler_agent_io_link_t {
            type_,
            version_major,
            version_minor,
            node_from,
            node_to,
            weight,
            min_latency,
            max_latency,
            min_bandwidth,
            max_bandwidth,
            recommended_transfer_size,
            flags
        }),
        layout!(rocprofiler_agent_mem_bank_t {
            heap_type,
            flags,
            width,
            mem_clk_max,
            size_in_bytes
        }),
        layout!(rocprofiler_counter_dimension_info_t {
            size,
            dimension_name,
            index
        }),
        layout!(rocprofiler_counter_record_dimension_instance_info_t {
            size,
            instance_id,
            counter_id,
            dimensions_count,
            dimensions
        }),
        layout!(rocprofiler_dispatch_counting_service_data_t {
            size,
            correlation_id,
            start_timestamp,
            end_timestamp,
            dispatch_info
        }),
        layout!(rocprofiler_dispatch_counting_service_record_t {
            size,
            num_records,
            correlation_id,
            start_timestamp,
            end_timestamp,
            dispatch_info
        }),
        layout!(
            rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t {
                size,
                kernel_id,
                code_object_id,
                kernel_name,
                kernel_object,
                kernarg_segment_size,
                kernarg_segment_alignment,
                group_segment_size,
                private_segment_size,
                sgpr_count,
                arch_vgpr_count,
                accum_vgpr_count,
                kernel_code_entry_byte_offset,
                kernel_address
            }
        ),
        layout!(rocprofiler_callback_tracing_kernel_dispatch_data_t {
            size,
            start_timestamp,
            end_timestamp,
            dispatch_info
        }),
    ])
}

fn headers(abi: &Value) -> BTreeMap<&str, Layout> {
    let structs = abi["structs"].as_object().unwrap().iter();
    structs
        .map(|(name, value)| {
            let mut fields: Vec<Field> = Vec::new();
            for entry in value["fields"].as_array().unwrap() {
                let text = |key: &str| entry[key].as_str().unwrap().to_owned();
                let offset = entry["offset"].as_u64().unwrap();
                let size = entry["size"].as_u64().unwrap();
                // Bit fields that share a storage unit are one field here.
                if entry.get("bit_offset").is_some() {
                    if fields.last().is_some_and(|last| last.offset == offset) {
                        continue;
                    }
                    let name = if size == 1 { "flags" } else { "bits" }.to_owned();
                    fields.push(Field {
                        name,
                        offset,
                        size,
                        kind: c_kind(&text("type")),
                    });
                    continue;
                }
                let (name, kind) = match (text("name").as_str(), offset) {
                    // Anonymous unions have a name here, or only one of two equal members.
                    ("", 16) => (
                        "agent_id".to_owned(),
                        Kind::Named("rocprofiler_agent_id_t".to_owned()),
                    ),
                    ("", 72) => (
                        "storage".to_owned(),
                        Kind::Named("rocprofiler_code_object_storage_t".to_owned()),
                    ),
                    (name, _) => (name.to_owned(), c_kind(&text("type"))),
                };
                fields.push(Field {
                    name,
                    offset,
                    size,
                    kind,
                });
            }
            let number = |key: &str| value[key].as_u64().unwrap();
            (
                name.as_str(),
                Layout {
                    size: number("size"),
                    align: number("align"),
                    fields,
                },
            )
        })
        .collect()
}

#[test]
fn structs_equal_the_headers() {
    let abi = crate::abi();
    let (declared, headers) = (declared(), headers(&abi));
    for (name, header) in &headers {
        let ours = declared
            .get(name)
            .unwrap_or_else(|| panic!("{name} is not declared"));
        assert_eq!(ours, header, "{name}");
    }
    assert_eq!(
        declared.len(),
        headers.len(),
        "declared but not in the headers"
    );
}

#[test]
fn the_storage_of_a_code_object_lies_as_in_the_headers() {
    type Load = rocprofiler_callback_tracing_code_object_load_data_t;
    let storage = offset_of!(Load, storage);
    assert_eq!(
        storage + offset_of!(rocprofiler_code_object_storage_t, storage_file),
        72
    );
    assert_eq!(
        storage + offset_of!(rocprofiler_code_object_memory_t, memory_base),
        72
    );
    assert_eq!(
        storage + offset_of!(rocprofiler_code_object_memory_t, memory_size),
        80
    );
}
