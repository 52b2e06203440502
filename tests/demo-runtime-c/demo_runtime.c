/* A runtime in C that lets tools wrap its API, by the mechanism of ROCm's runtimes. */
#define _GNU_SOURCE
#include "demo_runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* With -DOLD_TABLE the runtime is of a time before demo_swap and all behind it; with -DNULL_SLOT it
 * was built without demo_copy. With -DNEW_TABLE it has a slot that nobody knows yet. */

static void layer(const char* name) {
    static _Atomic(demo_layer_t) known;
    static atomic_int looked;
    if (!atomic_load(&looked)) {
        atomic_store(&known, (demo_layer_t)dlsym(RTLD_DEFAULT, "demo_layer"));
        atomic_store(&looked, 1);
    }
    demo_layer_t tell = atomic_load(&known);
    if (tell)
        tell(name);
}

static atomic_uint_fast64_t ticks;

static int real_foo(int value) {
    layer("real");
    return 2 * value + 1;
}

static demo_point_t real_point(demo_point_t point, double scale) {
    layer("real");
    point.x *= scale;
    point.y *= scale;
    point.z *= scale;
    point.id += 1;
    return point;
}

static demo_pair_t real_swap(demo_pair_t pair) {
    layer("real");
    return (demo_pair_t){.low = pair.high, .high = pair.low};
}

#if !defined(NULL_SLOT)
static char* real_copy(char* to, const char* from, size_t size) {
    layer("real");
    if (!to || !from || size == 0)
        return NULL;
    strncpy(to, from, size - 1);
    to[size - 1] = 0;
    return to;
}
#endif

static void real_tick(void) {
    layer("real");
    atomic_fetch_add(&ticks, 1);
}

static uint64_t real_ticks(void) { return atomic_load(&ticks); }

static int real_nested(int value) {
    layer("real");
    return demo_foo(value) + 1;
}

static int real_each(int (*callback)(void*), void* argument) {
    layer("real");
    return callback(argument);
}

typedef struct {
    demo_table_t known;
    void (*demo_from_the_future)(void);
} newer_table_t;

static newer_table_t table = {
    .known =
        {
#if defined(OLD_TABLE)
            .size = offsetof(demo_table_t, demo_swap),
#elif defined(NEW_TABLE)
            .size = sizeof(newer_table_t),
#else
            .size = sizeof(demo_table_t),
#endif
            .demo_foo = real_foo,
            .demo_point = real_point,
            .demo_swap = real_swap,
#if !defined(NULL_SLOT)
            .demo_copy = real_copy,
#endif
            .demo_tick = real_tick,
            .demo_ticks = real_ticks,
            .demo_nested = real_nested,
            .demo_each = real_each,
        },
    .demo_from_the_future = real_tick,
};

static uint32_t import(void) { return 10203; }

static void construct(void) {
    void* tables[] = {&table};
    uint64_t identifier = 0;
    demo_register_t enlist =
        (demo_register_t)dlsym(RTLD_DEFAULT, "rocprofiler_register_library_api_table");
    if (enlist)
        enlist("demo", import, import(), tables, 1, &identifier);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static inline demo_table_t* constructed(void) {
    pthread_once(&once, construct);
    return &table.known;
}

int demo_foo(int value) { return constructed()->demo_foo(value); }
demo_point_t demo_point(demo_point_t point, double scale) {
    return constructed()->demo_point(point, scale);
}
demo_pair_t demo_swap(demo_pair_t pair) { return constructed()->demo_swap(pair); }
char* demo_copy(char* to, const char* from, size_t size) {
    return constructed()->demo_copy(to, from, size);
}
void demo_tick(void) { constructed()->demo_tick(); }
uint64_t demo_ticks(void) { return constructed()->demo_ticks(); }
int demo_nested(int value) { return constructed()->demo_nested(value); }
int demo_each(int (*callback)(void*), void* argument) {
    return constructed()->demo_each(callback, argument);
}
