/* One context, several threads and the context's own tasks. Argument: tests/golden. */
#include "check.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 8, TASKS = 200 };

static ph_ctx_t        ctx;
static ph_track_list_t list;

static void* read_all(void* worker)
{
    const uint32_t first = *(const uint32_t*)worker;
    for(uint32_t round = 0; round < 20; ++round)
    {
        for(uint32_t i = 0; i < list.list_size; ++i)
        {
            const ph_track_t* track  = &list.tracks[(first + i) % list.list_size];
            ph_event_list_t   all    = { 0, NULL };
            ph_event_list_t   window = { 0, NULL };
            OK(ph_get_track_events(ctx, track->id, 0, 0, &all));
            OK(ph_get_track_events(ctx, track->id, 1, 0, &window));
            CHECK(all.list_size == window.list_size);
            for(uint32_t e = 0; e < all.list_size; ++e)
                CHECK(strcmp(all.events[e].name, window.events[e].name) == 0);
            OK(ph_event_list_free(ctx, &window));
            ph_event_list_t wrong = { 0, NULL };
            CHECK(ph_get_track_events(ctx, 1000 + first, 0, 0, &wrong) == PH_RESULT_INVALID_ARGUMENT);
            char number[32];
            snprintf(number, sizeof(number), "track %u:", 1000 + first);
            CHECK(strstr(ph_last_error_message(), number) != NULL); /* this thread's own */
            CHECK(ph_ctx_last_error_message(ctx)[0] != 0);
        }
        ph_summary_t summary = { .size = sizeof(summary) };
        OK(ph_get_summary(ctx, PH_TABLE_KERNEL_DISPATCH, 0, 0, NULL, 0, &summary));
        CHECK(summary.count == 4);
        OK(ph_summary_free(ctx, &summary));
    }
    return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t        ran  = 0;

static void count_up(void* user_data)
{
    uint32_t* const own = user_data;
    CHECK(*own == 0); /* called once */
    *own = 1;
    pthread_mutex_lock(&lock);
    ++ran;
    pthread_mutex_unlock(&lock);
}

static void nested(void* user_data)
{
    /* A task that waits for another must not starve it, however few threads there are. */
    ph_future_t inner = NULL;
    OK(ph_future_get(ctx, &inner, count_up, user_data));
    OK(ph_future_wait(ctx, inner));
    OK(ph_future_free(ctx, inner));
    CHECK(ph_ctx_free(ctx) == PH_RESULT_INVALID_ARGUMENT); /* it would wait for itself */
}

int main(int argc, char** argv)
{
    CHECK(argc == 2);
    char path[4096];
    snprintf(path, sizeof(path), "%s/trace/trace.db", argv[1]);
    OK(ph_ctx_create(&ctx, path));
    OK(ph_get_track_list(ctx, &list));
    pthread_t threads[THREADS];
    uint32_t  numbers[THREADS];
    for(uint32_t i = 0; i < THREADS; ++i)
    {
        numbers[i] = i * 3;
        CHECK(pthread_create(&threads[i], NULL, read_all, &numbers[i]) == 0);
    }
    for(uint32_t i = 0; i < THREADS; ++i) CHECK(pthread_join(threads[i], NULL) == 0);

    static uint32_t    own[3 * TASKS];
    static ph_future_t futures[TASKS];
    for(uint32_t i = 0; i < TASKS; ++i)
        OK(ph_future_get(ctx, &futures[i], i % 2 ? nested : count_up, &own[i]));
    for(uint32_t i = 0; i < TASKS; ++i)
    {
        OK(ph_future_wait(ctx, futures[i]));
        OK(ph_future_wait(ctx, futures[i]));
        OK(ph_future_cancel(ctx, futures[i])); /* too late, and harmless */
        OK(ph_future_free(ctx, futures[i]));
        CHECK(ph_future_wait(ctx, futures[i]) == PH_RESULT_INVALID_ARGUMENT);
    }
    CHECK(ran == TASKS);
    OK(ph_future_free(ctx, NULL));
    ph_future_t none = (ph_future_t)&list;
    CHECK(ph_future_get(ctx, &none, NULL, NULL) == PH_RESULT_INVALID_ARGUMENT && none == NULL);

    /* Freeing the context cancels what waits, and waits for what runs. */
    for(uint32_t i = TASKS; i < 3 * TASKS; ++i)
    {
        ph_future_t left = NULL;
        OK(ph_future_get(ctx, &left, count_up, &own[i]));
    }
    OK(ph_ctx_free(ctx));
    const uint32_t after = ran;
    CHECK(after >= TASKS && after <= 3 * TASKS);
    CHECK(ph_future_wait(ctx, futures[0]) == PH_RESULT_INVALID_CONTEXT);
    CHECK(ran == after);
    return 0;
}
