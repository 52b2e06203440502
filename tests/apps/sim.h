/* The simulated GPU runtime, as an application sees it (tests/sim-sdk). */
#pragma once
#include <stddef.h>
#include <stdint.h>

int sim_gpu_init(void);
int sim_run(void);
int sim_start(void);
int sim_launch(size_t kernel, size_t agent);
int sim_wait(void);
int sim_write_results(void);
uint64_t sim_launched(void);
