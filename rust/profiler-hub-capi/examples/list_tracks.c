/*
 * Lists the tracks of a rocpd file and the first events of each, or says why it cannot.
 *
 *   list_tracks FILE
 */
#include <profiler-hub/c/profiler_hub.h>

#include <inttypes.h>
#include <stdio.h>

static int fail(const char* what)
{
    fprintf(stderr, "cannot %s: %s\n", what, ph_last_error_message());
    return 1;
}

int main(int argc, char** argv)
{
    if(argc != 2)
    {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    ph_ctx_t ctx = NULL;
    if(ph_ctx_create(&ctx, argv[1]) != PH_RESULT_SUCCESS) return fail("open the file");

    int             status = 0;
    ph_track_list_t tracks = { 0, NULL };
    if(ph_get_track_list(ctx, &tracks) != PH_RESULT_SUCCESS) status = fail("list the tracks");
    for(uint32_t i = 0; i < tracks.list_size && status == 0; ++i)
    {
        const ph_track_t* track = &tracks.tracks[i];
        printf("%" PRIu32 " %s: %" PRIu32 " events, depth %" PRIu32 "\n", track->id, track->track_name,
               track->event_count, track->nesting_depth);

        ph_event_list_t events = { 0, NULL };
        if(ph_get_track_events(ctx, track->id, 0, 0, &events) != PH_RESULT_SUCCESS)
            status = fail("read the events");
        for(uint32_t e = 0; e < events.list_size && e < 3; ++e)
        {
            const ph_event_t* event = &events.events[e];
            printf("    %" PRIu64 " to %" PRIu64 ": %s\n", event->start, event->end, event->name);
        }
        ph_event_list_free(ctx, &events);
    }
    ph_ctx_free(ctx);
    return status;
}
