#!/usr/bin/env bash
# Builds this crate against CONSUME_PREFIX, shared and static, and runs it on a golden database; with --from-source
# where no library is installed, so that the build script builds it. usage: run.sh BUILD_FOLDER [--from-source]
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -1)
export PROFILER_HUB_ROOT=$CONSUME_PREFIX
linkages=("" static)
if [ "${2:-}" = --from-source ]; then
    export PROFILER_HUB_ROOT=/nonexistent ROCM_PATH=/nonexistent
    linkages=(static)
fi
for features in "${linkages[@]}"; do
    cargo build --quiet --locked --manifest-path "$here/Cargo.toml" --target-dir "$build" --features "$features"
    said=$("$build/debug/consume-rust-build-script" "$root/tests/golden/trace/trace.db")
    echo "${features:-shared}: $said"
    [ "$said" = "profiler-hub $version reads schema 3.0.0" ]
    linked=$(readelf -d "$build/debug/consume-rust-build-script" | grep -c libprofiler-hub.so.0 || true)
    [ "$linked" = "$([ -n "$features" ] && echo 0 || echo 1)" ] || { echo "linked the wrong way" >&2; exit 1; }
done
