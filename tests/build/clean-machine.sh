#!/usr/bin/env bash
# On a machine without development packages (a fresh minimal Debian in a chroot): the consumers that were built
# against the moved prefix run there, and the packages are installed, used and removed.
# usage: clean-machine.sh BUILD SCRATCH (after the tests consume-*; ctest sees to the order)
set -euo pipefail
build=$1 scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
machine=$(mktemp -d /tmp/clean-machine.XXXXXX) # debootstrap wants a path without spaces
trap 'rm -rf "$machine"' EXIT
mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' | awk '$2 == "main" && $1 !~ /security/ {print $1; exit}')
debootstrap --variant=minbase bookworm "$machine" "$mirror" >"$scratch/debootstrap.log" 2>&1 ||
    { tail "$scratch/debootstrap.log" >&2; exit 1; }
inside() { chroot "$machine" "$@"; }
! inside sh -c 'command -v cc || command -v cargo || ls /usr/include/stdio.h' 2>/dev/null

# The consumers, with the prefix in yet another place.
mkdir -p "$machine/moved again" "$machine/data"
cp -a "$CONSUME_PREFIX/lib" "$machine/moved again/"
cp "$root/tests/golden/trace/trace.db" "$machine/data/"
ran=0
for program in "$build"/tests/consume*/read_trace*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    cp "$program" "$machine/data/consumer"
    said=$(inside env "LD_LIBRARY_PATH=/moved again/lib" /data/consumer /data/trace.db)
    echo "${program#"$build/tests/"}: $said"
    [[ $said == "profiler-hub "*" reads schema 3.0.0" ]]
    ran=$((ran + 1))
done
[ "$ran" -ge 10 ] || { echo "only $ran consumers; run the tests consume-* first" >&2; exit 1; }

# The packages.
(cd "$build" && cpack -G DEB -B "$scratch/packages" >/dev/null)
cp "$scratch"/packages/*.deb "$machine/data/"
files() { # All but what dpkg itself keeps, and /opt, which dpkg takes away with the last package that is in it.
    inside find / -xdev \( -path /proc -o -path /sys -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) -prune -o -print |
        grep -vx /opt | sort
}
files >"$scratch/before"
inside sh -c 'dpkg -i /data/profiler-hub_*.deb /data/profiler-hub-tool_*.deb /data/profiler-hub-dev_*.deb /data/profiler-hub-source_*.deb'
inside /opt/rocm/bin/profiler-hub probe /data/trace.db
[ "$(inside /opt/rocm/bin/profiler-hub native-tool)" = /opt/rocm/lib/rocprofiler-compute/librocprofiler-compute-tool.so ]
inside env LD_PRELOAD=/opt/rocm/lib/rocprofiler-compute/librocprofiler-compute-tool.so /bin/true
inside env LD_LIBRARY_PATH=/opt/rocm/lib /data/consumer /data/trace.db
inside dpkg --purge profiler-hub-dev profiler-hub-source profiler-hub-tool profiler-hub
files >"$scratch/after"
diff "$scratch/before" "$scratch/after" || { echo "removing the packages left something or took too much" >&2; exit 1; }
