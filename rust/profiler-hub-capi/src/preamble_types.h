/*
 * Types of the C API of profiler-hub.
 *
 * Structs that begin with `size` may grow at their end: set it to sizeof the struct as your
 * compiler sees it before the call. The others keep their layout.
 */
