// The structs of the writer as aggregates in C++17, in the order that clients fill them.
#include <profiler-hub/cpp/writer.hpp>

#include <type_traits>

using namespace profiler_hub::writer_types;

static_assert(std::is_aggregate_v<trace_environment_t> && std::is_aggregate_v<region_data_t>);
static_assert(!std::is_copy_constructible_v<profiler_hub::storage_t>);
static_assert(!std::is_move_constructible_v<profiler_hub::storage_t>);

int
main()
{
    const agent_unique_id_t    agent{ "GPU", 1 };
    const trace_environment_t  where{ 1, 2, 3, agent, 4, 5, "track" };
    const node_info_t          node{ 1, 2, "machine", "system", "host", "release", "version", "hw", "domain" };
    const process_info_t       process{ 1, 2, 3, 4, 5, 6, "command", "{}", "{}", 7 };
    const agent_info_t         info{ agent, 1, 2, 3, "n", "m", "v", "p", "u", "{}", 4, 5 };
    const pmc_info_unique_id_t pmc_id{ "name", agent };
    const pmc_info_t           pmc{ pmc_id, "GPU", 1, 2, "symbol", "d", "ld", "c", "u", "ABS", "b", "e", 0, 1, "{}", 3, 4 };
    const thread_info_t        thread{ 1, 2, "name", 3, 4, "{}", 5, 6 };
    const stream_info_t        stream{ 1, "name", "{}", 2, 3 };
    const queue_info_t         queue{ 1, "name", "{}", 2, 3 };
    const code_object_info_t   object{ 1, "uri", 2, 3, 4, "FILE", "{}", 5, 6, agent };
    const kernel_symbol_info_t kernel{ 1, "n", "d", 2, 3, 4, 5, 6, 7, 8, 9, "{}", 10, 11, 12 };
    const track_info_t         track{ "name", "{}", 1, 2, 3 };
    const arg_data_t           arg{ 0, "type", "name", "value", "{}" };
    const event_data_t         event{ 1, 2, 3, {}, {}, "category", "{}" };
    const region_data_t        region{ event, 1, 2, "name", "{}", { arg } };
    const sample_data_t        sample{ 1, track, "{}" };
    const pmc_event_data_t     value{ event, 1.5, "{}", sample };
    const kernel_dispatch_data_t dispatch{ event, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "name", "{}" };
    const memory_copy_data_t   copy{ event, 1, 2, agent, 3, agent, 4, 5, "name", "region", "{}" };
    const memory_alloc_data_t  alloc{ event, "ALLOC", "REAL", 1, 2, 3, 4, "{}" };
    const bool same = where.queue_id == 5 && node.domain_name == "domain" && process.node_id == 7 &&
                      info.process_id == 5 && pmc.process_id == 4 && thread.process_id == 6 &&
                      stream.process_id == 3 && queue.process_id == 3 && object.agent_id->type_index == 1 &&
                      kernel.code_obj_id == 12 && region.args.size() == 1 && value.sample.timestamp == 1 &&
                      dispatch.grid_size_z == 13 && copy.size == 5 && alloc.size == 4;
    return same ? 0 : 1;
}
