# profiler_hub_ensure_sources(PATH…): in a sparse git checkout, brings what is not on disk; elsewhere
# costs a look at the disk. Lies beside the guard because nothing else needs to be on disk for it.

include_guard(GLOBAL)

set(PROFILER_HUB_SPARSE_GUARD "" CACHE STRING
    "How paths of a sparse checkout are brought: empty (a guard that is found, or built once), git (git's own command), or the path of a sparse-guard")
option(PROFILER_HUB_SPARSE_FETCH "Let git fetch what a partial clone lacks of the needed sources, as git does by itself" ON)

# The git folder of the work tree that contains `folder`; empty if there is none.
function(_profiler_hub_find_git_dir folder out)
    set(${out} "" PARENT_SCOPE)
    while(TRUE)
        if(EXISTS "${folder}/.git")
            set(git_dir "${folder}/.git")
            if(NOT IS_DIRECTORY "${git_dir}")
                # A linked worktree or a submodule.
                file(STRINGS "${git_dir}" line REGEX "^gitdir: " LIMIT_COUNT 1)
                string(REGEX REPLACE "^gitdir: " "" git_dir "${line}")
                get_filename_component(git_dir "${git_dir}" ABSOLUTE BASE_DIR "${folder}")
            endif()
            set(${out} "${git_dir}" PARENT_SCOPE)
            return()
        endif()
        get_filename_component(parent "${folder}" DIRECTORY)
        if(parent STREQUAL folder)
            return()
        endif()
        set(folder "${parent}")
    endwhile()
endfunction()

# Whether all `paths` are there, as far as that can be known without a guard.
function(_profiler_hub_sources_are_there out)
    set(${out} FALSE PARENT_SCOPE)
    foreach(path IN LISTS ARGN)
        if(NOT EXISTS "${path}")
            return()
        endif()
    endforeach()
    get_filename_component(here "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" REALPATH)
    _profiler_hub_find_git_dir("${here}" git_dir)
    if(git_dir AND EXISTS "${git_dir}/info/sparse-checkout")
        find_program(PROFILER_HUB_GIT git)
        mark_as_advanced(PROFILER_HUB_GIT)
        if(NOT PROFILER_HUB_GIT)
            return()
        endif()
        # Git keeps the file when sparse checkout is turned off.
        execute_process(COMMAND "${PROFILER_HUB_GIT}" -C "${here}" config --bool core.sparseCheckout
            OUTPUT_VARIABLE sparse OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(sparse STREQUAL "true")
            # Of a folder that exists a part may be left out.
            execute_process(COMMAND "${PROFILER_HUB_GIT}" -C "${here}" ls-files -t -- ${ARGN}
                OUTPUT_VARIABLE entries RESULT_VARIABLE result ERROR_QUIET)
            if(NOT result EQUAL 0 OR "\n${entries}" MATCHES "\nS ")
                return()
            endif()
        endif()
    endif()
    set(${out} TRUE PARENT_SCOPE)
endfunction()

# Paths are absolute, or relative to the folder of the CMakeLists.txt that calls this.
function(profiler_hub_ensure_sources)
    set(paths "")
    foreach(path IN LISTS ARGN)
        get_filename_component(path "${path}" ABSOLUTE)
        list(APPEND paths "${path}")
    endforeach()
    _profiler_hub_sources_are_there(there ${paths})
    if(there)
        return()
    endif()
    set(guard "${PROFILER_HUB_SPARSE_GUARD}")
    if(NOT guard)
        set(guard "$ENV{PROFILER_HUB_SPARSE_GUARD}")
    endif()
    set(options "")
    if(PROFILER_HUB_SPARSE_FETCH)
        list(APPEND options --allow-fetch)
    endif()
    message(STATUS "profiler-hub: sources are missing here; asking git's sparse checkout for them")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env
            "PROFILER_HUB_SPARSE_GUARD=${guard}" "PROFILER_HUB_OFFLINE=${PROFILER_HUB_OFFLINE}"
            sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/guard.sh" ensure ${options} ${paths}
        WORKING_DIRECTORY "${CMAKE_CURRENT_FUNCTION_LIST_DIR}"
        RESULT_VARIABLE result
        OUTPUT_VARIABLE said ECHO_OUTPUT_VARIABLE
        ERROR_VARIABLE complained ECHO_ERROR_VARIABLE)
    if(NOT result EQUAL 0)
        string(STRIP "${said}${complained}" complained)
        message(FATAL_ERROR "profiler-hub: needed sources are not on disk.\n${complained}")
    endif()
endfunction()
