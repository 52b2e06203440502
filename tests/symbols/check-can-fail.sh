#!/usr/bin/env bash
# check.sh is worth something only if it fails: on the archive as cargo leaves it, on a promise that is not
# kept, on a floor that is too low, on a path that is there.
# usage: check-can-fail.sh LIBRARY_FOLDER COMMAND EXPORTS CARGOS_ARCHIVE
set -euo pipefail
libraries=$1 command=$2 exports=$3 archive=$4
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -a "$libraries"/. "$scratch/"

refuses() { # refuses WHAT PATTERN ARGUMENT...
    local what=$1 pattern=$2
    shift 2
    if said=$("$here/check.sh" "$@" 2>&1); then
        echo "check.sh accepted $what" >&2
        exit 1
    fi
    grep -q "$pattern" <<<"$said" || { echo "check.sh refused $what for another reason: $said" >&2; exit 1; }
}
"$here/check.sh" "$scratch" "$command" "$exports" 99.0
refuses "a symbol that is not there" "ph_missing" "$scratch" "$command" <(cat "$exports"; echo ph_missing) 99.0
refuses "a glibc that is too new" "needs glibc" "$scratch" "$command" "$exports" 2.17
refuses "a forbidden path" "mentions" "$scratch" "$command" "$exports" 99.0 /cargo/registry
cp "$archive" "$scratch/libprofiler-hub.a"
refuses "cargo's own archive" "sqlite3_" "$scratch" "$command" "$exports" 99.0
