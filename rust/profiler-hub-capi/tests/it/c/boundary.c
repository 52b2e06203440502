/* What is wrong gives its code, and out-parameters are emptied first. Argument: tests/golden. */
#include "check.h"

#include <string.h>

static char path[4096];

static uint32_t calls = 0;

static uint32_t progress(void* user_data, ph_open_stage_t stage, uint64_t done, uint64_t total)
{
    CHECK(user_data == &calls && done <= total);
    ++calls;
    return stage == PH_OPEN_STAGE_EVENTS;
}

static void contexts(const char* golden)
{
    ph_ctx_t ctx = (ph_ctx_t)&calls;
    CHECK(ph_ctx_create(NULL, "x") == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_ctx_create(&ctx, NULL) == PH_RESULT_INVALID_ARGUMENT && ctx == NULL);
    ctx = (ph_ctx_t)&calls;
    CHECK(ph_ctx_create(&ctx, "") == PH_RESULT_INVALID_ARGUMENT && ctx == NULL);
    CHECK(ph_ctx_create(&ctx, "/no/such/file") == PH_RESULT_INVALID_DATABASE);
    CHECK(strstr(ph_last_error_message(), "/no/such/file") != NULL);
    CHECK(ph_ctx_free(NULL) == PH_RESULT_SUCCESS);

    snprintf(path, sizeof(path), "%s/trace/trace.db", golden);
    OK(ph_ctx_create(&ctx, path));
    ph_track_list_t list = { 5, (ph_track_t*)&calls };
    const ph_ctx_t  foreign = (ph_ctx_t)&calls;
    CHECK(ph_get_track_list(NULL, &list) == PH_RESULT_INVALID_CONTEXT && list.list_size == 0);
    CHECK(list.tracks == NULL);
    CHECK(ph_get_track_list(foreign, &list) == PH_RESULT_INVALID_CONTEXT);
    CHECK(ph_get_track_list(ctx, NULL) == PH_RESULT_INVALID_ARGUMENT);
    ph_event_list_t events = { 5, (ph_event_t*)&calls };
    CHECK(ph_get_track_events(ctx, 4711, 0, 0, &events) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(events.list_size == 0 && events.events == NULL);
    CHECK(strstr(ph_last_error_message(), "4711") != NULL);
    CHECK(ph_get_track_events(ctx, 0, 20, 10, &events) == PH_RESULT_INVALID_ARGUMENT);
    ph_sample_list_t samples = { 5, (ph_sample_t*)&calls };
    CHECK(ph_get_track_samples(ctx, PH_ID_NONE, 0, 0, &samples) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(samples.list_size == 0 && samples.samples == NULL);
    uint32_t depth = 5;
    CHECK(ph_get_track_nesting_depth(ctx, 4711, &depth) == PH_RESULT_INVALID_ARGUMENT && depth == 0);
    CHECK(ph_future_wait(ctx, (ph_future_t)&calls) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_future_wait(ctx, (ph_future_t)ctx) == PH_RESULT_INVALID_ARGUMENT);
    events.events = (ph_event_t*)&calls;
    CHECK(ph_event_list_free(ctx, &events) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_event_list_free(ctx, NULL) == PH_RESULT_SUCCESS);
    ph_trace_info_t info = { .size = 3 };
    CHECK(ph_get_trace_info(ctx, &info) == PH_RESULT_INVALID_ARGUMENT);
    ph_node_row_list_t nodes = { .size = 0 };
    CHECK(ph_get_nodes(ctx, &nodes) == PH_RESULT_INVALID_ARGUMENT);
    const uint32_t  ids[] = { 0, 4711 };
    ph_bucket_t     bucket = { 5, 5 };
    CHECK(ph_get_histogram(ctx, 0, 0, ids, 2, &bucket, 1) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(bucket.events == 0 && bucket.busy == 0);
    /* An end of 0 is open: up to the last event of the tracks. */
    OK(ph_get_trace_info(ctx, (info.size = sizeof(info), &info)));
    const uint64_t middle = info.start_ts + (info.end_ts - info.start_ts) / 2;
    ph_bucket_t    halves[2][4];
    OK(ph_get_histogram(ctx, middle, 0, NULL, 0, halves[0], 4));
    OK(ph_get_histogram(ctx, middle, info.end_ts, NULL, 0, halves[1], 4));
    CHECK(memcmp(halves[0], halves[1], sizeof(halves[0])) == 0);
    CHECK(halves[0][0].events > 0 && halves[0][3].events > 0);
    OK(ph_get_histogram(ctx, info.end_ts + 1000, 0, NULL, 0, halves[0], 4)); /* after all of it */
    CHECK(halves[0][0].events == 0 && halves[0][3].busy == 0);
    CHECK(ph_get_histogram(ctx, 20, 10, NULL, 0, &bucket, 1) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(strstr(ph_last_error_message(), "0 for no upper bound") != NULL);
    OK(ph_ctx_free(ctx));
    CHECK(ph_ctx_free(ctx) == PH_RESULT_INVALID_CONTEXT);
    CHECK(ph_get_track_list(ctx, &list) == PH_RESULT_INVALID_CONTEXT);
    CHECK(ph_ctx_last_error_message(ctx)[0] == 0);

    const ph_open_options_t options = { sizeof(options), 2, progress, &calls };
    CHECK(ph_ctx_create_with(&ctx, path, &options) == PH_RESULT_INTERNAL_ERROR && ctx == NULL);
    CHECK(calls > 2 && strstr(ph_last_error_message(), "cancelled") != NULL);
    OK(ph_ctx_create_with(&ctx, path, NULL));
    OK(ph_ctx_free(ctx));
}

/* A caller that was built for the first fields only. */
static void short_probe(const char* golden)
{
    snprintf(path, sizeof(path), "%s/probe/version-3.0.1.db", golden);
    struct
    {
        size_t            size;
        ph_probe_status_t status;
        uint32_t          behind;
    } small = { offsetof(ph_database_probe_t, has_version), PH_PROBE_NOT_SQLITE, 0xabcdef };
    CHECK(ph_probe_database(path, (ph_database_probe_t*)&small) == PH_RESULT_SUCCESS);
    CHECK(small.status == PH_PROBE_SUPPORTED && small.behind == 0xabcdef);
    CHECK(small.size == offsetof(ph_database_probe_t, has_version));
    small.size = 4;
    CHECK(ph_probe_database(path, (ph_database_probe_t*)&small) == PH_RESULT_INVALID_ARGUMENT);
    ph_database_probe_t probe = { .size = sizeof(probe) };
    CHECK(ph_probe_database(NULL, &probe) == PH_RESULT_INVALID_ARGUMENT);
    CHECK(ph_probe_database(path, NULL) == PH_RESULT_INVALID_ARGUMENT);
    OK(ph_probe_database(path, &probe));
    CHECK(probe.has_version == 1 && probe.version.patch == 1 && probe.guid_count == 1);
    CHECK(probe.guid[0] != 0 && strstr(probe.message, "3.0.1") != NULL);
    CHECK(probe.size == sizeof(probe));
}

int main(int argc, char** argv)
{
    CHECK(argc == 2);
    CHECK(strcmp(ph_last_error_message(), "") == 0);
    contexts(argv[1]);
    short_probe(argv[1]);
    for(uint32_t i = 0; i < 10; ++i)
        CHECK(strncmp(ph_result_string((ph_result_t)i), "PH_RESULT_", 10) == 0);
    CHECK(strcmp(ph_result_string((ph_result_t)77), "unknown ph_result_t") == 0);
    ph_library_version_t version = { 9, 9, 9 };
    OK(ph_get_library_version(&version));
    CHECK(version.major + version.minor + version.patch < 27);
    return 0;
}
