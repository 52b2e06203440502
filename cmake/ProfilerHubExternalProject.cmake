# profiler_hub_external_project(): builds profiler-hub as a step of another build, in a build of its own.
include_guard(GLOBAL)
include(ExternalProject)
include("${CMAKE_CURRENT_LIST_DIR}/ProfilerHubTargets.cmake")

# Installed, the sources lie in <prefix>/share/profiler-hub/source; in the source tree, around this file.
set(_profiler_hub_external_sources "")
foreach(_profiler_hub_candidate IN ITEMS ".." "../../../share/profiler-hub/source" "../../../../share/profiler-hub/source")
    get_filename_component(_profiler_hub_candidate "${CMAKE_CURRENT_LIST_DIR}/${_profiler_hub_candidate}" ABSOLUTE)
    if(EXISTS "${_profiler_hub_candidate}/src/lib/CMakeLists.txt")
        set(_profiler_hub_external_sources "${_profiler_hub_candidate}")
        break()
    endif()
endforeach()
set_property(GLOBAL PROPERTY _profiler_hub_external_sources "${_profiler_hub_external_sources}")

# profiler_hub_external_project(<name> [INSTALL_DIR <folder>] [SOURCE_DIR <folder>] [CMAKE_ARGS <argument>...]
#                               [<argument of ExternalProject_Add>...])
#
# Adds the external project <name> with the compiler, generator and build type of the calling build, installs
# it to INSTALL_DIR (default: <build folder>/<name>), and makes ProfilerHub::profiler-hub and
# ProfilerHub::profiler-hub-static, usable at once. The sources are those that came with this file, unless
# SOURCE_DIR or a download argument such as GIT_REPOSITORY names others; nothing is downloaded otherwise.
# PROFILER_HUB_OFFLINE and PROFILER_HUB_VENDOR_DIR of the calling build are handed on.
function(profiler_hub_external_project name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "INSTALL_DIR;SOURCE_DIR" "CMAKE_ARGS")
    if(NOT arg_INSTALL_DIR)
        set(arg_INSTALL_DIR "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    endif()
    get_property(own_sources GLOBAL PROPERTY _profiler_hub_external_sources)
    if(NOT arg_SOURCE_DIR AND NOT arg_UNPARSED_ARGUMENTS MATCHES "(^|;)(URL|GIT_REPOSITORY|DOWNLOAD_COMMAND);")
        if(NOT own_sources)
            message(FATAL_ERROR "profiler_hub_external_project(${name}): the sources are not installed beside "
                "this package; install its component 'source', or give SOURCE_DIR or GIT_REPOSITORY")
        endif()
        set(arg_SOURCE_DIR "${own_sources}")
    endif()
    set(source "")
    if(arg_SOURCE_DIR)
        set(source SOURCE_DIR "${arg_SOURCE_DIR}")
    endif()

    set(forward "")
    foreach(variable IN ITEMS CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_TOOLCHAIN_FILE CMAKE_MAKE_PROGRAM
            Corrosion_DIR Rust_TOOLCHAIN PROFILER_HUB_OFFLINE PROFILER_HUB_VENDOR_DIR PROFILER_HUB_CARGO PROFILER_HUB_RUSTC)
        if(${variable})
            list(APPEND forward "-D${variable}=${${variable}}")
        endif()
    endforeach()
    string(REPLACE ";" "|" prefix_path "${CMAKE_PREFIX_PATH}")

    set(libraries "${arg_INSTALL_DIR}/lib/libprofiler-hub.so" "${arg_INSTALL_DIR}/lib/libprofiler-hub.a")
    ExternalProject_Add("${name}"
        ${source}
        INSTALL_DIR "${arg_INSTALL_DIR}"
        LIST_SEPARATOR "|"
        CMAKE_ARGS
            "-DCMAKE_INSTALL_PREFIX=${arg_INSTALL_DIR}" -DCMAKE_INSTALL_LIBDIR=lib
            "-DCMAKE_PREFIX_PATH=${prefix_path}"
            -DPROFILER_HUB_BUILD_TESTS=OFF -DPROFILER_HUB_BUILD_BENCHMARKS=OFF -DPROFILER_HUB_BUILD_COMMAND=OFF
            ${forward} ${arg_CMAKE_ARGS}
        BUILD_BYPRODUCTS ${libraries}
        ${arg_UNPARSED_ARGUMENTS})

    # CMake wants an imported target's include folder to exist when it generates.
    file(MAKE_DIRECTORY "${arg_INSTALL_DIR}/include")
    _profiler_hub_add_library(shared LOCATION "${arg_INSTALL_DIR}/lib/libprofiler-hub.so"
        INCLUDE_DIR "${arg_INSTALL_DIR}/include" DEPENDS "${name}")
    _profiler_hub_add_library(static LOCATION "${arg_INSTALL_DIR}/lib/libprofiler-hub.a"
        INCLUDE_DIR "${arg_INSTALL_DIR}/include" DEPENDS "${name}")
endfunction()
