#!/usr/bin/env bash
# ThreadSanitizer on both sides of the intercept tables and on the recorder's queue. Needs a nightly
# toolchain (the standard library itself stays without instrumentation).
set -euo pipefail
cd "$(dirname "$0")/../../.."
cargo +nightly --version >/dev/null || { echo "needs: rustup toolchain install nightly" >&2; exit 2; }
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/tsan}"
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
export TSAN_OPTIONS="suppressions=$PWD/rust/profiler-hub-intercept/tests/tsan.supp halt_on_error=1"
# One test at a time: then the harness starts no threads of its own.
tsan() {
    local filter=$1
    shift
    cargo +nightly test --target x86_64-unknown-linux-gnu "$@" -- --test-threads=1 "$filter"
}
tsan "" -p profiler-hub-intercept --lib
tsan library:: -p profiler-hub-intercept --test it
tsan lane:: -p profiler-hub-api-trace --lib
