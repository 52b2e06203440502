-- The published schema 3.0.0 as the SDK's tool writes it; {guid} and {suffix} are filled in.

CREATE TABLE "rocpd_metadata_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "tag" TEXT NOT NULL,
  "value" TEXT NOT NULL
);

CREATE TABLE "rocpd_string_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "string" TEXT NOT NULL UNIQUE
);

CREATE TABLE "rocpd_info_node_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "hash" BIGINT NOT NULL UNIQUE,
  "machine_id" TEXT NOT NULL UNIQUE,
  "system_name" TEXT,
  "hostname" TEXT,
  "release" TEXT,
  "version" TEXT,
  "hardware_name" TEXT,
  "domain_name" TEXT
);

CREATE TABLE "rocpd_info_process_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "ppid" INTEGER,
  "pid" INTEGER NOT NULL,
  "init" BIGINT,
  "fini" BIGINT,
  "start" BIGINT,
  "end" BIGINT,
  "command" TEXT,
  "environment" JSONB NOT NULL DEFAULT "{}",
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_thread_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "ppid" INTEGER,
  "pid" INTEGER NOT NULL,
  "tid" INTEGER NOT NULL,
  "name" TEXT,
  "start" BIGINT,
  "end" BIGINT,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_agent_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "type" TEXT CHECK ("type" IN ('CPU', 'GPU')),
  "absolute_index" INTEGER,
  "logical_index" INTEGER,
  "type_index" INTEGER,
  "uuid" INTEGER,
  "name" TEXT,
  "model_name" TEXT,
  "vendor_name" TEXT,
  "product_name" TEXT,
  "user_name" TEXT,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_queue_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "name" TEXT,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_stream_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "name" TEXT,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_pmc_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "agent_id" INTEGER,
  "target_arch" TEXT CHECK ("target_arch" IN ('CPU', 'GPU')),
  "event_code" INT,
  "instance_id" INTEGER,
  "name" TEXT NOT NULL,
  "symbol" TEXT NOT NULL,
  "description" TEXT,
  "long_description" TEXT DEFAULT "",
  "component" TEXT,
  "units" TEXT DEFAULT "",
  "value_type" TEXT CHECK ("value_type" IN ('ABS', 'ACCUM', 'RELATIVE')),
  "block" TEXT,
  "expression" TEXT,
  "is_constant" INTEGER,
  "is_derived" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_code_object_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "agent_id" INTEGER,
  "uri" TEXT,
  "load_base" BIGINT,
  "load_size" BIGINT,
  "load_delta" BIGINT,
  "storage_type" TEXT CHECK ("storage_type" IN ('FILE', 'MEMORY')),
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_info_kernel_symbol_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "code_object_id" INTEGER NOT NULL,
  "kernel_name" TEXT,
  "display_name" TEXT,
  "kernel_object" INTEGER,
  "kernarg_segment_size" INTEGER,
  "kernarg_segment_alignment" INTEGER,
  "group_segment_size" INTEGER,
  "private_segment_size" INTEGER,
  "sgpr_count" INTEGER,
  "arch_vgpr_count" INTEGER,
  "accum_vgpr_count" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("code_object_id") REFERENCES "rocpd_info_code_object_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_track_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER,
  "tid" INTEGER,
  "name_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("name_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_event_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "category_id" INTEGER,
  "stack_id" INTEGER,
  "parent_stack_id" INTEGER,
  "correlation_id" INTEGER,
  "call_stack" JSONB NOT NULL DEFAULT "{}",
  "line_info" JSONB NOT NULL DEFAULT "{}",
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("category_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_arg_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "event_id" INTEGER NOT NULL,
  "position" INTEGER NOT NULL,
  "type" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "value" TEXT,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_pmc_event_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "event_id" INTEGER,
  "pmc_id" INTEGER NOT NULL,
  "value" REAL DEFAULT 0.0,
  "extdata" JSONB DEFAULT "{}",
  FOREIGN KEY ("pmc_id") REFERENCES "rocpd_info_pmc_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_region_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "tid" INTEGER NOT NULL,
  "start" BIGINT NOT NULL,
  "end" BIGINT NOT NULL,
  "name_id" INTEGER NOT NULL,
  "event_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("name_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_sample_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "track_id" INTEGER NOT NULL,
  "timestamp" BIGINT NOT NULL,
  "event_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("track_id") REFERENCES "rocpd_track_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_kernel_dispatch_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "tid" INTEGER,
  "agent_id" INTEGER NOT NULL,
  "kernel_id" INTEGER NOT NULL,
  "dispatch_id" INTEGER NOT NULL,
  "queue_id" INTEGER NOT NULL,
  "stream_id" INTEGER NOT NULL,
  "start" BIGINT NOT NULL,
  "end" BIGINT NOT NULL,
  "private_segment_size" INTEGER,
  "group_segment_size" INTEGER,
  "workgroup_size_x" INTEGER NOT NULL,
  "workgroup_size_y" INTEGER NOT NULL,
  "workgroup_size_z" INTEGER NOT NULL,
  "grid_size_x" INTEGER NOT NULL,
  "grid_size_y" INTEGER NOT NULL,
  "grid_size_z" INTEGER NOT NULL,
  "region_name_id" INTEGER,
  "event_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("kernel_id") REFERENCES "rocpd_info_kernel_symbol_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_memory_copy_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "tid" INTEGER,
  "start" BIGINT NOT NULL,
  "end" BIGINT NOT NULL,
  "name_id" INTEGER NOT NULL,
  "dst_agent_id" INTEGER,
  "dst_address" INTEGER,
  "src_agent_id" INTEGER,
  "src_address" INTEGER,
  "size" INTEGER NOT NULL,
  "queue_id" INTEGER,
  "stream_id" INTEGER,
  "region_name_id" INTEGER,
  "event_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("name_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("dst_agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("src_agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("region_name_id") REFERENCES "rocpd_string_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE TABLE "rocpd_memory_allocate_{suffix}" (
  "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  "guid" TEXT NOT NULL DEFAULT "{guid}",
  "nid" INTEGER NOT NULL,
  "pid" INTEGER NOT NULL,
  "tid" INTEGER,
  "agent_id" INTEGER,
  "type" TEXT CHECK ("type" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')),
  "level" TEXT CHECK ("level" IN ('REAL', 'VIRTUAL', 'SCRATCH')),
  "start" BIGINT NOT NULL,
  "end" BIGINT NOT NULL,
  "address" INTEGER,
  "size" INTEGER NOT NULL,
  "queue_id" INTEGER,
  "stream_id" INTEGER,
  "event_id" INTEGER,
  "extdata" JSONB NOT NULL DEFAULT "{}",
  FOREIGN KEY ("nid") REFERENCES "rocpd_info_node_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("pid") REFERENCES "rocpd_info_process_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("tid") REFERENCES "rocpd_info_thread_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("agent_id") REFERENCES "rocpd_info_agent_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("stream_id") REFERENCES "rocpd_info_stream_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("queue_id") REFERENCES "rocpd_info_queue_{suffix}" ("id") ON UPDATE CASCADE,
  FOREIGN KEY ("event_id") REFERENCES "rocpd_event_{suffix}" ("id") ON UPDATE CASCADE
);

CREATE VIEW "rocpd_metadata" AS SELECT * FROM "rocpd_metadata_{suffix}";

CREATE VIEW "rocpd_string" AS SELECT * FROM "rocpd_string_{suffix}";

CREATE VIEW "rocpd_info_node" AS SELECT * FROM "rocpd_info_node_{suffix}";

CREATE VIEW "rocpd_info_process" AS SELECT * FROM "rocpd_info_process_{suffix}";

CREATE VIEW "rocpd_info_thread" AS SELECT * FROM "rocpd_info_thread_{suffix}";

CREATE VIEW "rocpd_info_agent" AS SELECT * FROM "rocpd_info_agent_{suffix}";

CREATE VIEW "rocpd_info_queue" AS SELECT * FROM "rocpd_info_queue_{suffix}";

CREATE VIEW "rocpd_info_stream" AS SELECT * FROM "rocpd_info_stream_{suffix}";

CREATE VIEW "rocpd_info_pmc" AS SELECT * FROM "rocpd_info_pmc_{suffix}";

CREATE VIEW "rocpd_info_code_object" AS SELECT * FROM "rocpd_info_code_object_{suffix}";

CREATE VIEW "rocpd_info_kernel_symbol" AS SELECT * FROM "rocpd_info_kernel_symbol_{suffix}";

CREATE VIEW "rocpd_track" AS SELECT * FROM "rocpd_track_{suffix}";

CREATE VIEW "rocpd_event" AS SELECT * FROM "rocpd_event_{suffix}";

CREATE VIEW "rocpd_arg" AS SELECT * FROM "rocpd_arg_{suffix}";

CREATE VIEW "rocpd_pmc_event" AS SELECT * FROM "rocpd_pmc_event_{suffix}";

CREATE VIEW "rocpd_region" AS SELECT * FROM "rocpd_region_{suffix}";

CREATE VIEW "rocpd_sample" AS SELECT * FROM "rocpd_sample_{suffix}";

CREATE VIEW "rocpd_kernel_dispatch" AS SELECT * FROM "rocpd_kernel_dispatch_{suffix}";

CREATE VIEW "rocpd_memory_copy" AS SELECT * FROM "rocpd_memory_copy_{suffix}";

CREATE VIEW "rocpd_memory_allocate" AS SELECT * FROM "rocpd_memory_allocate_{suffix}";

CREATE VIEW "counters_collection" AS
SELECT min(v.id) AS id, v.guid AS guid, d.dispatch_id AS dispatch_id, d.kernel_id AS kernel_id, e.id AS event_id,
  e.correlation_id AS correlation_id, e.stack_id AS stack_id, e.parent_stack_id AS parent_stack_id, p.pid AS pid, t.tid AS tid,
  d.agent_id AS agent_id, a.absolute_index AS agent_abs_index, a.logical_index AS agent_log_index, a.type_index AS agent_type_index,
  a.type AS agent_type, d.queue_id AS queue_id, d.grid_size_x AS grid_size_x, d.grid_size_y AS grid_size_y, d.grid_size_z AS grid_size_z,
  d.grid_size_x * d.grid_size_y * d.grid_size_z AS grid_size, k.display_name AS kernel_name,
  (SELECT string FROM rocpd_string r WHERE r.id = d.region_name_id AND r.guid = d.guid) AS kernel_region,
  d.workgroup_size_x AS workgroup_size_x, d.workgroup_size_y AS workgroup_size_y, d.workgroup_size_z AS workgroup_size_z,
  d.workgroup_size_x * d.workgroup_size_y * d.workgroup_size_z AS workgroup_size, d.group_segment_size AS lds_block_size,
  d.private_segment_size AS scratch_size, k.arch_vgpr_count AS vgpr_count, k.accum_vgpr_count AS accum_vgpr_count, k.sgpr_count AS sgpr_count,
  c.name AS counter_name, c.symbol AS counter_symbol, c.component AS component, c.description AS description, c.block AS block,
  c.expression AS expression, c.value_type AS value_type, c.id AS counter_id, sum(v.value) AS value, d.start AS start, d."end" AS "end",
  c.is_constant AS is_constant, c.is_derived AS is_derived, d."end" - d.start AS duration,
  (SELECT string FROM rocpd_string r WHERE r.id = e.category_id AND r.guid = e.guid) AS category, d.nid AS nid, e.extdata AS extdata,
  k.code_object_id AS code_object_id
FROM rocpd_pmc_event v
JOIN rocpd_info_pmc c ON c.id = v.pmc_id AND c.guid = v.guid
JOIN rocpd_event e ON e.id = v.event_id AND e.guid = v.guid
JOIN rocpd_kernel_dispatch d ON d.event_id = v.event_id AND d.guid = v.guid
JOIN rocpd_info_agent a ON a.id = d.agent_id AND a.guid = d.guid
JOIN rocpd_info_kernel_symbol k ON k.id = d.kernel_id AND k.guid = d.guid
JOIN rocpd_info_process p ON p.id = d.pid AND p.guid = d.guid
JOIN rocpd_info_thread t ON t.id = d.tid AND t.guid = d.guid
GROUP BY v.guid, d.dispatch_id, c.name, d.agent_id;
