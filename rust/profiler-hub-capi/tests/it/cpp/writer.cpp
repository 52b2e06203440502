// A client of the writer as they are written: every struct, designated initialisers, then read back.
// Argument: a folder to write to.
#include <profiler-hub/cpp/reader.hpp>
#include <profiler-hub/cpp/storage.hpp>
#include <profiler-hub/cpp/writer.hpp>
#include <profiler-hub/cpp/writer_types.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#define CHECK(that)                                                                                \
    do                                                                                             \
    {                                                                                              \
        if(!(that))                                                                                \
        {                                                                                          \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #that);                 \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while(0)

using namespace profiler_hub::writer_types;

namespace
{
constexpr auto guid = "0190d1a2-77f3-7cc0-8000-000000000000";

template <typename Exception, typename Call>
bool
throws(Call&& call)
{
    try
    {
        call();
    } catch(const Exception& error)
    {
        return std::strlen(error.what()) > 0;
    }
    return false;
}

void
write(const std::string& path)
{
    auto storage = std::make_unique<profiler_hub::storage_t>(path, guid);
    CHECK(storage->get_storage_version().major == 3);
    profiler_hub::writer_t writer{ std::move(storage) };

    const agent_unique_id_t gpu{ .agent_type = "GPU", .type_index = 0 };
    writer.register_node_info({ .node_id = 7, .hash = 11, .machine_id = "m", .hostname = "host" });
    writer.register_process_info({ .ppid = 1, .pid = 100, .start = 5, .end = 9000,
                                   .command = "./app 'a' \"b\"", .node_id = 7 });
    writer.register_agent_info({ .unique_id = gpu, .absolute_index = 3, .logical_index = 1,
                                 .name = "gfx942", .node_id = 7, .process_id = 100 });
    writer.register_thread_info({ .thread_id = 101, .name = "main", .node_id = 7, .process_id = 100 });
    writer.register_stream_info({ .stream_id = 0, .name = "stream", .node_id = 7, .process_id = 100 });
    writer.register_queue_info({ .queue_id = 0, .name = "queue", .node_id = 7, .process_id = 100 });
    writer.register_code_object_info({ .id = 5, .uri = "file:///k.co", .load_base = 1, .load_size = 2,
                                       .storage_type = "FILE", .node_id = 7, .process_id = 100,
                                       .agent_id = gpu });
    writer.register_kernel_symbol_info({ .id = 6, .name = "_Z1kv.kd", .display_name = "k()",
                                         .node_id = 7, .process_id = 100, .code_obj_id = 5 });
    writer.register_pmc_info({ .unique_id = { .name = "SQ_WAVES", .agent_id = gpu },
                               .target_arch = "GPU", .symbol = "SQ_WAVES", .value_type = "ABS",
                               .node_id = 7, .process_id = 100 });
    writer.register_track_info({ .name = "ticks", .node_id = 7, .process_id = 100, .thread_id = 101 });
    writer.register_string("a text");
    writer.register_string("a text");

    const trace_environment_t where{ .node_id = 7, .process_id = 100, .thread_id = 101,
                                     .agent_id = gpu, .stream_id = 0, .queue_id = 0 };
    const event_data_t event{ .stack_id = 40, .parent_stack_id = 0, .correlation_id = 41,
                              .call_stack = { { .function = "f \"x\"\n", .file = "a.cpp", .line = 12 } },
                              .event_category = "HIP" };
    auto on_track       = where;
    on_track.track_name = "ticks";
    writer.insert_region_data({ .event = event, .start_timestamp = 1000, .end_timestamp = 2000,
                                .name = "outer",
                                .args = { { .position = 0, .type = "int", .name = "n", .value = "3" },
                                          { .position = 1, .type = "void*", .name = "p" } } },
                              on_track);
    writer.insert_kernel_dispatch_data({ .event = event, .dispatch_id = 1, .start_timestamp = 1100,
                                         .end_timestamp = 1200, .kernel_symbol_id = 6,
                                         .code_object_id = 5, .workgroup_size_x = 64,
                                         .workgroup_size_y = 1, .workgroup_size_z = 1,
                                         .grid_size_x = 640, .grid_size_y = 1, .grid_size_z = 1 },
                                       where);
    writer.insert_memory_copy_data({ .start_timestamp = 1300, .end_timestamp = 1400,
                                     .dst_agent_id = gpu, .dst_address = 0xFFFFFFFFFFFFFFFF,
                                     .size = (std::size_t{ 1 } << 53) + 1, .name = "COPY" },
                                   where);
    writer.insert_memory_alloc_data({ .type = "ALLOC", .level = "REAL", .start_timestamp = 1500,
                                      .end_timestamp = 1400, .address = 0x8000000000000001, .size = 0 },
                                    where);
    writer.insert_pmc_event_data({ .event = event, .value = 42.5,
                                   .sample = { .timestamp = 1100, .track = { .name = "ticks" } } },
                                 { .name = "SQ_WAVES", .agent_id = gpu });
    writer.insert_pmc_event_data({ .value = std::numeric_limits<double>::quiet_NaN() },
                                 { .name = "SQ_WAVES", .agent_id = gpu });

    // What is not registered is said, and leaves no row.
    using profiler_hub::argument_error;
    auto nowhere      = where;
    nowhere.thread_id = 999;
    CHECK(throws<std::invalid_argument>([&] { writer.insert_region_data({ .name = "x" }, nowhere); }));
    CHECK(throws<argument_error>([&] { writer.insert_region_data({ .name = "x" }, {}); }));
    CHECK(throws<argument_error>([&] { writer.insert_pmc_event_data({}, { .name = "NO" }); }));
    CHECK(throws<argument_error>([&] { writer.insert_memory_alloc_data({ .type = "LOSE" }, where); }));
    on_track.track_name = "no track";
    CHECK(throws<argument_error>([&] { writer.insert_region_data({ .name = "x" }, on_track); }));
    CHECK(throws<std::exception>([&] { writer.register_queue_info({ .queue_id = 9, .node_id = 7, .process_id = 8 }); }));
    writer.flush_in_memory_data_to_disk();
}

void
read_back(const std::string& path)
{
    const auto probe = profiler_hub::probe_database(path);
    CHECK(probe && probe.uuid == guid && probe.version.major == 3);
    const profiler_hub::reader_t reader{ path };
    CHECK(reader.schema_version().major == 3 && reader.tracks().size() == 7);
    const auto info = reader.trace_info();
    CHECK(info.event_count == 4 + 2 && info.value_count == 2 && info.odd_time_count == 1);
    std::size_t found = 0;
    for(const auto& track : reader.tracks())
    {
        const auto events = reader.events(track.id);
        switch(track.category)
        {
            case PH_TRACK_CATEGORY_THREAD:
                CHECK(std::string{ track.track_name } == "main" && track.tid == 101 && track.pid == 100);
                CHECK(events.size() == 1 && std::string{ events[0].name } == "outer");
                break;
            case PH_TRACK_CATEGORY_THREAD_SAMPLE:
                CHECK(std::string{ track.track_name } == "ticks" && events.size() == 2);
                CHECK(events[0].start == 1000 && events[1].start == 1100);
                break;
            case PH_TRACK_CATEGORY_PMC_AGENT:
            {
                const auto samples = reader.samples(track.id);
                CHECK(track.agent_id == 3 && samples.size() == 2 && samples[1].value == 42.5);
                CHECK(samples[0].value != samples[0].value && track.value_range.min == 42.5);
                break;
            }
            case PH_TRACK_CATEGORY_KERNEL_DISPATCH_AGENT_QUEUE:
                CHECK(track.agent_id == 3 && track.queue_id == 0);
                CHECK(std::string{ events[0].name } == "k()");
                break;
            case PH_TRACK_CATEGORY_MEMORY_COPY_AGENT_QUEUE:
            case PH_TRACK_CATEGORY_MEMORY_ALLOCATE_AGENT_QUEUE: CHECK(events.size() == 1); break;
            case PH_TRACK_CATEGORY_STREAM: CHECK(events.size() == 3 && track.stream_id == 0); break;
        }
        ++found;
    }
    CHECK(found == 7);
    const auto region = reader.details(PH_TABLE_REGION, 1);
    CHECK(region->argument_count == 2 && region->arguments[1].value == nullptr);
    CHECK(std::string{ region->call_stack } ==
          R"([{"function":"f \"x\"\u000a","file":"a.cpp","line":12}])");
    const auto copy = reader.page({ .size = 0, .table = PH_TABLE_MEMORY_COPY, .descending = 0,
                                    .start_ts = 0, .end_ts = 0, .track_ids = nullptr, .track_count = 0,
                                    .name_contains = nullptr, .sort_by = nullptr, .offset = 0,
                                    .limit = 10 });
    for(std::size_t i = 0; i < copy->column_count; ++i)
    {
        const auto& cell = copy->cells[i];
        if(std::string{ cell.column } == "dst_address") CHECK(cell.as_uint64 == 0xFFFFFFFFFFFFFFFF);
        if(std::string{ cell.column } == "size") CHECK(cell.as_uint64 == (std::uint64_t{ 1 } << 53) + 1);
    }
    const auto related = reader.related(PH_TABLE_REGION, 1);
    CHECK(related->count >= 1 && related->items[0]->relation == PH_RELATION_SAME_STACK);
    CHECK(reader.summary(PH_TABLE_REGION)->items[0]->total == 1000);
    const auto buckets = reader.histogram(2, 1000, 2000, { 0 });
    CHECK(buckets.size() == 2 && buckets[0].busy == 500 && buckets[1].busy == 500);
    CHECK(reader.events(0, 1500, 1600).size() == 1 && reader.events(0, 2001, 3000).size() == 0);
}
}  // namespace

int
main(int argc, char** argv)
{
    CHECK(argc == 2);
    const std::string path = std::string{ argv[1] } + "/written.db";
    write(path);
    read_back(path);
    CHECK(throws<std::runtime_error>([&] { profiler_hub::storage_t{ path, guid }; }));  // it exists
    CHECK(throws<std::invalid_argument>([&] { profiler_hub::storage_t{ path + "2", "no guid!" }; }));
    CHECK(throws<profiler_hub::database_error>([&] { profiler_hub::reader_t{ path + "3" }; }));
    CHECK(throws<std::invalid_argument>([] { profiler_hub::writer_t{ nullptr }; }));
    const profiler_hub::storage_t suffix{ path + "4", "_0190d1a2_77f3_7cc0_8000_000000000001" };
    CHECK(!profiler_hub::probe_database("/no/such/file"));
    return 0;
}
