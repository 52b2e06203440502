#!/usr/bin/env bash
# What is missing is named, with the version found, the version wanted, and what to do. usage: errors.sh SCRATCH
set -euo pipefail
scratch=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/old"
cmake=$(command -v cmake)
msrv=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' "$root/Cargo.toml")

refuses() { # refuses PATTERN COMMAND...: the command fails and says PATTERN, line breaks aside
    local pattern=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "accepted: $*" >&2
        exit 1
    fi
    tr -s ' \n' ' ' <<<"$said" | grep -q -- "$pattern" || { echo "expected '$pattern', got: $said" >&2; exit 1; }
}
# No cargo: a PATH with all that a configure needs but cargo.
for tool in cc make ninja as ld uname getconf sh; do
    path=$(command -v "$tool") && ln -s "$path" "$scratch/bin/$tool"
done
refuses "cargo was not found on PATH.*install Rust $msrv or later" \
    env -u CARGO_HOME HOME=/nonexistent PATH="$scratch/bin" "$cmake" -S "$root/src/lib" -B "$scratch/none" \
    -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
# A cargo that is too old.
for tool in cargo rustc; do
    printf '#!/bin/sh\necho "%s 1.70.0 (abc 2023-06-01)"\n' "$tool" >"$scratch/old/$tool"
    chmod +x "$scratch/old/$tool"
done
refuses "version 1.70.0, but $msrv or later is needed.*install Rust" \
    "$cmake" -S "$root/src/lib" -B "$scratch/too-old" "-DPROFILER_HUB_CARGO=$scratch/old/cargo"
refuses "version 1.70.0, but $msrv or later is needed.*PROFILER_HUB_RUSTC" \
    "$cmake" -S "$root/src/lib" -B "$scratch/too-old-rustc" "-DPROFILER_HUB_RUSTC=$scratch/old/rustc"
# A cargo that does not run.
printf '#!/bin/sh\necho "no default toolchain" >&2\nexit 1\n' >"$scratch/old/cargo"
refuses "failed (1): no default toolchain" \
    "$cmake" -S "$root/src/lib" -B "$scratch/broken" "-DPROFILER_HUB_CARGO=$scratch/old/cargo"
