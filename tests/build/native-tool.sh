#!/usr/bin/env bash
# The run-time fallback with the real sources: an installation without the tool, whose files cannot be written,
# in a folder with a space and a dollar sign, without network; eight ranks at once. usage: native-tool.sh SCRATCH
set -euo pipefail
scratch=$1
rm -rf "$scratch"
mkdir -p "$scratch"
prefix=$scratch/in\ \$tallation
cp -a "$CONSUME_PREFIX" "$prefix"
rm -r "$prefix/lib/rocprofiler-compute"
cargo fetch --quiet --locked --manifest-path "$prefix/share/profiler-hub/source/Cargo.toml"
export prefix scratch

unshare -n -m -- bash -euo pipefail -c '
    mount --bind "$prefix" "$prefix"
    mount -o remount,bind,ro "$prefix"
    export PROFILER_HUB_CACHE_DIR="$scratch/the \$cache" ROCM_PATH=
    if "$prefix/bin/profiler-hub" native-tool --find; then
        echo "a tool is installed on this machine; this test needs one where there is none" >&2
        exit 1
    fi
    for rank in 0 1 2 3 4 5 6 7; do
        "$prefix/bin/profiler-hub" native-tool --json >"$scratch/rank$rank" 2>"$scratch/rank$rank.err" &
    done
    failed=0
    for rank in $(jobs -p); do wait "$rank" || failed=1; done
    cat "$scratch"/rank?
    [ "$failed" = 0 ] || { cat "$scratch"/rank?.err >&2; exit 1; }
    [ "$(grep -l "\"built\"" "$scratch"/rank? | wc -l)" = 1 ]
    tool=$("$prefix/bin/profiler-hub" native-tool)
    readelf -d "$tool" | grep -q librocprofiler-compute-tool.so
    LD_PRELOAD=$tool /bin/true
'
