// A rocpd file being made.
#pragma once

#include <profiler-hub/cpp/error.hpp>
#include <profiler-hub/cpp/probe.hpp>

#include <algorithm>
#include <string>

namespace profiler_hub
{

/// A new rocpd file of schema 3.0.0. Give it to a writer_t to fill it.
///
/// In a forked child it is the parent's: the destructor leaves the file alone there, and all else
/// throws database_error.
class storage_t
{
public:
    /// Makes the file; there must be nothing at the path.
    ///
    /// `uuid` is the guid, 1 to 64 ASCII letters, digits, `-` and `_`, best a UUID as
    /// 0190d1a2-77f3-7cc0-8000-000000000000, or as it stands in table names, with `_` for `-` and
    /// one before it; empty for a new one.
    storage_t(const std::string& path, const std::string& uuid)
    {
        std::string guid = uuid;
        if(!guid.empty() && guid.front() == '_')
        {
            guid.erase(0, 1);
            std::replace(guid.begin(), guid.end(), '_', '-');
        }
        detail::check(
            ph_writer_open(&m_writer, path.c_str(), guid.empty() ? nullptr : guid.c_str()));
    }

    /// Puts everything into the file and closes it. Use writer_t::flush_in_memory_data_to_disk
    /// before, to hear of failures.
    ~storage_t() { ph_writer_close(m_writer); }

    storage_t(const storage_t&)            = delete;
    storage_t(storage_t&&)                 = delete;
    storage_t& operator=(const storage_t&) = delete;
    storage_t& operator=(storage_t&&)      = delete;

    /// The version of the schema that is written.
    version_t get_storage_version() const
    {
        ph_schema_version_t version = {};
        detail::check(ph_writer_get_schema_version(m_writer, &version));
        return { version.major, version.minor, version.patch };
    }

    /// The handle of the C API; it belongs to the storage.
    ph_writer_t handle() const noexcept { return m_writer; }

private:
    ph_writer_t m_writer = nullptr;
};

}  // namespace profiler_hub
