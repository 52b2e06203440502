#!/usr/bin/env bash
# Builds the programs of CMakeLists.txt against CONSUME_PREFIX and runs them. usage: isolation.sh BUILD_FOLDER
set -euo pipefail
build=$1
here=$(cd "$(dirname "$0")" && pwd)
trace=$here/../../golden/trace/trace.db

cargo build --quiet --locked --manifest-path "$here/other-rust/Cargo.toml" --target-dir "$build/cargo"
sqlite=$(cargo metadata --locked --format-version 1 --manifest-path "$here/other-rust/Cargo.toml" |
    python3 -c 'import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(*(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "libsqlite3-sys"))')/sqlite3
cmake -S "$here" -B "$build" "-DCMAKE_PREFIX_PATH=$CONSUME_PREFIX" "-DCONSUME_SQLITE_DIR=$sqlite" \
    "-DCONSUME_OTHER_RUST=$build/cargo/debug/libother_rust.a"
cmake --build "$build" --parallel 2

run=0
for program in "$build"/both_*; do
    echo "$(basename "$program"): $("$program" "$trace")"
    run=$((run + 1))
done
[ "$run" = 12 ] || { echo "$run programs ran, not 12" >&2; exit 1; }
