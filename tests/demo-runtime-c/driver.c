/* A program that calls the demo API and ROCTx as its arguments say, and checks what comes back.
 *
 *   load PATH          loads a runtime; the calls that follow go to it
 *   unload             unloads it
 *   gone PATH          it must not be loaded any more
 *   close PATH         closes a library more often than it was opened
 *   expect LAYERS      the layers that each call has to pass, outermost first
 *   foo point swap copy tick nested each      a call of the demo API
 *   foo= VALUE ARGUMENT                       demo_foo(ARGUMENT) has to be VALUE
 *   ticks N            how often demo_tick reached the runtime
 *   mark TEXT, push TEXT, pop LEVEL, start TEXT, stop     ROCTx
 *   threads N M        N threads call foo, tick and point M times each; layers are not noted
 *   starters N         N threads make the runtime's first call at the same time
 *   tool PATH NAME RESULT    calls `int NAME(void)` of a loaded library
 *   fork               a child makes the rest of the calls; its status is the parent's
 *
 * Exit status 0, or 1 and a line on stderr at the first thing that is not as expected. */
#define _GNU_SOURCE
#include "demo_runtime.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* runtime;
static char expected[512];
static atomic_int quiet;
static _Thread_local char layers[512];

__attribute__((visibility("default"))) void demo_layer(const char* name) {
    if (atomic_load_explicit(&quiet, memory_order_relaxed))
        return;
    size_t used = strlen(layers);
    snprintf(layers + used, sizeof layers - used, "%s%s", used ? " " : "", name);
}

#define FAIL(...)                                                                                  \
    do {                                                                                           \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fputc('\n', stderr);                                                                       \
        exit(1);                                                                                   \
    } while (0)

static void* symbol(const char* name) {
    void* found = dlsym(runtime, name);
    if (!found)
        FAIL("%s is not in the runtime: %s", name, dlerror());
    return found;
}

#define CALL(type, name) ((type)symbol(name))

static void passed(const char* call) {
    if (strcmp(layers, expected) != 0)
        FAIL("%s passed [%s], expected [%s]", call, layers, expected);
    layers[0] = 0;
}

typedef int (*foo_t)(int);
typedef demo_point_t (*point_t)(demo_point_t, double);
typedef demo_pair_t (*swap_t)(demo_pair_t);
typedef char* (*copy_t)(char*, const char*, size_t);
typedef void (*tick_t)(void);
typedef uint64_t (*ticks_t)(void);
typedef int (*each_t)(int (*)(void*), void*);

static void check_foo(int value, int argument) {
    int got = CALL(foo_t, "demo_foo")(argument);
    if (got != value)
        FAIL("demo_foo(%d) is %d, expected %d", argument, got, value);
}

static void check_point(point_t function) {
    demo_point_t p = function((demo_point_t){1.0, -2.5, 1e300, 41}, 2.0);
    if (p.x != 2.0 || p.y != -5.0 || p.z != 2e300 || p.id != 42)
        FAIL("demo_point is %g %g %g %d", p.x, p.y, p.z, p.id);
}

static int callback(void* argument) { return *(int*)argument + 1; }

static int calls_per_thread;

static void* work(void* unused) {
    (void)unused;
    foo_t function = CALL(foo_t, "demo_foo");
    tick_t tick = CALL(tick_t, "demo_tick");
    point_t point = CALL(point_t, "demo_point");
    for (int i = 0; i < calls_per_thread; i++) {
        if (function(i & 0xffff) != 2 * (i & 0xffff) + 1)
            FAIL("demo_foo(%d) is wrong", i & 0xffff);
        tick();
        if ((i & 7) == 0)
            check_point(point);
    }
    return NULL;
}

static void* start_work(void* barrier) {
    foo_t function = CALL(foo_t, "demo_foo");
    pthread_barrier_wait(barrier);
    if (function(20) != 41)
        FAIL("demo_foo(20) is wrong");
    if (strcmp(layers, expected) != 0)
        FAIL("a first call passed [%s], expected [%s]", layers, expected);
    layers[0] = 0;
    return NULL;
}

static void in_threads(int count, void* (*function)(void*), void* argument) {
    pthread_t threads[64];
    for (int i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, function, argument) != 0)
            FAIL("cannot start a thread");
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
    uint64_t range = 0;
    for (int i = 1; i < argc; i++) {
        const char* what = argv[i];
        if (!strcmp(what, "load")) {
            runtime = dlopen(argv[++i], RTLD_NOW | RTLD_LOCAL);
            if (!runtime)
                FAIL("cannot load: %s", dlerror());
        } else if (!strcmp(what, "unload")) {
            if (dlclose(runtime) != 0)
                FAIL("cannot unload: %s", dlerror());
        } else if (!strcmp(what, "gone")) {
            if (dlopen(argv[++i], RTLD_NOW | RTLD_NOLOAD))
                FAIL("%s is loaded still", argv[i]);
        } else if (!strcmp(what, "close")) {
            void* library = dlopen(argv[++i], RTLD_NOW | RTLD_NOLOAD);
            if (!library)
                FAIL("%s is not loaded", argv[i]);
            for (int times = 0; times < 8; times++)
                dlclose(library);
        } else if (!strcmp(what, "expect")) {
            snprintf(expected, sizeof expected, "%s", argv[++i]);
        } else if (!strcmp(what, "foo")) {
            check_foo(85, 42);
            passed(what);
        } else if (!strcmp(what, "foo=")) {
            int value = atoi(argv[++i]);
            check_foo(value, atoi(argv[++i]));
            passed(what);
        } else if (!strcmp(what, "point")) {
            check_point(CALL(point_t, "demo_point"));
            passed(what);
        } else if (!strcmp(what, "swap")) {
            demo_pair_t pair = CALL(swap_t, "demo_swap")((demo_pair_t){1, -2});
            if (pair.low != -2 || pair.high != 1)
                FAIL("demo_swap is %d %d", pair.low, pair.high);
            passed(what);
        } else if (!strcmp(what, "copy")) {
            char to[4];
            if (CALL(copy_t, "demo_copy")(to, "text", sizeof to) != to || strcmp(to, "tex"))
                FAIL("demo_copy is [%.4s]", to);
            passed(what);
        } else if (!strcmp(what, "tick")) {
            CALL(tick_t, "demo_tick")();
            passed(what);
        } else if (!strcmp(what, "ticks")) {
            uint64_t got = CALL(ticks_t, "demo_ticks")();
            layers[0] = 0;
            if (got != strtoull(argv[++i], NULL, 10))
                FAIL("%llu ticks, expected %s", (unsigned long long)got, argv[i]);
        } else if (!strcmp(what, "nested")) {
            int got = CALL(foo_t, "demo_nested")(42);
            if (got != 86)
                FAIL("demo_nested(42) is %d", got);
            passed(what);
        } else if (!strcmp(what, "each")) {
            int argument = 6;
            if (CALL(each_t, "demo_each")(callback, &argument) != 7)
                FAIL("demo_each is wrong");
            passed(what);
        } else if (!strcmp(what, "mark")) {
            CALL(void (*)(const char*), "roctxMarkA")(argv[++i]);
            passed(what);
        } else if (!strcmp(what, "push")) {
            CALL(int (*)(const char*), "roctxRangePushA")(argv[++i]);
            passed(what);
        } else if (!strcmp(what, "pop")) {
            int level = CALL(int (*)(void), "roctxRangePop")();
            if (level != atoi(argv[++i]))
                FAIL("roctxRangePop is %d, expected %s", level, argv[i]);
            passed(what);
        } else if (!strcmp(what, "start")) {
            range = CALL(uint64_t (*)(const char*), "roctxRangeStartA")(argv[++i]);
            if (range == 0)
                FAIL("no range was started");
            passed(what);
        } else if (!strcmp(what, "stop")) {
            CALL(void (*)(uint64_t), "roctxRangeStop")(range);
            passed(what);
        } else if (!strcmp(what, "threads")) {
            int count = atoi(argv[++i]);
            calls_per_thread = atoi(argv[++i]);
            atomic_store(&quiet, 1);
            in_threads(count, work, NULL);
            atomic_store(&quiet, 0);
        } else if (!strcmp(what, "starters")) {
            int count = atoi(argv[++i]);
            pthread_barrier_t barrier;
            pthread_barrier_init(&barrier, NULL, (unsigned)count);
            in_threads(count, start_work, &barrier);
        } else if (!strcmp(what, "tool")) {
            void* tool = dlopen(argv[++i], RTLD_NOW | RTLD_NOLOAD);
            if (!tool)
                FAIL("%s is not loaded", argv[i]);
            int (*function)(void) = (int (*)(void))dlsym(tool, argv[++i]);
            if (!function)
                FAIL("no %s", argv[i]);
            int got = function();
            if (got != atoi(argv[++i]))
                FAIL("%s is %d, expected %s", argv[i - 1], got, argv[i]);
        } else if (!strcmp(what, "fork")) {
            pid_t child = fork();
            if (child > 0) {
                int status = 0;
                if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
                    FAIL("the child did not exit");
                return WEXITSTATUS(status);
            }
        } else {
            FAIL("what is %s?", what);
        }
    }
    return 0;
}
