/* What every consumer here does: opens a rocpd database through the C API and says what is in it. */
#include <profiler-hub/c/profiler_hub.h>

#include <stdio.h>

int main(int argc, char** argv)
{
    ph_library_version_t library = {0, 0, 0};
    ph_schema_version_t  schema  = {0, 0, 0};
    ph_track_list_t      tracks  = {0, NULL};
    ph_ctx_t             ctx     = NULL;

    if(argc != 2 || ph_get_library_version(&library) != PH_RESULT_SUCCESS) return 2;
    if(ph_ctx_create(&ctx, argv[1]) != PH_RESULT_SUCCESS)
    {
        fprintf(stderr, "%s: %s\n", argv[1], ph_last_error_message());
        return 1;
    }
    if(ph_get_schema_version(ctx, &schema) != PH_RESULT_SUCCESS) return 1;
    if(ph_get_track_list(ctx, &tracks) != PH_RESULT_SUCCESS || tracks.list_size == 0) return 1;
    printf("profiler-hub %u.%u.%u reads schema %u.%u.%u\n", library.major, library.minor, library.patch,
           schema.major, schema.minor, schema.patch);
    return ph_ctx_free(ctx) == PH_RESULT_SUCCESS ? 0 : 1;
}
