// What a writer_t is given. Texts are views: they must stay valid for the call.
//
// Times are ns, sizes bytes. What is nullopt is NULL in the file. extdata and environment are JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace profiler_hub::writer_types
{

using optional_text_t = std::optional<std::string_view>;
using optional_size_t = std::optional<std::size_t>;

/// An agent, by its type ("CPU", "GPU" or "NIC") and its place among those of its type.
struct agent_unique_id_t
{
    optional_text_t agent_type = std::nullopt;
    std::size_t     type_index = 0;
};

/// Where something happened. What is set must be registered.
struct trace_environment_t
{
    optional_size_t                  node_id    = std::nullopt;
    optional_size_t                  process_id = std::nullopt;
    optional_size_t                  thread_id  = std::nullopt;
    std::optional<agent_unique_id_t> agent_id   = std::nullopt;
    optional_size_t                  stream_id  = std::nullopt;
    optional_size_t                  queue_id   = std::nullopt;
    optional_text_t                  track_name = std::nullopt;
};

/// A machine.
struct node_info_t
{
    std::size_t      node_id       = 0;
    std::size_t      hash          = 0;
    std::string_view machine_id    = {};
    optional_text_t  system_name   = std::nullopt;
    optional_text_t  hostname      = std::nullopt;
    optional_text_t  release       = std::nullopt;
    optional_text_t  version       = std::nullopt;
    optional_text_t  hardware_name = std::nullopt;
    optional_text_t  domain_name   = std::nullopt;
};

/// A process; pid is its pid of the operating system.
struct process_info_t
{
    std::size_t      ppid        = 0;
    std::size_t      pid         = 0;
    std::size_t      init        = 0;
    std::size_t      fini        = 0;
    std::size_t      start       = 0;
    std::size_t      end         = 0;
    optional_text_t  command     = std::nullopt;
    std::string_view environment = "{}";
    std::string_view extdata     = "{}";
    std::size_t      node_id     = 0;
};

/// An agent.
struct agent_info_t
{
    agent_unique_id_t unique_id      = {};
    std::size_t       absolute_index = 0;
    std::size_t       logical_index  = 0;
    std::size_t       uuid           = 0;
    optional_text_t   name           = std::nullopt;
    optional_text_t   model_name     = std::nullopt;
    optional_text_t   vendor_name    = std::nullopt;
    optional_text_t   product_name   = std::nullopt;
    optional_text_t   user_name      = std::nullopt;
    std::string_view  extdata        = "{}";
    std::size_t       node_id        = 0;
    std::size_t       process_id     = 0;
};

/// A counter, by its name and its agent.
struct pmc_info_unique_id_t
{
    std::string_view                 name     = {};
    std::optional<agent_unique_id_t> agent_id = std::nullopt;
};

/// A counter.
struct pmc_info_t
{
    pmc_info_unique_id_t unique_id        = {};
    optional_text_t      target_arch      = std::nullopt;
    std::size_t          event_code       = 0;
    std::size_t          instance_id      = 0;
    std::string_view     symbol           = {};
    optional_text_t      description      = std::nullopt;
    optional_text_t      long_description = std::nullopt;
    optional_text_t      component        = std::nullopt;
    optional_text_t      units            = std::nullopt;
    optional_text_t      value_type       = std::nullopt;
    optional_text_t      block            = std::nullopt;
    optional_text_t      expression       = std::nullopt;
    std::size_t          is_constant      = 0;
    std::size_t          is_derived       = 0;
    std::string_view     extdata          = "{}";
    std::size_t          node_id          = 0;
    std::size_t          process_id       = 0;
};

/// A thread; thread_id is its id of the operating system.
struct thread_info_t
{
    std::size_t      parent_process_id = 0;
    std::size_t      thread_id         = 0;
    optional_text_t  name              = std::nullopt;
    std::size_t      start             = 0;
    std::size_t      end               = 0;
    std::string_view extdata           = "{}";
    std::size_t      node_id           = 0;
    std::size_t      process_id        = 0;
};

/// A stream.
struct stream_info_t
{
    std::size_t      stream_id  = 0;
    optional_text_t  name       = std::nullopt;
    std::string_view extdata    = "{}";
    std::size_t      node_id    = 0;
    std::size_t      process_id = 0;
};

/// A queue.
struct queue_info_t
{
    std::size_t      queue_id   = 0;
    optional_text_t  name       = std::nullopt;
    std::string_view extdata    = "{}";
    std::size_t      node_id    = 0;
    std::size_t      process_id = 0;
};

/// A code object.
struct code_object_info_t
{
    std::size_t                      id           = 0;
    optional_text_t                  uri          = std::nullopt;
    std::size_t                      load_base    = 0;
    std::size_t                      load_size    = 0;
    std::size_t                      load_delta   = 0;
    optional_text_t                  storage_type = std::nullopt;
    std::string_view                 extdata      = "{}";
    std::size_t                      node_id      = 0;
    std::size_t                      process_id   = 0;
    std::optional<agent_unique_id_t> agent_id     = std::nullopt;
};

/// A kernel.
struct kernel_symbol_info_t
{
    std::size_t      id                        = 0;
    optional_text_t  name                      = std::nullopt;
    optional_text_t  display_name              = std::nullopt;
    std::size_t      kernel_object             = 0;
    std::size_t      kernarg_segment_size      = 0;
    std::size_t      kernarg_segment_alignment = 0;
    std::size_t      group_segment_size        = 0;
    std::size_t      private_segment_size      = 0;
    std::size_t      sgpr_count                = 0;
    std::size_t      arch_vgpr_count           = 0;
    std::size_t      accum_vgpr_count          = 0;
    std::string_view extdata                   = "{}";
    std::size_t      node_id                   = 0;
    std::size_t      process_id                = 0;
    std::size_t      code_obj_id               = 0;
};

/// A named track of samples.
struct track_info_t
{
    optional_text_t  name       = std::nullopt;
    std::string_view extdata    = "{}";
    std::size_t      node_id    = 0;
    optional_size_t  process_id = std::nullopt;
    optional_size_t  thread_id  = std::nullopt;
};

/// An argument of a region.
struct arg_data_t
{
    std::size_t      position = 0;
    std::string_view type     = {};
    std::string_view name     = {};
    optional_text_t  value    = std::nullopt;
    std::string_view extdata  = "{}";
};

/// A frame of a call stack, or a line; what is set is stored.
struct frame_t
{
    optional_text_t function = std::nullopt;
    optional_text_t file     = std::nullopt;
    optional_size_t line     = std::nullopt;
    optional_size_t address  = std::nullopt;
};

using call_stack_t     = std::vector<frame_t>;
using line_info_list_t = std::vector<frame_t>;

/// What events have in common.
struct event_data_t
{
    optional_size_t  stack_id        = std::nullopt;
    optional_size_t  parent_stack_id = std::nullopt;
    optional_size_t  correlation_id  = std::nullopt;
    call_stack_t     call_stack      = {};
    line_info_list_t line_info_list  = {};
    optional_text_t  event_category  = std::nullopt;
    std::string_view extdata         = "{}";
};

/// A region of a thread.
struct region_data_t
{
    std::optional<event_data_t> event           = std::nullopt;
    std::size_t                 start_timestamp = 0;
    std::size_t                 end_timestamp   = 0;
    std::string_view            name            = {};
    std::string_view            extdata         = "{}";
    std::vector<arg_data_t>     args            = {};
};

/// A sample on a track.
struct sample_data_t
{
    std::size_t      timestamp = 0;
    track_info_t     track     = {};
    std::string_view extdata   = "{}";
};

/// A value of a counter. With an event, it gets a sample if its sample names a registered track.
struct pmc_event_data_t
{
    std::optional<event_data_t> event   = std::nullopt;
    double                      value   = 0.0;
    std::string_view            extdata = "{}";
    sample_data_t               sample  = {};
};

/// A kernel dispatch. The code object is the kernel symbol's.
struct kernel_dispatch_data_t
{
    std::optional<event_data_t> event                = std::nullopt;
    std::size_t                 dispatch_id          = 0;
    std::size_t                 start_timestamp      = 0;
    std::size_t                 end_timestamp        = 0;
    std::size_t                 kernel_symbol_id     = 0;
    std::size_t                 code_object_id       = 0;
    std::size_t                 private_segment_size = 0;
    std::size_t                 group_segment_size   = 0;
    std::size_t                 workgroup_size_x     = 0;
    std::size_t                 workgroup_size_y     = 0;
    std::size_t                 workgroup_size_z     = 0;
    std::size_t                 grid_size_x          = 0;
    std::size_t                 grid_size_y          = 0;
    std::size_t                 grid_size_z          = 0;
    optional_text_t             name                 = std::nullopt;
    std::string_view            extdata              = "{}";
};

/// A memory copy.
struct memory_copy_data_t
{
    std::optional<event_data_t>      event           = std::nullopt;
    std::size_t                      start_timestamp = 0;
    std::size_t                      end_timestamp   = 0;
    std::optional<agent_unique_id_t> dst_agent_id    = std::nullopt;
    optional_size_t                  dst_address     = std::nullopt;
    std::optional<agent_unique_id_t> src_agent_id    = std::nullopt;
    optional_size_t                  src_address     = std::nullopt;
    std::size_t                      size            = 0;
    std::string_view                 name            = {};
    optional_text_t                  region_name     = std::nullopt;
    std::string_view                 extdata         = "{}";
};

/// An allocation or release of memory: type "ALLOC", "FREE", "REALLOC" or "RECLAIM"; level "REAL",
/// "VIRTUAL" or "SCRATCH".
struct memory_alloc_data_t
{
    std::optional<event_data_t> event           = std::nullopt;
    optional_text_t             type            = std::nullopt;
    optional_text_t             level           = std::nullopt;
    std::size_t                 start_timestamp = 0;
    std::size_t                 end_timestamp   = 0;
    optional_size_t             address         = std::nullopt;
    std::size_t                 size            = 0;
    std::string_view            extdata         = "{}";
};

}  // namespace profiler_hub::writer_types
