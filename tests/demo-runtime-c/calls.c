/* A program that makes calls of HIP, HSA and ROCTx, from as many threads as its argument says, and
 * checks every result.
 *
 *   calls THREADS ROUNDS [END]
 *
 * END: exit (the default), _exit, abort, kill, fork (a child that makes the same calls), or forks
 * (20 children with one round each, while the threads make calls). */
#define _GNU_SOURCE
#include "fake_rocm.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void roctxMarkA(const char*);
int roctxRangePushA(const char*);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char*);
void roctxRangeStop(uint64_t);

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static int rounds;

static uint32_t on_agent(agent_t agent, void* data) {
    *(uint64_t*)data = agent.handle;
    return 7;
}

static void* work(void* unused) {
    (void)unused;
    void* const stream = (void*)0x57;
    agent_t agents[2] = {{11}, {22}};
    for (int i = 0; i < rounds; i++) {
        char name[32];
        snprintf(name, sizeof name, "round %d", i);
        CHECK(roctxRangePushA(name) == 0);
        signal_t signal = {0};
        CHECK(hsa_signal_create(3, 2, agents, &signal) == 0 && signal.handle == 5);
        (void)hsa_signal_load_relaxed(signal);
        hsa_signal_store_relaxed(signal, 4);
        (void)hsa_signal_cas_scacq_screl(signal, 4, 6);
        void* memory = NULL;
        CHECK(hipMalloc(&memory, 64) == 0 && memory);
        CHECK(hipMemcpyAsync(memory, "some text", 10, 3, stream) == 0);
        CHECK(strcmp(memory, "some text") == 0);
        CHECK(hipLaunchKernel(
                  work, (dim3_t){1, 2, 3}, (dim3_t){64, 5, 6}, NULL, 1024, stream) == 98);
        CHECK(hipModuleLaunchKernel(
                  work, 1, 2, 3, 4, 5, 6, 7, (void*)8, (void**)9, (void**)10) == 99);
        CHECK(hipStreamSynchronize(stream) == 0);
        CHECK(hipDeviceSynchronize() == 0);
        CHECK(hipFree(memory) == 0);
        CHECK(strcmp(hipGetErrorString(0), "no error") == 0);
        uint64_t handle = 0;
        CHECK(hsa_iterate_agents(on_agent, &handle) == 7 && handle == 9);
        roctxMarkA("mark");
        uint64_t range = roctxRangeStartA("process range");
        CHECK(range != 0);
        roctxRangeStop(range);
        CHECK(roctxRangePop() == 0);
    }
    return NULL;
}

static void run(int threads) {
    pthread_t started[64];
    for (int i = 0; i < threads; i++)
        CHECK(pthread_create(&started[i], NULL, work, NULL) == 0);
    for (int i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
    if (threads == 0)
        work(NULL);
}

static void* fork_children(void* unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            rounds = 1;
            work(NULL);
            exit(0);
        }
        int status = 0;
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return NULL;
}

int main(int argc, char** argv) {
    CHECK(argc >= 3);
    int threads = atoi(argv[1]);
    rounds = atoi(argv[2]);
    const char* end = argc > 3 ? argv[3] : "exit";
    if (!strcmp(end, "forks")) {
        /* A fork in the middle of a runtime's construction is the runtime's own affair. */
        int asked = rounds;
        rounds = 1;
        work(NULL);
        rounds = asked;
        pthread_t forker;
        CHECK(pthread_create(&forker, NULL, fork_children, NULL) == 0);
        run(threads);
        pthread_join(forker, NULL);
        return 0;
    }
    run(threads);
    if (!strcmp(end, "fork")) {
        roctxRangePushA("around the fork");
        pid_t child = fork();
        if (child == 0) {
            /* The parent's range: it is not the child's to close. */
            roctxRangePop();
            run(threads);
            exit(0);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
        roctxRangePop();
    } else if (strcmp(end, "exit")) {
        /* Long enough for what was recorded to be in the file. */
        roctxRangePushA("never closed");
        usleep(1500000);
        roctxMarkA("too late for the file, perhaps");
        if (!strcmp(end, "_exit"))
            _exit(3);
        if (!strcmp(end, "abort"))
            abort();
        if (!strcmp(end, "kill"))
            kill(getpid(), SIGKILL);
    }
    return 0;
}
