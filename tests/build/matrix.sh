#!/usr/bin/env bash
# Generators, configurations and versions of CMake, in folders with spaces, from a source tree that cannot be
# written. usage: matrix.sh SCRATCH
set -euo pipefail
scratch=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch/read only source"
exports=$root/rust/profiler-hub-capi/exports.txt
unset CMAKE_GENERATOR

# CMake's oldest supported and a newer major version, as Python packages.
for version in 3.21 4.1; do
    python3 -m venv "$scratch/cmake $version"
    "$scratch/cmake $version/bin/python" -m pip install --quiet --disable-pip-version-check "cmake~=$version.0"
done

# Only read: whoever runs this, a bind mount that is read-only cannot be written.
copy=$scratch/read\ only\ source
git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp -a --parents -t "$copy")
read_only() {
    unshare -m -- bash -euo pipefail -c 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; shift; "$@"' - "$copy" "$@"
}

check() { # check LIBRARY_FOLDER
    "$root/tests/symbols/check.sh" "$1" "$1/librocprofiler-compute-tool.so" "$exports" 2.34 "$root" "$scratch" "$HOME/.cargo"
}
build() { # build NAME CMAKE CONFIG CONFIGURE_ARGUMENT...
    local folder="$scratch/build $1" cmake=$2 config=$3
    shift 3
    echo "== $folder: $("$cmake" --version | head -1), $config, $*"
    "$cmake" -S "$copy/src/lib" -B "$folder" "$@"
    time "$cmake" --build "$folder" --config "$config" --parallel
    # Nothing is left to do.
    "$cmake" --build "$folder" --config "$config" --parallel >"$scratch/again" 2>&1
    ! grep -E 'Compiling|Naming|Localising' "$scratch/again" || { echo "the second build did something" >&2; exit 1; }
}
export root scratch copy exports
export -f build check

# CMake before 3.22 cannot use Corrosion, so this is plain cargo as well.
read_only bash -euo pipefail -c 'build oldest "$scratch/cmake 3.21/bin/cmake" Release -G "Unix Makefiles"
    check "$scratch/build oldest/lib"'
read_only bash -euo pipefail -c 'build newest "$scratch/cmake 4.1/bin/cmake" Release -G "Ninja Multi-Config"
    check "$scratch/build newest/lib/Release"
    "$scratch/cmake 4.1/bin/cmake" --build "$scratch/build newest" --config Debug
    [ -s "$scratch/build newest/lib/Debug/libprofiler-hub.a" ]
    [ -s "$scratch/build newest/lib/Debug/librocprofiler-compute-tool.so" ]'

# No option at all, and the path that tools look for; in a copy that can be written. Cargo's folder is shared with
# the first build.
mkdir -p "$copy/src/lib/_build"
ln -s "$scratch/build oldest/cargo" "$copy/src/lib/_build/cargo"
cd "$copy"
cmake -S src/lib -B src/lib/_build
cmake --build src/lib/_build --parallel
check "$copy/src/lib/_build/lib"
[ ! -e target ] && [ ! -e src/lib/target ] || { echo "cargo wrote into the source tree" >&2; exit 1; }
