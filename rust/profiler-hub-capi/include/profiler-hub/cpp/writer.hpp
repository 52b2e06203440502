// Fills a rocpd file: what is registered first, then what happened.
#pragma once

#include <profiler-hub/cpp/error.hpp>
#include <profiler-hub/cpp/storage.hpp>
#include <profiler-hub/cpp/writer_types.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace profiler_hub
{
namespace detail
{

inline ph_text_t
text(std::string_view view)
{
    // An empty view may have no data, which would mean that there is no text.
    return { view.data() == nullptr ? "" : view.data(), view.size() };
}

inline ph_text_t
text(const std::optional<std::string_view>& view)
{
    return view ? text(*view) : ph_text_t{ nullptr, 0 };
}

inline ph_optional_t
number(std::size_t value)
{
    return { value, 1 };
}

inline ph_optional_t
number(const std::optional<std::size_t>& value)
{
    return { value.value_or(0), value.has_value() ? std::uint64_t{ 1 } : std::uint64_t{ 0 } };
}

inline ph_agent_ref_t
agent(const writer_types::agent_unique_id_t& id)
{
    return { text(id.agent_type), id.type_index, 1 };
}

inline ph_agent_ref_t
agent(const std::optional<writer_types::agent_unique_id_t>& id)
{
    return id ? agent(*id) : ph_agent_ref_t{ { nullptr, 0 }, 0, 0 };
}

/// A text as JSON writes it.
inline void
append_json(std::string& out, std::string_view view)
{
    constexpr char digits[] = "0123456789abcdef";
    out += '"';
    for(const char c : view)
    {
        const auto byte = static_cast<unsigned char>(c);
        if(c == '"' || c == '\\')
        {
            out += '\\';
            out += c;
        }
        else if(byte < 0x20)
        {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        }
        else
            out += c;
    }
    out += '"';
}

inline void
append_member(std::string& out, std::string_view name, const std::optional<std::string_view>& value)
{
    if(!value) return;
    if(out.back() != '{') out += ',';
    append_json(out, name);
    out += ':';
    append_json(out, *value);
}

inline void
append_member(std::string& out, std::string_view name, const std::optional<std::size_t>& value)
{
    if(!value) return;
    if(out.back() != '{') out += ',';
    append_json(out, name);
    out += ':';
    out += std::to_string(*value);
}

/// Frames as a JSON array; none as an empty object, as the schema's default is.
inline std::string
json(const std::vector<writer_types::frame_t>& frames)
{
    if(frames.empty()) return "{}";
    std::string out = "[";
    for(const auto& frame : frames)
    {
        if(out.size() > 1) out += ',';
        out += '{';
        append_member(out, "function", frame.function);
        append_member(out, "file", frame.file);
        append_member(out, "line", frame.line);
        append_member(out, "address", frame.address);
        out += '}';
    }
    out += ']';
    return out;
}

/// An event in C's form, with the texts it points to. It stays where it was made.
class event_t
{
public:
    explicit event_t(const std::optional<writer_types::event_data_t>& data)
    {
        if(!data) return;
        m_call_stack           = json(data->call_stack);
        m_line_info            = json(data->line_info_list);
        m_event                = {};
        m_event.size           = sizeof(m_event);
        m_event.stack_id       = number(data->stack_id);
        m_event.parent_stack_id = number(data->parent_stack_id);
        m_event.correlation_id = number(data->correlation_id);
        m_event.call_stack     = text(std::string_view{ m_call_stack });
        m_event.line_info      = text(std::string_view{ m_line_info });
        m_event.category       = text(data->event_category);
        m_event.extdata        = text(data->extdata);
        m_pointer              = &m_event;
    }

    event_t(const event_t&)            = delete;
    event_t& operator=(const event_t&) = delete;

    const ph_writer_event_t* get() const noexcept { return m_pointer; }

private:
    ph_writer_event_t        m_event   = {};
    const ph_writer_event_t* m_pointer = nullptr;
    std::string              m_call_stack = {};
    std::string              m_line_info  = {};
};

inline ph_writer_environment_t
environment(const writer_types::trace_environment_t& where)
{
    ph_writer_environment_t out = {};
    out.size                    = sizeof(out);
    out.node_id                 = number(where.node_id);
    out.process_id              = number(where.process_id);
    out.thread_id               = number(where.thread_id);
    out.agent                   = agent(where.agent_id);
    out.stream_id               = number(where.stream_id);
    out.queue_id                = number(where.queue_id);
    out.track_name              = text(where.track_name);
    return out;
}

}  // namespace detail

/// Fills a storage_t. What a row refers to has to be registered, else the call throws
/// argument_error and leaves no row; what is registered again keeps what it was registered with
/// first.
///
/// A writer may be used from several threads; calls wait for each other. In a forked child it is
/// the parent's: calls throw database_error, and destroying it leaves the file alone.
class writer_t
{
public:
    explicit writer_t(std::unique_ptr<storage_t> storage)
    : m_storage{ std::move(storage) }
    {
        if(!m_storage) throw argument_error{ "the storage is null; expected one to fill" };
    }

    void register_node_info(const writer_types::node_info_t& info)
    {
        ph_writer_node_t out = sized<ph_writer_node_t>();
        out.node_id          = info.node_id;
        out.hash             = info.hash;
        out.machine_id       = detail::text(info.machine_id);
        out.system_name      = detail::text(info.system_name);
        out.hostname         = detail::text(info.hostname);
        out.release          = detail::text(info.release);
        out.version          = detail::text(info.version);
        out.hardware_name    = detail::text(info.hardware_name);
        out.domain_name      = detail::text(info.domain_name);
        detail::check(ph_writer_register_node(handle(), &out));
    }

    void register_process_info(const writer_types::process_info_t& info)
    {
        ph_writer_process_t out = sized<ph_writer_process_t>();
        out.node_id             = info.node_id;
        out.pid                 = info.pid;
        out.ppid                = detail::number(info.ppid);
        out.init                = detail::number(info.init);
        out.fini                = detail::number(info.fini);
        out.start               = detail::number(info.start);
        out.end                 = detail::number(info.end);
        out.command             = detail::text(info.command);
        out.environment         = detail::text(info.environment);
        out.extdata             = detail::text(info.extdata);
        detail::check(ph_writer_register_process(handle(), &out));
    }

    void register_agent_info(const writer_types::agent_info_t& info)
    {
        ph_writer_agent_t out = sized<ph_writer_agent_t>();
        out.node_id           = info.node_id;
        out.process_id        = info.process_id;
        out.unique_id         = detail::agent(info.unique_id);
        out.absolute_index    = detail::number(info.absolute_index);
        out.logical_index     = detail::number(info.logical_index);
        out.uuid              = detail::number(info.uuid);
        out.name              = detail::text(info.name);
        out.model_name        = detail::text(info.model_name);
        out.vendor_name       = detail::text(info.vendor_name);
        out.product_name      = detail::text(info.product_name);
        out.user_name         = detail::text(info.user_name);
        out.extdata           = detail::text(info.extdata);
        detail::check(ph_writer_register_agent(handle(), &out));
    }

    void register_pmc_info(const writer_types::pmc_info_t& info)
    {
        ph_writer_pmc_t out  = sized<ph_writer_pmc_t>();
        out.node_id          = info.node_id;
        out.process_id       = info.process_id;
        out.name             = detail::text(info.unique_id.name);
        out.agent            = detail::agent(info.unique_id.agent_id);
        out.target_arch      = detail::text(info.target_arch);
        out.event_code       = detail::number(info.event_code);
        out.instance_id      = detail::number(info.instance_id);
        out.symbol           = detail::text(info.symbol);
        out.description      = detail::text(info.description);
        out.long_description = detail::text(info.long_description);
        out.component        = detail::text(info.component);
        out.units            = detail::text(info.units);
        out.value_type       = detail::text(info.value_type);
        out.block            = detail::text(info.block);
        out.expression       = detail::text(info.expression);
        out.is_constant      = detail::number(info.is_constant);
        out.is_derived       = detail::number(info.is_derived);
        out.extdata          = detail::text(info.extdata);
        detail::check(ph_writer_register_pmc(handle(), &out));
    }

    void register_thread_info(const writer_types::thread_info_t& info)
    {
        ph_writer_thread_t out = sized<ph_writer_thread_t>();
        out.node_id            = info.node_id;
        out.process_id         = info.process_id;
        out.thread_id          = info.thread_id;
        out.parent_process_id  = detail::number(info.parent_process_id);
        out.name               = detail::text(info.name);
        out.start              = detail::number(info.start);
        out.end                = detail::number(info.end);
        out.extdata            = detail::text(info.extdata);
        detail::check(ph_writer_register_thread(handle(), &out));
    }

    void register_stream_info(const writer_types::stream_info_t& info)
    {
        const auto out = lane(info, info.stream_id);
        detail::check(ph_writer_register_stream(handle(), &out));
    }

    void register_queue_info(const writer_types::queue_info_t& info)
    {
        const auto out = lane(info, info.queue_id);
        detail::check(ph_writer_register_queue(handle(), &out));
    }

    void register_code_object_info(const writer_types::code_object_info_t& info)
    {
        ph_writer_code_object_t out = sized<ph_writer_code_object_t>();
        out.node_id                 = info.node_id;
        out.process_id              = info.process_id;
        out.id                      = info.id;
        out.agent                   = detail::agent(info.agent_id);
        out.uri                     = detail::text(info.uri);
        out.load_base               = detail::number(info.load_base);
        out.load_size               = detail::number(info.load_size);
        out.load_delta              = detail::number(info.load_delta);
        out.storage_type            = detail::text(info.storage_type);
        out.extdata                 = detail::text(info.extdata);
        detail::check(ph_writer_register_code_object(handle(), &out));
    }

    void register_kernel_symbol_info(const writer_types::kernel_symbol_info_t& info)
    {
        ph_writer_kernel_symbol_t out = sized<ph_writer_kernel_symbol_t>();
        out.id                        = info.id;
        out.code_object_id            = info.code_obj_id;
        out.name                      = detail::text(info.name);
        out.display_name              = detail::text(info.display_name);
        out.kernel_object             = detail::number(info.kernel_object);
        out.kernarg_segment_size      = detail::number(info.kernarg_segment_size);
        out.kernarg_segment_alignment = detail::number(info.kernarg_segment_alignment);
        out.group_segment_size        = detail::number(info.group_segment_size);
        out.private_segment_size      = detail::number(info.private_segment_size);
        out.sgpr_count                = detail::number(info.sgpr_count);
        out.arch_vgpr_count           = detail::number(info.arch_vgpr_count);
        out.accum_vgpr_count          = detail::number(info.accum_vgpr_count);
        out.extdata                   = detail::text(info.extdata);
        detail::check(ph_writer_register_kernel_symbol(handle(), &out));
    }

    void register_track_info(const writer_types::track_info_t& info)
    {
        ph_writer_track_t out = sized<ph_writer_track_t>();
        out.node_id           = info.node_id;
        out.process_id        = detail::number(info.process_id);
        out.thread_id         = detail::number(info.thread_id);
        out.name              = detail::text(info.name);
        out.extdata           = detail::text(info.extdata);
        detail::check(ph_writer_register_track(handle(), &out));
    }

    void register_string(std::string_view string)
    {
        detail::check(ph_writer_register_string(handle(), detail::text(string)));
    }

    void insert_region_data(const writer_types::region_data_t&       data,
                            const writer_types::trace_environment_t& environment)
    {
        std::vector<ph_writer_arg_t> args;
        args.reserve(data.args.size());
        for(const auto& arg : data.args)
        {
            ph_writer_arg_t out = {};
            out.position        = arg.position;
            out.type            = detail::text(arg.type);
            out.name            = detail::text(arg.name);
            out.value           = detail::text(arg.value);
            out.extdata         = detail::text(arg.extdata);
            args.push_back(out);
        }
        const detail::event_t event{ data.event };
        ph_writer_region_t    out = sized<ph_writer_region_t>();
        out.event                 = event.get();
        out.start                 = data.start_timestamp;
        out.end                   = data.end_timestamp;
        out.name                  = detail::text(data.name);
        out.extdata               = detail::text(data.extdata);
        out.args                  = args.data();
        out.arg_count             = args.size();
        const auto where          = detail::environment(environment);
        detail::check(ph_writer_insert_region(handle(), &out, &where));
    }

    void insert_pmc_event_data(const writer_types::pmc_event_data_t&     data,
                               const writer_types::pmc_info_unique_id_t& pmc)
    {
        const detail::event_t event{ data.event };
        ph_writer_pmc_event_t out = sized<ph_writer_pmc_event_t>();
        out.event                 = event.get();
        out.pmc_name              = detail::text(pmc.name);
        out.pmc_agent             = detail::agent(pmc.agent_id);
        out.value                 = data.value;
        out.extdata               = detail::text(data.extdata);
        out.sample_track          = detail::text(data.sample.track.name);
        out.sample_timestamp      = data.sample.timestamp;
        out.sample_extdata        = detail::text(data.sample.extdata);
        detail::check(ph_writer_insert_pmc_event(handle(), &out));
    }

    void insert_kernel_dispatch_data(const writer_types::kernel_dispatch_data_t& data,
                                     const writer_types::trace_environment_t&    environment)
    {
        const detail::event_t       event{ data.event };
        ph_writer_kernel_dispatch_t out = sized<ph_writer_kernel_dispatch_t>();
        out.event                       = event.get();
        out.dispatch_id                 = data.dispatch_id;
        out.start                       = data.start_timestamp;
        out.end                         = data.end_timestamp;
        out.kernel_symbol_id            = data.kernel_symbol_id;
        out.private_segment_size        = detail::number(data.private_segment_size);
        out.group_segment_size          = detail::number(data.group_segment_size);
        out.workgroup_size[0]           = data.workgroup_size_x;
        out.workgroup_size[1]           = data.workgroup_size_y;
        out.workgroup_size[2]           = data.workgroup_size_z;
        out.grid_size[0]                = data.grid_size_x;
        out.grid_size[1]                = data.grid_size_y;
        out.grid_size[2]                = data.grid_size_z;
        out.name                        = detail::text(data.name);
        out.extdata                     = detail::text(data.extdata);
        const auto where                = detail::environment(environment);
        detail::check(ph_writer_insert_kernel_dispatch(handle(), &out, &where));
    }

    void insert_memory_copy_data(const writer_types::memory_copy_data_t&  data,
                                 const writer_types::trace_environment_t& environment)
    {
        const detail::event_t   event{ data.event };
        ph_writer_memory_copy_t out = sized<ph_writer_memory_copy_t>();
        out.event                   = event.get();
        out.start                   = data.start_timestamp;
        out.end                     = data.end_timestamp;
        out.dst_agent               = detail::agent(data.dst_agent_id);
        out.dst_address             = detail::number(data.dst_address);
        out.src_agent               = detail::agent(data.src_agent_id);
        out.src_address             = detail::number(data.src_address);
        out.bytes                   = data.size;
        out.name                    = detail::text(data.name);
        out.region_name             = detail::text(data.region_name);
        out.extdata                 = detail::text(data.extdata);
        const auto where            = detail::environment(environment);
        detail::check(ph_writer_insert_memory_copy(handle(), &out, &where));
    }

    void insert_memory_alloc_data(const writer_types::memory_alloc_data_t& data,
                                  const writer_types::trace_environment_t& environment)
    {
        const detail::event_t    event{ data.event };
        ph_writer_memory_alloc_t out = sized<ph_writer_memory_alloc_t>();
        out.event                    = event.get();
        out.type                     = detail::text(data.type);
        out.level                    = detail::text(data.level);
        out.start                    = data.start_timestamp;
        out.end                      = data.end_timestamp;
        out.address                  = detail::number(data.address);
        out.bytes                    = data.size;
        out.extdata                  = detail::text(data.extdata);
        const auto where             = detail::environment(environment);
        detail::check(ph_writer_insert_memory_alloc(handle(), &out, &where));
    }

    /// Puts everything so far into the file for good.
    void flush_in_memory_data_to_disk() { detail::check(ph_writer_commit(handle())); }

private:
    ph_writer_t handle() const noexcept { return m_storage->handle(); }

    template <typename T>
    static T sized()
    {
        T out    = {};
        out.size = sizeof(T);
        return out;
    }

    template <typename Info>
    static ph_writer_lane_t lane(const Info& info, std::size_t id)
    {
        ph_writer_lane_t out = sized<ph_writer_lane_t>();
        out.node_id          = info.node_id;
        out.process_id       = info.process_id;
        out.id               = id;
        out.name             = detail::text(info.name);
        out.extdata          = detail::text(info.extdata);
        return out;
    }

    std::unique_ptr<storage_t> m_storage;
};

}  // namespace profiler_hub
