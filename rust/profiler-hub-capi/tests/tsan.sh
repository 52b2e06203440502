#!/usr/bin/env bash
# ThreadSanitizer on both sides of the C API: the library is instrumented and so is its client
# (tests/it/c/threads.c: one context, many threads, tasks). The standard library is not, which is
# why its own locks are named in tsan-suppressions.txt. Asks stable rustc for a nightly flag.
#
#   rust/profiler-hub-capi/tests/tsan.sh
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(cd ../.. && pwd)
target="${CARGO_TARGET_DIR:-$root/target}/tsan"
triple=$(rustc -vV | sed -n 's/^host: //p')
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
    cargo build -p profiler-hub-capi --lib --target "$triple" --target-dir "$target"
library="$target/$triple/debug"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
gcc -std=c11 -g -fsanitize=thread -I include tests/it/c/threads.c -o "$out/threads" \
    -L "$library" -lprofiler_hub -Wl,-rpath,"$library" -pthread -lm
TSAN_OPTIONS="halt_on_error=0 exitcode=66 suppressions=$PWD/tests/tsan-suppressions.txt" \
    "$out/threads" "$root/tests/golden"
echo "no data race"
