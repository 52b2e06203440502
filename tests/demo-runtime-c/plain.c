/* The benchmarks' yardstick: the whole mechanism in C, both sides, with a function that does next to
 * nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PUBLIC __attribute__((visibility("default")))

typedef int (*next_t)(int);
typedef struct {
    uint64_t size;
    next_t plain_next;
} table_t;

/* The library's side. */

static int real(int value) { return (int)((unsigned)value + 1u); }

static table_t live = {sizeof(table_t), real};
static _Atomic(table_t*) current;

typedef uint32_t (*import_t)(void);
typedef int (*enlist_t)(const char*, import_t, uint32_t, void**, uint64_t, uint64_t*);
static uint32_t import(void) { return 10000; }

static void construct(void) {
    void* tables[] = {&live};
    uint64_t identifier = 0;
    enlist_t enlist = (enlist_t)dlsym(RTLD_DEFAULT, "rocprofiler_register_library_api_table");
    if (enlist)
        enlist("plain", import, import(), tables, 1, &identifier);
    atomic_store_explicit(&current, &live, memory_order_release);
}

__attribute__((noinline, cold)) static table_t* constructed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, construct);
    return &live;
}

PUBLIC int plain_next(int value) {
    table_t* table = atomic_load_explicit(&current, memory_order_acquire);
    if (__builtin_expect(!table, 0))
        table = constructed();
    return table->plain_next(value);
}

/* The function itself, for a direct call. */
PUBLIC next_t plain_real(void) { return real; }

/* The tool's side: a re-entry guard per thread, a count, the next function. */

static __thread int inside;
static volatile uint64_t calls;
static next_t next_of_replacement, next_of_observer;

static int replacing(int value) {
    next_t next = next_of_replacement;
    if (inside)
        return next(value);
    inside = 1;
    calls++;
    inside = 0;
    int returned = next(value);
    inside = 1;
    inside = 0;
    return returned;
}

static int observing(int value) {
    next_t next = next_of_observer;
    if (inside)
        return next(value);
    inside = 1;
    calls++;
    inside = 0;
    int returned = next(value);
    inside = 1;
    calls++;
    inside = 0;
    return returned;
}

PUBLIC void plain_replace(void) {
    constructed();
    next_of_replacement = live.plain_next;
    live.plain_next = replacing;
}

PUBLIC void plain_observe(void) {
    constructed();
    next_of_observer = live.plain_next;
    live.plain_next = observing;
}

PUBLIC uint64_t plain_counted(void) { return calls; }
