#!/bin/sh
# sparse-checkout.sh [--check] [--json] [--allow-fetch] [PATH…]: brings paths of a sparse checkout; by
# default all that a configure from src/lib needs. PROFILER_HUB_SPARSE_GUARD=git prefers git's command.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
for argument in "$@"; do
    case $argument in
        -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
        -*) ;;
        *) named=1 ;;
    esac
done
if [ -z "${named:-}" ]; then
    set -- "$@" "$root/src/lib" "$root/cmake" "$root/rust"
    # Cargo wants every member of a workspace on disk, also those that no library needs.
    for member in $(sed -n 's/^ *"\(tests\/.*\)",*$/\1/p' "$root/Cargo.toml"); do
        set -- "$@" "$root/$member"
    done
fi
if [ ! -e "$root/src/lib/sparse-guard/guard.sh" ]; then
    # Not even the guard is on disk; git can bring that much.
    prefix=$(git -C "$root" rev-parse --show-prefix)
    git -C "$(git -C "$root" rev-parse --show-toplevel)" sparse-checkout add "${prefix}src/lib"
fi
exec sh "$root/src/lib/sparse-guard/guard.sh" ensure "$@"
