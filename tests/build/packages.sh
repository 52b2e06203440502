#!/usr/bin/env bash
# Makes the packages and looks at them as a distribution would. What they do once installed, clean-machine.sh tries.
# usage: packages.sh BUILD SCRATCH
set -euo pipefail
build=$1 scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
(cd "$build" && cpack -B "$scratch")
cd "$scratch"
ls -l ./*.deb ./*.rpm ./*.tar.gz

[ "$(ls ./*.deb | wc -l)" = 4 ] && [ "$(ls ./*.rpm | wc -l)" = 4 ] && [ "$(ls ./*.tar.gz | wc -l)" = 4 ]
no_file_twice() { # no_file_twice KIND FILE_LIST
    local twice
    twice=$(sort "$2" | uniq -d)
    [ -z "$twice" ] || { echo "in more than one $1: $twice" >&2; exit 1; }
}
for package in ./*.deb; do dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$'; done >deb-files
for package in ./*.rpm; do rpm -qpl "$package" | grep -v '^/usr/lib/.build-id$'; done >rpm-files
for package in ./*.tar.gz; do tar -tf "$package" | grep -v '/$'; done >tgz-files
no_file_twice deb deb-files
no_file_twice rpm rpm-files
no_file_twice tgz tgz-files
for file in opt/rocm/bin/profiler-hub opt/rocm/lib/rocprofiler-compute/librocprofiler-compute-tool.so \
    opt/rocm/include/profiler-hub/c/profiler_hub.h opt/rocm/share/profiler-hub/source/Cargo.lock; do
    for list in deb-files rpm-files tgz-files; do
        grep -q "$file\$" "$list" || { echo "$file is not in $list" >&2; exit 1; }
    done
done

# The override for /opt is the only one: an error that it does not cover fails this.
lintian --allow-root --fail-on error ./*.deb
said=$(lintian --allow-root --fail-on none --no-override ./*.deb | sed -n 's/^E: [^:]*: \([a-z-]*\).*/\1/p' | sort -u)
[ "$said" = dir-or-file-in-opt ] || { echo "lintian without overrides: $said" >&2; exit 1; }
for package in ./*.rpm; do rpm -K --nosignature "$package" >/dev/null; done
