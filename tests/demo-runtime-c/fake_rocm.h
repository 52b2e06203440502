/* A few functions of HIP and HSA, as far as the tests call them. */
#ifndef FAKE_ROCM_H
#define FAKE_ROCM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t x, y, z;
} dim3_t;
typedef struct {
    uint64_t handle;
} signal_t;
typedef struct {
    uint64_t handle;
} agent_t;

int hipMalloc(void** pointer, size_t size);
int hipFree(void* pointer);
int hipMemcpyAsync(void* to, const void* from, size_t size, unsigned kind, void* stream);
int hipLaunchKernel(
    const void* function, dim3_t grid, dim3_t block, void** args, size_t shared, void* stream);
int hipModuleLaunchKernel(
    void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared, void* stream, void** args, void** extra);
int hipStreamSynchronize(void* stream);
int hipDeviceSynchronize(void);
const char* hipGetErrorString(int error);

uint32_t hsa_signal_create(
    int64_t value, uint32_t count, const agent_t* consumers, signal_t* signal);
int64_t hsa_signal_load_relaxed(signal_t signal);
void hsa_signal_store_relaxed(signal_t signal, int64_t value);
int64_t hsa_signal_cas_scacq_screl(signal_t signal, int64_t expected, int64_t value);
uint32_t hsa_amd_memory_async_copy(
    void* to, agent_t to_agent, const void* from, agent_t from_agent, size_t size,
    uint32_t signal_count, const signal_t* signals, signal_t done);
uint32_t hsa_iterate_agents(uint32_t (*callback)(agent_t, void*), void* data);
#endif
