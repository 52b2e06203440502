# Finds profiler-hub: its config package if there is one, else the files.
#
#   find_package(ProfilerHub [<version>] [REQUIRED] [COMPONENTS shared static])
#
# Hints: ProfilerHub_ROOT, CMAKE_PREFIX_PATH, ROCM_PATH, /opt/rocm. Gives the same targets as the config package:
# ProfilerHub::profiler-hub, ProfilerHub::profiler-hub-static. Put this file on CMAKE_MODULE_PATH.

find_package(ProfilerHub ${ProfilerHub_FIND_VERSION} CONFIG QUIET
    COMPONENTS ${ProfilerHub_FIND_COMPONENTS}
    PATHS "$ENV{ROCM_PATH}" /opt/rocm)
include(FindPackageHandleStandardArgs)
if(ProfilerHub_FOUND)
    find_package_handle_standard_args(ProfilerHub CONFIG_MODE HANDLE_COMPONENTS)
    return()
endif()

find_path(ProfilerHub_INCLUDE_DIR profiler-hub/c/profiler_hub.h
    HINTS "$ENV{ROCM_PATH}" /opt/rocm PATH_SUFFIXES include)
find_library(ProfilerHub_SHARED_LIBRARY NAMES libprofiler-hub.so
    HINTS "$ENV{ROCM_PATH}" /opt/rocm PATH_SUFFIXES lib lib64)
find_library(ProfilerHub_STATIC_LIBRARY NAMES libprofiler-hub.a
    HINTS "$ENV{ROCM_PATH}" /opt/rocm PATH_SUFFIXES lib lib64)
mark_as_advanced(ProfilerHub_INCLUDE_DIR ProfilerHub_SHARED_LIBRARY ProfilerHub_STATIC_LIBRARY)

# The shared library's full name ends in the version; else the pkg-config file says it.
set(ProfilerHub_VERSION "")
set(ProfilerHub_LIBRARY "${ProfilerHub_SHARED_LIBRARY}")
if(ProfilerHub_SHARED_LIBRARY)
    get_filename_component(_profiler_hub_name "${ProfilerHub_SHARED_LIBRARY}" REALPATH)
    if(_profiler_hub_name MATCHES "\\.so\\.([0-9]+\\.[0-9]+\\.[0-9]+)$")
        set(ProfilerHub_VERSION "${CMAKE_MATCH_1}")
    endif()
elseif(ProfilerHub_STATIC_LIBRARY)
    set(ProfilerHub_LIBRARY "${ProfilerHub_STATIC_LIBRARY}")
    get_filename_component(_profiler_hub_folder "${ProfilerHub_STATIC_LIBRARY}" DIRECTORY)
    if(EXISTS "${_profiler_hub_folder}/pkgconfig/profiler-hub.pc")
        file(STRINGS "${_profiler_hub_folder}/pkgconfig/profiler-hub.pc" _profiler_hub_line REGEX "^Version: ")
        string(REPLACE "Version: " "" ProfilerHub_VERSION "${_profiler_hub_line}")
    endif()
endif()

foreach(_profiler_hub_kind IN ITEMS shared static)
    string(TOUPPER "${_profiler_hub_kind}" _profiler_hub_upper)
    set(ProfilerHub_${_profiler_hub_kind}_FOUND FALSE)
    if(ProfilerHub_INCLUDE_DIR AND ProfilerHub_${_profiler_hub_upper}_LIBRARY)
        set(ProfilerHub_${_profiler_hub_kind}_FOUND TRUE)
    endif()
endforeach()
find_package_handle_standard_args(ProfilerHub
    REQUIRED_VARS ProfilerHub_LIBRARY ProfilerHub_INCLUDE_DIR
    VERSION_VAR ProfilerHub_VERSION HANDLE_COMPONENTS)
if(NOT ProfilerHub_FOUND)
    return()
endif()

# Imported targets as the config package makes them; its helper is not here, so this file stands alone.
foreach(_profiler_hub_kind IN ITEMS shared static)
    string(TOUPPER "${_profiler_hub_kind}" _profiler_hub_upper)
    set(_profiler_hub_target profiler-hub)
    if(_profiler_hub_kind STREQUAL "static")
        set(_profiler_hub_target profiler-hub-static)
    endif()
    if(ProfilerHub_${_profiler_hub_kind}_FOUND AND NOT TARGET ProfilerHub::${_profiler_hub_target})
        add_library(ProfilerHub::${_profiler_hub_target} ${_profiler_hub_upper} IMPORTED GLOBAL)
        add_library(profiler-hub::${_profiler_hub_target} ALIAS ProfilerHub::${_profiler_hub_target})
        set_target_properties(ProfilerHub::${_profiler_hub_target} PROPERTIES
            IMPORTED_LOCATION "${ProfilerHub_${_profiler_hub_upper}_LIBRARY}"
            IMPORTED_LINK_INTERFACE_LANGUAGES C
            INTERFACE_INCLUDE_DIRECTORIES "${ProfilerHub_INCLUDE_DIR}")
    endif()
endforeach()
if(TARGET ProfilerHub::profiler-hub-static)
    set_target_properties(ProfilerHub::profiler-hub-static PROPERTIES
        INTERFACE_LINK_LIBRARIES "-lgcc_s;-lutil;-lrt;-lpthread;-lm;-ldl")
endif()
