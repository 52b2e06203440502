/* Handles in a forked child, which are the parent's. Arguments: tests/golden, and a
 * folder to write to, or "read". */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(void* user_data) { (void)user_data; }

/* In the child; what hangs is ended there. */
static int forked(pid_t* child)
{
    fflush(NULL);
    *child = fork();
    CHECK(*child >= 0);
    if(*child == 0) alarm(60);
    return *child == 0;
}

static void join(pid_t child)
{
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int says_so(void) { return strstr(ph_last_error_message(), "fork") != NULL; }

static void writing(const char* folder)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/parent.db", folder);
    ph_writer_t writer = NULL;
    OK(ph_writer_open(&writer, path, NULL));
    OK(ph_writer_register_string(writer, (ph_text_t){ "a journal is there", PH_TEXT_NUL }));
    pid_t child = 0;
    if(forked(&child))
    {
        const ph_text_t     more    = { "more", PH_TEXT_NUL };
        ph_schema_version_t version = { 5, 5, 5 };
        CHECK(ph_writer_register_string(writer, more) == PH_RESULT_INVALID_CONTEXT && says_so());
        CHECK(ph_writer_commit(writer) == PH_RESULT_INVALID_CONTEXT && says_so());
        CHECK(ph_writer_get_schema_version(writer, &version) == PH_RESULT_INVALID_CONTEXT);
        OK(ph_writer_close(writer));
        snprintf(path, sizeof(path), "%s/child.db", folder);
        OK(ph_writer_open(&writer, path, NULL)); /* one of its own is no different */
        OK(ph_writer_register_string(writer, more));
        OK(ph_writer_close(writer));
        CHECK(ph_writer_close(writer) == PH_RESULT_INVALID_CONTEXT);
        exit(0);
    }
    join(child);
    OK(ph_writer_register_string(writer, (ph_text_t){ "after the fork", PH_TEXT_NUL }));
    OK(ph_writer_commit(writer));
    OK(ph_writer_close(writer));
}

static void reading(const char* golden)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/trace/trace.db", golden);
    ph_ctx_t    ctx    = NULL;
    ph_future_t future = NULL;
    OK(ph_ctx_create(&ctx, path));
    OK(ph_future_get(ctx, &future, nothing, NULL));
    OK(ph_future_wait(ctx, future));
    pid_t child = 0;
    if(forked(&child))
    {
        ph_future_t     another = (ph_future_t)path;
        ph_track_list_t list    = { 5, NULL };
        CHECK(ph_future_get(ctx, &another, nothing, NULL) == PH_RESULT_INVALID_CONTEXT && says_so());
        CHECK(another == NULL);
        CHECK(ph_future_wait(ctx, future) == PH_RESULT_INVALID_CONTEXT && says_so());
        CHECK(ph_get_track_list(ctx, &list) == PH_RESULT_INVALID_CONTEXT && list.list_size == 0);
        CHECK(ph_ctx_last_error_message(ctx)[0] == 0);
        OK(ph_ctx_free(ctx));
        CHECK(ph_ctx_free((ph_ctx_t)path) == PH_RESULT_INVALID_CONTEXT); /* none of anybody's */
        OK(ph_ctx_create(&ctx, path));
        CHECK(ph_future_wait(ctx, future) == PH_RESULT_INVALID_ARGUMENT);
        OK(ph_future_get(ctx, &another, nothing, NULL));
        OK(ph_future_wait(ctx, another));
        OK(ph_ctx_free(ctx));
        exit(0);
    }
    join(child);
    OK(ph_future_get(ctx, &future, nothing, NULL));
    OK(ph_future_wait(ctx, future));
    OK(ph_ctx_free(ctx));
}

int main(int argc, char** argv)
{
    CHECK(argc == 3);
    if(strcmp(argv[2], "read") == 0)
        reading(argv[1]);
    else
        writing(argv[2]);
    return 0;
}
