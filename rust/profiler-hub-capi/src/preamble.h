/*
 * The C API of profiler-hub: reads rocpd databases for trace viewers.
 *
 * Results. Every function that can fail returns a ph_result_t and empties its out-parameters
 * before anything else. ph_last_error_message tells why the last call of the thread failed.
 * A panic inside the library does not reach the caller: it becomes PH_RESULT_INTERNAL_ERROR.
 *
 * Pointers. A pointer argument is NULL or valid for what the function does with it; NULL is an
 * error unless said otherwise. A handle that is NULL, was freed, or is none of this library's
 * gives its code; it is never followed.
 *
 * Ownership. What a function hands out through a context belongs to the context and stays valid
 * until ph_ctx_free, unless said otherwise. Clients free nothing of it themselves, and write to
 * nothing of it.
 *
 * Threads. Every function may be called from any thread, and a context may be used from several
 * threads at once. After ph_ctx_free has begun, nothing of the context may be touched.
 *
 * Fork. A handle is good in the process that made it. In a forked child, calls with a context or
 * writer of the parent's give PH_RESULT_INVALID_CONTEXT, and ph_ctx_free and ph_writer_close do
 * nothing and succeed. A child may make its own, if no other thread was in a call at the fork.
 *
 * Text. Names and messages are UTF-8 and end with a NUL. What is not UTF-8 in the file comes with
 * U+FFFD in place of each invalid part; a text ends at its first NUL. Paths are any bytes.
 *
 * Times are ns, 64 bits without sign; sizes are bytes.
 */
