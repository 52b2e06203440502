#!/usr/bin/env bash
# Builds the super-build without network, in full and then again; moves what came out; runs it.
# usage: superbuild.sh BUILD_FOLDER
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
rm -rf "$build"
cargo fetch --quiet --locked --manifest-path "$root/Cargo.toml"

no_network() { unshare -n -- "$@"; }
no_network cmake -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release "-DSUPERBUILD_SOURCE_DIR=$root"
no_network cmake --build "$build"
library=$build/profiler-hub/stage/opt/superbuild-that-is-never-there/lib/libprofiler-hub.so.0
before=$(stat -L -c '%Y %s %i' "$library")
said=$(no_network cmake --build "$build" 2>&1)
! grep -E 'Compiling|Naming|Localising' <<<"$said" || { echo "the incremental build compiled" >&2; exit 1; }
[ "$before" = "$(stat -L -c '%Y %s %i' "$library")" ] || { echo "the incremental build replaced the library" >&2; exit 1; }

mv "$build/dist" "$build/elsewhere"
said=$("$build/elsewhere/bin/viewer" "$root/tests/golden/trace/trace.db")
echo "$said"
[[ $said == "profiler-hub "*" reads schema 3.0.0" ]]
"$build/elsewhere/bin/profiler-hub" probe "$root/tests/golden/trace/trace.db"
! grep -rIl "$build" "$build/elsewhere" || { echo "these mention the build folder" >&2; exit 1; }
