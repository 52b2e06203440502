#!/usr/bin/env bash
# Installs a build, then moves what was installed. usage: install-and-move.sh BUILD CONFIG FIRST_PREFIX MOVED_PREFIX
set -euo pipefail
rm -rf "$3" "$4"
cmake --install "$1" --config "$2" --prefix "$3"
mv "$3" "$4"
for file in lib/libprofiler-hub.so lib/libprofiler-hub.so.0 lib/libprofiler-hub.a lib/pkgconfig/profiler-hub.pc \
    lib/cmake/ProfilerHub/ProfilerHubConfig.cmake lib/rocprofiler-compute/librocprofiler-compute-tool.so \
    include/profiler-hub/c/profiler_hub.h bin/profiler-hub share/man/man1/profiler-hub.1 \
    share/bash-completion/completions/profiler-hub share/zsh/site-functions/_profiler-hub \
    share/fish/vendor_completions.d/profiler-hub.fish share/profiler-hub/source/src/lib/CMakeLists.txt; do
    [ -s "$4/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done
# No text that was installed says where the build was, or where it was installed first.
! grep -rIlF -e "$1" -e "$3" "$4" || { echo "these mention a path of the build (see above)" >&2; exit 1; }
