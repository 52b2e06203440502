#!/bin/sh
# pkg-config and plain cc, without CMake. usage: build.sh OUTPUT_FOLDER (PKG_CONFIG_PATH names the prefix)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
pkg-config --atleast-version=0.1 profiler-hub

# eval: pkg-config escapes the spaces of a path for the shell.
eval "libdir=$(pkg-config --variable=libdir profiler-hub)"
eval "set -- \"\$1\" $(pkg-config --cflags --libs profiler-hub)"
output=$1
shift
${CC:-cc} "$here/read_trace.c" -o "$output/read_trace" "$@" "-Wl,-rpath,$libdir"

eval "set -- $(pkg-config --cflags profiler-hub) \"\$libdir/libprofiler-hub.a\" \
    $(pkg-config --static --libs-only-l profiler-hub | sed 's/-lprofiler-hub//')"
${CC:-cc} "$here/read_trace.c" -o "$output/read_trace_static" "$@"
