// Errors of the C API as exceptions.
#pragma once

#include <profiler-hub/c/profiler_hub.h>

#include <stdexcept>
#include <string>

namespace profiler_hub
{

/// A call named something that is not there or not known.
class argument_error : public std::invalid_argument
{
public:
    explicit argument_error(const std::string& what)
    : std::invalid_argument{ what }
    {}
};

/// A file cannot be read or written, or the library has a bug.
class database_error : public std::runtime_error
{
public:
    database_error(ph_result_t result, const std::string& what)
    : std::runtime_error{ what }
    , m_result{ result }
    {}

    /// The code that the C API gave.
    ph_result_t result() const noexcept { return m_result; }

private:
    ph_result_t m_result;
};

namespace detail
{

/// Throws what a failed call of this thread says.
inline void
check(ph_result_t result)
{
    if(result == PH_RESULT_SUCCESS) return;
    const std::string message{ ph_last_error_message() };
    if(result == PH_RESULT_INVALID_ARGUMENT) throw argument_error{ message };
    throw database_error{ result, message };
}

}  // namespace detail
}  // namespace profiler_hub
