/* Runtimes with HIP's and HSA's tables, and behind them a few functions that do next to nothing.
 * Offsets are those of rust/profiler-hub-intercept/tests/abi/dispatch-tables.json. */
#define _GNU_SOURCE
#include "fake_rocm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* With -DOLD_HIP the HIP table ends before hipStreamSynchronize; without it it is newer by two
 * slots. HSA's AMD table is of a time before most of its functions. */
enum {
    HIP_BYTES = 3712 + 16,
    CORE_BYTES = 1016,
    AMD_BYTES = 144,
};

static union {
    uint64_t size;
    void* slots[HIP_BYTES / 8];
} hip;

typedef struct {
    uint32_t major, minor, step, reserved;
} version_t;

static union {
    version_t version;
    void* slots[CORE_BYTES / 8];
} core;

static union {
    version_t version;
    void* slots[AMD_BYTES / 8];
} amd;

static struct {
    version_t version;
    void *core, *amd, *finalizer, *image, *tools, *sampling;
} hsa;

#define SLOT(table, offset) ((table).slots[(offset) / 8])
#define NEXT(type, table, offset) ((type)SLOT(table, offset))

static int64_t values[16];

static uint32_t real_signal_create(
    int64_t value, uint32_t count, const agent_t* consumers, signal_t* signal) {
    if (count != 2 || !consumers || consumers[1].handle != 22)
        return 1;
    signal->handle = 5;
    values[5] = value;
    return 0;
}
static int64_t real_signal_load(signal_t signal) { return values[signal.handle]; }
static void real_signal_store(signal_t signal, int64_t value) { values[signal.handle] = value; }
static int64_t real_signal_cas(signal_t signal, int64_t expected, int64_t value) {
    int64_t before = values[signal.handle];
    if (before == expected)
        values[signal.handle] = value;
    return before;
}
static uint32_t real_async_copy(
    void* to, agent_t to_agent, const void* from, agent_t from_agent, size_t size,
    uint32_t signal_count, const signal_t* signals, signal_t done) {
    if (to_agent.handle != 1 || from_agent.handle != 2 || signal_count != 1 || !signals)
        return 1;
    memcpy(to, from, size);
    values[done.handle] = 0;
    return 0;
}
static uint32_t real_iterate_agents(uint32_t (*callback)(agent_t, void*), void* data) {
    return callback((agent_t){9}, data);
}

static int real_malloc(void** pointer, size_t size) {
    *pointer = malloc(size);
    return *pointer ? 0 : 2;
}
static int real_free(void* pointer) {
    free(pointer);
    return 0;
}
static int real_memcpy_async(
    void* to, const void* from, size_t size, unsigned kind, void* stream) {
    signal_t signal = {5};
    if (kind != 3 || stream != (void*)0x57)
        return 1;
    return (int)hsa_amd_memory_async_copy(
        to, (agent_t){1}, from, (agent_t){2}, size, 1, &signal, signal);
}
static int real_launch(
    const void* function, dim3_t grid, dim3_t block, void** args, size_t shared, void* stream) {
    int ok = function && grid.x == 1 && grid.y == 2 && grid.z == 3 && block.x == 64 &&
             block.y == 5 && block.z == 6 && !args && shared == 1024 && stream == (void*)0x57;
    return ok ? 98 : 1;
}
static int real_module_launch(
    void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** args, void** extra) {
    int ok = function && grid_x == 1 && grid_y == 2 && grid_z == 3 && block_x == 4 &&
             block_y == 5 && block_z == 6 && shared == 7 && stream == (void*)8 &&
             args == (void**)9 && extra == (void**)10;
    return ok ? 99 : 1;
}
static int real_stream_synchronize(void* stream) { return stream == (void*)0x57 ? 0 : 1; }
static int real_device_synchronize(void) { return 0; }
static const char* real_error_string(int error) { return error ? "an error" : "no error"; }

typedef uint32_t (*import_t)(void);
typedef int (*enlist_t)(const char*, import_t, uint32_t, void**, uint64_t, uint64_t*);
static uint32_t import(void) { return 70000; }

static void construct_hsa(void) {
    core.version = (version_t){2, CORE_BYTES, 6, 0};
    SLOT(core, 56) = real_iterate_agents;
    SLOT(core, 312) = real_signal_create;
    SLOT(core, 328) = real_signal_load;
    SLOT(core, 344) = real_signal_store;
    SLOT(core, 592) = real_signal_cas;
    amd.version = (version_t){2, AMD_BYTES, 4, 0};
    SLOT(amd, 136) = real_async_copy;
    hsa.version = (version_t){3, sizeof hsa, 1, 0};
    hsa.core = &core;
    hsa.amd = &amd;
    void* tables[] = {&hsa};
    uint64_t identifier;
    enlist_t enlist = (enlist_t)dlsym(RTLD_DEFAULT, "rocprofiler_register_library_api_table");
    if (enlist)
        enlist("hsa", import, import(), tables, 1, &identifier);
}

static void construct_hip(void) {
#if defined(OLD_HIP)
    hip.size = 2776;
#else
    hip.size = HIP_BYTES;
#endif
    SLOT(hip, 1728) = real_malloc;
    SLOT(hip, 728) = real_free;
    SLOT(hip, 2152) = real_memcpy_async;
    SLOT(hip, 1720) = real_launch;
    SLOT(hip, 2472) = real_module_launch;
    SLOT(hip, 2776) = real_stream_synchronize;
    SLOT(hip, 536) = real_device_synchronize;
    SLOT(hip, 872) = real_error_string;
    void* tables[] = {&hip};
    uint64_t identifier;
    enlist_t enlist = (enlist_t)dlsym(RTLD_DEFAULT, "rocprofiler_register_library_api_table");
    if (enlist)
        enlist("hip", import, import(), tables, 1, &identifier);
}

static pthread_once_t hsa_once = PTHREAD_ONCE_INIT, hip_once = PTHREAD_ONCE_INIT;
#define HSA_READY pthread_once(&hsa_once, construct_hsa)
#define HIP_READY pthread_once(&hip_once, construct_hip)

int hipMalloc(void** pointer, size_t size) {
    HIP_READY;
    return NEXT(int (*)(void**, size_t), hip, 1728)(pointer, size);
}
int hipFree(void* pointer) {
    HIP_READY;
    return NEXT(int (*)(void*), hip, 728)(pointer);
}
int hipMemcpyAsync(void* to, const void* from, size_t size, unsigned kind, void* stream) {
    HIP_READY;
    return NEXT(int (*)(void*, const void*, size_t, unsigned, void*), hip, 2152)(
        to, from, size, kind, stream);
}
int hipLaunchKernel(
    const void* function, dim3_t grid, dim3_t block, void** args, size_t shared, void* stream) {
    HIP_READY;
    return NEXT(int (*)(const void*, dim3_t, dim3_t, void**, size_t, void*), hip, 1720)(
        function, grid, block, args, shared, stream);
}
int hipModuleLaunchKernel(
    void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** args, void** extra) {
    HIP_READY;
    return NEXT(
        int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                void**, void**),
        hip, 2472)(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, args,
                   extra);
}
int hipStreamSynchronize(void* stream) {
    HIP_READY;
    return NEXT(int (*)(void*), hip, 2776)(stream);
}
int hipDeviceSynchronize(void) {
    HIP_READY;
    return NEXT(int (*)(void), hip, 536)();
}
const char* hipGetErrorString(int error) {
    HIP_READY;
    return NEXT(const char* (*)(int), hip, 872)(error);
}

uint32_t hsa_signal_create(
    int64_t value, uint32_t count, const agent_t* consumers, signal_t* signal) {
    HSA_READY;
    return NEXT(uint32_t (*)(int64_t, uint32_t, const agent_t*, signal_t*), core, 312)(
        value, count, consumers, signal);
}
int64_t hsa_signal_load_relaxed(signal_t signal) {
    HSA_READY;
    return NEXT(int64_t (*)(signal_t), core, 328)(signal);
}
void hsa_signal_store_relaxed(signal_t signal, int64_t value) {
    HSA_READY;
    NEXT(void (*)(signal_t, int64_t), core, 344)(signal, value);
}
int64_t hsa_signal_cas_scacq_screl(signal_t signal, int64_t expected, int64_t value) {
    HSA_READY;
    return NEXT(int64_t (*)(signal_t, int64_t, int64_t), core, 592)(signal, expected, value);
}
uint32_t hsa_amd_memory_async_copy(
    void* to, agent_t to_agent, const void* from, agent_t from_agent, size_t size,
    uint32_t signal_count, const signal_t* signals, signal_t done) {
    HSA_READY;
    return NEXT(
        uint32_t (*)(void*, agent_t, const void*, agent_t, size_t, uint32_t, const signal_t*,
                     signal_t),
        amd, 136)(to, to_agent, from, from_agent, size, signal_count, signals, done);
}
uint32_t hsa_iterate_agents(uint32_t (*callback)(agent_t, void*), void* data) {
    HSA_READY;
    return NEXT(uint32_t (*)(uint32_t (*)(agent_t, void*), void*), core, 56)(callback, data);
}
