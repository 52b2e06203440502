# What is installed, and in which component: runtime, development, tool, source.

if(PROJECT_IS_TOP_LEVEL)
    # ROCm has its libraries in lib on every distribution.
    if(NOT DEFINED CMAKE_INSTALL_LIBDIR AND NOT CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?$")
        set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Folder of the libraries below the prefix")
    endif()
    include(GNUInstallDirs)
endif()
# As a part of another build: the parent's folders, but no cache entries of GNUInstallDirs in its cache.
foreach(folder IN ITEMS LIBDIR=lib BINDIR=bin INCLUDEDIR=include DATADIR=share)
    string(REGEX MATCH "^(.*)=(.*)$" folder "${folder}")
    set(_profiler_hub_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    if(CMAKE_INSTALL_${CMAKE_MATCH_1})
        set(_profiler_hub_${CMAKE_MATCH_1} "${CMAKE_INSTALL_${CMAKE_MATCH_1}}")
    endif()
endforeach()
set(_profiler_hub_cmake_dir "${_profiler_hub_LIBDIR}/cmake/ProfilerHub")

foreach(variable IN ITEMS PROFILER_HUB_SHARED_LIBRARY PROFILER_HUB_STATIC_LIBRARY PROFILER_HUB_NATIVE_TOOL PROFILER_HUB_CAPI_DIR)
    get_directory_property(${variable} DIRECTORY "${PROFILER_HUB_ROOT_DIR}/src/lib" DEFINITION ${variable})
endforeach()

# The library
install(PROGRAMS "${PROFILER_HUB_SHARED_LIBRARY}.${PROFILER_HUB_VERSION}" "${PROFILER_HUB_SHARED_LIBRARY}.0"
    DESTINATION "${_profiler_hub_LIBDIR}" COMPONENT runtime)
install(FILES "${PROFILER_HUB_SHARED_LIBRARY}" "${PROFILER_HUB_STATIC_LIBRARY}"
    DESTINATION "${_profiler_hub_LIBDIR}" COMPONENT development)
install(DIRECTORY "${PROFILER_HUB_CAPI_DIR}/include/profiler-hub"
    DESTINATION "${_profiler_hub_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# The ways in
include(CMakePackageConfigHelpers)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/ProfilerHubConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/package/ProfilerHubConfig.cmake"
    INSTALL_DESTINATION "${_profiler_hub_cmake_dir}"
    PATH_VARS _profiler_hub_LIBDIR _profiler_hub_INCLUDEDIR)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/package/ProfilerHubConfigVersion.cmake"
    VERSION "${PROFILER_HUB_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/package/ProfilerHubConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/package/ProfilerHubConfigVersion.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/ProfilerHubTargets.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/ProfilerHubExternalProject.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/FindProfilerHub.cmake"
    DESTINATION "${_profiler_hub_cmake_dir}" COMPONENT development)
file(RELATIVE_PATH _profiler_hub_pc_to_prefix "/${_profiler_hub_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" _profiler_hub_pc_to_prefix "${_profiler_hub_pc_to_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/profiler-hub.pc.in"
    "${CMAKE_CURRENT_BINARY_DIR}/package/profiler-hub.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/package/profiler-hub.pc"
    DESTINATION "${_profiler_hub_LIBDIR}/pkgconfig" COMPONENT development)

# The native tool
install(PROGRAMS "${PROFILER_HUB_NATIVE_TOOL}"
    DESTINATION "${_profiler_hub_LIBDIR}/rocprofiler-compute" COMPONENT tool)

# The command
if(PROFILER_HUB_BUILD_COMMAND)
    install(PROGRAMS "${PROFILER_HUB_COMMAND_DIR}/profiler-hub"
        DESTINATION "${_profiler_hub_BINDIR}" COMPONENT runtime)
    install(DIRECTORY "${PROFILER_HUB_SHARE_DIR}/"
        DESTINATION "${_profiler_hub_DATADIR}" COMPONENT runtime)
endif()

# The sources that a machine without the tool builds it from (profiler-hub native-tool --build), and that
# profiler_hub_external_project() takes by default.
set(_profiler_hub_source_dir "${_profiler_hub_DATADIR}/profiler-hub/source")
install(FILES "${PROFILER_HUB_ROOT_DIR}/CMakeLists.txt" "${PROFILER_HUB_ROOT_DIR}/Cargo.toml"
    "${PROFILER_HUB_ROOT_DIR}/Cargo.lock" "${PROFILER_HUB_ROOT_DIR}/LICENSE"
    DESTINATION "${_profiler_hub_source_dir}" COMPONENT source)
install(DIRECTORY "${PROFILER_HUB_ROOT_DIR}/cmake" "${PROFILER_HUB_ROOT_DIR}/src"
    DESTINATION "${_profiler_hub_source_dir}" COMPONENT source
    PATTERN "target" EXCLUDE PATTERN "_build" EXCLUDE)
# A Cargo workspace has to have all its members, those that only tests need included.
file(STRINGS "${PROFILER_HUB_ROOT_DIR}/Cargo.toml" _profiler_hub_members REGEX "^    \"(rust|tests)/[^\"]+\",$")
foreach(member IN LISTS _profiler_hub_members)
    string(REGEX REPLACE "^ +\"(.*)\",$" "\\1" member "${member}")
    get_filename_component(parent "${member}" DIRECTORY)
    install(DIRECTORY "${PROFILER_HUB_ROOT_DIR}/${member}"
        DESTINATION "${_profiler_hub_source_dir}/${parent}" COMPONENT source PATTERN "target" EXCLUDE)
endforeach()
if(PROFILER_HUB_VENDOR_DIR)
    # With its crates, so that the tool can be built where there is no network.
    install(DIRECTORY "${PROFILER_HUB_VENDOR_DIR}/"
        DESTINATION "${_profiler_hub_source_dir}/vendor" COMPONENT source)
endif()
