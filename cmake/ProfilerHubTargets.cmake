# The imported targets, made the same way wherever the library comes from: the build folder, an installed
# prefix, an external project.

# _profiler_hub_add_library(<shared|static> LOCATION <file> INCLUDE_DIR <folder> [DEPENDS <target>])
#
# Makes ProfilerHub::profiler-hub or ProfilerHub::profiler-hub-static, and the same name with the namespace
# profiler-hub:: for users of older builds. $<CONFIG> in LOCATION is filled in for each configuration.
function(_profiler_hub_add_library kind)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LOCATION;INCLUDE_DIR;DEPENDS" "")
    string(TOUPPER "${kind}" type)
    set(name profiler-hub)
    if(kind STREQUAL "static")
        set(name profiler-hub-static)
    endif()
    if(TARGET "ProfilerHub::${name}")
        return()
    endif()
    add_library("ProfilerHub::${name}" ${type} IMPORTED GLOBAL)
    add_library("profiler-hub::${name}" ALIAS "ProfilerHub::${name}")
    set_target_properties("ProfilerHub::${name}" PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE_DIR}"
        IMPORTED_LINK_INTERFACE_LANGUAGES C)
    foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
        string(TOUPPER "${config}" upper)
        string(REPLACE "$<CONFIG>" "${config}" location "${arg_LOCATION}")
        set_target_properties("ProfilerHub::${name}" PROPERTIES "IMPORTED_LOCATION_${upper}" "${location}")
    endforeach()
    string(REPLACE "$<CONFIG>" "Release" location "${arg_LOCATION}")
    set_target_properties("ProfilerHub::${name}" PROPERTIES IMPORTED_LOCATION "${location}")
    if(kind STREQUAL "shared")
        set_target_properties("ProfilerHub::${name}" PROPERTIES IMPORTED_SONAME libprofiler-hub.so.0)
    else()
        # What rustc names for its standard library on Linux. As flags: a bare name such as "m" would be
        # taken for a target of the consumer's that happens to be called so.
        set_target_properties("ProfilerHub::${name}" PROPERTIES
            INTERFACE_LINK_LIBRARIES "-lgcc_s;-lutil;-lrt;-lpthread;-lm;-ldl")
    endif()
    if(arg_DEPENDS)
        add_dependencies("ProfilerHub::${name}" "${arg_DEPENDS}")
    endif()
endfunction()
