/* Copies a vector "on the GPU" as often as the scenario says, checks the copy, prints a line.
 * Usage: vcopy [exit status] */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16 };

int main(int argc, char** argv)
{
    static double from[N], to[N];
    for (int i = 0; i < N; ++i) {
        from[i] = i;
    }
    sim_run();
    memcpy(to, from, sizeof to);
    if (memcmp(from, to, sizeof to) != 0) {
        return 1;
    }
    printf("copied %llu times\n", (unsigned long long)sim_launched());
    return argc > 1 ? atoi(argv[1]) : 0;
}
