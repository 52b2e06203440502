#!/usr/bin/env bash
# ThreadSanitizer on both sides of the C API: client (tests/it/c/threads.c: one context, many
# threads, tasks), library, standard library and SQLite are all instrumented. Needs
#   rustup toolchain install nightly --component rust-src
#
#   rust/profiler-hub-capi/tests/tsan.sh
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(cd ../.. && pwd)
target="${CARGO_TARGET_DIR:-$root/target}/tsan-std"
triple=$(rustc -vV | sed -n 's/^host: //p')
CFLAGS="-fsanitize=thread -g" RUSTFLAGS="-Zsanitizer=thread" \
    cargo +nightly build -Zbuild-std -p profiler-hub-capi --lib --target "$triple" --target-dir "$target"
library="$target/$triple/debug"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
gcc -std=c11 -g -fsanitize=thread -I include tests/it/c/threads.c tests/it/c/tsan_names.c \
    -o "$out/threads" -L "$library" -lprofiler_hub -Wl,-rpath,"$library" -pthread -rdynamic
TSAN_OPTIONS="exitcode=66" "$out/threads" "$root/tests/golden"
echo "no data race"
