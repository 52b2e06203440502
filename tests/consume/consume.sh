#!/usr/bin/env bash
# Builds the consumer in tests/consume/<way> and runs what comes out of it on a golden database.
# usage: consume.sh WAY BUILD_FOLDER [CMAKE_ARGUMENT...]
# From the environment (ctest sets it): CONSUME_PREFIX, an installed prefix that was moved after installing;
# CONSUME_CARGO_DIR, cargo's folder of the main build, to be shared so that no consumer is a cold build.
set -euo pipefail
way=$1 build=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
trace=$root/tests/golden/trace/trace.db
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)

rm -rf "$build"
mkdir -p "$build"
share_cargo_dir() {
    [ -z "${CONSUME_CARGO_DIR:-}" ] || { mkdir -p "$1" && ln -s "$CONSUME_CARGO_DIR" "$1/cargo"; }
}
case $way in
config | find-module) ;;
find-module-without-config)
    # A prefix of which somebody copied only headers and libraries, and a project with its own copy of the module.
    mkdir -p "$build/prefix/lib" "$build/modules"
    cp -a "$CONSUME_PREFIX/include" "$build/prefix/"
    cp -a "$CONSUME_PREFIX"/lib/libprofiler-hub* "$build/prefix/lib/"
    cp "$CONSUME_PREFIX/lib/cmake/ProfilerHub/FindProfilerHub.cmake" "$build/modules/"
    set -- "-DCMAKE_PREFIX_PATH=$build/prefix" "-DCONSUME_MODULE_DIR=$build/modules" "$@"
    way=find-module
    ;;
external-project-installed)
    set -- -DCONSUME_SOURCE_DIR= "$@"
    way=external-project
    ;;
subdirectory) share_cargo_dir "$build" ;;
external-project) share_cargo_dir "$build/profiler_hub_external-prefix/src/profiler_hub_external-build" ;;
pkg-config)
    PKG_CONFIG_PATH=$CONSUME_PREFIX/lib/pkgconfig "$here/pkg-config/build.sh" "$build"
    ;;
esac
if [ "$way" != pkg-config ]; then
    cmake -S "$here/$way" -B "$build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${CONSUME_PREFIX:-}" \
        "-DCONSUME_MODULE_DIR=${CONSUME_PREFIX:-}/lib/cmake/ProfilerHub" "-DCONSUME_SOURCE_DIR=$root" "$@"
    cmake --build "$build" --config Release
fi

programs=0
for program in "$build"/read_trace* "$build"/Release/read_trace*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    said=$("$program" "$trace")
    echo "$(basename "$program"): $said"
    [ "$said" = "profiler-hub $version reads schema 3.0.0" ]
    programs=$((programs + 1))
done
[ "$programs" -ge 2 ] || { echo "only $programs programs were built in $build" >&2; exit 1; }
