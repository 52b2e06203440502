#!/usr/bin/env bash
# Builds where there is no network, from vendored crates and with an empty cargo home; and says what to do where
# there are none. (From a filled cargo home: tests/consume/superbuild.) usage: offline.sh SCRATCH
set -euo pipefail
scratch=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/empty home" "$scratch/vendored"
toolchain=$(dirname "$(cd "$root" && rustup which cargo 2>/dev/null || command -v cargo)")

# The step that CONTRIBUTING.md describes.
(cd "$root" && cargo vendor --quiet --locked --versioned-dirs "$scratch/vendor dir" >/dev/null)

with_empty_home() { env "CARGO_HOME=$scratch/empty home" "PATH=$toolchain:$PATH" "$@"; }
builds() { # builds NAME CMAKE_ARGUMENT...
    local build=$scratch/$1
    shift
    cmake -S "$root/src/lib" -B "$build" -DPROFILER_HUB_OFFLINE=ON "$@"
    cmake --build "$build" --parallel
    "$root/tests/symbols/check.sh" "$build/lib" "$build/lib/librocprofiler-compute-tool.so" \
        "$root/rust/profiler-hub-capi/exports.txt" 2.34 "$root" "$scratch"
}
export root scratch
export -f builds
with_empty_home unshare -n -- bash -euo pipefail -c 'builds vendored "-DPROFILER_HUB_VENDOR_DIR=$scratch/vendor dir"'

if said=$(with_empty_home unshare -n -- bash -euo pipefail -c 'builds neither' 2>&1); then
    echo "it built without crates and without network" >&2
    exit 1
fi
grep -q -- '--offline\|offline mode' <<<"$said" || { echo "the reason is not named: $said" >&2; exit 1; }
