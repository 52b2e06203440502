/* The golden trace through the C API: its facts, every row, every query. Argument: tests/golden. */
#include "check.h"

#include <math.h>
#include <string.h>

static char path[4096];

static const char* under(const char* folder, const char* name)
{
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static const ph_track_t* find(const ph_track_list_t* list, ph_track_category_t category, const char* name)
{
    for(uint32_t i = 0; i < list->list_size; ++i)
    {
        const ph_track_t* track = &list->tracks[i];
        if(track->category == category && strcmp(track->track_name, name) == 0) return track;
    }
    return NULL;
}

static void tracks_and_events(ph_ctx_t ctx)
{
    ph_track_list_t list = { 0, NULL };
    OK(ph_get_track_list(ctx, &list));
    uint64_t events[7] = { 0 };
    for(uint32_t i = 0; i < list.list_size; ++i)
    {
        const ph_track_t* track = &list.tracks[i];
        CHECK(track->id == i);
        events[track->category] += track->event_count;
        ph_event_list_t all = { 0, NULL };
        OK(ph_get_track_events(ctx, track->id, 0, 0, &all));
        uint32_t depth = 99, deepest = 0;
        OK(ph_get_track_nesting_depth(ctx, track->id, &depth));
        CHECK(depth == track->nesting_depth);
        ph_sample_list_t samples = { 0, NULL };
        OK(ph_get_track_samples(ctx, track->id, 0, 0, &samples));
        if(track->category == PH_TRACK_CATEGORY_PMC_AGENT)
        {
            CHECK(all.list_size == 0 && all.events == NULL);
            CHECK(samples.list_size == track->event_count && track->value_range.is_valid == 1);
            double least = INFINITY;
            for(uint32_t s = 0; s < samples.list_size; ++s)
            {
                least = fmin(least, samples.samples[s].value);
                CHECK(s == 0 || samples.samples[s - 1].timestamp <= samples.samples[s].timestamp);
            }
            CHECK(least == track->value_range.min);
        }
        else
        {
            CHECK(all.list_size == track->event_count && samples.list_size == 0);
            CHECK(track->value_range.is_valid == 0);
            for(uint32_t e = 0; e < all.list_size; ++e)
            {
                CHECK(e == 0 || all.events[e - 1].start <= all.events[e].start);
                CHECK(all.events[e].name != NULL && all.events[e].depth >= 1);
                if(all.events[e].depth > deepest) deepest = all.events[e].depth;
            }
            CHECK(deepest == depth);
        }
        ph_event_list_t again = { 0, NULL };
        OK(ph_get_track_events(ctx, track->id, 0, 0, &again));
        CHECK(again.events == all.events); /* from memory */
        OK(ph_event_list_free(ctx, &again));
        CHECK(again.list_size == 0 && again.events == NULL);
    }
    /* facts.json */
    CHECK(events[PH_TRACK_CATEGORY_THREAD] == 48);
    CHECK(events[PH_TRACK_CATEGORY_THREAD_SAMPLE] == 24);
    CHECK(events[PH_TRACK_CATEGORY_PMC_AGENT] == 108);
    CHECK(events[PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE] == 24);
    CHECK(events[PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE] == 15);
    CHECK(events[PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE] == 12);
    CHECK(events[PH_TRACK_CATEGORY_STREAM] == 24 + 15 + 12);

    const ph_track_t* main_thread = find(&list, PH_TRACK_CATEGORY_THREAD, "main");
    CHECK(main_thread != NULL && main_thread->tid == 40137 && main_thread->pid == 40137);
    CHECK(main_thread->nid == 2269219937u && main_thread->agent_id == PH_ID_NONE);
    CHECK(main_thread->queue_id == PH_ID_NONE && main_thread->stream_id == PH_ID_NONE);
    CHECK(main_thread->start_ts == 13386742234000000u && main_thread->nesting_depth == 2);
    CHECK(find(&list, PH_TRACK_CATEGORY_STREAM, "Stream 1")->stream_id == 2);
    CHECK(find(&list, PH_TRACK_CATEGORY_PMC_AGENT, "CPU Frequency")->agent_id == PH_ID_NONE);
    CHECK(find(&list, PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE, "no queue")->queue_id == PH_ID_NONE);
    CHECK(find(&list, PH_TRACK_CATEGORY_STREAM, "no stream")->event_count == 15);

    /* Windows: the first iteration, and one that begins inside its call. */
    ph_event_list_t window = { 7, NULL };
    OK(ph_get_track_events(ctx, main_thread->id, 13386742234000000u, 13386742234900000u, &window));
    CHECK(window.list_size == 4 && strcmp(window.events[0].name, "roctxRangePushA") == 0);
    ph_event_list_t inside = { 0, NULL };
    OK(ph_get_track_events(ctx, main_thread->id, 13386742234002000u, 13386742234003000u, &inside));
    CHECK(inside.list_size == 2 && inside.events[1].depth == 2);
    CHECK(inside.events[0].id == 1 && inside.events[1].id == 2);
    OK(ph_event_list_free(ctx, &inside));
    CHECK(ph_event_list_free(ctx, &window) == PH_RESULT_SUCCESS);
    OK(ph_get_track_events(ctx, main_thread->id, 13386742244000000u, 0, &window));
    CHECK(window.list_size == 4); /* no upper bound */
    ph_event_list_t copy = window;
    OK(ph_event_list_free(ctx, &window));
    CHECK(ph_event_list_free(ctx, &copy) == PH_RESULT_INVALID_ARGUMENT); /* given back before */
}

static void info_lists(ph_ctx_t ctx)
{
    ph_node_t node = { 0 };
    OK(ph_get_node(ctx, &node));
    CHECK(node.info.id == 2269219937u && strcmp(node.info.hostname, "node-a") == 0);
    CHECK(node.agents.list_size == 3 && node.process_list.list_size == 1);
    CHECK(node.track_list.list_size == 24 && node.process_list.processes[0].id == 40137);
    CHECK(strcmp(node.agents.agents[1].agent_type, "GPU") == 0 && node.agents.agents[1].uuid == 29857);

    ph_node_row_list_t nodes = { .size = sizeof(nodes) };
    OK(ph_get_nodes(ctx, &nodes));
    CHECK(nodes.count == 1 && nodes.items[0]->agent_count == 3);
    CHECK(nodes.items[0]->agents[2]->absolute_index == 2 && nodes.items[0]->row_id == 2269219937u);
    ph_process_row_list_t processes = { .size = sizeof(processes) };
    OK(ph_get_processes(ctx, &processes));
    CHECK(processes.count == 1 && processes.items[0]->pid == 40137 && processes.items[0]->ppid == 40130);
    CHECK(processes.items[0]->start == 13386742234000000u); /* of the events */
    ph_thread_row_list_t threads = { .size = sizeof(threads) };
    OK(ph_get_threads(ctx, &threads));
    CHECK(threads.count == 2 && threads.items[1]->tid == 40138 && threads.items[1]->pid == 40137);
    ph_agent_row_list_t agents = { .size = sizeof(agents) };
    OK(ph_get_agents(ctx, &agents));
    CHECK(agents.count == 3 && agents.items[0]->row_id == 0); /* 0 is an id */
    ph_queue_row_list_t queues = { .size = sizeof(queues) };
    OK(ph_get_queues(ctx, &queues));
    CHECK(queues.count == 3 && queues.items[0]->row_id == 0 && queues.items[0]->pid == 40137);
    ph_stream_row_list_t streams = { .size = sizeof(streams) };
    OK(ph_get_streams(ctx, &streams));
    CHECK(streams.count == 3 && strcmp(streams.items[1]->name, "Stream 0") == 0);
    ph_pmc_row_list_t pmcs = { .size = sizeof(pmcs) };
    OK(ph_get_pmc_infos(ctx, &pmcs));
    CHECK(pmcs.count == 5 && pmcs.items[0]->row_id == 100 && pmcs.items[0]->agent_id == 1);
    CHECK(pmcs.items[4]->agent_id == PH_NONE && pmcs.items[4]->is_constant == PH_NONE);
    ph_code_object_row_list_t objects = { .size = sizeof(objects) };
    OK(ph_get_code_objects(ctx, &objects));
    CHECK(objects.count == 2 && objects.items[0]->load_base == 139637976727552u);
    ph_kernel_symbol_row_list_t kernels = { .size = sizeof(kernels) };
    OK(ph_get_kernel_symbols(ctx, &kernels));
    CHECK(kernels.count == 4 && kernels.items[2]->group_segment_size == 2048);
    CHECK(strcmp(kernels.items[2]->display_name, "reduce \"sum\", pass 1") == 0);
    ph_string_row_list_t strings = { .size = sizeof(strings) };
    OK(ph_get_strings(ctx, &strings));
    CHECK(strings.count == 16 && strcmp(strings.items[5]->text, "roctxRangePushA") == 0);

    ph_trace_info_t info = { .size = sizeof(info) };
    OK(ph_get_trace_info(ctx, &info));
    CHECK(info.event_count == 48 + 24 + 24 + 15 + 12 && info.value_count == 108);
    CHECK(info.start_ts == 13386742234000000u && info.end_ts == 13386742245900000u);
    CHECK(strcmp(info.guid, "019b8fc6-fb58-7312-ae0c-ba84e4b293ec") == 0 && info.warnings[0] == 0);
    ph_track_info_t track = { .size = sizeof(track) };
    OK(ph_get_track_info(ctx, 0, &track));
    CHECK(track.thread_row == 40137 && track.queue_row == PH_NONE && track.count == 24);
}

static const ph_cell_t* cell(const ph_cell_t* cells, uint64_t count, const char* column)
{
    for(uint64_t i = 0; i < count; ++i)
        if(strcmp(cells[i].column, column) == 0) return &cells[i];
    return NULL;
}

static void queries(ph_ctx_t ctx)
{
    ph_event_details_t details = { .size = sizeof(details) };
    OK(ph_get_event_details(ctx, PH_TABLE_REGION, 6, &details));
    CHECK(strcmp(details.name, "hipMemcpyAsync") == 0 && strcmp(details.category, "HIP_RUNTIME_API") == 0);
    CHECK(strcmp(details.call_stack, "[{\"function\":\"main\",\"file\":\"train.cpp\",\"line\":41}]") == 0);
    CHECK(details.argument_count == 4 && strcmp(details.arguments[2].value, "8192") == 0);
    const ph_cell_t* start = cell(details.row_cells, details.row_cell_count, "start");
    CHECK(start != NULL && start->type == PH_CELL_UINT64 && start->as_uint64 == 13386742235001000u);
    CHECK(cell(details.event_cells, details.event_cell_count, "stack_id")->as_int64 == 1002);
    OK(ph_event_details_free(ctx, &details));
    CHECK(details.row_cells == NULL && details.argument_count == 0);
    OK(ph_get_event_details(ctx, PH_TABLE_REGION, 2, &details));
    CHECK(details.arguments[0].value == NULL); /* NULL is no text */
    OK(ph_event_details_free(ctx, &details));
    CHECK(ph_get_event_details(ctx, PH_TABLE_REGION, 4711, &details) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_get_event_details(ctx, 77, 1, &details) == PH_RESULT_INVALID_ARGUMENT);

    ph_related_list_t related = { .size = sizeof(related) };
    OK(ph_get_related_events(ctx, PH_TABLE_REGION, 3, &related));
    int dispatch = 0;
    for(uint64_t i = 0; i < related.count; ++i)
        dispatch |= related.items[i]->table == PH_TABLE_KERNEL_DISPATCH && related.items[i]->row_id == 1 &&
                    related.items[i]->relation == PH_RELATION_SAME_STACK;
    CHECK(dispatch);
    OK(ph_related_list_free(ctx, &related));

    ph_bucket_t buckets[12];
    OK(ph_get_histogram(ctx, 0, 0, NULL, 0, buckets, 12));
    uint64_t events = 0;
    for(int i = 0; i < 12; ++i) events += buckets[i].events;
    CHECK(events >= 48 + 24 + 108 + 2 * (24 + 15 + 12));
    CHECK(ph_get_histogram(ctx, 0, 0, NULL, 0, buckets, 0) == PH_RESULT_INVALID_ARGUMENT);

    const ph_table_query_t query = { .size          = sizeof(query),
                                     .table         = PH_TABLE_REGION,
                                     .descending    = 1,
                                     .name_contains = "Memcpy",
                                     .sort_by       = "start",
                                     .offset        = 2,
                                     .limit         = 3 };
    ph_table_page_t page = { .size = sizeof(page) };
    OK(ph_get_table_page(ctx, &query, &page));
    CHECK(page.total == 12 && page.row_count == 3);
    CHECK(cell(page.cells, page.column_count, "id")->as_int64 == 38);
    OK(ph_table_page_free(ctx, &page));
    ph_table_query_t wrong = query;
    wrong.sort_by          = "no such column";
    CHECK(ph_get_table_page(ctx, &wrong, &page) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "no such column") != NULL);
    CHECK(strstr(ph_ctx_last_error_message(ctx), "no such column") != NULL);

    ph_summary_t summary = { .size = sizeof(summary) };
    OK(ph_get_summary(ctx, PH_TABLE_KERNEL_DISPATCH, 0, 0, NULL, 0, &summary));
    CHECK(summary.count == 4 && summary.items[0]->count == 6 && summary.items[0]->total == 210000);
    CHECK(summary.items[0]->p50 == 35000 && summary.items[0]->mean == 35000.0);
    OK(ph_summary_free(ctx, &summary));
}

/* Every golden workload opens, and each track has the events that it says. */
static void workload(const char* file)
{
    ph_ctx_t ctx = NULL;
    OK(ph_ctx_create(&ctx, file));
    ph_track_list_t list = { 0, NULL };
    OK(ph_get_track_list(ctx, &list));
    CHECK(list.list_size > 0);
    for(uint32_t i = 0; i < list.list_size; ++i)
    {
        ph_event_list_t  events  = { 0, NULL };
        ph_sample_list_t samples = { 0, NULL };
        OK(ph_get_track_events(ctx, i, 0, 0, &events));
        OK(ph_get_track_samples(ctx, i, 0, 0, &samples));
        CHECK(events.list_size + samples.list_size == list.tracks[i].event_count);
    }
    OK(ph_ctx_free(ctx));
}

int main(int argc, char** argv)
{
    CHECK(argc >= 2);
    ph_ctx_t ctx = NULL;
    OK(ph_ctx_create(&ctx, under(argv[1], "trace/trace.db")));
    ph_schema_version_t version = { 9, 9, 9 };
    OK(ph_get_schema_version(ctx, &version));
    CHECK(version.major == 3 && version.minor == 0 && version.patch == 0);
    tracks_and_events(ctx);
    info_lists(ctx);
    queries(ctx);
    OK(ph_ctx_free(ctx));
    for(int i = 2; i < argc; ++i) workload(argv[i]);
    return 0;
}
