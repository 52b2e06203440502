#!/usr/bin/env bash
# A second build does nothing; touching one source of a crate compiles and relinks that crate once.
# usage: again.sh BUILD CONFIG
set -euo pipefail
build=$1 config=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
products() { find "$build/lib" "$build/bin" -type f -printf '%p %T@ %i\n' | sort; }

cmake --build "$build" --config "$config" >/dev/null
before=$(products)
said=$(cmake --build "$build" --config "$config" 2>&1)
! grep -E 'Compiling|Naming|Localising|Placing' <<<"$said" || { echo "the second build did something" >&2; exit 1; }
[ "$before" = "$(products)" ] || { echo "the second build wrote products anew" >&2; exit 1; }

touch "$root/rust/rocprofiler-compute-tool/src/lib.rs"
start=$SECONDS
said=$(cmake --build "$build" --config "$config" 2>&1)
echo "incremental build: $((SECONDS - start)) s"
compiled=$(grep -c 'Compiling' <<<"$said" || true)
[ "$compiled" = 1 ] || { echo "touching one file compiled $compiled crates: $said" >&2; exit 1; }
# The tool may come out as it was; nothing else may have been put in place.
! grep -E 'Localising|Placing|Naming libprofiler' <<<"$said" || { echo "touching the tool rebuilt more" >&2; exit 1; }
changed=$(diff <(echo "$before") <(products) | sed -n 's/^> \(.*\) [0-9.]* [0-9]*$/\1/p')
case $changed in
'' | */librocprofiler-compute-tool.so) ;;
*) echo "touching the tool changed: $changed" >&2; exit 1 ;;
esac
