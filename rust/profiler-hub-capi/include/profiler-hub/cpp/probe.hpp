// What a file is, before anything is opened.
#pragma once

#include <profiler-hub/c/profiler_hub.h>

#include <cstdint>
#include <string>

namespace profiler_hub
{

/// A version of three numbers.
struct version_t
{
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::uint32_t patch = 0;
};

/// What a file was found to be.
struct database_probe_t
{
    ph_probe_status_t status  = PH_PROBE_UNREADABLE;
    version_t         version = {};  ///< 0.0.0 if the file tells none.
    std::string       uuid    = {};  ///< The first guid; empty if the file tells none.
    std::string       message = {};  ///< What was found and what is accepted, for a person.
    ph_result_t       result  = PH_RESULT_SUCCESS;  ///< What opening the file would give.

    /// Whether the file can be read.
    explicit operator bool() const noexcept { return status == PH_PROBE_SUPPORTED; }
};

/// Tells what a file is. Does not throw for a file that cannot be read: the status tells.
inline database_probe_t
probe_database(const std::string& path)
{
    ph_database_probe_t found = {};
    found.size                = sizeof(found);
    database_probe_t probe    = {};
    probe.result              = ph_probe_database(path.c_str(), &found);
    if(probe.result == PH_RESULT_INVALID_ARGUMENT || probe.result == PH_RESULT_INTERNAL_ERROR)
    {
        probe.message = ph_last_error_message();
        return probe;
    }
    probe.status  = found.status;
    probe.version = { found.version.major, found.version.minor, found.version.patch };
    probe.uuid    = found.guid;
    probe.message = found.message;
    return probe;
}

}  // namespace profiler_hub
