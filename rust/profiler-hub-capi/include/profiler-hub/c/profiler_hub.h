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
 * Tells what a file is, and why it cannot be opened. Nothing is created beside the file.
 *
 * @param path   The file's path; any bytes, up to the first NUL.
 * @param probe  Where to write what was found. Its size tells how much of it the caller knows.
 * @return What ph_ctx_create would return for the file; PH_RESULT_INVALID_ARGUMENT if a pointer
 *         is NULL, the path is empty, or size is smaller than size and status together.
 */
ph_result_t ph_probe_database(const char *path, ph_database_probe_t *probe);

/**
 * Opens a file as ph_ctx_create does, with options.
 *
 * @param ctx      Where to write the context; NULL is written on any failure.
 * @param path     The file's path; any bytes, up to the first NUL.
 * @param options  How to open it, size set; NULL for none.
 * @return As ph_ctx_create; PH_RESULT_INVALID_ARGUMENT also if the size of options is wrong;
 *         PH_RESULT_INTERNAL_ERROR if progress ended it: ph_last_error_message says that it was
 *         cancelled.
 */
ph_result_t ph_ctx_create_with(ph_ctx_t *ctx, const char *path, const ph_open_options_t *options);

/**
 * Tells what the file holds: its range of time, counts, guid, and what should be known of it.
 *
 * @param ctx   A context.
 * @param info  Where to write it, size set.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_trace_info(ph_ctx_t ctx, ph_trace_info_t *info);

/**
 * Tells of a track what ph_track_t has no place for: the rows that its events carry, and counts
 * of 64 bits.
 *
 * @param ctx       A context.
 * @param track_id  A track's id.
 * @param info      Where to write it, size set; all zero on a failure.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
 *         NULL, its size is wrong, or the track is not known.
 */
ph_result_t ph_get_track_info(ph_ctx_t ctx, uint32_t track_id, ph_track_info_t *info);

/**
 * Opens a file and makes a context of it. The probe runs first.
 *
 * @param ctx   Where to write the context; NULL is written on any failure.
 * @param path  The file's path; any bytes, up to the first NUL.
 * @return PH_RESULT_SUCCESS; what ph_probe_database tells for the file;
 *         PH_RESULT_INVALID_ARGUMENT if a pointer is NULL or the path is empty.
 */
ph_result_t ph_ctx_create(ph_ctx_t *ctx, const char *path);

/**
 * Closes a context. Everything that was handed out through it dies with it.
 *
 * Tasks that have not begun are cancelled, and those that run are waited for. Their futures are
 * freed too.
 *
 * In a forked child a context of the parent's is let go of: nothing is waited for, or freed.
 *
 * @param ctx  A context, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was freed before or is none;
 *         PH_RESULT_INVALID_ARGUMENT from a task of the context itself, which would wait for
 *         itself.
 */
ph_result_t ph_ctx_free(ph_ctx_t ctx);

/**
 * Tells why the last call with this context that failed did so, whichever thread called.
 *
 * @param ctx  A context.
 * @return A text in UTF-8 for a person; empty if no call failed yet, or for no context. It stays
 *         until the next call of this function by the same thread.
 */
const char *ph_ctx_last_error_message(ph_ctx_t ctx);

/**
 * Tells the version of the file's schema.
 *
 * @param ctx      A context.
 * @param version  Where to write it.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if version is
 *         NULL.
 */
ph_result_t ph_get_schema_version(ph_ctx_t ctx, ph_schema_version_t *version);

/**
 * Lists all tracks, ordered by node, category and ids.
 *
 * @param ctx   A context.
 * @param list  Where to write the list; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL.
 */
ph_result_t ph_get_track_list(ph_ctx_t ctx, ph_track_list_t *list);

/**
 * Tells the first node with its agents, processes and tracks. A file mostly has one node;
 * ph_get_nodes lists them all.
 *
 * @param ctx   A context.
 * @param node  Where to write it; what it points to stays valid until the context is freed. If
 *              the file lists no node, its id is PH_ID_NONE and it has all tracks.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if node is
 *         NULL.
 */
ph_result_t ph_get_node(ph_ctx_t ctx, ph_node_t *node);

/**
 * Lists the events of a track that overlap a window, ordered by start.
 *
 * An event overlaps if it starts no later than the window's end and ends no earlier than the
 * window's start; one that ends before its start is taken as its start alone. The first call for
 * a track reads its table, with all other tracks of it; later ones are answered from memory.
 *
 * @param ctx       A context.
 * @param track_id  A track's id.
 * @param start_ts  The window's start, in ns.
 * @param end_ts    The window's end, in ns; 0 for no upper bound. Both 0: the whole track.
 * @param list      Where to write the list. It is valid until the context is freed; one of a
 *                  window can be given back earlier with ph_event_list_free. Empty for a counter.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL, the track is not known, or the window ends before it starts;
 *         PH_RESULT_INVALID_DATABASE if the file was changed or became unreadable.
 */
ph_result_t ph_get_track_events(ph_ctx_t ctx,
                                uint32_t track_id,
                                uint64_t start_ts,
                                uint64_t end_ts,
                                ph_event_list_t *list);

/**
 * Gives back a list of events, so that panning does not grow memory.
 *
 * The list is emptied. A list of a whole track stays in the context's memory, and giving it back
 * does nothing more.
 *
 * @param ctx   The context that the list comes from.
 * @param list  The list, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS, also for an empty list; PH_RESULT_INVALID_CONTEXT;
 *         PH_RESULT_INVALID_ARGUMENT if the list is none of this context's, or was given back.
 */
ph_result_t ph_event_list_free(ph_ctx_t ctx, ph_event_list_t *list);

/**
 * Tells the greatest depth of a track's events.
 *
 * @param ctx       A context.
 * @param track_id  A track's id.
 * @param depth     Where to write it; 0 for a counter.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if depth is
 *         NULL or the track is not known.
 */
ph_result_t ph_get_track_nesting_depth(ph_ctx_t ctx, uint32_t track_id, uint32_t *depth);

/**
 * Lists the values of a counter in a window, ordered by time.
 *
 * @param ctx       A context.
 * @param track_id  A track's id.
 * @param start_ts  The window's first ns.
 * @param end_ts    The window's last ns; 0 for no upper bound. Both 0: the whole track.
 * @param list      Where to write the list. It is valid until the context is freed; one of a
 *                  window can be given back with ph_sample_list_free. Empty for a track that is
 *                  no counter.
 * @return As ph_get_track_events.
 */
ph_result_t ph_get_track_samples(ph_ctx_t ctx,
                                 uint32_t track_id,
                                 uint64_t start_ts,
                                 uint64_t end_ts,
                                 ph_sample_list_t *list);

/**
 * Gives back a list of values. The list is emptied.
 *
 * @param ctx   The context that the list comes from.
 * @param list  The list, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS, also for an empty list; PH_RESULT_INVALID_CONTEXT;
 *         PH_RESULT_INVALID_ARGUMENT if the list is none of this context's.
 */
ph_result_t ph_sample_list_free(ph_ctx_t ctx, ph_sample_list_t *list);

/**
 * Runs a task on the context's thread pool.
 *
 * @param ctx        A context.
 * @param future     Where to write the future; NULL is written on any failure.
 * @param task       What to call, once. It must not throw or jump out.
 * @param user_data  What to call it with; it must stay valid until the task has ended.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if future or
 *         task is NULL; PH_RESULT_FUTURE_ALLOCATION_FAILED if no thread can be started.
 */
ph_result_t ph_future_get(ph_ctx_t ctx, ph_future_t *future, ph_task_fn task, void *user_data);

/**
 * Waits until a task has ended or was cancelled.
 *
 * @param ctx     The context of the future.
 * @param future  A future.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
 *         of this context, or from the task itself.
 */
ph_result_t ph_future_wait(ph_ctx_t ctx, ph_future_t future);

/**
 * Cancels a task that has not begun. One that runs, or has ended, is left alone.
 *
 * @param ctx     The context of the future.
 * @param future  A future.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
 *         of this context.
 */
ph_result_t ph_future_cancel(ph_ctx_t ctx, ph_future_t future);

/**
 * Gives a future back: its task is cancelled if it has not begun, and waited for if it runs. From
 * the task itself, it does not wait.
 *
 * @param ctx     The context of the future.
 * @param future  A future, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT for no future
 *         of this context.
 */
ph_result_t ph_future_free(ph_ctx_t ctx, ph_future_t future);

/**
 * Lists the machines, each with its agents, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_nodes(ph_ctx_t ctx, ph_node_row_list_t *list);

/**
 * Lists the processes, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_processes(ph_ctx_t ctx, ph_process_row_list_t *list);

/**
 * Lists the threads, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_threads(ph_ctx_t ctx, ph_thread_row_list_t *list);

/**
 * Lists the processors of all nodes, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_agents(ph_ctx_t ctx, ph_agent_row_list_t *list);

/**
 * Lists the queues, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_queues(ph_ctx_t ctx, ph_queue_row_list_t *list);

/**
 * Lists the streams, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_streams(ph_ctx_t ctx, ph_stream_row_list_t *list);

/**
 * Lists the counters, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_pmc_infos(ph_ctx_t ctx, ph_pmc_row_list_t *list);

/**
 * Lists the code objects, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_code_objects(ph_ctx_t ctx, ph_code_object_row_list_t *list);

/**
 * Lists the kernels, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_kernel_symbols(ph_ctx_t ctx, ph_kernel_symbol_row_list_t *list);

/**
 * Lists the texts of the file, by row id.
 *
 * @param ctx   A context.
 * @param list  Where to write the list, its size set; it stays valid until the context is freed.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is
 *         NULL or its size is wrong.
 */
ph_result_t ph_get_strings(ph_ctx_t ctx, ph_string_row_list_t *list);

/**
 * Tells all that the file has on one event: every column of its row and of its event row, its
 * arguments, its call stack and line info.
 *
 * The file has no index of arguments, so this looks at each of them once.
 *
 * @param ctx      A context.
 * @param table    The event's table: a ph_table_t.
 * @param row_id   The event's row: ph_event_t.id.
 * @param details  Where to write them, size set. Owned by the context, until it is freed or
 *                 ph_event_details_free is called.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if details is
 *         NULL, its size is wrong, or there is no such row; PH_RESULT_INVALID_DATABASE if the
 *         file became unreadable.
 */
ph_result_t ph_get_event_details(ph_ctx_t ctx,
                                 uint32_t table,
                                 uint64_t row_id,
                                 ph_event_details_t *details);

/**
 * Gives back what ph_get_event_details wrote. The struct is emptied.
 *
 * @param ctx      The context that it comes from.
 * @param details  The struct, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS, also for an empty one; PH_RESULT_INVALID_CONTEXT;
 *         PH_RESULT_INVALID_ARGUMENT if it is none of this context's, or was given back.
 */
ph_result_t ph_event_details_free(ph_ctx_t ctx, ph_event_details_t *details);

/**
 * Lists the events that belong to an event by stack id and correlation id (its flow), ordered by
 * relation, then by start.
 *
 * The file has no index of these ids, so this looks at every event row once.
 *
 * @param ctx     A context.
 * @param table   The event's table: a ph_table_t.
 * @param row_id  The event's row: ph_event_t.id.
 * @param list    Where to write the list, size set. Owned by the context, until it is freed or
 *                ph_related_list_free is called.
 * @return PH_RESULT_SUCCESS, with an empty list for an event that is not there or has none;
 *         PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if list is NULL, its size is
 *         wrong, or there is no such table; PH_RESULT_INVALID_DATABASE if the file became
 *         unreadable.
 */
ph_result_t ph_get_related_events(ph_ctx_t ctx,
                                  uint32_t table,
                                  uint64_t row_id,
                                  ph_related_list_t *list);

/**
 * Gives back what ph_get_related_events wrote. The list is emptied.
 *
 * @param ctx   The context that it comes from.
 * @param list  The list, or NULL, which does nothing.
 * @return As ph_event_details_free.
 */
ph_result_t ph_related_list_free(ph_ctx_t ctx, ph_related_list_t *list);

/**
 * Cuts a window into buckets of equal width and tells for each how many events are active in it
 * and for how long tracks are busy.
 *
 * Tracks that are in memory are read there; the tables of the others are scanned once.
 *
 * @param ctx           A context.
 * @param start_ts      The window's start, in ns.
 * @param end_ts        The window's end, in ns; 0 for the end of the last event, or start_ts if
 *                      that is later. Both 0: the range of all tracks.
 * @param track_ids     The tracks; NULL, with track_count 0, for all.
 * @param track_count   How many tracks.
 * @param buckets       Where to write the buckets; all are set to 0 on a failure.
 * @param bucket_count  How many buckets, 1 to 16777216.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a pointer
 *         is NULL, a count is out of range, a track is not known, or the window ends before it
 *         starts; PH_RESULT_INVALID_DATABASE if the file became unreadable.
 */
ph_result_t ph_get_histogram(ph_ctx_t ctx,
                             uint64_t start_ts,
                             uint64_t end_ts,
                             const uint32_t *track_ids,
                             uint64_t track_count,
                             ph_bucket_t *buckets,
                             uint64_t bucket_count);

/**
 * Gives a page of an event table: filtered, sorted, with the number of all rows that the filters
 * leave.
 *
 * @param ctx    A context.
 * @param query  Which rows, size set.
 * @param page   Where to write them, size set. Owned by the context, until it is freed or
 *               ph_table_page_free is called.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a pointer
 *         is NULL, a size is wrong, a text is not UTF-8, or a table, track or column is not
 *         known; PH_RESULT_INVALID_DATABASE if the file became unreadable.
 */
ph_result_t ph_get_table_page(ph_ctx_t ctx, const ph_table_query_t *query, ph_table_page_t *page);

/**
 * Gives back what ph_get_table_page wrote. The page is emptied.
 *
 * @param ctx   The context that it comes from.
 * @param page  The page, or NULL, which does nothing.
 * @return As ph_event_details_free.
 */
ph_result_t ph_table_page_free(ph_ctx_t ctx, ph_table_page_t *page);

/**
 * Sums up the events of a table by name, the longest total first. With PH_TABLE_KERNEL_DISPATCH,
 * the first are the top kernels.
 *
 * @param ctx          A context.
 * @param table        The table: a ph_table_t, but not PH_TABLE_PMC_EVENT, which has no
 *                     durations.
 * @param start_ts     Only events that overlap this window count, each whole.
 * @param end_ts       The window's end; 0 for no upper bound. Both 0: all events.
 * @param track_ids    Only events of these tracks; NULL, with track_count 0, for all.
 * @param track_count  How many tracks.
 * @param summary      Where to write it, size set. Owned by the context, until it is freed or
 *                     ph_summary_free is called.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if summary is
 *         NULL, its size is wrong, a table or track is not known, or the window ends before it
 *         starts; PH_RESULT_INVALID_DATABASE if the file became unreadable.
 */
ph_result_t ph_get_summary(ph_ctx_t ctx,
                           uint32_t table,
                           uint64_t start_ts,
                           uint64_t end_ts,
                           const uint32_t *track_ids,
                           uint64_t track_count,
                           ph_summary_t *summary);

/**
 * Gives back what ph_get_summary wrote. The summary is emptied.
 *
 * @param ctx      The context that it comes from.
 * @param summary  The summary, or NULL, which does nothing.
 * @return As ph_event_details_free.
 */
ph_result_t ph_summary_free(ph_ctx_t ctx, ph_summary_t *summary);

/**
 * Makes a file of schema 3.0.0 and opens it for writing.
 *
 * A writer may be used from any thread; calls wait for each other. In a forked child it is the
 * parent's: calls give PH_RESULT_INVALID_CONTEXT, and ph_writer_close leaves the file alone.
 *
 * @param writer  Where to write the handle; NULL is written on any failure.
 * @param path    Where to make the file; any bytes, up to the first NUL. There must be nothing.
 * @param guid    The file's guid, 1 to 64 ASCII letters, digits, '-' and '_'; best a UUID. NULL
 *                for a new one, a UUID of version 7.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_ARGUMENT if writer or path is NULL, or guid is no
 *         guid; PH_RESULT_INVALID_DATABASE if the file exists or cannot be made.
 */
ph_result_t ph_writer_open(ph_writer_t *writer, const char *path, const char *guid);

/**
 * Tells the version of the schema that is written.
 *
 * @param writer   A writer.
 * @param version  Where to write it.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if version is
 *         NULL.
 */
ph_result_t ph_writer_get_schema_version(ph_writer_t writer, ph_schema_version_t *version);

/**
 * Puts everything so far into the file for good, in one step.
 *
 * @param writer  A writer.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_DATABASE if the file
 *         cannot be written.
 */
ph_result_t ph_writer_commit(ph_writer_t writer);

/**
 * Puts everything into the file and closes it. The handle is dead afterwards, also on a failure.
 *
 * In a forked child a writer of the parent's is let go of, and its file left alone.
 *
 * @param writer  A writer, or NULL, which does nothing.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT if it was closed before or is none;
 *         PH_RESULT_INVALID_DATABASE if the file cannot be written: what was committed before is
 *         in it.
 */
ph_result_t ph_writer_close(ph_writer_t writer);

/**
 * Registers a machine. Here and below: what is registered again, by what makes it the same thing
 * (its id, or its process and number or name), keeps what it was registered with first, and the
 * call succeeds. An id that is another's is an error.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if info is
 *         NULL, its size is wrong, or it names what is not registered or not known, or takes an
 *         id, hash or machine_id that is another's; PH_RESULT_INVALID_DATABASE if the file cannot
 *         be written.
 */
ph_result_t ph_writer_register_node(ph_writer_t writer, const ph_writer_node_t *info);

/**
 * Registers a process.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_process(ph_writer_t writer, const ph_writer_process_t *info);

/**
 * Registers a thread.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_thread(ph_writer_t writer, const ph_writer_thread_t *info);

/**
 * Registers an agent.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_agent(ph_writer_t writer, const ph_writer_agent_t *info);

/**
 * Registers a counter.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_pmc(ph_writer_t writer, const ph_writer_pmc_t *info);

/**
 * Registers a queue.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_queue(ph_writer_t writer, const ph_writer_lane_t *info);

/**
 * Registers a stream.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_stream(ph_writer_t writer, const ph_writer_lane_t *info);

/**
 * Registers a code object.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_code_object(ph_writer_t writer, const ph_writer_code_object_t *info);

/**
 * Registers a kernel.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_kernel_symbol(ph_writer_t writer,
                                             const ph_writer_kernel_symbol_t *info);

/**
 * Registers a named track of samples.
 *
 * @param writer  A writer.
 * @param info    What to register, size set.
 * @return As ph_writer_register_node.
 */
ph_result_t ph_writer_register_track(ph_writer_t writer, const ph_writer_track_t *info);

/**
 * Registers a text.
 *
 * @param writer  A writer.
 * @param string  The text.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if it is
 *         missing; PH_RESULT_INVALID_DATABASE if the file cannot be written.
 */
ph_result_t ph_writer_register_string(ph_writer_t writer, ph_text_t string);

/**
 * Inserts a region with its arguments.
 *
 * @param writer       A writer.
 * @param data         What to insert, size set.
 * @param environment  Where it happened, size set.
 * @return PH_RESULT_SUCCESS; PH_RESULT_INVALID_CONTEXT; PH_RESULT_INVALID_ARGUMENT if a struct is
 *         NULL, a size is wrong, or it names what is not registered or not known: nothing of it
 *         is left; PH_RESULT_INVALID_DATABASE if the file cannot be written.
 */
ph_result_t ph_writer_insert_region(ph_writer_t writer,
                                    const ph_writer_region_t *data,
                                    const ph_writer_environment_t *environment);

/**
 * Inserts regions, as many calls of ph_writer_insert_region would, until one fails.
 *
 * @param writer        A writer.
 * @param items         A pointer to each, size set.
 * @param environments  A pointer to where each happened; the same may come again.
 * @param count         How many.
 * @param inserted      Where to write how many were inserted; may be NULL.
 * @return As ph_writer_insert_region, for the first that fails.
 */
ph_result_t ph_writer_insert_regions(ph_writer_t writer,
                                     const ph_writer_region_t *const *items,
                                     const ph_writer_environment_t *const *environments,
                                     uint64_t count,
                                     uint64_t *inserted);

/**
 * Inserts a kernel dispatch, whose agent, queue and stream must be set.
 *
 * @param writer       A writer.
 * @param data         What to insert, size set.
 * @param environment  Where it happened, size set.
 * @return As ph_writer_insert_region.
 */
ph_result_t ph_writer_insert_kernel_dispatch(ph_writer_t writer,
                                             const ph_writer_kernel_dispatch_t *data,
                                             const ph_writer_environment_t *environment);

/**
 * Inserts kernel dispatches, as many calls of ph_writer_insert_kernel_dispatch would, until one fails.
 *
 * @param writer        A writer.
 * @param items         A pointer to each, size set.
 * @param environments  A pointer to where each happened; the same may come again.
 * @param count         How many.
 * @param inserted      Where to write how many were inserted; may be NULL.
 * @return As ph_writer_insert_kernel_dispatch, for the first that fails.
 */
ph_result_t ph_writer_insert_kernel_dispatches(ph_writer_t writer,
                                               const ph_writer_kernel_dispatch_t *const *items,
                                               const ph_writer_environment_t *const *environments,
                                               uint64_t count,
                                               uint64_t *inserted);

/**
 * Inserts a memory copy.
 *
 * @param writer       A writer.
 * @param data         What to insert, size set.
 * @param environment  Where it happened, size set.
 * @return As ph_writer_insert_region.
 */
ph_result_t ph_writer_insert_memory_copy(ph_writer_t writer,
                                         const ph_writer_memory_copy_t *data,
                                         const ph_writer_environment_t *environment);

/**
 * Inserts memory copies, as many calls of ph_writer_insert_memory_copy would, until one fails.
 *
 * @param writer        A writer.
 * @param items         A pointer to each, size set.
 * @param environments  A pointer to where each happened; the same may come again.
 * @param count         How many.
 * @param inserted      Where to write how many were inserted; may be NULL.
 * @return As ph_writer_insert_memory_copy, for the first that fails.
 */
ph_result_t ph_writer_insert_memory_copies(ph_writer_t writer,
                                           const ph_writer_memory_copy_t *const *items,
                                           const ph_writer_environment_t *const *environments,
                                           uint64_t count,
                                           uint64_t *inserted);

/**
 * Inserts an allocation or release of memory.
 *
 * @param writer       A writer.
 * @param data         What to insert, size set.
 * @param environment  Where it happened, size set.
 * @return As ph_writer_insert_region.
 */
ph_result_t ph_writer_insert_memory_alloc(ph_writer_t writer,
                                          const ph_writer_memory_alloc_t *data,
                                          const ph_writer_environment_t *environment);

/**
 * Inserts allocations, as many calls of ph_writer_insert_memory_alloc would, until one fails.
 *
 * @param writer        A writer.
 * @param items         A pointer to each, size set.
 * @param environments  A pointer to where each happened; the same may come again.
 * @param count         How many.
 * @param inserted      Where to write how many were inserted; may be NULL.
 * @return As ph_writer_insert_memory_alloc, for the first that fails.
 */
ph_result_t ph_writer_insert_memory_allocs(ph_writer_t writer,
                                           const ph_writer_memory_alloc_t *const *items,
                                           const ph_writer_environment_t *const *environments,
                                           uint64_t count,
                                           uint64_t *inserted);

/**
 * Inserts a value of a counter.
 *
 * @param writer       A writer.
 * @param data         What to insert, size set.
 * @return As ph_writer_insert_region.
 */
ph_result_t ph_writer_insert_pmc_event(ph_writer_t writer, const ph_writer_pmc_event_t *data);

/**
 * Inserts values of counters, as many calls of ph_writer_insert_pmc_event would, until one fails.
 *
 * @param writer        A writer.
 * @param items         A pointer to each, size set.
 * @param count         How many.
 * @param inserted      Where to write how many were inserted; may be NULL.
 * @return As ph_writer_insert_pmc_event, for the first that fails.
 */
ph_result_t ph_writer_insert_pmc_events(ph_writer_t writer,
                                        const ph_writer_pmc_event_t *const *items,
                                        uint64_t count,
                                        uint64_t *inserted);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PROFILER_HUB_C_PROFILER_HUB_H */
