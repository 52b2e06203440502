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
 * An open file. Never looked into by clients.
 */
typedef struct ph_ctx ph_ctx;

/**
 * A task on the thread pool of a context. Never looked into by clients.
 */
typedef struct ph_future ph_future;

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

#endif  /* PROFILER_HUB_C_PROFILER_HUB_TYPES_H */
