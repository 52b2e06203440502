/* A check that ends the program and says where. */
#ifndef CHECK_H
#define CHECK_H

#include <profiler-hub/c/profiler_hub.h>

#include <stdio.h>
#include <stdlib.h>

#define CHECK(that)                                                                                \
    do                                                                                             \
    {                                                                                              \
        if(!(that))                                                                                \
        {                                                                                          \
            fprintf(stderr, "%s:%d: not so: %s\n  last error: %s\n", __FILE__, __LINE__, #that,     \
                    ph_last_error_message());                                                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while(0)

#define OK(call) CHECK((call) == PH_RESULT_SUCCESS)

#endif
