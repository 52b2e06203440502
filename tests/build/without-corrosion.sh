#!/usr/bin/env bash
# Where Corrosion is not installed, plain cargo builds the same targets. usage: without-corrosion.sh BUILD
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$build"
mkdir -p "$build"
[ -z "${CONSUME_CARGO_DIR:-}" ] || ln -s "$CONSUME_CARGO_DIR" "$build/cargo"

said=$(cmake -S "$root/src/lib" -B "$build" -DCMAKE_DISABLE_FIND_PACKAGE_Corrosion=ON 2>&1)
[ "$(grep -c 'cargo is called directly' <<<"$said")" = 1 ] || { echo "no status line: $said" >&2; exit 1; }
cmake --build "$build" --target profiler-hub-native-tool
[ -s "$build/lib/librocprofiler-compute-tool.so" ]
[ ! -e "$build/lib/libprofiler-hub.a" ]
cmake --build "$build" --parallel
# The command is not part of src/lib; a product that is checked anyway stands in for it.
"$root/tests/symbols/check.sh" "$build/lib" "$build/lib/librocprofiler-compute-tool.so" \
    "$root/rust/profiler-hub-capi/exports.txt" 2.34 "$root" "$build"
