# cpack: .deb, .rpm and .tgz, one package for each component, below the prefix /opt/rocm unless told otherwise.

set(CPACK_GENERATOR "DEB;RPM;TGZ")
set(CPACK_PACKAGE_NAME profiler-hub)
set(CPACK_PACKAGE_VENDOR "profiler-hub")
set(CPACK_PACKAGE_CONTACT "profiler-hub maintainers <profiler-hub@users.noreply.github.com>")
set(CPACK_PACKAGE_VERSION "${PROFILER_HUB_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "rocpd databases of GPU profiling runs")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_COMPONENTS_ALL runtime development tool source)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
# Copyright, changelog and lintian overrides lie outside the prefix, and binaries are stripped.
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/package-files.cmake")
set(CPACK_PROFILER_HUB_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
set(CPACK_PROFILER_HUB_OVERRIDES "${CMAKE_CURRENT_LIST_DIR}/lintian-overrides.in")
set(CPACK_PROFILER_HUB_STRIP "${CMAKE_STRIP}")

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "The command profiler-hub and the shared library.\nReads, writes and merges rocpd databases of GPU profiling runs.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers, static library, CMake package and pkg-config file.\nFor building programs that use libprofiler-hub.")
set(CPACK_COMPONENT_TOOL_DESCRIPTION
    "The native counter tool.\nPreloaded into an application, it writes hardware counters to a rocpd database.")
set(CPACK_COMPONENT_SOURCE_DESCRIPTION
    "The sources of library and tool.\nA machine without the native counter tool builds it from them.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME profiler-hub)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME profiler-hub-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "profiler-hub (= ${PROFILER_HUB_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME profiler-hub-tool)
set(CPACK_DEBIAN_SOURCE_PACKAGE_NAME profiler-hub-source)
set(CPACK_DEBIAN_SOURCE_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_SOURCE_PACKAGE_ARCHITECTURE all)

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_MAIN_COMPONENT runtime)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_NAME profiler-hub-devel)
set(CPACK_RPM_DEVELOPMENT_PACKAGE_REQUIRES "profiler-hub = ${PROFILER_HUB_VERSION}")
set(CPACK_RPM_TOOL_PACKAGE_NAME profiler-hub-tool)
set(CPACK_RPM_SOURCE_PACKAGE_NAME profiler-hub-source)
set(CPACK_RPM_SOURCE_PACKAGE_ARCHITECTURE noarch)
# Folders that other packages of the prefix have too.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /opt "${CMAKE_INSTALL_PREFIX}"
    "${CMAKE_INSTALL_PREFIX}/bin" "${CMAKE_INSTALL_PREFIX}/include" "${CMAKE_INSTALL_PREFIX}/lib"
    "${CMAKE_INSTALL_PREFIX}/lib/cmake" "${CMAKE_INSTALL_PREFIX}/lib/pkgconfig"
    "${CMAKE_INSTALL_PREFIX}/lib/rocprofiler-compute" "${CMAKE_INSTALL_PREFIX}/share"
    "${CMAKE_INSTALL_PREFIX}/share/man" "${CMAKE_INSTALL_PREFIX}/share/man/man1")

include(CPack)
