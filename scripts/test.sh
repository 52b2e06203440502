#!/usr/bin/env bash
# Runs all tests; installs first what they need (scripts/install-dependencies.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-dependencies.sh

cargo test --locked --workspace

# The guard is a Cargo project of its own.
cargo test --locked --manifest-path src/lib/sparse-guard/Cargo.toml

cmake -S . -B build/ci -G Ninja -DPROFILER_HUB_BUILD_TESTS=ON
cmake --build build/ci
ctest --test-dir build/ci -LE long --output-on-failure
