#!/usr/bin/env bash
# Installs what the tests need beside a Rust toolchain, where it is not there yet (Debian packages).
# As root or through sudo; else it prints the line to run and fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

declare -A package_of=(
  [cc]=gcc [g++]=g++ [make]=make [cmake]=cmake [ninja]=ninja-build [pkg-config]=pkg-config
  [git]=git [python3]=python3 [sqlite3]=sqlite3 [readelf]=binutils [mkfifo]=coreutils [strace]=strace
)
declare -A package_with=(
  [/usr/include/sqlite3.h]=libsqlite3-dev
  [/usr/include/fmt/core.h]=libfmt-dev
  [/usr/include/nlohmann/json.hpp]=nlohmann-json3-dev
)
missing=()
for file in "${!package_with[@]}"; do
  [ -e "$file" ] || missing+=("${package_with[$file]}")
done
for program in "${!package_of[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package_of[$program]}")
done
corrosion=$(dpkg-query -W -f='${Version}' corrosion 2>/dev/null || true)
[ ${#missing[@]} -gt 0 ] || [[ $corrosion != 0.[6-9].* ]] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  echo "The tests need Debian packages that are not installed; run this as root, then try again:" >&2
  [ ${#missing[@]} -eq 0 ] ||
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
  [[ $corrosion == 0.[6-9].* ]] || echo "  $here/install-corrosion.sh" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
[ ${#missing[@]} -eq 0 ] ||
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
[[ $corrosion == 0.[6-9].* ]] || "${as_root[@]}" "$here/install-corrosion.sh"
