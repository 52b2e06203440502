# How the crates are built: with Corrosion where it is there, else with a plain call of cargo.
# The only file that talks to either. Include it once in each directory that adds a crate.
#
#   PROFILER_HUB_VERSION            version of the workspace
#   PROFILER_HUB_MINIMUM_RUST       the declared MSRV
#   _profiler_hub_add_crate(...)    builds one product of a crate
include_guard(DIRECTORY)

option(PROFILER_HUB_OFFLINE "Build without network: from PROFILER_HUB_VENDOR_DIR or a filled cargo home" OFF)
option(PROFILER_HUB_FETCH_DEPENDENCIES "Download Corrosion (pinned) if it is not installed" OFF)
set(PROFILER_HUB_VENDOR_DIR "" CACHE PATH "Folder made by 'cargo vendor': take the crates from there")

get_filename_component(PROFILER_HUB_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set(_profiler_hub_manifest "${PROFILER_HUB_ROOT_DIR}/Cargo.toml")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_profiler_hub_manifest}")
file(STRINGS "${_profiler_hub_manifest}" _profiler_hub_version REGEX "^version = \"[0-9.]+\"$")
file(STRINGS "${_profiler_hub_manifest}" _profiler_hub_msrv REGEX "^rust-version = \"[0-9.]+\"")
string(REGEX REPLACE "^[^\"]*\"([0-9.]+)\".*$" "\\1" PROFILER_HUB_VERSION "${_profiler_hub_version}")
string(REGEX REPLACE "^[^\"]*\"([0-9.]+)\".*$" "\\1" PROFILER_HUB_MINIMUM_RUST "${_profiler_hub_msrv}")

# Finds cargo and rustc and refuses what is too old. Sets PROFILER_HUB_CARGO and PROFILER_HUB_RUST_TARGET.
function(_profiler_hub_find_cargo)
    set(remedy "install Rust ${PROFILER_HUB_MINIMUM_RUST} or later (https://rustup.rs), or put it on PATH")
    foreach(tool IN ITEMS cargo rustc)
        string(TOUPPER "${tool}" upper)
        find_program(PROFILER_HUB_${upper} ${tool} PATHS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin"
            DOC "${tool} that builds the crates of profiler-hub")
        mark_as_advanced(PROFILER_HUB_${upper})
        if(NOT PROFILER_HUB_${upper})
            message(FATAL_ERROR "profiler-hub: ${tool} was not found on PATH nor in ~/.cargo/bin; ${remedy}")
        endif()
        # In the source folder, so that a toolchain file of the user's counts as it does in the build.
        execute_process(COMMAND "${PROFILER_HUB_${upper}}" -vV
            WORKING_DIRECTORY "${PROFILER_HUB_ROOT_DIR}"
            OUTPUT_VARIABLE said ERROR_VARIABLE trouble RESULT_VARIABLE status)
        if(NOT status EQUAL 0 OR NOT said MATCHES "^${tool} ([0-9]+\\.[0-9]+\\.[0-9]+)")
            message(FATAL_ERROR "profiler-hub: '${PROFILER_HUB_${upper}} -vV' failed (${status}): ${trouble}; ${remedy}")
        endif()
        if(CMAKE_MATCH_1 VERSION_LESS PROFILER_HUB_MINIMUM_RUST)
            message(FATAL_ERROR "profiler-hub: ${PROFILER_HUB_${upper}} is version ${CMAKE_MATCH_1}, but "
                "${PROFILER_HUB_MINIMUM_RUST} or later is needed; ${remedy}, "
                "and name it with -DPROFILER_HUB_${upper}=<path> where it is not the first on PATH")
        endif()
    endforeach()
    string(REGEX MATCH "host: ([^\n]+)" host_line "${said}")
    set(PROFILER_HUB_RUST_TARGET "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

_profiler_hub_find_cargo()

# Corrosion asks for CMake 3.22 in its first line, which would stop an older CMake for good.
if(NOT COMMAND corrosion_import_crate AND NOT CMAKE_VERSION VERSION_LESS 3.22)
    find_package(Corrosion 0.6 QUIET)
    if(NOT Corrosion_FOUND AND PROFILER_HUB_FETCH_DEPENDENCIES)
        include(FetchContent)
        FetchContent_Declare(Corrosion
            URL https://github.com/corrosion-rs/corrosion/archive/refs/tags/v0.6.1.tar.gz
            URL_HASH SHA256=e9e95b1ee2bad52681f347993fb1a5af5cce458c5ce8a2636c9e476e4babf8e3)
        FetchContent_MakeAvailable(Corrosion)
    endif()
endif()
set(_profiler_hub_why "")
if(NOT COMMAND corrosion_import_crate)
    set(_profiler_hub_why "no Corrosion 0.6 (needs CMake 3.22)")
elseif(CMAKE_CURRENT_BINARY_DIR MATCHES "[$]")
    set(_profiler_hub_why "Corrosion cannot build in a folder with a dollar sign")
endif()
get_property(_profiler_hub_said GLOBAL PROPERTY _profiler_hub_plain_cargo)
if(_profiler_hub_why AND NOT _profiler_hub_said)
    message(STATUS "profiler-hub: ${_profiler_hub_why}, so cargo is called directly")
    set_property(GLOBAL PROPERTY _profiler_hub_plain_cargo ON)
endif()

# Flags of cargo that every crate gets.
set(_profiler_hub_cargo_flags --locked)
if(PROFILER_HUB_OFFLINE)
    list(APPEND _profiler_hub_cargo_flags --offline)
endif()
if(PROFILER_HUB_VENDOR_DIR)
    list(APPEND _profiler_hub_cargo_flags
        --config "source.crates-io.replace-with='profiler-hub-vendored'"
        --config "source.profiler-hub-vendored.directory='${PROFILER_HUB_VENDOR_DIR}'")
endif()

# Environment that every crate gets. Nothing of this machine's paths may end up in a product, not even in
# the panic messages of dependencies. The encoded form survives paths with spaces; it takes the place of
# RUSTFLAGS, so those are carried over.
function(_profiler_hub_cargo_environment out)
    string(ASCII 31 separator)
    if(DEFINED ENV{CARGO_HOME})
        file(TO_CMAKE_PATH "$ENV{CARGO_HOME}" cargo_home)
    else()
        set(cargo_home "$ENV{HOME}/.cargo")
    endif()
    # A target folder shared through a link gives the same flags, hence the same artifacts, to all who share it.
    set(build_dir "${CMAKE_BINARY_DIR}/cargo")
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(multi_config)
        set(build_dir "${CMAKE_BINARY_DIR}")
    elseif(IS_SYMLINK "${build_dir}")
        get_filename_component(build_dir "${build_dir}" REALPATH)
    endif()
    # The last that matches wins, so the folders that may lie within another come later.
    set(flags
        "--remap-path-prefix=${cargo_home}=/cargo"
        "--remap-path-prefix=${PROFILER_HUB_ROOT_DIR}=/profiler-hub"
        "--remap-path-prefix=${build_dir}=/build")
    if(PROFILER_HUB_VENDOR_DIR)
        list(APPEND flags "--remap-path-prefix=${PROFILER_HUB_VENDOR_DIR}=/cargo/vendor")
    endif()
    set(c_flags "'-ffile-prefix-map=${cargo_home}=/cargo' '-ffile-prefix-map=${build_dir}=/build'")
    if(DEFINED ENV{CFLAGS})
        string(APPEND c_flags " $ENV{CFLAGS}")
    endif()
    # Cargo sets the encoded form for build scripts, and such a script may be what configures this; it may be empty.
    if(NOT "$ENV{CARGO_ENCODED_RUSTFLAGS}" STREQUAL "")
        list(APPEND flags "$ENV{CARGO_ENCODED_RUSTFLAGS}")
    elseif(DEFINED ENV{RUSTFLAGS})
        separate_arguments(users UNIX_COMMAND "$ENV{RUSTFLAGS}")
        list(APPEND flags ${users})
    endif()
    list(JOIN flags "${separator}" encoded)
    # Parts of SQLite that nothing here uses: a quarter of it, in size and in the time it takes to compile.
    set(without "")
    foreach(part IN ITEMS ENABLE_FTS3 ENABLE_FTS3_PARENTHESIS ENABLE_FTS5 ENABLE_RTREE ENABLE_DBSTAT_VTAB SOUNDEX)
        list(APPEND without "-USQLITE_${part}")
    endforeach()
    list(JOIN without " " sqlite_flags)
    set(${out} "CARGO_ENCODED_RUSTFLAGS=${encoded}" "CC_SHELL_ESCAPED_FLAGS=1" "CFLAGS=${c_flags}"
        "LIBSQLITE3_FLAGS=${sqlite_flags}" PARENT_SCOPE)
endfunction()

# _profiler_hub_add_crate(<package> NAME <cargo's target name> KINDS <cdylib|staticlib|bin>...
#                         [LINK_ARGS <linker argument>...])
#
# Adds the target cargo-build_<NAME> (part of ALL), and sets in the caller's scope, with NAME in upper case,
# PROFILER_HUB_<NAME>_CDYLIB, _STATICLIB, _BIN: where cargo's file is once that target is built. With a
# generator of several configurations these hold $<CONFIG>.
function(_profiler_hub_add_crate package)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME" "KINDS;LINK_ARGS")
    string(MAKE_C_IDENTIFIER "${arg_NAME}" identifier)
    string(TOUPPER "${identifier}" upper)
    set(file_cdylib "lib${arg_NAME}.so")
    set(file_staticlib "lib${arg_NAME}.a")
    set(file_bin "${arg_NAME}")
    _profiler_hub_cargo_environment(environment)
    list(TRANSFORM arg_LINK_ARGS PREPEND "-Clink-arg=" OUTPUT_VARIABLE rustc_flags)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)

    if(NOT _profiler_hub_why)
        corrosion_import_crate(MANIFEST_PATH "${_profiler_hub_manifest}" LOCKED
            CRATES "${package}" CRATE_TYPES ${arg_KINDS} FLAGS ${_profiler_hub_cargo_flags})
        corrosion_set_env_vars("${arg_NAME}" ${environment})
        if(rustc_flags)
            corrosion_add_target_local_rustflags("${arg_NAME}" ${rustc_flags})
        endif()
        set(folder "${CMAKE_CURRENT_BINARY_DIR}/cargo-artifacts")
        set_target_properties("${arg_NAME}" PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}"
            ARCHIVE_OUTPUT_DIRECTORY "${folder}" RUNTIME_OUTPUT_DIRECTORY "${folder}")
        if(multi_config)
            string(APPEND folder "/$<CONFIG>")
        endif()
    else()
        string(SHA1 hash "${_profiler_hub_manifest}")
        string(SUBSTRING "${hash}" 0 5 hash)
        get_filename_component(root_name "${PROFILER_HUB_ROOT_DIR}" NAME)
        set(target_dir "${CMAKE_BINARY_DIR}/cargo/${root_name}_${hash}")
        if(multi_config)
            set(target_dir "${CMAKE_BINARY_DIR}/$<CONFIG>/cargo/${root_name}_${hash}")
        endif()
        set(debug "$<OR:$<CONFIG:Debug>,$<CONFIG:>>")
        set(folder "${target_dir}/${PROFILER_HUB_RUST_TARGET}/$<IF:${debug},debug,release>")
        if("bin" IN_LIST arg_KINDS)
            set(filter "--bin=${arg_NAME}")
        else()
            list(TRANSFORM arg_KINDS PREPEND "--crate-type=" OUTPUT_VARIABLE filter)
            list(PREPEND filter --lib)
        endif()
        string(TOUPPER "CARGO_TARGET_${PROFILER_HUB_RUST_TARGET}_LINKER" linker_variable)
        string(REPLACE "-" "_" linker_variable "${linker_variable}")
        # What Corrosion sets too, so that both make the same artifacts and can share cargo's folder.
        set(compilers "")
        if(CMAKE_C_COMPILER)
            list(APPEND compilers "${linker_variable}=${CMAKE_C_COMPILER}" "CC_${PROFILER_HUB_RUST_TARGET}=${CMAKE_C_COMPILER}")
        endif()
        if(CMAKE_AR)
            list(APPEND compilers "AR_${PROFILER_HUB_RUST_TARGET}=${CMAKE_AR}")
        endif()
        foreach(kind IN LISTS arg_KINDS)
            list(APPEND byproducts "${folder}/${file_${kind}}")
        endforeach()
        add_custom_target("cargo-build_${arg_NAME}" ALL
            COMMAND "${CMAKE_COMMAND}" -E env ${environment}
                ${compilers}
                "${PROFILER_HUB_CARGO}" rustc ${filter} "--target=${PROFILER_HUB_RUST_TARGET}"
                --package "${package}" --manifest-path "${_profiler_hub_manifest}" --target-dir "${target_dir}"
                "$<$<NOT:${debug}>:--release>" ${_profiler_hub_cargo_flags} -- -Cdefault-linker-libraries=yes ${rustc_flags}
            BYPRODUCTS ${byproducts}
            WORKING_DIRECTORY "${PROFILER_HUB_ROOT_DIR}"
            USES_TERMINAL COMMAND_EXPAND_LISTS VERBATIM)
    endif()
    foreach(kind IN LISTS arg_KINDS)
        string(TOUPPER "${kind}" kind_upper)
        set(PROFILER_HUB_${upper}_${kind_upper} "${folder}/${file_${kind}}" PARENT_SCOPE)
    endforeach()
endfunction()
