#!/usr/bin/env bash
# Runs all tests; installs first what they need (scripts/install-dependencies.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-dependencies.sh
cargo test --locked --workspace
