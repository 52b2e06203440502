/* Returns from main while threads still launch kernels: records come during and after finalize. */
#include "sim.h"

#include <stdio.h>

int main(void)
{
    sim_start();
    while (sim_launched() < 1000) {
    }
    puts("leaving");
    return 5;
}
