/* A file written through C alone, with batches, and read back. Argument: a folder. */
#include "check.h"

#include <string.h>

static ph_text_t text(const char* nul_terminated)
{
    const ph_text_t out = { nul_terminated, PH_TEXT_NUL };
    return out;
}

enum { REGIONS = 1000 };

/* Refers to what is not registered, or takes what is another's. Process 10 of node 0 is there. */
static void refused(ph_writer_t writer)
{
    const ph_writer_process_t process = { .size = sizeof(process), .node_id = 77, .pid = 10 };
    CHECK(ph_writer_register_process(writer, &process) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "node 77 is not registered") != NULL);
    const ph_writer_track_t track = { .size = sizeof(track), .node_id = 77, .name = text("T") };
    CHECK(ph_writer_register_track(writer, &track) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "node 77 is not registered") != NULL);
    const ph_writer_kernel_symbol_t kernel = { .size = sizeof(kernel), .code_object_id = 78 };
    CHECK(ph_writer_register_kernel_symbol(writer, &kernel) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "code object 78 is not registered") != NULL);

    const ph_writer_process_t other = { .size = sizeof(other), .pid = 20 };
    OK(ph_writer_register_process(writer, &other));
    ph_writer_lane_t lane = { .size = sizeof(lane), .process_id = 10, .id = 5 };
    OK(ph_writer_register_queue(writer, &lane));
    OK(ph_writer_register_stream(writer, &lane));
    lane.process_id = 20;
    CHECK(ph_writer_register_queue(writer, &lane) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "queue 5 is registered already") != NULL);
    CHECK(ph_writer_register_stream(writer, &lane) == PH_RESULT_INVALID_ARGUMENT);

    ph_writer_node_t node = { .size = sizeof(node), .node_id = 1, .hash = 1, .machine_id = text("m") };
    CHECK(ph_writer_register_node(writer, &node) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "machine_id 'm' is that of node 0") != NULL);
    node.machine_id = text("n");
    node.hash       = 0;
    CHECK(ph_writer_register_node(writer, &node) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "hash 0 is that of node 0") != NULL);
    node.hash = 1;
    OK(ph_writer_register_node(writer, &node));
}

int main(int argc, char** argv)
{
    CHECK(argc == 2);
    char path[4096];
    snprintf(path, sizeof(path), "%s/written.db", argv[1]);
    ph_writer_t writer = (ph_writer_t)path;
    CHECK(ph_writer_open(NULL, path, NULL) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_writer_open(&writer, path, "no guid!") == PH_RESULT_INVALID_ARGUMENT && writer == NULL);
    CHECK(strstr(ph_last_error_message(), "expected up to 64") != NULL);
    OK(ph_writer_open(&writer, path, NULL));
    ph_writer_t second = NULL;
    CHECK(ph_writer_open(&second, path, NULL) == PH_RESULT_INVALID_DATABASE); /* it exists */
    ph_schema_version_t version = { 0, 0, 0 };
    OK(ph_writer_get_schema_version(writer, &version));
    CHECK(version.major == 3);

    const ph_writer_node_t node = { .size = sizeof(node), .node_id = 0, .machine_id = text("m") };
    OK(ph_writer_register_node(writer, &node));
    OK(ph_writer_register_node(writer, &node)); /* again: nothing */
    const ph_writer_process_t process = { .size = sizeof(process), .pid = 10 };
    OK(ph_writer_register_process(writer, &process));
    refused(writer);
    ph_writer_thread_t thread = { .size = sizeof(thread), .process_id = 10, .thread_id = 11 };
    thread.name               = (ph_text_t){ "t\xff!!", 2 }; /* two bytes, one of them no UTF-8 */
    OK(ph_writer_register_thread(writer, &thread));
    thread.process_id = 99;
    CHECK(ph_writer_register_thread(writer, &thread) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "99") != NULL);
    OK(ph_writer_register_string(writer, text("some text")));
    CHECK(ph_writer_register_string(writer, (ph_text_t){ NULL, 0 }) == PH_RESULT_INVALID_ARGUMENT);
    const ph_writer_pmc_t pmc = { .size = sizeof(pmc), .process_id = 10, .name = text("C") };
    OK(ph_writer_register_pmc(writer, &pmc));

    const ph_writer_environment_t where = { .size       = sizeof(where),
                                            .process_id = { 10, 1 },
                                            .thread_id  = { 11, 1 } };
    static ph_writer_region_t             regions[REGIONS];
    static const ph_writer_region_t*      items[REGIONS];
    static const ph_writer_environment_t* wheres[REGIONS];
    for(int i = 0; i < REGIONS; ++i)
    {
        regions[i] = (ph_writer_region_t){ .size  = sizeof(regions[i]),
                                           .start = 100u * (unsigned)i,
                                           .end   = 100u * (unsigned)i + 50u,
                                           .name  = text(i % 2 ? "odd" : "even") };
        items[i]  = &regions[i];
        wheres[i] = &where;
    }
    uint64_t inserted = 5;
    OK(ph_writer_insert_regions(writer, items, wheres, REGIONS - 1, &inserted));
    CHECK(inserted == REGIONS - 1);
    /* The third names no thread: two go in, and the caller hears which. */
    const ph_writer_environment_t nowhere = { .size       = sizeof(nowhere),
                                              .process_id = { 10, 1 },
                                              .thread_id  = { 12, 1 } };
    wheres[2] = &nowhere;
    CHECK(ph_writer_insert_regions(writer, items, wheres, 4, &inserted) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(inserted == 2);
    regions[0].size = 1;
    CHECK(ph_writer_insert_region(writer, &regions[0], &where) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_writer_insert_region(writer, NULL, &where) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_writer_insert_region(writer, &regions[1], NULL) == PH_RESULT_INVALID_ARGUMENT);
    const ph_writer_pmc_event_t value = { .size = sizeof(value), .pmc_name = text("C"), .value = 2.5 };
    const ph_writer_pmc_event_t* values[] = { &value, &value };
    OK(ph_writer_insert_pmc_events(writer, values, 2, NULL));
    OK(ph_writer_commit(writer));
    OK(ph_writer_close(writer));
    CHECK(ph_writer_close(writer) == PH_RESULT_INVALID_CONTEXT);
    CHECK(ph_writer_commit(writer) == PH_RESULT_INVALID_CONTEXT);
    OK(ph_writer_close(NULL));

    ph_ctx_t ctx = NULL;
    OK(ph_ctx_create(&ctx, path));
    ph_track_list_t list = { 0, NULL };
    OK(ph_get_track_list(ctx, &list));
    CHECK(list.list_size == 2 && list.tracks[0].event_count == REGIONS + 1);
    CHECK(strcmp(list.tracks[0].track_name, "t\xef\xbf\xbd") == 0 && list.tracks[0].tid == 11);
    CHECK(list.tracks[1].value_range.max == 2.5 && list.tracks[1].event_count == 2);
    CHECK(list.tracks[1].agent_id == PH_ID_NONE && list.tracks[0].nid == 0);
    OK(ph_ctx_free(ctx));
    return 0;
}
