#!/usr/bin/env bash
# Fuzzes probe and open, led by the coverage of the Rust code (SQLite itself is not instrumented:
# that takes clang). Stable rustc does; with a nightly and cargo-fuzz, `cargo fuzz run open` is the
# same.
#
#   rust/profiler-hub-capi/tests/fuzz.sh [SECONDS, 600 if left out] [libFuzzer options]
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(cd ../.. && pwd)
seconds="${1:-600}"
shift || true
target="${CARGO_TARGET_DIR:-$root/target}/fuzz"
triple=$(rustc -vV | sed -n 's/^host: //p')
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
coverage+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
coverage+=" -Cllvm-args=-sanitizer-coverage-pc-table"
RUSTFLAGS="$coverage --cfg fuzzing -Cdebug-assertions -Ccodegen-units=1" \
    cargo build --release --manifest-path fuzz/Cargo.toml --target "$triple" --target-dir "$target"
# A small corpus: what probing tells apart, and one trace; new inputs go to the build folder.
corpus="$target/corpus"
mkdir -p "$corpus"
find "$root/tests/golden/probe" -maxdepth 1 -type f -name '*.db' -size -200k -exec cp -n {} "$corpus" \;
cp -n "$root/tests/golden/trace/trace.db" "$corpus"
cd "$target"
"$target/$triple/release/open" "$corpus" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 \
    -max_len=1000000 -print_final_stats=1 "$@"
