/*
 * Types of the C API of profiler-hub.
 *
 * Structs that begin with `size` may grow at their end: set it to sizeof the struct as your
 * compiler sees it before the call. The others keep their layout.
 */

#ifndef PROFILER_HUB_C_PROFILER_HUB_TYPES_H
#define PROFILER_HUB_C_PROFILER_HUB_TYPES_H

/* Generated from the Rust sources; tests/it/header.rs tells how. Do not edit. */

#include <stddef.h>
#include <stdint.h>

/**
 * As the size of a ph_text_t: the text ends at its first NUL.
 */
#define PH_TEXT_NUL SIZE_MAX


/**
 * An id of 32 bits that is not there: the column is NULL, the row it names is missing, or the
 * id does not fit (ids of 64 bits are in ph_track_info_t and in the lists that begin with size).
 * 0 is an id like any other.
 */
#define PH_ID_NONE UINT32_MAX

/**
 * Bytes of a guid in a struct, its NUL included.
 */
#define PH_GUID_SIZE 65

/**
 * Bytes of a message in a struct, its NUL included.
 */
#define PH_MESSAGE_SIZE 1024

/**
 * A number of 64 bits that is not there: the column is NULL, or the row it names is missing. (A
 * value of exactly this number cannot be told from it; ph_event_details_t and tables can.)
 */
#define PH_NONE UINT64_MAX

/**
 * What a call came to. ph_last_error_message tells why.
 */
typedef enum ph_result_t {
    /**
     * The call did what it says.
     */
    PH_RESULT_SUCCESS = 0,
    /**
     * There was no memory for a context.
     */
    PH_RESULT_CONTEXT_ALLOCATION_FAILED = 1,
    /**
     * The context is NULL, was freed, or is no context of this library.
     */
    PH_RESULT_INVALID_CONTEXT = 2,
    /**
     * Another argument is NULL, out of range, freed or not known.
     */
    PH_RESULT_INVALID_ARGUMENT = 3,
    /**
     * A bug of the library, an input that became unreadable, or a call that was cancelled.
     */
    PH_RESULT_INTERNAL_ERROR = 4,
    /**
     * There was no memory for a future, or the thread pool cannot take it.
     */
    PH_RESULT_FUTURE_ALLOCATION_FAILED = 5,
    /**
     * The file is of a kind that no detector knows.
     */
    PH_RESULT_UNSUPPORTED_DATABASE = 6,
    /**
     * The file does not exist, cannot be read, is damaged, or its metadata is not usable.
     */
    PH_RESULT_INVALID_DATABASE = 7,
    /**
     * The file has no rocpd metadata table.
     */
    PH_RESULT_METADATA_MISSING = 8,
    /**
     * The file's schema has a version that is not read here.
     */
    PH_RESULT_UNSUPPORTED_SCHEMA_VERSION = 9,
} ph_result_t;

/**
 * What the events of a track have in common.
 */
typedef enum ph_track_category_t {
    /**
     * Regions of a thread: one track for each (node, process, thread).
     */
    PH_TRACK_CATEGORY_THREAD = 0,
    /**
     * Samples of a named track; each is an event whose end is its start.
     */
    PH_TRACK_CATEGORY_THREAD_SAMPLE = 1,
    /**
     * Values of a counter: one track for each agent and PMC. It has samples, no events.
     */
    PH_TRACK_CATEGORY_PMC_AGENT = 2,
    /**
     * Kernel dispatches: one track for each (node, agent, queue).
     */
    PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE = 3,
    /**
     * Memory allocations: one track for each (node, agent, queue).
     */
    PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE = 4,
    /**
     * Memory copies: one track for each (node, destination agent, queue).
     */
    PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE = 5,
    /**
     * Dispatches, allocations and copies once more: one track for each (node, process, stream).
     */
    PH_TRACK_CATEGORY_STREAM = 6,
} ph_track_category_t;

/**
 * Which table an event comes from. Samples of PH_TRACK_CATEGORY_THREAD_SAMPLE are regions here.
 */
typedef enum ph_event_type_t {
    /**
     * A region of a thread, or a sample as a region of no length.
     */
    PH_EVENT_TYPE_REGION = 0,
    /**
     * A kernel dispatch.
     */
    PH_EVENT_TYPE_KERNEL_DISPATCH = 1,
    /**
     * A memory copy.
     */
    PH_EVENT_TYPE_MEMORY_COPY = 2,
    /**
     * A memory allocation, release or the like.
     */
    PH_EVENT_TYPE_MEMORY_ALLOCATE = 3,
} ph_event_type_t;

/**
 * What a file was found to be. The checks come in this order, and the first that fails decides.
 */
typedef enum ph_probe_status_t {
    /**
     * It can be read.
     */
    PH_PROBE_SUPPORTED = 0,
    /**
     * There is no such file.
     */
    PH_PROBE_FILE_NOT_FOUND = 1,
    /**
     * It cannot be read: no permission, a directory, damaged, locked for too long.
     */
    PH_PROBE_UNREADABLE = 2,
    /**
     * No detector knows its first bytes.
     */
    PH_PROBE_NOT_SQLITE = 3,
    /**
     * A SQLite database without a metadata table.
     */
    PH_PROBE_METADATA_MISSING = 4,
    /**
     * Several metadata tables: a merged file, with a guid for each.
     */
    PH_PROBE_METADATA_AMBIGUOUS = 5,
    /**
     * The metadata table gives no version.
     */
    PH_PROBE_METADATA_MALFORMED = 6,
    /**
     * The version is one that is not read here.
     */
    PH_PROBE_UNSUPPORTED_SCHEMA_VERSION = 7,
} ph_probe_status_t;

/**
 * The stages of opening a file, in order.
 */
typedef enum ph_open_stage_t {
    /**
     * The tables of the file are listed, versions are checked.
     */
    PH_OPEN_STAGE_CATALOG = 0,
    /**
     * The info tables and the texts are read, a step for each table.
     */
    PH_OPEN_STAGE_METADATA = 1,
    /**
     * The values of the counters are read, a step for each range of rows.
     */
    PH_OPEN_STAGE_COUNTERS = 2,
    /**
     * The event tables are scanned for tracks, a step for each range of rows.
     */
    PH_OPEN_STAGE_EVENTS = 3,
    /**
     * Counts, ranges and depths are worked out, a step for each track.
     */
    PH_OPEN_STAGE_TRACKS = 4,
} ph_open_stage_t;

/**
 * The event tables.
 */
typedef enum ph_table_t {
    /**
     * Regions of threads.
     */
    PH_TABLE_REGION = 0,
    /**
     * Kernel dispatches.
     */
    PH_TABLE_KERNEL_DISPATCH = 1,
    /**
     * Memory copies.
     */
    PH_TABLE_MEMORY_COPY = 2,
    /**
     * Memory allocations, releases and the like.
     */
    PH_TABLE_MEMORY_ALLOCATE = 3,
    /**
     * Samples of named tracks.
     */
    PH_TABLE_SAMPLE = 4,
    /**
     * Values of counters.
     */
    PH_TABLE_PMC_EVENT = 5,
} ph_table_t;

/**
 * What kind of value a cell has.
 */
typedef enum ph_cell_type_t {
    /**
     * NULL, or the column is not in this file.
     */
    PH_CELL_NULL = 0,
    /**
     * A number with a sign: as_int64.
     */
    PH_CELL_INT64 = 1,
    /**
     * A time, an address or a size: as_uint64.
     */
    PH_CELL_UINT64 = 2,
    /**
     * A floating-point number: as_double.
     */
    PH_CELL_DOUBLE = 3,
    /**
     * A text: as_text.
     */
    PH_CELL_TEXT = 4,
} ph_cell_type_t;

/**
 * How an event belongs to another. The first that holds is told.
 */
typedef enum ph_relation_t {
    /**
     * Both have the same stack id: a launch and what it launched.
     */
    PH_RELATION_SAME_STACK = 0,
    /**
     * It is the call that the other was made in.
     */
    PH_RELATION_PARENT = 1,
    /**
     * It was made in the other.
     */
    PH_RELATION_CHILD = 2,
    /**
     * Both have the same correlation id.
     */
    PH_RELATION_SAME_CORRELATION = 3,
} ph_relation_t;

/**
 * An open file. Never looked into by clients.
 */
typedef struct ph_ctx ph_ctx;

/**
 * A task on the thread pool of a context. Never looked into by clients.
 */
typedef struct ph_future ph_future;

/**
 * A file being written. Never looked into by clients.
 */
typedef struct ph_writer ph_writer;

/**
 * A version of three numbers.
 */
typedef struct ph_version_t {
    /**
     * Another major number breaks.
     */
    uint32_t major;
    /**
     * A higher minor number adds.
     */
    uint32_t minor;
    /**
     * A higher patch number repairs; in rocpd's schema it adds too.
     */
    uint32_t patch;
} ph_version_t;

/**
 * The version of this library.
 */
typedef struct ph_version_t ph_library_version_t;

/**
 * The version of a file's schema.
 */
typedef struct ph_version_t ph_schema_version_t;

/**
 * A handle of an open file.
 */
typedef struct ph_ctx *ph_ctx_t;

/**
 * A handle of a task.
 */
typedef struct ph_future *ph_future_t;

/**
 * A task: called once, on a thread of the pool, with the pointer that was given with it.
 */
typedef void (*ph_task_fn)(void *user_data);

/**
 * The smallest and the largest of some values.
 */
typedef struct ph_value_range_t {
    /**
     * The smallest; 0 if is_valid is 0.
     */
    double min;
    /**
     * The largest; 0 if is_valid is 0.
     */
    double max;
    /**
     * 1 if there was any value, else 0. A NULL in the file is no value.
     */
    uint32_t is_valid;
} ph_value_range_t;

/**
 * A track: a lane of a trace viewer. Ids that are not there are PH_ID_NONE; 0 is an id.
 */
typedef struct ph_track_t {
    /**
     * The track's number: its place in the list of all tracks, from 0. It is the same each time
     * the same file is opened, and means nothing for another file.
     */
    uint32_t id;
    /**
     * A name for a person; never NULL.
     */
    const char *track_name;
    /**
     * The node: ph_node_info_t.id.
     */
    uint32_t nid;
    /**
     * The process: ph_process_t.id, the pid of the operating system.
     */
    uint32_t pid;
    /**
     * The thread's id of the operating system.
     */
    uint32_t tid;
    /**
     * How many events the track has, or, for a counter, how many values.
     */
    uint32_t event_count;
    /**
     * The agent: ph_agent_t.id, its absolute index within its node.
     */
    uint32_t agent_id;
    /**
     * What the track shows.
     */
    enum ph_track_category_t category;
    /**
     * The queue's id in the file.
     */
    uint32_t queue_id;
    /**
     * The stream's id in the file.
     */
    uint32_t stream_id;
    /**
     * When the first event starts, in ns; 0 for an empty track.
     */
    uint64_t start_ts;
    /**
     * When the last event ends, in ns; 0 for an empty track.
     */
    uint64_t end_ts;
    /**
     * Of a counter: its values.
     */
    struct ph_value_range_t value_range;
    /**
     * The greatest depth of its events; 0 for a counter.
     */
    uint32_t nesting_depth;
} ph_track_t;

/**
 * Tracks.
 */
typedef struct ph_track_list_t {
    /**
     * How many there are.
     */
    uint32_t list_size;
    /**
     * The first of them; NULL if there are none.
     */
    struct ph_track_t *tracks;
} ph_track_list_t;

/**
 * What is known of a machine. Texts that are not in the file are empty, never NULL.
 */
typedef struct ph_node_info_t {
    /**
     * The node's id in the file.
     */
    uint32_t id;
    /**
     * As in /etc/machine-id.
     */
    const char *machine_id;
    /**
     * The name of the operating system.
     */
    const char *system_name;
    /**
     * The host's name.
     */
    const char *hostname;
    /**
     * The release of the operating system.
     */
    const char *release;
    /**
     * The version of the operating system.
     */
    const char *version;
    /**
     * The machine's architecture.
     */
    const char *hardware_name;
    /**
     * The NIS domain.
     */
    const char *domain_name;
} ph_node_info_t;

/**
 * A processor. Texts that are not in the file are empty, never NULL.
 */
typedef struct ph_agent_t {
    /**
     * Its public id: absolute_index.
     */
    uint32_t id;
    /**
     * "CPU", "GPU" or "NIC".
     */
    const char *agent_type;
    /**
     * Its place among all agents of its node.
     */
    uint32_t absolute_index;
    /**
     * Its place among those that the application sees.
     */
    uint32_t logical_index;
    /**
     * Its unique id as the driver gives it; PH_ID_NONE if it does not fit.
     */
    uint32_t uuid;
    /**
     * Its name, as gfx942.
     */
    const char *name;
    /**
     * Its model.
     */
    const char *model_name;
    /**
     * Its vendor.
     */
    const char *vendor_name;
    /**
     * Its product name.
     */
    const char *product_name;
    /**
     * The name that the user gave it.
     */
    const char *user_name;
} ph_agent_t;

/**
 * Agents.
 */
typedef struct ph_agent_list_t {
    /**
     * How many there are.
     */
    uint32_t list_size;
    /**
     * The first of them; NULL if there are none.
     */
    struct ph_agent_t *agents;
} ph_agent_list_t;

/**
 * A process.
 */
typedef struct ph_process_t {
    /**
     * Its pid of the operating system.
     */
    uint32_t id;
    /**
     * Its command line; empty if it is not in the file, never NULL.
     */
    const char *command;
} ph_process_t;

/**
 * Processes.
 */
typedef struct ph_process_list_t {
    /**
     * How many there are.
     */
    uint32_t list_size;
    /**
     * The first of them; NULL if there are none.
     */
    struct ph_process_t *processes;
} ph_process_list_t;

/**
 * A machine with what ran on it.
 */
typedef struct ph_node_t {
    /**
     * The machine.
     */
    struct ph_node_info_t info;
    /**
     * Its agents.
     */
    struct ph_agent_list_t agents;
    /**
     * Its processes.
     */
    struct ph_process_list_t process_list;
    /**
     * Its tracks.
     */
    struct ph_track_list_t track_list;
} ph_node_t;

/**
 * An event.
 */
typedef struct ph_event_t {
    /**
     * Its row in the table that type (and the track's category) tells.
     */
    uint64_t id;
    /**
     * When it starts, in ns, as stored.
     */
    uint64_t start;
    /**
     * When it ends, in ns, as stored: it may lie before start, or both may be 0.
     */
    uint64_t end;
    /**
     * Its name; never NULL. The same name is the same pointer.
     */
    const char *name;
    /**
     * What it is.
     */
    enum ph_event_type_t type;
    /**
     * How many events of the same track, itself included, are active when it starts: 1 if there
     * is none other. Relative to the whole track also where only a window was asked for. An
     * event is active from its start until before its end; one that does not end after its
     * start counts only for itself. Two events that start together count each other.
     */
    uint32_t depth;
} ph_event_t;

/**
 * Events, ordered by start, then by end from the latest, then by type and id.
 */
typedef struct ph_event_list_t {
    /**
     * How many there are.
     */
    uint32_t list_size;
    /**
     * The first of them; NULL if there are none.
     */
    struct ph_event_t *events;
} ph_event_list_t;

/**
 * A value of a counter.
 */
typedef struct ph_sample_t {
    /**
     * When, in ns. 0 if the file tells no time for it.
     */
    uint64_t timestamp;
    /**
     * The value; NaN if it is NULL in the file.
     */
    double value;
} ph_sample_t;

/**
 * Values of a counter, ordered by time, then by their order in the file.
 */
typedef struct ph_sample_list_t {
    /**
     * How many there are.
     */
    uint32_t list_size;
    /**
     * The first of them; NULL if there are none.
     */
    struct ph_sample_t *samples;
} ph_sample_list_t;

/**
 * What a file is. Set size before the call; nothing of it has to be freed.
 */
typedef struct ph_database_probe_t {
    /**
     * Set by the caller: sizeof(ph_database_probe_t). No more than that many bytes are written.
     */
    size_t size;
    /**
     * What it was found to be.
     */
    enum ph_probe_status_t status;
    /**
     * 1 if version holds the schema's version, else 0.
     */
    uint32_t has_version;
    /**
     * The schema's version; 0.0.0 if there is none.
     */
    ph_schema_version_t version;
    /**
     * How many guids the file holds, as far as it could be read.
     */
    uint32_t guid_count;
    /**
     * The first of them; empty if there is none.
     */
    char guid[PH_GUID_SIZE];
    /**
     * What was found and what is accepted, for a person; cut at a character if it is too long.
     */
    char message[PH_MESSAGE_SIZE];
} ph_database_probe_t;

/**
 * A processor. Its public id is its absolute index within its node. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_agent_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * The pid of the process that saw it.
     */
    uint64_t pid;
    /**
     * "CPU", "GPU" or "NIC".
     */
    const char *agent_type;
    /**
     * Its place among all agents of its node.
     */
    uint64_t absolute_index;
    /**
     * Its place among those that the application sees.
     */
    uint64_t logical_index;
    /**
     * Its place among those of its type.
     */
    uint64_t type_index;
    /**
     * Its unique id, as the driver gives it.
     */
    uint64_t uuid;
    /**
     * Its name, as gfx942.
     */
    const char *name;
    /**
     * Its model.
     */
    const char *model_name;
    /**
     * Its vendor.
     */
    const char *vendor_name;
    /**
     * Its product name.
     */
    const char *product_name;
    /**
     * The name that the user gave it.
     */
    const char *user_name;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_agent_row_t;

/**
 * A machine. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_node_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * A hash of the machine id.
     */
    uint64_t hash;
    /**
     * As in /etc/machine-id.
     */
    const char *machine_id;
    /**
     * The name of the operating system.
     */
    const char *system_name;
    /**
     * The host's name.
     */
    const char *hostname;
    /**
     * The release of the operating system.
     */
    const char *release;
    /**
     * The version of the operating system.
     */
    const char *version;
    /**
     * The machine's architecture.
     */
    const char *hardware_name;
    /**
     * The NIS domain.
     */
    const char *domain_name;
    /**
     * How many agents it has.
     */
    uint64_t agent_count;
    /**
     * Its agents; NULL if there are none.
     */
    const struct ph_agent_row_t *const *agents;
} ph_node_row_t;

/**
 * The list that ph_get_nodes fills.
 */
typedef struct ph_node_row_list_t {
    /**
     * Set by the caller: sizeof(ph_node_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_node_row_t *const *items;
} ph_node_row_list_t;

/**
 * A process. Its public id is its pid. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_process_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its pid of the operating system.
     */
    uint64_t pid;
    /**
     * The pid of its parent.
     */
    uint64_t ppid;
    /**
     * When it was initialised, in ns, as stored.
     */
    uint64_t init;
    /**
     * When it was finalised, in ns, as stored.
     */
    uint64_t fini;
    /**
     * When it started, in ns: as its events tell, or its row if it has none.
     */
    uint64_t start;
    /**
     * When it ended, in ns; likewise.
     */
    uint64_t end;
    /**
     * Its command line.
     */
    const char *command;
    /**
     * Its environment, as JSON.
     */
    const char *environment;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_process_row_t;

/**
 * The list that ph_get_processes fills.
 */
typedef struct ph_process_row_list_t {
    /**
     * Set by the caller: sizeof(ph_process_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_process_row_t *const *items;
} ph_process_row_list_t;

/**
 * A thread. Its public id is its tid. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_thread_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its id of the operating system.
     */
    uint64_t tid;
    /**
     * The pid of its process's parent.
     */
    uint64_t ppid;
    /**
     * When it started, in ns, as stored.
     */
    uint64_t start;
    /**
     * When it ended, in ns, as stored.
     */
    uint64_t end;
    /**
     * Its name.
     */
    const char *name;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_thread_row_t;

/**
 * The list that ph_get_threads fills.
 */
typedef struct ph_thread_row_list_t {
    /**
     * Set by the caller: sizeof(ph_thread_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_thread_row_t *const *items;
} ph_thread_row_list_t;

/**
 * The list that ph_get_agents fills.
 */
typedef struct ph_agent_row_list_t {
    /**
     * Set by the caller: sizeof(ph_agent_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_agent_row_t *const *items;
} ph_agent_row_list_t;

/**
 * A queue. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_queue_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its name.
     */
    const char *name;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_queue_row_t;

/**
 * The list that ph_get_queues fills.
 */
typedef struct ph_queue_row_list_t {
    /**
     * Set by the caller: sizeof(ph_queue_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_queue_row_t *const *items;
} ph_queue_row_list_t;

/**
 * A stream. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_stream_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its name.
     */
    const char *name;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_stream_row_t;

/**
 * The list that ph_get_streams fills.
 */
typedef struct ph_stream_row_list_t {
    /**
     * Set by the caller: sizeof(ph_stream_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_stream_row_t *const *items;
} ph_stream_row_list_t;

/**
 * A counter of an agent. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_pmc_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its agent's absolute index.
     */
    uint64_t agent_id;
    /**
     * "CPU", "GPU" or "NIC".
     */
    const char *target_arch;
    /**
     * The event's code.
     */
    uint64_t event_code;
    /**
     * Which instance of the hardware block.
     */
    uint64_t instance_id;
    /**
     * Its name.
     */
    const char *name;
    /**
     * Its symbol.
     */
    const char *symbol;
    /**
     * A description.
     */
    const char *description;
    /**
     * A longer one.
     */
    const char *long_description;
    /**
     * What it is a part of.
     */
    const char *component;
    /**
     * The unit of its values.
     */
    const char *units;
    /**
     * "ABS", "ACCUM" or "RELATIVE".
     */
    const char *value_type;
    /**
     * The hardware block.
     */
    const char *block;
    /**
     * How it is derived from other counters.
     */
    const char *expression;
    /**
     * 1 if its value never changes.
     */
    uint64_t is_constant;
    /**
     * 1 if it is derived from other counters.
     */
    uint64_t is_derived;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_pmc_row_t;

/**
 * The list that ph_get_pmc_infos fills.
 */
typedef struct ph_pmc_row_list_t {
    /**
     * Set by the caller: sizeof(ph_pmc_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_pmc_row_t *const *items;
} ph_pmc_row_list_t;

/**
 * A code object. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_code_object_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its agent's absolute index.
     */
    uint64_t agent_id;
    /**
     * Where it comes from.
     */
    const char *uri;
    /**
     * The address that it is loaded at.
     */
    uint64_t load_base;
    /**
     * Its size in memory, in bytes.
     */
    uint64_t load_size;
    /**
     * The load address less the one in the file, in bytes.
     */
    uint64_t load_delta;
    /**
     * "FILE" or "MEMORY".
     */
    const char *storage_type;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_code_object_row_t;

/**
 * The list that ph_get_code_objects fills.
 */
typedef struct ph_code_object_row_list_t {
    /**
     * Set by the caller: sizeof(ph_code_object_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_code_object_row_t *const *items;
} ph_code_object_row_list_t;

/**
 * A kernel. Its public id is its row id. Numbers that are not in the file are PH_NONE,
 * texts are empty.
 */
typedef struct ph_kernel_symbol_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t pid;
    /**
     * Its code object.
     */
    uint64_t code_object_id;
    /**
     * The symbol's name.
     */
    const char *kernel_name;
    /**
     * The name for a person.
     */
    const char *display_name;
    /**
     * The address of its descriptor.
     */
    uint64_t kernel_object;
    /**
     * The size of its arguments, in bytes.
     */
    uint64_t kernarg_segment_size;
    /**
     * How its arguments are aligned, in bytes.
     */
    uint64_t kernarg_segment_alignment;
    /**
     * LDS for each work-group, in bytes.
     */
    uint64_t group_segment_size;
    /**
     * Scratch for each work-item, in bytes.
     */
    uint64_t private_segment_size;
    /**
     * Scalar registers.
     */
    uint64_t sgpr_count;
    /**
     * Vector registers.
     */
    uint64_t arch_vgpr_count;
    /**
     * Accumulation registers.
     */
    uint64_t accum_vgpr_count;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_kernel_symbol_row_t;

/**
 * The list that ph_get_kernel_symbols fills.
 */
typedef struct ph_kernel_symbol_row_list_t {
    /**
     * Set by the caller: sizeof(ph_kernel_symbol_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_kernel_symbol_row_t *const *items;
} ph_kernel_symbol_row_list_t;

/**
 * A text of the file.
 */
typedef struct ph_string_row_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * Its row in the file.
     */
    uint64_t row_id;
    /**
     * The text.
     */
    const char *text;
} ph_string_row_t;

/**
 * The list that ph_get_strings fills.
 */
typedef struct ph_string_row_list_t {
    /**
     * Set by the caller: sizeof(ph_string_row_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_string_row_t *const *items;
} ph_string_row_list_t;

/**
 * Told of each step of opening. It is called from threads of the library, never twice at once,
 * and must not throw or jump out. Returns 0 to go on, anything else to end the opening.
 */
typedef uint32_t (*ph_progress_fn)(void *user_data,
                                   enum ph_open_stage_t stage,
                                   uint64_t done,
                                   uint64_t total);

/**
 * How to open a file.
 */
typedef struct ph_open_options_t {
    /**
     * Set by the caller: sizeof(ph_open_options_t).
     */
    size_t size;
    /**
     * How many threads read at once; 0 for as many as the machine offers.
     */
    uint32_t threads;
    /**
     * Told of each step; may be NULL.
     */
    ph_progress_fn progress;
    /**
     * What progress is called with.
     */
    void *user_data;
} ph_open_options_t;

/**
 * What a file holds.
 */
typedef struct ph_trace_info_t {
    /**
     * Set by the caller: sizeof(ph_trace_info_t).
     */
    size_t size;
    /**
     * When the first event starts, in ns; 0 if there is none. Events whose times are both 0 do
     * not count.
     */
    uint64_t start_ts;
    /**
     * When the last event ends, in ns; 0 if there is none.
     */
    uint64_t end_ts;
    /**
     * How many events there are, each once: what only a stream's track shows again is not added.
     */
    uint64_t event_count;
    /**
     * How many values of counters there are.
     */
    uint64_t value_count;
    /**
     * How many events end before they start or have both times 0.
     */
    uint64_t odd_time_count;
    /**
     * What a person should know of the file although it can be read; empty if nothing. Owned by
     * the context.
     */
    const char *warnings;
    /**
     * The file's guid.
     */
    char guid[PH_GUID_SIZE];
} ph_trace_info_t;

/**
 * What ph_track_t has no place for. Rows that are NULL are PH_NONE; they may name rows that are
 * missing.
 */
typedef struct ph_track_info_t {
    /**
     * Set by the caller: sizeof(ph_track_info_t).
     */
    size_t size;
    /**
     * How many events or values it has.
     */
    uint64_t count;
    /**
     * How many events end before they start or have both times 0.
     */
    uint64_t odd_time_count;
    /**
     * The row of its node, which is the node's public id.
     */
    uint64_t node_row;
    /**
     * The row of its process.
     */
    uint64_t process_row;
    /**
     * The row of its thread.
     */
    uint64_t thread_row;
    /**
     * The row of its agent.
     */
    uint64_t agent_row;
    /**
     * The row of its queue, which is the queue's public id.
     */
    uint64_t queue_row;
    /**
     * The row of its stream, which is the stream's public id.
     */
    uint64_t stream_row;
    /**
     * The row of its counter.
     */
    uint64_t pmc_row;
    /**
     * Its row in the file's list of named tracks.
     */
    uint64_t named_track_row;
    /**
     * Its process's pid of the operating system.
     */
    uint64_t pid;
    /**
     * Its thread's id of the operating system.
     */
    uint64_t tid;
    /**
     * Its agent's absolute index.
     */
    uint64_t agent_id;
} ph_track_info_t;

/**
 * A value of a row. Fields that type does not name are 0 or NULL.
 */
typedef struct ph_cell_t {
    /**
     * The column's name.
     */
    const char *column;
    /**
     * Which of the following holds the value.
     */
    enum ph_cell_type_t type;
    /**
     * A number with a sign.
     */
    int64_t as_int64;
    /**
     * A time, an address or a size.
     */
    uint64_t as_uint64;
    /**
     * A floating-point number.
     */
    double as_double;
    /**
     * A text.
     */
    const char *as_text;
} ph_cell_t;

/**
 * Which rows of a table, in which order. All zero but size and limit: all rows of
 * PH_TABLE_REGION, in the order of the file.
 */
typedef struct ph_table_query_t {
    /**
     * Set by the caller: sizeof(ph_table_query_t).
     */
    size_t size;
    /**
     * The table: a ph_table_t.
     */
    uint32_t table;
    /**
     * Not 0 to sort from the last to the first.
     */
    uint32_t descending;
    /**
     * Only rows that overlap this window, in ns. Both 0: all; only end_ts 0: no upper bound.
     */
    uint64_t start_ts;
    /**
     * The window's end.
     */
    uint64_t end_ts;
    /**
     * Only rows of these tracks; NULL for all.
     */
    const uint32_t *track_ids;
    /**
     * How many tracks.
     */
    uint64_t track_count;
    /**
     * Only rows whose name contains this text, byte by byte; NULL or empty for all.
     */
    const char *name_contains;
    /**
     * The column to sort by; NULL or empty for the order of the file. Numbers are sorted as
     * numbers, times, addresses and sizes without sign, texts by their bytes, NULL first.
     */
    const char *sort_by;
    /**
     * How many rows to leave out at the start.
     */
    uint64_t offset;
    /**
     * How many rows to give at most.
     */
    uint64_t limit;
} ph_table_query_t;

/**
 * Some rows of a table. Given back with ph_table_page_free.
 */
typedef struct ph_table_page_t {
    /**
     * Set by the caller: sizeof(ph_table_page_t).
     */
    size_t size;
    /**
     * How many rows the filters leave, on all pages.
     */
    uint64_t total;
    /**
     * How many rows this page has.
     */
    uint64_t row_count;
    /**
     * How many cells each row has.
     */
    uint64_t column_count;
    /**
     * The columns' names: those of the table, then "name", and "duration" (in ns) or, of a PMC
     * event, "timestamp".
     */
    const char *const *columns;
    /**
     * The cells, row by row: cells[row * column_count + column].
     */
    const struct ph_cell_t *cells;
} ph_table_page_t;

/**
 * An argument of an event.
 */
typedef struct ph_argument_t {
    /**
     * Its place among the arguments, as stored.
     */
    int64_t position;
    /**
     * Its type.
     */
    const char *type;
    /**
     * Its name.
     */
    const char *name;
    /**
     * Its value; NULL if it is NULL in the file.
     */
    const char *value;
    /**
     * Further data, as JSON.
     */
    const char *extdata;
} ph_argument_t;

/**
 * All that a file has on one event. Given back with ph_event_details_free.
 */
typedef struct ph_event_details_t {
    /**
     * Set by the caller: sizeof(ph_event_details_t).
     */
    size_t size;
    /**
     * Its table.
     */
    enum ph_table_t table;
    /**
     * Its row.
     */
    uint64_t row_id;
    /**
     * What it is called; empty if the file does not tell.
     */
    const char *name;
    /**
     * The category of its event row; empty if there is none.
     */
    const char *category;
    /**
     * The call stack, as JSON; empty if there is none.
     */
    const char *call_stack;
    /**
     * The line info, as JSON; empty if there is none.
     */
    const char *line_info;
    /**
     * How many columns its row has.
     */
    uint64_t row_cell_count;
    /**
     * The columns of its row.
     */
    const struct ph_cell_t *row_cells;
    /**
     * How many columns its event row has; 0 if it has none.
     */
    uint64_t event_cell_count;
    /**
     * The columns of its event row.
     */
    const struct ph_cell_t *event_cells;
    /**
     * How many arguments it has.
     */
    uint64_t argument_count;
    /**
     * Its arguments, by position.
     */
    const struct ph_argument_t *arguments;
} ph_event_details_t;

/**
 * An event that belongs to another.
 */
typedef struct ph_related_event_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * How it belongs.
     */
    enum ph_relation_t relation;
    /**
     * Its table.
     */
    enum ph_table_t table;
    /**
     * Its row.
     */
    uint64_t row_id;
    /**
     * When it starts, in ns.
     */
    uint64_t start;
    /**
     * When it ends, in ns.
     */
    uint64_t end;
    /**
     * The track that its row belongs to; of the device, that of its queue.
     */
    uint32_t track_id;
    /**
     * Its type in lists of events.
     */
    enum ph_event_type_t type;
} ph_related_event_t;

/**
 * Events that belong to another. Given back with ph_related_list_free.
 */
typedef struct ph_related_list_t {
    /**
     * Set by the caller: sizeof(ph_related_list_t).
     */
    size_t size;
    /**
     * How many there are.
     */
    uint64_t count;
    /**
     * A pointer to each; NULL if there are none.
     */
    const struct ph_related_event_t *const *items;
} ph_related_list_t;

/**
 * A stretch of a histogram's window.
 */
typedef struct ph_bucket_t {
    /**
     * How many events are active in it, or values of counters lie in it; one that reaches over
     * several buckets counts in each.
     */
    uint64_t events;
    /**
     * How long, in ns, at least one event of a track is active in it, added up over the tracks.
     */
    uint64_t busy;
} ph_bucket_t;

/**
 * The events of one name. Durations are in ns.
 */
typedef struct ph_name_summary_t {
    /**
     * Set by the library: how many bytes of the struct it knows.
     */
    size_t size;
    /**
     * The name.
     */
    const char *name;
    /**
     * How many events have it.
     */
    uint64_t count;
    /**
     * How long they take together.
     */
    uint64_t total;
    /**
     * How long they take on average.
     */
    double mean;
    /**
     * The shortest.
     */
    uint64_t min;
    /**
     * The longest.
     */
    uint64_t max;
    /**
     * The median: the least duration that half of the events do not exceed.
     */
    uint64_t p50;
    /**
     * The least duration that 95 % of the events do not exceed.
     */
    uint64_t p95;
} ph_name_summary_t;

/**
 * Events by name. Given back with ph_summary_free.
 */
typedef struct ph_summary_t {
    /**
     * Set by the caller: sizeof(ph_summary_t).
     */
    size_t size;
    /**
     * How many names there are.
     */
    uint64_t count;
    /**
     * A pointer to each, the longest total first; NULL if there are none.
     */
    const struct ph_name_summary_t *const *items;
} ph_summary_t;

/**
 * A handle of a file being written.
 */
typedef struct ph_writer *ph_writer_t;

/**
 * A text that a client gives. With data NULL there is none: NULL in the file where the column may
 * be NULL, else an empty text (of JSON columns, {}). What is not UTF-8 is stored with U+FFFD in
 * place of each invalid part.
 */
typedef struct ph_text_t {
    /**
     * The first byte.
     */
    const char *data;
    /**
     * How many bytes, NUL or not; PH_TEXT_NUL for up to the first NUL.
     */
    size_t size;
} ph_text_t;

/**
 * A number that may be missing. All zero: it is.
 */
typedef struct ph_optional_t {
    /**
     * The number; any 64 bits.
     */
    uint64_t value;
    /**
     * Not 0 if there is one.
     */
    uint64_t is_set;
} ph_optional_t;

/**
 * An agent, by its type and its place among those of its type. All zero: none.
 */
typedef struct ph_agent_ref_t {
    /**
     * "CPU", "GPU" or "NIC"; may be missing.
     */
    struct ph_text_t type;
    /**
     * Its place among those of its type.
     */
    uint64_t type_index;
    /**
     * Not 0 if there is one.
     */
    uint64_t is_set;
} ph_agent_ref_t;

/**
 * Where something happened. What is set must be registered.
 */
typedef struct ph_writer_environment_t {
    /**
     * Set by the caller: sizeof(ph_writer_environment_t).
     */
    size_t size;
    /**
     * The node; may be missing if only one node has the process.
     */
    struct ph_optional_t node_id;
    /**
     * The process's pid.
     */
    struct ph_optional_t process_id;
    /**
     * The thread's tid.
     */
    struct ph_optional_t thread_id;
    /**
     * The agent.
     */
    struct ph_agent_ref_t agent;
    /**
     * The stream.
     */
    struct ph_optional_t stream_id;
    /**
     * The queue.
     */
    struct ph_optional_t queue_id;
    /**
     * A registered track, on which the event also gets a sample at its start.
     */
    struct ph_text_t track_name;
} ph_writer_environment_t;

/**
 * A machine.
 */
typedef struct ph_writer_node_t {
    /**
     * Set by the caller: sizeof(ph_writer_node_t).
     */
    size_t size;
    /**
     * Its id.
     */
    uint64_t node_id;
    /**
     * A hash of the machine id, unique in the file.
     */
    uint64_t hash;
    /**
     * As in /etc/machine-id, unique in the file.
     */
    struct ph_text_t machine_id;
    /**
     * The name of the operating system.
     */
    struct ph_text_t system_name;
    /**
     * The host's name.
     */
    struct ph_text_t hostname;
    /**
     * The release of the operating system.
     */
    struct ph_text_t release;
    /**
     * The version of the operating system.
     */
    struct ph_text_t version;
    /**
     * The machine's architecture.
     */
    struct ph_text_t hardware_name;
    /**
     * The NIS domain.
     */
    struct ph_text_t domain_name;
} ph_writer_node_t;

/**
 * A process.
 */
typedef struct ph_writer_process_t {
    /**
     * Set by the caller: sizeof(ph_writer_process_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its pid.
     */
    uint64_t pid;
    /**
     * Its parent's pid.
     */
    struct ph_optional_t ppid;
    /**
     * When it was initialised, in ns.
     */
    struct ph_optional_t init;
    /**
     * When it was finalised, in ns.
     */
    struct ph_optional_t fini;
    /**
     * When it started, in ns.
     */
    struct ph_optional_t start;
    /**
     * When it ended, in ns.
     */
    struct ph_optional_t end;
    /**
     * Its command line.
     */
    struct ph_text_t command;
    /**
     * Its environment, JSON.
     */
    struct ph_text_t environment;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_process_t;

/**
 * A thread.
 */
typedef struct ph_writer_thread_t {
    /**
     * Set by the caller: sizeof(ph_writer_thread_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t process_id;
    /**
     * Its tid.
     */
    uint64_t thread_id;
    /**
     * The pid of its process's parent.
     */
    struct ph_optional_t parent_process_id;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * When it started, in ns.
     */
    struct ph_optional_t start;
    /**
     * When it ended, in ns.
     */
    struct ph_optional_t end;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_thread_t;

/**
 * An agent.
 */
typedef struct ph_writer_agent_t {
    /**
     * Set by the caller: sizeof(ph_writer_agent_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * The pid of the process that sees it.
     */
    uint64_t process_id;
    /**
     * Its type and its place among those of its type; is_set does not matter.
     */
    struct ph_agent_ref_t unique_id;
    /**
     * Its place among all agents of its node.
     */
    struct ph_optional_t absolute_index;
    /**
     * Its place among those that the application sees.
     */
    struct ph_optional_t logical_index;
    /**
     * Its unique id, as the driver gives it.
     */
    struct ph_optional_t uuid;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * Its model.
     */
    struct ph_text_t model_name;
    /**
     * Its vendor.
     */
    struct ph_text_t vendor_name;
    /**
     * Its product name.
     */
    struct ph_text_t product_name;
    /**
     * The name that the user gave it.
     */
    struct ph_text_t user_name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_agent_t;

/**
 * A counter of an agent.
 */
typedef struct ph_writer_pmc_t {
    /**
     * Set by the caller: sizeof(ph_writer_pmc_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t process_id;
    /**
     * Its name, which with its agent tells it from others.
     */
    struct ph_text_t name;
    /**
     * Its agent.
     */
    struct ph_agent_ref_t agent;
    /**
     * "CPU", "GPU" or "NIC".
     */
    struct ph_text_t target_arch;
    /**
     * The event's code.
     */
    struct ph_optional_t event_code;
    /**
     * Which instance of the hardware block.
     */
    struct ph_optional_t instance_id;
    /**
     * Its symbol.
     */
    struct ph_text_t symbol;
    /**
     * A description.
     */
    struct ph_text_t description;
    /**
     * A longer one.
     */
    struct ph_text_t long_description;
    /**
     * What it is a part of.
     */
    struct ph_text_t component;
    /**
     * The unit of its values.
     */
    struct ph_text_t units;
    /**
     * "ABS", "ACCUM" or "RELATIVE".
     */
    struct ph_text_t value_type;
    /**
     * The hardware block.
     */
    struct ph_text_t block;
    /**
     * How it is derived from other counters.
     */
    struct ph_text_t expression;
    /**
     * Not 0 if its value never changes.
     */
    struct ph_optional_t is_constant;
    /**
     * Not 0 if it is derived from other counters.
     */
    struct ph_optional_t is_derived;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_pmc_t;

/**
 * A queue or a stream.
 */
typedef struct ph_writer_lane_t {
    /**
     * Set by the caller: sizeof(ph_writer_lane_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t process_id;
    /**
     * Its id, unique in the file.
     */
    uint64_t id;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_lane_t;

/**
 * A code object.
 */
typedef struct ph_writer_code_object_t {
    /**
     * Set by the caller: sizeof(ph_writer_code_object_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    uint64_t process_id;
    /**
     * Its id, unique in the file.
     */
    uint64_t id;
    /**
     * Its agent.
     */
    struct ph_agent_ref_t agent;
    /**
     * Where it comes from.
     */
    struct ph_text_t uri;
    /**
     * The address that it is loaded at.
     */
    struct ph_optional_t load_base;
    /**
     * Its size in memory, in bytes.
     */
    struct ph_optional_t load_size;
    /**
     * The load address less the one in the file, in bytes.
     */
    struct ph_optional_t load_delta;
    /**
     * "FILE" or "MEMORY".
     */
    struct ph_text_t storage_type;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_code_object_t;

/**
 * A kernel.
 */
typedef struct ph_writer_kernel_symbol_t {
    /**
     * Set by the caller: sizeof(ph_writer_kernel_symbol_t).
     */
    size_t size;
    /**
     * Its id, unique in the file.
     */
    uint64_t id;
    /**
     * Its code object.
     */
    uint64_t code_object_id;
    /**
     * The symbol's name.
     */
    struct ph_text_t name;
    /**
     * The name for a person.
     */
    struct ph_text_t display_name;
    /**
     * The address of its descriptor.
     */
    struct ph_optional_t kernel_object;
    /**
     * The size of its arguments, in bytes.
     */
    struct ph_optional_t kernarg_segment_size;
    /**
     * How its arguments are aligned, in bytes.
     */
    struct ph_optional_t kernarg_segment_alignment;
    /**
     * LDS for each work-group, in bytes.
     */
    struct ph_optional_t group_segment_size;
    /**
     * Scratch for each work-item, in bytes.
     */
    struct ph_optional_t private_segment_size;
    /**
     * Scalar registers.
     */
    struct ph_optional_t sgpr_count;
    /**
     * Vector registers.
     */
    struct ph_optional_t arch_vgpr_count;
    /**
     * Accumulation registers.
     */
    struct ph_optional_t accum_vgpr_count;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_kernel_symbol_t;

/**
 * A named track of samples.
 */
typedef struct ph_writer_track_t {
    /**
     * Set by the caller: sizeof(ph_writer_track_t).
     */
    size_t size;
    /**
     * Its node.
     */
    uint64_t node_id;
    /**
     * Its process's pid.
     */
    struct ph_optional_t process_id;
    /**
     * Its thread's tid.
     */
    struct ph_optional_t thread_id;
    /**
     * Its name, by which samples find it.
     */
    struct ph_text_t name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_track_t;

/**
 * What events have in common. A pointer to one that is NULL: there is no event row.
 */
typedef struct ph_writer_event_t {
    /**
     * Set by the caller: sizeof(ph_writer_event_t).
     */
    size_t size;
    /**
     * Its stack id: a launch and what it launched share it.
     */
    struct ph_optional_t stack_id;
    /**
     * The stack id of the call around it.
     */
    struct ph_optional_t parent_stack_id;
    /**
     * Its correlation id.
     */
    struct ph_optional_t correlation_id;
    /**
     * The call stack, JSON.
     */
    struct ph_text_t call_stack;
    /**
     * The line info, JSON.
     */
    struct ph_text_t line_info;
    /**
     * Its category.
     */
    struct ph_text_t category;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_event_t;

/**
 * An argument of a region.
 */
typedef struct ph_writer_arg_t {
    /**
     * Its place among the arguments.
     */
    uint64_t position;
    /**
     * Its type.
     */
    struct ph_text_t type;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * Its value.
     */
    struct ph_text_t value;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_arg_t;

/**
 * A region of a thread.
 */
typedef struct ph_writer_region_t {
    /**
     * Set by the caller: sizeof(ph_writer_region_t).
     */
    size_t size;
    /**
     * Its event; NULL for none.
     */
    const struct ph_writer_event_t *event;
    /**
     * When it starts, in ns.
     */
    uint64_t start;
    /**
     * When it ends, in ns.
     */
    uint64_t end;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
    /**
     * Its arguments; NULL if arg_count is 0.
     */
    const struct ph_writer_arg_t *args;
    /**
     * How many arguments.
     */
    uint64_t arg_count;
} ph_writer_region_t;

/**
 * A kernel dispatch.
 */
typedef struct ph_writer_kernel_dispatch_t {
    /**
     * Set by the caller: sizeof(ph_writer_kernel_dispatch_t).
     */
    size_t size;
    /**
     * Its event; NULL for none.
     */
    const struct ph_writer_event_t *event;
    /**
     * The dispatch id.
     */
    uint64_t dispatch_id;
    /**
     * When it starts, in ns.
     */
    uint64_t start;
    /**
     * When it ends, in ns.
     */
    uint64_t end;
    /**
     * The kernel.
     */
    uint64_t kernel_symbol_id;
    /**
     * Scratch for each work-item, in bytes.
     */
    struct ph_optional_t private_segment_size;
    /**
     * LDS for each work-group, in bytes.
     */
    struct ph_optional_t group_segment_size;
    /**
     * Work-items of a work-group: x, y, z.
     */
    uint64_t workgroup_size[3];
    /**
     * Work-items of the grid: x, y, z.
     */
    uint64_t grid_size[3];
    /**
     * The region it was launched in.
     */
    struct ph_text_t name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_kernel_dispatch_t;

/**
 * A memory copy.
 */
typedef struct ph_writer_memory_copy_t {
    /**
     * Set by the caller: sizeof(ph_writer_memory_copy_t).
     */
    size_t size;
    /**
     * Its event; NULL for none.
     */
    const struct ph_writer_event_t *event;
    /**
     * When it starts, in ns.
     */
    uint64_t start;
    /**
     * When it ends, in ns.
     */
    uint64_t end;
    /**
     * The agent that it goes to.
     */
    struct ph_agent_ref_t dst_agent;
    /**
     * The address that it goes to.
     */
    struct ph_optional_t dst_address;
    /**
     * The agent that it comes from.
     */
    struct ph_agent_ref_t src_agent;
    /**
     * The address that it comes from.
     */
    struct ph_optional_t src_address;
    /**
     * How much, in bytes.
     */
    uint64_t bytes;
    /**
     * Its name.
     */
    struct ph_text_t name;
    /**
     * The region it was started in.
     */
    struct ph_text_t region_name;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_memory_copy_t;

/**
 * An allocation or release of memory.
 */
typedef struct ph_writer_memory_alloc_t {
    /**
     * Set by the caller: sizeof(ph_writer_memory_alloc_t).
     */
    size_t size;
    /**
     * Its event; NULL for none.
     */
    const struct ph_writer_event_t *event;
    /**
     * "ALLOC", "FREE", "REALLOC" or "RECLAIM".
     */
    struct ph_text_t type;
    /**
     * "REAL", "VIRTUAL" or "SCRATCH".
     */
    struct ph_text_t level;
    /**
     * When it starts, in ns.
     */
    uint64_t start;
    /**
     * When it ends, in ns.
     */
    uint64_t end;
    /**
     * The memory's address.
     */
    struct ph_optional_t address;
    /**
     * How much, in bytes.
     */
    uint64_t bytes;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
} ph_writer_memory_alloc_t;

/**
 * A value of a counter.
 */
typedef struct ph_writer_pmc_event_t {
    /**
     * Set by the caller: sizeof(ph_writer_pmc_event_t).
     */
    size_t size;
    /**
     * Its event; NULL for none.
     */
    const struct ph_writer_event_t *event;
    /**
     * The counter's name.
     */
    struct ph_text_t pmc_name;
    /**
     * The counter's agent.
     */
    struct ph_agent_ref_t pmc_agent;
    /**
     * The value; NaN is stored as NULL.
     */
    double value;
    /**
     * Further data, JSON.
     */
    struct ph_text_t extdata;
    /**
     * A registered track: with an event, the value gets a sample on it. Missing or not
     * registered: no sample.
     */
    struct ph_text_t sample_track;
    /**
     * The sample's time, in ns.
     */
    uint64_t sample_timestamp;
    /**
     * The sample's further data, JSON.
     */
    struct ph_text_t sample_extdata;
} ph_writer_pmc_event_t;

#endif  /* PROFILER_HUB_C_PROFILER_HUB_TYPES_H */
