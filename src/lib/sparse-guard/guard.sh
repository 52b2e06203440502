#!/bin/sh
# guard.sh ensure [OPTION]… PATH…: runs a sparse-guard that is there already (named by
# PROFILER_HUB_SPARSE_GUARD, installed, or in the user's cache), else builds one with cargo, else does
# the plainest part of its work with git. PROFILER_HUB_SPARSE_GUARD=git prefers git's own command.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
say() { printf '%s\n' "sparse-guard: $*" >&2; }

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$here/Cargo.toml")
usable() { [ -x "$1" ] && [ "$("$1" --version 2>/dev/null)" = "sparse-guard $version" ]; }

# The cache has a place for each state of the sources and each kind of machine.
cache_folder() {
    base=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
    [ -n "$base" ] || base=${TMPDIR:-/tmp}/profiler-hub-$(id -u)
    key=$( (cat "$here/Cargo.toml" "$here/Cargo.lock" "$here"/src/*.rs; uname -sm) | cksum | tr ' ' -)
    printf '%s\n' "$base/profiler-hub/sparse-guard/$key"
}

find_guard() {
    for guard in "${PROFILER_HUB_SPARSE_GUARD:-}" "$(command -v sparse-guard || true)" \
        "${ROCM_PATH:-/opt/rocm}/libexec/profiler-hub/sparse-guard" "$1/sparse-guard"; do
        if [ -n "$guard" ] && usable "$guard"; then
            printf '%s\n' "$guard"
            return 0
        fi
    done
    return 1
}

build_guard() {
    cargo=$(command -v cargo || true)
    [ -n "$cargo" ] || cargo=${CARGO_HOME:-${HOME:-}/.cargo}/bin/cargo
    [ -x "$cargo" ] || { say "not built: there is no cargo"; return 1; }
    mkdir -p "$1" 2>/dev/null || { say "not built: $1 cannot be made"; return 1; }
    # Of two builds at once one waits for the other and finds everything done.
    ! command -v flock >/dev/null || { exec 9>"$1/lock" && flock 9; }
    ! usable "$1/sparse-guard" || return 0
    offline=
    case ${PROFILER_HUB_OFFLINE:-} in ON | on | 1 | TRUE | true | YES | yes) offline=--offline ;; esac
    say "building it for this sparse checkout, once, under a minute; log: $1/build.log"
    # From here, so that a cargo configuration beside the sources counts.
    if ! (cd "$here" && env -u CARGO_BUILD_TARGET "$cargo" build --locked $offline --bin sparse-guard \
        --target-dir "$1/build") >"$1/build.log" 2>&1; then
        say "not built: cargo failed; the end of $1/build.log:"
        tail -n 5 "$1/build.log" >&2
        return 1
    fi
    cp "$1/build/debug/sparse-guard" "$1/sparse-guard.$$" && mv "$1/sparse-guard.$$" "$1/sparse-guard"
    ! command -v flock >/dev/null || rm -rf "$1/build"
}

absent() {
    for path in "$@"; do
        [ -e "$path" ] || printf ' %s' "$path"
    done
}

# Without a guard: what git says is left out, and git's command to add it.
plain_git() {
    check=
    value=
    for argument in "$@"; do
        shift
        case $value$argument in
            value*) value= ;;
            --repo | --wait) value=value ;;
            --check) check=1 ;;
            ensure | -*) ;;
            *) set -- "$@" "$argument" ;;
        esac
    done
    absent=$(absent "$@")
    if ! top=$(git rev-parse --show-toplevel 2>/dev/null) ||
        [ "$(git config --bool core.sparseCheckout)" != true ]; then
        [ -n "$absent" ] || return 0
        say "missing:$absent; sparse checkout is off here, or there is no git to ask"
        return 1
    fi
    for path in "$@"; do
        shift
        set -- "$@" "$(realpath -m --relative-to="$top" "$path")"
    done
    if ! git -C "$top" ls-files -t -- "$@" | grep -q '^S '; then
        [ -n "$absent" ] || return 0
        say "missing, and not because of sparse checkout:$absent"
        return 1
    fi
    cone=$(git config --bool core.sparseCheckoutCone || echo true)
    for path in "$@"; do
        shift
        if [ "$cone" = false ]; then
            path=/$path
        elif [ "$(git -C "$top" ls-files -- "$path")" = "$path" ]; then
            # A file comes with the folder that it lies in.
            path=$(dirname "$path")
        fi
        set -- "$@" "$path"
    done
    if [ -n "$check" ]; then
        say "run: git -C '$top' sparse-checkout add $*"
        return 1
    fi
    git -C "$top" sparse-checkout add "$@" || {
        say "git failed; run: git -C '$top' sparse-checkout add $*"
        return 1
    }
}

cache=$(cache_folder)
if [ "${PROFILER_HUB_SPARSE_GUARD:-}" != git ] || ! command -v git >/dev/null; then
    if guard=$(find_guard "$cache") || { build_guard "$cache" && guard=$(find_guard "$cache"); }; then
        exec "$guard" "$@"
    fi
    say "git's own command is used instead"
fi
plain_git "$@"
