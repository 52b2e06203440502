/* Probes a file and prints what was found; opening it must come to the same. Argument: the file. */
#include "check.h"

#include <string.h>

int main(int argc, char** argv)
{
    CHECK(argc == 2);
    ph_database_probe_t probe = { .size = sizeof(probe) };
    const ph_result_t   result = ph_probe_database(argv[1], &probe);
    ph_ctx_t            ctx    = NULL;
    CHECK(ph_ctx_create(&ctx, argv[1]) == result);
    CHECK((ctx != NULL) == (result == PH_RESULT_SUCCESS));
    CHECK((probe.status == PH_PROBE_SUPPORTED) == (result == PH_RESULT_SUCCESS));
    if(ctx == NULL) CHECK(strcmp(ph_last_error_message(), probe.message) == 0);
    printf("%s %d ", ph_result_string(result), (int)probe.status);
    if(probe.has_version) printf("%u.%u.%u", probe.version.major, probe.version.minor, probe.version.patch);
    printf("\n%s\n", probe.message);
    return ph_ctx_free(ctx) == PH_RESULT_SUCCESS ? 0 : 1;
}
