/* The API of the demo runtimes: the one in C beside this file, and the one in Rust. */
#ifndef DEMO_RUNTIME_H
#define DEMO_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Passed and returned in memory: larger than two registers. */
typedef struct {
    double x, y, z;
    int32_t id;
} demo_point_t;

/* Passed and returned in registers. */
typedef struct {
    int32_t low, high;
} demo_pair_t;

/* 2 * value + 1. */
int demo_foo(int value);
/* Every coordinate times `scale`, the id plus one. */
demo_point_t demo_point(demo_point_t point, double scale);
/* Low and high swapped. */
demo_pair_t demo_swap(demo_pair_t pair);
/* Copies at most size - 1 bytes of `from` to `to` and ends them with NUL; `to`, or NULL. */
char* demo_copy(char* to, const char* from, size_t size);
/* Counts up. */
void demo_tick(void);
/* How often demo_tick reached the runtime. */
uint64_t demo_ticks(void);
/* Calls demo_foo through the public function, as HIP calls HSA. */
int demo_nested(int value);
/* Calls `callback(argument)`, which may throw where it is C++. */
int demo_each(int (*callback)(void*), void* argument);

typedef struct {
    uint64_t size;
    int (*demo_foo)(int);
    demo_point_t (*demo_point)(demo_point_t, double);
    demo_pair_t (*demo_swap)(demo_pair_t);
    char* (*demo_copy)(char*, const char*, size_t);
    void (*demo_tick)(void);
    uint64_t (*demo_ticks)(void);
    int (*demo_nested)(int);
    int (*demo_each)(int (*)(void*), void*);
} demo_table_t;

/* Functions of the SDK and of librocprofiler-register that a runtime hands its tables to. */
typedef uint32_t (*demo_import_t)(void);
typedef int (*demo_register_t)(
    const char*, demo_import_t, uint32_t, void**, uint64_t, uint64_t*);
typedef int (*demo_set_t)(const char*, uint64_t, uint64_t, void**, uint64_t);

/* A program may export this: each layer that a call passes tells its name. */
typedef void (*demo_layer_t)(const char*);

#ifdef __cplusplus
}
#endif
#endif
