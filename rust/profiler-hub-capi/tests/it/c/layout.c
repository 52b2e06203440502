/* Names, values, field order and types that C clients were built for, written out by hand. */
#include <profiler-hub/c/profiler_hub.h>

#define SAME(a, b) _Static_assert((a) == (b), #a " == " #b)
#define AT(type, field, offset) SAME(offsetof(type, field), offset)
/* The type of a field, or of a function. */
#define IS(expression, type) _Static_assert(_Generic((expression), type : 1, default : 0), #expression)

SAME(PH_RESULT_SUCCESS, 0);
SAME(PH_RESULT_CONTEXT_ALLOCATION_FAILED, 1);
SAME(PH_RESULT_INVALID_CONTEXT, 2);
SAME(PH_RESULT_INVALID_ARGUMENT, 3);
SAME(PH_RESULT_INTERNAL_ERROR, 4);
SAME(PH_RESULT_FUTURE_ALLOCATION_FAILED, 5);
SAME(PH_RESULT_UNSUPPORTED_DATABASE, 6);
SAME(PH_RESULT_INVALID_DATABASE, 7);
SAME(PH_RESULT_METADATA_MISSING, 8);
SAME(PH_RESULT_UNSUPPORTED_SCHEMA_VERSION, 9);
SAME(PH_TRACK_CATEGORY_THREAD, 0);
SAME(PH_TRACK_CATEGORY_THREAD_SAMPLE, 1);
SAME(PH_TRACK_CATEGORY_PMC_AGENT, 2);
SAME(PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE, 3);
SAME(PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE, 4);
SAME(PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE, 5);
SAME(PH_TRACK_CATEGORY_STREAM, 6);
SAME(PH_EVENT_TYPE_REGION, 0);
SAME(PH_EVENT_TYPE_KERNEL_DISPATCH, 1);
SAME(PH_EVENT_TYPE_MEMORY_COPY, 2);
SAME(PH_EVENT_TYPE_MEMORY_ALLOCATE, 3);
SAME(sizeof(ph_result_t), 4);
SAME(sizeof(ph_track_category_t), 4);
SAME(sizeof(ph_event_type_t), 4);

AT(ph_version_t, major, 0);
AT(ph_version_t, minor, 4);
AT(ph_version_t, patch, 8);
AT(ph_value_range_t, min, 0);
AT(ph_value_range_t, max, 8);
AT(ph_value_range_t, is_valid, 16);
AT(ph_track_t, id, 0);
AT(ph_track_t, track_name, 8);
AT(ph_track_t, nid, 16);
AT(ph_track_t, pid, 20);
AT(ph_track_t, tid, 24);
AT(ph_track_t, event_count, 28);
AT(ph_track_t, agent_id, 32);
AT(ph_track_t, category, 36);
AT(ph_track_t, queue_id, 40);
AT(ph_track_t, stream_id, 44);
AT(ph_track_t, start_ts, 48);
AT(ph_track_t, end_ts, 56);
AT(ph_track_t, value_range, 64);
AT(ph_track_t, nesting_depth, 88);
SAME(sizeof(ph_track_t), 96);
AT(ph_track_list_t, list_size, 0);
AT(ph_track_list_t, tracks, 8);
AT(ph_node_info_t, id, 0);
AT(ph_node_info_t, machine_id, 8);
AT(ph_node_info_t, system_name, 16);
AT(ph_node_info_t, hostname, 24);
AT(ph_node_info_t, release, 32);
AT(ph_node_info_t, version, 40);
AT(ph_node_info_t, hardware_name, 48);
AT(ph_node_info_t, domain_name, 56);
AT(ph_agent_t, id, 0);
AT(ph_agent_t, agent_type, 8);
AT(ph_agent_t, absolute_index, 16);
AT(ph_agent_t, logical_index, 20);
AT(ph_agent_t, uuid, 24);
AT(ph_agent_t, name, 32);
AT(ph_agent_t, model_name, 40);
AT(ph_agent_t, vendor_name, 48);
AT(ph_agent_t, product_name, 56);
AT(ph_agent_t, user_name, 64);
AT(ph_agent_list_t, agents, 8);
AT(ph_process_t, command, 8);
AT(ph_process_list_t, processes, 8);
AT(ph_node_t, info, 0);
AT(ph_node_t, agents, 64);
AT(ph_node_t, process_list, 80);
AT(ph_node_t, track_list, 96);
SAME(sizeof(ph_node_t), 112);
AT(ph_event_t, id, 0);
AT(ph_event_t, start, 8);
AT(ph_event_t, end, 16);
AT(ph_event_t, name, 24);
AT(ph_event_t, type, 32);
AT(ph_event_t, depth, 36);
SAME(sizeof(ph_event_t), 40);
AT(ph_event_list_t, events, 8);
AT(ph_sample_t, timestamp, 0);
AT(ph_sample_t, value, 8);
AT(ph_sample_list_t, samples, 8);
AT(ph_database_probe_t, size, 0);

IS(&ph_ctx_create, ph_result_t (*)(ph_ctx_t*, const char*));
IS(&ph_ctx_free, ph_result_t (*)(ph_ctx_t));
IS(&ph_get_library_version, ph_result_t (*)(ph_library_version_t*));
IS(&ph_get_schema_version, ph_result_t (*)(ph_ctx_t, ph_schema_version_t*));
IS(&ph_get_track_list, ph_result_t (*)(ph_ctx_t, ph_track_list_t*));
IS(&ph_get_node, ph_result_t (*)(ph_ctx_t, ph_node_t*));
IS(&ph_get_track_events, ph_result_t (*)(ph_ctx_t, uint32_t, uint64_t, uint64_t, ph_event_list_t*));
IS(&ph_get_track_nesting_depth, ph_result_t (*)(ph_ctx_t, uint32_t, uint32_t*));
IS(&ph_get_track_samples, ph_result_t (*)(ph_ctx_t, uint32_t, uint64_t, uint64_t, ph_sample_list_t*));
IS(&ph_future_get, ph_result_t (*)(ph_ctx_t, ph_future_t*, ph_task_fn, void*));
IS(&ph_future_wait, ph_result_t (*)(ph_ctx_t, ph_future_t));
IS(&ph_future_cancel, ph_result_t (*)(ph_ctx_t, ph_future_t));
IS(&ph_future_free, ph_result_t (*)(ph_ctx_t, ph_future_t));
IS(&ph_probe_database, ph_result_t (*)(const char*, ph_database_probe_t*));
IS((ph_ctx_t)0, struct ph_ctx*);
IS((ph_future_t)0, struct ph_future*);
IS((ph_task_fn)0, void (*)(void*));
IS(((ph_track_t*)0)->tid, uint32_t);
IS(((ph_track_t*)0)->track_name, const char*);
IS(((ph_event_list_t*)0)->events, ph_event_t*);

int main(void) { return 0; }
