/* Runs the scenario, says so, waits for a byte on stdin, and ends as it is told.
 * Usage: dies exit|return|_exit|abort|segv|pause|forever */
#include "sim.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    const char* how = argc > 1 ? argv[1] : "return";
    char byte;
    if (strcmp(how, "forever") == 0) {
        /* Launches until it is killed. */
        puts("running");
        fflush(stdout);
        for (;;) {
            sim_launch(0, 0);
        }
    }
    sim_run();
    sim_write_results();
    puts("ready");
    fflush(stdout);
    if (read(0, &byte, 1) < 0) {
        return 1;
    }
    if (strcmp(how, "exit") == 0) {
        exit(3);
    }
    if (strcmp(how, "_exit") == 0) {
        _exit(3);
    }
    if (strcmp(how, "abort") == 0) {
        abort();
    }
    if (strcmp(how, "segv") == 0) {
        raise(SIGSEGV);
    }
    while (strcmp(how, "pause") == 0) {
        pause();
    }
    return 3;
}
