/* Launches three kernels, forks without exec, launches two in the child.
 * Usage: forks [exit|raw|_exit|nothing|busy N]
 *   exit     the child ends by exit()
 *   raw      the same, and made past the C library: no fork handler runs
 *   _exit    the child ends by _exit()
 *   nothing  the child launches nothing and ends by exit()
 *   busy N   N children in turn, while the scenario's threads launch; each launches two */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void in_child(const char* how)
{
    if (strcmp(how, "nothing") != 0) {
        sim_launch(0, 0);
        sim_launch(0, 0);
        sim_wait();
    }
    if (strcmp(how, "_exit") == 0) {
        char byte;
        /* Until the parent's end of the pipe says so. */
        if (read(0, &byte, 1) < 0) {
            _exit(1);
        }
        _exit(0);
    }
    exit(0);
}

int main(int argc, char** argv)
{
    const char* how = argc > 1 ? argv[1] : "exit";
    int children = argc > 2 ? atoi(argv[2]) : 1;
    int failed = 0;
    if (strcmp(how, "busy") == 0) {
        sim_start();
    } else {
        for (int i = 0; i < 3; ++i) {
            sim_launch(0, 0);
        }
        sim_wait();
    }
    for (int i = 0; i < children; ++i) {
        int status = 0;
        pid_t child = strcmp(how, "raw") == 0 ? (pid_t)syscall(SYS_fork) : fork();
        if (child == 0) {
            in_child(how);
        }
        printf("child %d\n", (int)child);
        fflush(stdout);
        if (waitpid(child, &status, 0) != child || status != 0) {
            failed = 1;
        }
    }
    return failed;
}
