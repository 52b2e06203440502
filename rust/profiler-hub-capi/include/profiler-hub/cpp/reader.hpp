// Reads a rocpd file: tracks, their events and samples, queries.
#pragma once

#include <profiler-hub/cpp/error.hpp>
#include <profiler-hub/cpp/probe.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace profiler_hub
{

/// Structs side by side that somebody else owns.
template <typename T>
class list_view_t
{
public:
    list_view_t() = default;
    list_view_t(const T* first, std::size_t size)
    : m_first{ first }
    , m_size{ size }
    {}

    const T*    begin() const noexcept { return m_first; }
    const T*    end() const noexcept { return m_first == nullptr ? nullptr : m_first + m_size; }
    std::size_t size() const noexcept { return m_size; }
    bool        empty() const noexcept { return m_size == 0; }
    const T&    operator[](std::size_t place) const noexcept { return m_first[place]; }

private:
    const T*    m_first = nullptr;
    std::size_t m_size  = 0;
};

/// Something that a reader handed out, given back when it ends. It must not outlive the reader.
template <typename Struct, ph_result_t (*Free)(ph_ctx_t, Struct*)>
class answer_t
{
public:
    answer_t(ph_ctx_t context, Struct answer)
    : m_context{ context }
    , m_answer{ answer }
    {}
    answer_t(answer_t&& other) noexcept
    : m_context{ std::exchange(other.m_context, nullptr) }
    , m_answer{ other.m_answer }
    {}
    answer_t& operator=(answer_t&& other) noexcept
    {
        std::swap(m_context, other.m_context);
        std::swap(m_answer, other.m_answer);
        return *this;
    }
    answer_t(const answer_t&)            = delete;
    answer_t& operator=(const answer_t&) = delete;
    ~answer_t()
    {
        if(m_context != nullptr) Free(m_context, &m_answer);
    }

    const Struct& operator*() const noexcept { return m_answer; }
    const Struct* operator->() const noexcept { return &m_answer; }

private:
    ph_ctx_t m_context;
    Struct   m_answer;
};

/// Events of a track.
class event_list_t : public answer_t<ph_event_list_t, ph_event_list_free>
{
public:
    using answer_t::answer_t;
    const ph_event_t* begin() const noexcept { return view().begin(); }
    const ph_event_t* end() const noexcept { return view().end(); }
    std::size_t       size() const noexcept { return view().size(); }
    const ph_event_t& operator[](std::size_t place) const noexcept { return view()[place]; }

private:
    list_view_t<ph_event_t> view() const noexcept { return { (**this).events, (**this).list_size }; }
};

/// Values of a counter.
class sample_list_t : public answer_t<ph_sample_list_t, ph_sample_list_free>
{
public:
    using answer_t::answer_t;
    const ph_sample_t* begin() const noexcept { return view().begin(); }
    const ph_sample_t* end() const noexcept { return view().end(); }
    std::size_t        size() const noexcept { return view().size(); }
    const ph_sample_t& operator[](std::size_t place) const noexcept { return view()[place]; }

private:
    list_view_t<ph_sample_t> view() const noexcept
    {
        return { (**this).samples, (**this).list_size };
    }
};

using event_details_t = answer_t<ph_event_details_t, ph_event_details_free>;
using related_list_t  = answer_t<ph_related_list_t, ph_related_list_free>;
using table_page_t    = answer_t<ph_table_page_t, ph_table_page_free>;
using summary_t       = answer_t<ph_summary_t, ph_summary_free>;

/// An open rocpd file. It may be used from several threads at once. In a forked child it is the
/// parent's: calls throw database_error.
class reader_t
{
public:
    /// Opens a file; throws database_error with the reason.
    explicit reader_t(const std::string& path)
    {
        detail::check(ph_ctx_create(&m_context, path.c_str()));
    }
    ~reader_t() { ph_ctx_free(m_context); }
    reader_t(reader_t&& other) noexcept
    : m_context{ std::exchange(other.m_context, nullptr) }
    {}
    reader_t& operator=(reader_t&& other) noexcept
    {
        std::swap(m_context, other.m_context);
        return *this;
    }
    reader_t(const reader_t&)            = delete;
    reader_t& operator=(const reader_t&) = delete;

    /// The handle of the C API; it belongs to the reader.
    ph_ctx_t handle() const noexcept { return m_context; }

    version_t schema_version() const
    {
        ph_schema_version_t version = {};
        detail::check(ph_get_schema_version(m_context, &version));
        return { version.major, version.minor, version.patch };
    }

    ph_trace_info_t trace_info() const
    {
        ph_trace_info_t info = {};
        info.size            = sizeof(info);
        detail::check(ph_get_trace_info(m_context, &info));
        return info;
    }

    ph_node_t node() const
    {
        ph_node_t node = {};
        detail::check(ph_get_node(m_context, &node));
        return node;
    }

    /// All tracks; valid as long as the reader.
    list_view_t<ph_track_t> tracks() const
    {
        ph_track_list_t list = {};
        detail::check(ph_get_track_list(m_context, &list));
        return { list.tracks, list.list_size };
    }

    /// The events of a track that overlap a window; the whole track without one.
    event_list_t events(std::uint32_t track, std::uint64_t start = 0, std::uint64_t end = 0) const
    {
        ph_event_list_t list = {};
        detail::check(ph_get_track_events(m_context, track, start, end, &list));
        return { m_context, list };
    }

    /// The values of a counter in a window; the whole track without one.
    sample_list_t samples(std::uint32_t track, std::uint64_t start = 0, std::uint64_t end = 0) const
    {
        ph_sample_list_t list = {};
        detail::check(ph_get_track_samples(m_context, track, start, end, &list));
        return { m_context, list };
    }

    event_details_t details(ph_table_t table, std::uint64_t row_id) const
    {
        ph_event_details_t details = {};
        details.size               = sizeof(details);
        detail::check(ph_get_event_details(m_context, table, row_id, &details));
        return { m_context, details };
    }

    related_list_t related(ph_table_t table, std::uint64_t row_id) const
    {
        ph_related_list_t list = {};
        list.size              = sizeof(list);
        detail::check(ph_get_related_events(m_context, table, row_id, &list));
        return { m_context, list };
    }

    /// A page of a table; the query's size is set here.
    table_page_t page(ph_table_query_t query) const
    {
        query.size           = sizeof(query);
        ph_table_page_t page = {};
        page.size            = sizeof(page);
        detail::check(ph_get_table_page(m_context, &query, &page));
        return { m_context, page };
    }

    /// The events of a table by name, the longest total first.
    summary_t summary(ph_table_t table, std::uint64_t start = 0, std::uint64_t end = 0) const
    {
        ph_summary_t summary = {};
        summary.size         = sizeof(summary);
        detail::check(ph_get_summary(m_context, table, start, end, nullptr, 0, &summary));
        return { m_context, summary };
    }

    /// How busy tracks are in each bucket of a window; all tracks, if none are given.
    std::vector<ph_bucket_t> histogram(std::size_t                       bucket_count,
                                       std::uint64_t                     start  = 0,
                                       std::uint64_t                     end    = 0,
                                       const std::vector<std::uint32_t>& tracks = {}) const
    {
        std::vector<ph_bucket_t> buckets(bucket_count);
        detail::check(ph_get_histogram(m_context, start, end,
                                       tracks.empty() ? nullptr : tracks.data(), tracks.size(),
                                       buckets.data(), buckets.size()));
        return buckets;
    }

private:
    ph_ctx_t m_context = nullptr;
};

}  // namespace profiler_hub
