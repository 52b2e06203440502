#!/usr/bin/env bash
# Holds what the products promise to a linker and a loader.
# usage: check.sh LIBRARY_FOLDER COMMAND EXPORTS_FILE GLIBC_FLOOR FORBIDDEN_PATH...
# FORBIDDEN_PATH: folders of the build machine that no product may mention.
set -euo pipefail
libraries=$1 command=$2 exports=$3 floor=$4
shift 4
shared=$libraries/libprofiler-hub.so archive=$libraries/libprofiler-hub.a
tool=$libraries/librocprofiler-compute-tool.so
bad=0
fail() { echo "FAILED: $*" >&2; bad=1; }

# Defined symbols that others can bind to. readelf: GNU nm trips over the LLVM bitcode that rustc may leave.
visible() {
    readelf --dyn-syms -W "$1" | awk '$5 ~ /GLOBAL|WEAK|UNIQUE/ && $7 != "UND" && $6 == "DEFAULT" {print $8}' | sed 's/@.*//' | sort -u
}
archive_globals() {
    readelf -sW "$1" | awk '$5 ~ /GLOBAL|WEAK|UNIQUE/ && $7 != "UND" {print $8}' | sort -u
}
promised=$(grep '^[a-z]' "$exports" | sort -u)

same() { # same WHAT GOT
    local difference
    difference=$(diff <(echo "$promised") <(echo "$2")) || fail "$1 differs from $exports (< promised, > found):
$difference"
}
same "what libprofiler-hub.so exports" "$(visible "$shared")"
same "what libprofiler-hub.a has as global symbols" "$(archive_globals "$archive")"
foreign=$(visible "$tool" | grep -v '^rocprof' || true)
[ -z "$foreign" ] || fail "librocprofiler-compute-tool.so exports $foreign"

soname() { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }
[ "$(soname "$shared")" = libprofiler-hub.so.0 ] || fail "SONAME of $shared is '$(soname "$shared")'"
[ "$(soname "$tool")" = librocprofiler-compute-tool.so ] || fail "SONAME of $tool is '$(soname "$tool")'"

for product in "$shared" "$tool" "$command"; do
    needed=$(readelf -d "$product" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    for library in $needed; do
        case $library in
        libc.so.6 | libm.so.6 | libgcc_s.so.1 | ld-linux-*.so.*) ;;
        *) fail "$product needs $library" ;;
        esac
    done
    paths=$(readelf -d "$product" | sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]/\1/p')
    case $paths in
    '' | '$ORIGIN' | '$ORIGIN/'*) ;;
    *) fail "$product has the rpath $paths" ;;
    esac
    newest=$(readelf -VW "$product" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
    [ "$(printf '%s\n' "$newest" "$floor" | sort -V | tail -1)" = "$floor" ] ||
        fail "$product needs glibc $newest, but the floor is $floor"
done

for product in "$shared" "$archive" "$tool" "$command"; do
    for path in "$@"; do
        ! grep -aqF "$path" "$product" || fail "$product mentions $path: $(strings -a "$product" | grep -F -m1 "$path" | head -c 200)"
    done
done
# Sizes, for docs/performance.md; the limit is on the library that users download.
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$shared"
size=$(stat -c %s "$stripped")
echo "libprofiler-hub.so stripped: $size bytes"
[ "$size" -lt 3000000 ] || fail "libprofiler-hub.so has $size bytes stripped, the limit is 3000000"
exit $bad
