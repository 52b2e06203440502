/* Measures what calls cost on their thread: CPU time, ns per call, of the fastest of some turns.
 *
 *   bench_calls THREADS CALLS TURNS
 *
 * prints a line for each kind of call: its name and the ns, the mean over the threads. Between turns
 * it pauses, so that a recorder's backlog is not what is measured. */
#define _GNU_SOURCE
#include "fake_rocm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void roctxMarkA(const char*);
int roctxRangePushA(const char*);
int roctxRangePop(void);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static int calls, turns;
static pthread_barrier_t barrier;
enum { HIP, MARK, RANGE, KINDS };
static const char* const names[KINDS] = {"hipDeviceSynchronize", "roctxMarkA", "push+pop"};

static void* work(void* result) {
    double* best = result;
    for (int kind = 0; kind < KINDS; kind++)
        best[kind] = 1e30;
    for (int turn = 0; turn < turns; turn++)
        for (int kind = 0; kind < KINDS; kind++) {
            pthread_barrier_wait(&barrier);
            usleep(300000);
            double start = now();
            for (int i = 0; i < calls; i++)
                switch (kind) {
                case HIP: hipDeviceSynchronize(); break;
                case MARK: roctxMarkA("a mark of twenty-six bytes"); break;
                case RANGE:
                    roctxRangePushA("a range");
                    roctxRangePop();
                    break;
                }
            double each = (now() - start) / calls;
            if (each < best[kind])
                best[kind] = each;
        }
    return NULL;
}

int main(int argc, char** argv) {
    if (argc != 4)
        return 2;
    int threads = atoi(argv[1]);
    calls = atoi(argv[2]);
    turns = atoi(argv[3]);
    static double best[64][KINDS];
    pthread_t started[64];
    hipDeviceSynchronize();
    roctxMarkA("first");
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++)
        pthread_create(&started[i], NULL, work, best[i]);
    for (int i = 0; i < threads; i++)
        pthread_join(started[i], NULL);
    for (int kind = 0; kind < KINDS; kind++) {
        double sum = 0;
        for (int i = 0; i < threads; i++)
            sum += best[i][kind];
        printf("%s %.2f\n", names[kind], sum / threads);
    }
    return 0;
}
