# Makes of cargo's static archive one in which only the C API is global: the bundled SQLite and the Rust
# runtime in it must neither replace nor clash with another copy in the consumer's program.

# _profiler_hub_localise_archive(<output> INPUT <archive> EXPORTS <file> DEPENDS <target>)
#
# Links the archive into one object with everything that the exported symbols reach, makes all but those
# symbols local, and packs that object. EXPORTS has a symbol a line.
function(_profiler_hub_localise_archive output)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "INPUT;EXPORTS;DEPENDS" "")
    set(linker "${CMAKE_C_COMPILER}")
    if(NOT linker)
        set(linker "${CMAKE_CXX_COMPILER}")
    endif()
    if(NOT linker)
        find_program(PROFILER_HUB_CC NAMES cc gcc clang DOC "Compiler that drives the linker for libprofiler-hub.a")
        mark_as_advanced(PROFILER_HUB_CC)
        set(linker "${PROFILER_HUB_CC}")
    endif()
    find_program(PROFILER_HUB_OBJCOPY NAMES "${CMAKE_OBJCOPY}" objcopy llvm-objcopy DOC "objcopy for libprofiler-hub.a")
    find_program(PROFILER_HUB_AR NAMES "${CMAKE_AR}" ar llvm-ar DOC "ar for libprofiler-hub.a")
    mark_as_advanced(PROFILER_HUB_OBJCOPY PROFILER_HUB_AR)
    if(NOT linker OR NOT PROFILER_HUB_OBJCOPY OR NOT PROFILER_HUB_AR)
        message(FATAL_ERROR "profiler-hub: libprofiler-hub.a needs a C compiler, objcopy and ar; found "
            "'${linker}', '${PROFILER_HUB_OBJCOPY}', '${PROFILER_HUB_AR}'; install gcc (or clang) and binutils")
    endif()

    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_EXPORTS}")
    file(STRINGS "${arg_EXPORTS}" symbols REGEX "^[a-z]")
    list(TRANSFORM symbols PREPEND "-Wl,-u," OUTPUT_VARIABLE roots)
    list(TRANSFORM symbols PREPEND "--keep-global-symbol=" OUTPUT_VARIABLE keep)

    # Only GNU ld drops unused sections and dissolves section groups in a relocatable link.
    execute_process(COMMAND "${linker}" -Wl,--version OUTPUT_VARIABLE version ERROR_QUIET)
    set(gnu_flags "")
    if(version MATCHES "^GNU ld")
        set(gnu_flags -Wl,--gc-sections -Wl,--force-group-allocation)
    endif()

    # A folder of its own, since configurations may be built at once.
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/archive/$<CONFIG>")
    get_filename_component(output_folder "${output}" DIRECTORY)
    set(object "${folder}/profiler-hub.o")
    add_custom_command(OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}" "${output_folder}"
        COMMAND "${linker}" -r -nostdlib ${gnu_flags} ${roots} -o "${object}" "${arg_INPUT}"
        COMMAND "${PROFILER_HUB_OBJCOPY}" ${keep} --remove-section=.llvmbc --remove-section=.llvmcmd
            --strip-unneeded "${object}"
        COMMAND "${CMAKE_COMMAND}" -E rm -f "${output}"
        COMMAND "${PROFILER_HUB_AR}" rcsD "${output}" "${object}"
        COMMAND "${CMAKE_COMMAND}" -E rm -f "${object}"
        DEPENDS "${arg_DEPENDS}" "${arg_INPUT}" "${arg_EXPORTS}"
        COMMENT "Localising the symbols of libprofiler-hub.a"
        VERBATIM)
endfunction()
