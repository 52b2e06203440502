-- What people and tools query. A row is left out where a joined table has no row for it; LEFT JOIN
-- or a lookup marks what may be missing. Strings that may be missing are looked up: in a file of many
-- guids SQLite would first copy all of a left-joined union. Ids are unique in one guid only: every
-- join carries it. Times are in ns unless a comment says otherwise.

-- Code objects of agents.
CREATE VIEW "code_objects" AS
SELECT
    object."id",
    object."guid",
    object."nid",
    process."pid",
    agent."absolute_index" AS "agent_abs_index",
    object."uri",
    object."load_base",
    object."load_size",
    object."load_delta",
    object."storage_type" AS "storage_type_str",
    JSON_EXTRACT(object."extdata", '$.size') AS "code_object_size",
    JSON_EXTRACT(object."extdata", '$.storage_type') AS "storage_type",
    JSON_EXTRACT(object."extdata", '$.memory_base') AS "memory_base",
    JSON_EXTRACT(object."extdata", '$.memory_size') AS "memory_size"
FROM "rocpd_info_code_object" AS object
JOIN "rocpd_info_agent" AS agent
    ON agent."id" = object."agent_id" AND agent."guid" = object."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = object."pid" AND process."guid" = object."guid";

-- Kernel symbols, with what their extdata may say.
CREATE VIEW "kernel_symbols" AS
SELECT
    symbol."id",
    symbol."guid",
    symbol."nid",
    process."pid",
    symbol."code_object_id",
    symbol."kernel_name",
    symbol."display_name",
    symbol."kernel_object",
    symbol."kernarg_segment_size",
    symbol."kernarg_segment_alignment",
    symbol."group_segment_size",
    symbol."private_segment_size",
    symbol."sgpr_count",
    symbol."arch_vgpr_count",
    symbol."accum_vgpr_count",
    JSON_EXTRACT(symbol."extdata", '$.size') AS "kernel_symbol_size",
    JSON_EXTRACT(symbol."extdata", '$.kernel_id') AS "kernel_id",
    JSON_EXTRACT(symbol."extdata", '$.kernel_code_entry_byte_offset')
        AS "kernel_code_entry_byte_offset",
    JSON_EXTRACT(symbol."extdata", '$.formatted_kernel_name') AS "formatted_kernel_name",
    JSON_EXTRACT(symbol."extdata", '$.demangled_kernel_name') AS "demangled_kernel_name",
    JSON_EXTRACT(symbol."extdata", '$.truncated_kernel_name') AS "truncated_kernel_name",
    JSON_EXTRACT(symbol."extdata", '$.kernel_address.handle') AS "kernel_address"
FROM "rocpd_info_kernel_symbol" AS symbol
JOIN "rocpd_info_process" AS process
    ON process."id" = symbol."pid" AND process."guid" = symbol."guid";

-- Processes with their node.
CREATE VIEW "processes" AS
SELECT
    node."id" AS "nid",
    node."machine_id",
    node."system_name",
    node."hostname",
    node."release" AS "system_release",
    node."version" AS "system_version",
    process."guid",
    process."ppid",
    process."pid",
    process."init",
    process."start",
    process."end",
    process."fini",
    process."command"
FROM "rocpd_info_process" AS process
JOIN "rocpd_info_node" AS node
    ON node."id" = process."nid" AND node."guid" = process."guid";

-- Threads with their process and node.
CREATE VIEW "threads" AS
SELECT
    node."id" AS "nid",
    node."machine_id",
    node."system_name",
    node."hostname",
    node."release" AS "system_release",
    node."version" AS "system_version",
    process."guid",
    process."ppid",
    process."pid",
    thread."tid",
    thread."start",
    thread."end",
    thread."name"
FROM "rocpd_info_thread" AS thread
JOIN "rocpd_info_process" AS process
    ON process."id" = thread."pid" AND process."guid" = thread."guid"
JOIN "rocpd_info_node" AS node
    ON node."id" = thread."nid" AND node."guid" = thread."guid";

-- Regions that have an event.
CREATE VIEW "regions" AS
SELECT
    region."id",
    region."guid",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    name."string" AS "name",
    region."nid",
    process."pid",
    thread."tid",
    region."start",
    region."end",
    region."end" - region."start" AS "duration",
    region."event_id",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id",
    event."extdata",
    event."call_stack",
    event."line_info"
FROM "rocpd_region" AS region
JOIN "rocpd_event" AS event
    ON event."id" = region."event_id" AND event."guid" = region."guid"
JOIN "rocpd_string" AS name
    ON name."id" = region."name_id" AND name."guid" = region."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = region."pid" AND process."guid" = region."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = region."tid" AND thread."guid" = region."guid";

-- The arguments of regions; `id` is the region's.
CREATE VIEW "region_args" AS
SELECT
    region."id",
    region."guid",
    region."nid",
    process."pid",
    arg."type",
    arg."name",
    arg."value"
FROM "rocpd_region" AS region
JOIN "rocpd_event" AS event
    ON event."id" = region."event_id" AND event."guid" = region."guid"
JOIN "rocpd_arg" AS arg
    ON arg."event_id" = event."id" AND arg."guid" = event."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = region."pid" AND process."guid" = region."guid";

-- Samples on the tracks of threads; those of other tracks are not shown.
CREATE VIEW "samples" AS
SELECT
    sample."id",
    sample."guid",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    (
        SELECT name."string" FROM "rocpd_string" AS name
        WHERE name."id" = track."name_id" AND name."guid" = track."guid"
    ) AS "name",
    track."nid",
    process."pid",
    thread."tid",
    sample."timestamp",
    sample."event_id",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id",
    event."extdata",
    event."call_stack",
    event."line_info"
FROM "rocpd_sample" AS sample
JOIN "rocpd_track" AS track
    ON track."id" = sample."track_id" AND track."guid" = sample."guid"
JOIN "rocpd_event" AS event
    ON event."id" = sample."event_id" AND event."guid" = sample."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = track."pid" AND process."guid" = track."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = track."tid" AND thread."guid" = track."guid";

-- Samples in the columns of regions: they begin and end at once.
CREATE VIEW "sample_regions" AS
SELECT
    sample."id",
    sample."guid",
    sample."category",
    sample."name",
    sample."nid",
    sample."pid",
    sample."tid",
    sample."timestamp" AS "start",
    sample."timestamp" AS "END",
    sample."timestamp" - sample."timestamp" AS "duration",
    sample."event_id",
    sample."stack_id",
    sample."parent_stack_id",
    sample."corr_id",
    sample."extdata",
    sample."call_stack",
    sample."line_info"
FROM "samples" AS sample;

-- Regions and samples together.
CREATE VIEW "regions_and_samples" AS
SELECT
    "id", "guid", "category", "name", "nid", "pid", "tid", "start", "end", "duration", "event_id",
    "stack_id", "parent_stack_id", "corr_id", "extdata", "call_stack", "line_info"
FROM "regions"
UNION ALL
SELECT
    "id", "guid", "category", "name", "nid", "pid", "tid", "start", "END", "duration", "event_id",
    "stack_id", "parent_stack_id", "corr_id", "extdata", "call_stack", "line_info"
FROM "sample_regions";

-- Kernel dispatches. The process is the queue's. Sizes of segments: bytes; static ones are the
-- kernel's, the others the dispatch's.
CREATE VIEW "kernels" AS
SELECT
    dispatch."id",
    dispatch."guid",
    thread."tid",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    region."string" AS "region",
    symbol."display_name" AS "name",
    dispatch."nid",
    process."pid",
    agent."absolute_index" AS "agent_abs_index",
    agent."logical_index" AS "agent_log_index",
    agent."type_index" AS "agent_type_index",
    agent."type" AS "agent_type",
    symbol."code_object_id",
    dispatch."kernel_id",
    dispatch."dispatch_id",
    dispatch."stream_id",
    dispatch."queue_id",
    queue."name" AS "queue",
    stream."name" AS "stream",
    dispatch."start",
    dispatch."end",
    dispatch."end" - dispatch."start" AS "duration",
    dispatch."grid_size_x" AS "grid_x",
    dispatch."grid_size_y" AS "grid_y",
    dispatch."grid_size_z" AS "grid_z",
    dispatch."workgroup_size_x" AS "workgroup_x",
    dispatch."workgroup_size_y" AS "workgroup_y",
    dispatch."workgroup_size_z" AS "workgroup_z",
    dispatch."group_segment_size" AS "lds_size",
    dispatch."private_segment_size" AS "scratch_size",
    symbol."arch_vgpr_count" AS "vgpr_count",
    symbol."accum_vgpr_count",
    symbol."sgpr_count",
    symbol."group_segment_size" AS "static_lds_size",
    symbol."private_segment_size" AS "static_scratch_size",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id"
FROM "rocpd_kernel_dispatch" AS dispatch
JOIN "rocpd_info_agent" AS agent
    ON agent."id" = dispatch."agent_id" AND agent."guid" = dispatch."guid"
JOIN "rocpd_event" AS event
    ON event."id" = dispatch."event_id" AND event."guid" = dispatch."guid"
JOIN "rocpd_string" AS region
    ON region."id" = dispatch."region_name_id" AND region."guid" = dispatch."guid"
JOIN "rocpd_info_kernel_symbol" AS symbol
    ON symbol."id" = dispatch."kernel_id" AND symbol."guid" = dispatch."guid"
JOIN "rocpd_info_queue" AS queue
    ON queue."id" = dispatch."queue_id" AND queue."guid" = dispatch."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = queue."pid" AND process."guid" = queue."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = dispatch."tid" AND thread."guid" = dispatch."guid"
LEFT JOIN "rocpd_info_stream" AS stream
    ON stream."id" = dispatch."stream_id" AND stream."guid" = dispatch."guid";

-- Counters of agents.
CREATE VIEW "pmc_info" AS
SELECT
    pmc."id",
    pmc."guid",
    pmc."nid",
    process."pid",
    agent."absolute_index" AS "agent_abs_index",
    pmc."is_constant",
    pmc."is_derived",
    pmc."name",
    pmc."description",
    pmc."block",
    pmc."expression"
FROM "rocpd_info_pmc" AS pmc
JOIN "rocpd_info_agent" AS agent
    ON agent."id" = pmc."agent_id" AND agent."guid" = pmc."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = pmc."pid" AND process."guid" = pmc."guid";

-- Every counter value of a kernel dispatch; `name` is the kernel's.
CREATE VIEW "pmc_events" AS
SELECT
    value."id",
    value."guid",
    value."pmc_id",
    event."id" AS "event_id",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    symbol."display_name" AS "name",
    dispatch."nid",
    process."pid",
    dispatch."dispatch_id",
    dispatch."start",
    dispatch."end",
    dispatch."end" - dispatch."start" AS "duration",
    pmc."name" AS "counter_name",
    value."value" AS "counter_value"
FROM "rocpd_pmc_event" AS value
JOIN "rocpd_info_pmc" AS pmc
    ON pmc."id" = value."pmc_id" AND pmc."guid" = value."guid"
JOIN "rocpd_event" AS event
    ON event."id" = value."event_id" AND event."guid" = value."guid"
JOIN "rocpd_kernel_dispatch" AS dispatch
    ON dispatch."event_id" = value."event_id" AND dispatch."guid" = value."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = dispatch."pid" AND process."guid" = dispatch."guid"
LEFT JOIN "rocpd_info_kernel_symbol" AS symbol
    ON symbol."id" = dispatch."kernel_id" AND symbol."guid" = dispatch."guid";

-- The arguments of events; `extdata` is the argument's.
CREATE VIEW "events_args" AS
SELECT
    event."id" AS "event_id",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id",
    arg."position" AS "arg_position",
    arg."type" AS "arg_type",
    arg."name" AS "arg_name",
    arg."value" AS "arg_value",
    event."call_stack",
    event."line_info",
    arg."extdata"
FROM "rocpd_event" AS event
JOIN "rocpd_arg" AS arg
    ON arg."event_id" = event."id" AND arg."guid" = event."guid";

-- Arguments named `stream` whose extdata says which stream; `extdata` is the stream's.
CREATE VIEW "stream_args" AS
SELECT
    arg."id" AS "argument_id",
    arg."event_id",
    arg."position" AS "arg_position",
    arg."type" AS "arg_type",
    arg."value" AS "arg_value",
    JSON_EXTRACT(arg."extdata", '$.stream_id') AS "stream_id",
    stream."nid",
    process."pid",
    stream."name" AS "stream_name",
    stream."extdata"
FROM "rocpd_arg" AS arg
JOIN "rocpd_info_stream" AS stream
    ON stream."id" = JSON_EXTRACT(arg."extdata", '$.stream_id') AND stream."guid" = arg."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = stream."pid" AND process."guid" = stream."guid"
WHERE arg."name" = 'stream';

-- Memory copies between two agents that are both known. `size`: bytes.
CREATE VIEW "memory_copies" AS
SELECT
    copy."id",
    copy."guid",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    copy."nid",
    process."pid",
    thread."tid",
    copy."start",
    copy."end",
    copy."end" - copy."start" AS "duration",
    name."string" AS "name",
    (
        SELECT region."string" FROM "rocpd_string" AS region
        WHERE region."id" = copy."region_name_id" AND region."guid" = copy."guid"
    ) AS "region_name",
    copy."stream_id",
    copy."queue_id",
    stream."name" AS "stream_name",
    queue."name" AS "queue_name",
    copy."size",
    dst."name" AS "dst_device",
    dst."absolute_index" AS "dst_agent_abs_index",
    dst."logical_index" AS "dst_agent_log_index",
    dst."type_index" AS "dst_agent_type_index",
    dst."type" AS "dst_agent_type",
    copy."dst_address",
    src."name" AS "src_device",
    src."absolute_index" AS "src_agent_abs_index",
    src."logical_index" AS "src_agent_log_index",
    src."type_index" AS "src_agent_type_index",
    src."type" AS "src_agent_type",
    copy."src_address",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id"
FROM "rocpd_memory_copy" AS copy
JOIN "rocpd_string" AS name
    ON name."id" = copy."name_id" AND name."guid" = copy."guid"
JOIN "rocpd_info_agent" AS dst
    ON dst."id" = copy."dst_agent_id" AND dst."guid" = copy."guid"
JOIN "rocpd_info_agent" AS src
    ON src."id" = copy."src_agent_id" AND src."guid" = copy."guid"
JOIN "rocpd_event" AS event
    ON event."id" = copy."event_id" AND event."guid" = copy."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = copy."pid" AND process."guid" = copy."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = copy."tid" AND thread."guid" = copy."guid"
LEFT JOIN "rocpd_info_queue" AS queue
    ON queue."id" = copy."queue_id" AND queue."guid" = copy."guid"
LEFT JOIN "rocpd_info_stream" AS stream
    ON stream."id" = copy."stream_id" AND stream."guid" = copy."guid";

-- Memory allocations and releases, scratch memory too. `size`: bytes.
CREATE VIEW "memory_allocations" AS
SELECT
    memory."id",
    memory."guid",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    memory."nid",
    process."pid",
    thread."tid",
    memory."start",
    memory."end",
    memory."end" - memory."start" AS "duration",
    memory."type",
    memory."level",
    agent."name" AS "agent_name",
    agent."absolute_index" AS "agent_abs_index",
    agent."logical_index" AS "agent_log_index",
    agent."type_index" AS "agent_type_index",
    agent."type" AS "agent_type",
    memory."address",
    memory."size",
    memory."queue_id",
    queue."name" AS "queue_name",
    memory."stream_id",
    stream."name" AS "stream_name",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id"
FROM "rocpd_memory_allocate" AS memory
JOIN "rocpd_event" AS event
    ON event."id" = memory."event_id" AND event."guid" = memory."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = memory."pid" AND process."guid" = memory."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = memory."tid" AND thread."guid" = memory."guid"
LEFT JOIN "rocpd_info_agent" AS agent
    ON agent."id" = memory."agent_id" AND agent."guid" = memory."guid"
LEFT JOIN "rocpd_info_queue" AS queue
    ON queue."id" = memory."queue_id" AND queue."guid" = memory."guid"
LEFT JOIN "rocpd_info_stream" AS stream
    ON stream."id" = memory."stream_id" AND stream."guid" = memory."guid";

-- Operations on scratch memory, by time. `size`: bytes.
CREATE VIEW "scratch_memory" AS
SELECT
    memory."id",
    memory."guid",
    memory."nid",
    process."pid",
    memory."type" AS "operation",
    agent."name" AS "agent_name",
    agent."absolute_index" AS "agent_abs_index",
    agent."logical_index" AS "agent_log_index",
    agent."type_index" AS "agent_type_index",
    agent."type" AS "agent_type",
    memory."queue_id",
    thread."tid",
    JSON_EXTRACT(memory."extdata", '$.flags') AS "alloc_flags",
    memory."start",
    memory."end",
    memory."end" - memory."start" AS "duration",
    memory."size",
    memory."address",
    event."correlation_id",
    event."stack_id",
    event."parent_stack_id",
    event."correlation_id" AS "corr_id",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    event."extdata" AS "event_extdata"
FROM "rocpd_memory_allocate" AS memory
JOIN "rocpd_event" AS event
    ON event."id" = memory."event_id" AND event."guid" = memory."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = memory."pid" AND process."guid" = memory."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = memory."tid" AND thread."guid" = memory."guid"
LEFT JOIN "rocpd_info_agent" AS agent
    ON agent."id" = memory."agent_id" AND agent."guid" = memory."guid"
WHERE memory."level" = 'SCRATCH'
ORDER BY memory."start";

-- A counter of a dispatch: `value` is the sum over its instances, `id` and the other columns are
-- those of the first of them. Dispatches without a thread or a kernel symbol are not shown.
CREATE VIEW "counters_collection" AS
SELECT
    MIN(value."id") AS "id",
    value."guid",
    dispatch."dispatch_id",
    dispatch."kernel_id",
    event."id" AS "event_id",
    event."correlation_id",
    event."stack_id",
    event."parent_stack_id",
    process."pid",
    thread."tid",
    dispatch."agent_id",
    agent."absolute_index" AS "agent_abs_index",
    agent."logical_index" AS "agent_log_index",
    agent."type_index" AS "agent_type_index",
    agent."type" AS "agent_type",
    dispatch."queue_id",
    dispatch."grid_size_x",
    dispatch."grid_size_y",
    dispatch."grid_size_z",
    dispatch."grid_size_x" * dispatch."grid_size_y" * dispatch."grid_size_z" AS "grid_size",
    symbol."display_name" AS "kernel_name",
    (
        SELECT region."string" FROM "rocpd_string" AS region
        WHERE region."id" = dispatch."region_name_id" AND region."guid" = dispatch."guid"
    ) AS "kernel_region",
    dispatch."workgroup_size_x",
    dispatch."workgroup_size_y",
    dispatch."workgroup_size_z",
    dispatch."workgroup_size_x" * dispatch."workgroup_size_y" * dispatch."workgroup_size_z"
        AS "workgroup_size",
    dispatch."group_segment_size" AS "lds_block_size",
    dispatch."private_segment_size" AS "scratch_size",
    symbol."arch_vgpr_count" AS "vgpr_count",
    symbol."accum_vgpr_count",
    symbol."sgpr_count",
    pmc."name" AS "counter_name",
    pmc."symbol" AS "counter_symbol",
    pmc."component",
    pmc."description",
    pmc."block",
    pmc."expression",
    pmc."value_type",
    pmc."id" AS "counter_id",
    SUM(value."value") AS "value",
    dispatch."start",
    dispatch."end",
    pmc."is_constant",
    pmc."is_derived",
    dispatch."end" - dispatch."start" AS "duration",
    (
        SELECT category."string" FROM "rocpd_string" AS category
        WHERE category."id" = event."category_id" AND category."guid" = event."guid"
    ) AS "category",
    dispatch."nid",
    event."extdata",
    symbol."code_object_id"
FROM "rocpd_pmc_event" AS value
JOIN "rocpd_info_pmc" AS pmc
    ON pmc."id" = value."pmc_id" AND pmc."guid" = value."guid"
JOIN "rocpd_event" AS event
    ON event."id" = value."event_id" AND event."guid" = value."guid"
JOIN "rocpd_kernel_dispatch" AS dispatch
    ON dispatch."event_id" = value."event_id" AND dispatch."guid" = value."guid"
JOIN "rocpd_info_agent" AS agent
    ON agent."id" = dispatch."agent_id" AND agent."guid" = dispatch."guid"
JOIN "rocpd_info_kernel_symbol" AS symbol
    ON symbol."id" = dispatch."kernel_id" AND symbol."guid" = dispatch."guid"
JOIN "rocpd_info_process" AS process
    ON process."id" = dispatch."pid" AND process."guid" = dispatch."guid"
JOIN "rocpd_info_thread" AS thread
    ON thread."id" = dispatch."tid" AND thread."guid" = dispatch."guid"
GROUP BY value."guid", dispatch."dispatch_id", pmc."name", dispatch."agent_id";

-- The kernels that take most time. Durations: microseconds, the average cut to whole nanoseconds.
CREATE VIEW "top_kernels" AS
SELECT
    symbol."display_name" AS "name",
    COUNT(*) AS "total_calls",
    SUM(dispatch."end" - dispatch."start") / 1000.0 AS "total_duration",
    SUM(dispatch."end" - dispatch."start") / COUNT(*) / 1000.0 AS "average",
    SUM(dispatch."end" - dispatch."start") * 100.0 / (
        SELECT SUM("end" - "start") FROM "rocpd_kernel_dispatch"
    ) AS "percentage"
FROM "rocpd_kernel_dispatch" AS dispatch
JOIN "rocpd_info_kernel_symbol" AS symbol
    ON symbol."id" = dispatch."kernel_id" AND symbol."guid" = dispatch."guid"
GROUP BY symbol."display_name"
ORDER BY "total_duration" DESC;

-- How busy each agent was with kernels and with copies to it, of the time from the first of them
-- in the file to the last.
CREATE VIEW "busy" AS
WITH work("agent_id", "guid", "start", "end") AS (
    SELECT "agent_id", "guid", "start", "end" FROM "rocpd_kernel_dispatch"
    UNION ALL
    SELECT "dst_agent_id", "guid", "start", "end" FROM "rocpd_memory_copy"
),
agent_work("agent_id", "guid", "GpuTime") AS (
    SELECT "agent_id", "guid", SUM("end" - "start") FROM work GROUP BY "agent_id", "guid"
),
whole("WallTime") AS (
    SELECT MAX("end") - MIN("start") FROM work
)
SELECT
    agent_work."agent_id",
    agent."type",
    agent_work."GpuTime",
    whole."WallTime",
    agent_work."GpuTime" * 1.0 / whole."WallTime" AS "Busy"
FROM agent_work
CROSS JOIN whole
JOIN "rocpd_info_agent" AS agent
    ON agent."id" = agent_work."agent_id" AND agent."guid" = agent_work."guid";

-- What takes most time: kernels, copies and regions by name. Durations: microseconds, the average
-- cut to whole nanoseconds; `percentage` is of the sum of them all.
CREATE VIEW "top" AS
WITH operation("name", "duration") AS (
    SELECT symbol."display_name", dispatch."end" - dispatch."start"
    FROM "rocpd_kernel_dispatch" AS dispatch
    JOIN "rocpd_info_kernel_symbol" AS symbol
        ON symbol."id" = dispatch."kernel_id" AND symbol."guid" = dispatch."guid"
    UNION ALL
    SELECT name."string", copy."end" - copy."start"
    FROM "rocpd_memory_copy" AS copy
    JOIN "rocpd_string" AS name
        ON name."id" = copy."name_id" AND name."guid" = copy."guid"
    UNION ALL
    SELECT name."string", region."end" - region."start"
    FROM "rocpd_region" AS region
    JOIN "rocpd_string" AS name
        ON name."id" = region."name_id" AND name."guid" = region."guid"
),
whole("duration") AS (
    SELECT SUM("duration")
    FROM (
        SELECT "end" - "start" AS "duration" FROM "rocpd_kernel_dispatch"
        UNION ALL
        SELECT "end" - "start" FROM "rocpd_memory_copy"
        UNION ALL
        SELECT "end" - "start" FROM "rocpd_region"
    )
)
SELECT
    operation."name",
    COUNT(*) AS "total_calls",
    SUM(operation."duration") / 1000.0 AS "total_duration",
    SUM(operation."duration") / COUNT(*) / 1000.0 AS "average",
    SUM(operation."duration") * 100.0 / whole."duration" AS "percentage"
FROM operation
CROSS JOIN whole
GROUP BY operation."name"
ORDER BY "total_duration" DESC;
