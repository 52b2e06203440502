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
 * Text. Names and messages are UTF-8 and end with a NUL. What is not UTF-8 in the file comes with
 * U+FFFD in place of each invalid part; a text ends at its first NUL. Paths are any bytes.
 *
 * Times are ns, 64 bits without sign; sizes are bytes.
 */

#ifndef PROFILER_HUB_C_PROFILER_HUB_H
#define PROFILER_HUB_C_PROFILER_HUB_H

/* Generated from the Rust sources; tests/it/header.rs tells how. Do not edit. */

#include <profiler-hub/c/profiler_hub_types.h>

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Tells the version of this library.
 *
 * @param version  Where to write it.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if version is NULL.
 */
ph_result_t ph_get_library_version(ph_library_version_t *version);

/**
 * Names a result code, as "PH_RESULT_SUCCESS".
 *
 * @param result  Any number.
 * @return A text that stays for ever; for a number that is no code, "unknown ph_result_t".
 */
const char *ph_result_string(ph_result_t result);

/**
 * Tells why the last call of this thread that failed did so.
 *
 * Calls that succeed leave the text as it is. For the reason of a failed ph_ctx_create, this is
 * the place to ask.
 *
 * @return A text in UTF-8 for a person; empty if no call of this thread has failed yet. It stays
 *         until the next call of this thread that fails.
 */
const char *ph_last_error_message(void);

/**
 * Opens a file and makes a context of it.
 *
 * @param ctx   Where to write the context; NULL is written on any failure.
 * @param path  The file's path; any bytes, up to the first NUL.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if a pointer is NULL or the path is
 *         empty.
 */
ph_result_t ph_ctx_create(ph_ctx_t *ctx, const char *path);

/**
 * Closes a context. Everything that was handed out through it dies with it.
 *
 * @param ctx  A context, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was freed before or is none.
 */
ph_result_t ph_ctx_free(ph_ctx_t ctx);

/**
 * Tells the version of the file's schema.
 *
 * @param ctx      A context.
 * @param version  Where to write it.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if version is
 *         NULL.
 */
ph_result_t ph_get_schema_version(ph_ctx_t ctx, ph_schema_version_t *version);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PROFILER_HUB_C_PROFILER_HUB_H */
