#!/bin/sh
# Installs one build into two empty folders, builds a small project against the second, by
# find_package and pkg-config, and looks at the name of the shared library.
# Usage: run.sh BUILD_FOLDER
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

number() {
    sed -n "s/^#define TPAD_VERSION_$1 //p" "$here/../../include/tensorpad/tensorpad.h"
}
major=$(number MAJOR) minor=$(number MINOR)
version=$major.$minor.$(number PATCH)
others="$((major + 1)).0;$major.$((minor + 1))"
if [ "$major" = 0 ]; then
    soversion=0.$minor others="$others;0.$((minor - 1))"
else
    soversion=$major
fi

cmake --install "$build" --prefix "$scratch/before" > /dev/null
cmake --install "$build" --prefix "$scratch/prefix" > /dev/null
cmake -S "$here" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DVERSION="$major.$minor" -DOTHER_VERSIONS="$others" > /dev/null
cmake --build "$scratch/outside" > /dev/null

# Both libraries in one program are refused.
if cmake -S "$here" -B "$scratch/mixed" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DVERSION="$major.$minor" \
    -DMIXED=ON > "$scratch/said" 2>&1; then
    echo "tensorpad::threads was accepted beside tensorpad::shared" >&2
    exit 1
fi
grep -q 'TENSORPAD_LIBRARY property of "tensorpad::' "$scratch/said" || { cat "$scratch/said" >&2; exit 1; }

# Every folder that pkg-config names lies in the one that was installed to.
folders() {
    for flag in $(PKG_CONFIG_PATH=$1 pkg-config --cflags --libs tensorpad tensorpad-threads tensorpad-ort); do
        case $flag in -[IL]*) realpath "${flag#-[IL]}" ;; esac
    done | sort -u
}
for prefix in "$scratch/before" "$scratch/prefix"; do
    pc=$(dirname "$(find "$prefix" -name tensorpad.pc)")
    wanted=$(printf '%s\n' "$prefix/include" "$(dirname "$pc")" | sort)
    [ "$(folders "$pc")" = "$wanted" ] || {
        printf 'installed to %s, but pkg-config names:\n%s\n' "$prefix" "$(folders "$pc")" >&2
        exit 1
    }
done
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tensorpad)
cc "$here/main.c" $flags -o "$scratch/pkg_user"
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tensorpad-threads)
cc "$here/threads.c" $flags -o "$scratch/threads_pkg"
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tensorpad-ort)
cc "$here/ort.c" $flags -ldl -o "$scratch/ort_pkg"
# A program contains the library, or needs the shared one: one of the two.
comes_by() {
    needed=$(objdump -p "$scratch/outside/$1" | awk '$1 == "NEEDED" && /tensorpad/ { print $2 }')
    contained=$(nm "$scratch/outside/$1" | awk '$2 == "T" && $3 == "tpad_plan_init" { print "itself" }')
    [ "$needed$contained" = "$2" ] || { echo "$1: the library comes by '$needed$contained', not $2" >&2; exit 1; }
}
comes_by static_user itself
comes_by shared_user "libtensorpad.so.$soversion"
comes_by threads_user itself
comes_by threads_shared_user "libtensorpad.so.$soversion"

libdir=$(dirname "$(find "$scratch/prefix" -name libtensorpad.so)")
for user in "$scratch/outside/static_user" "$scratch/outside/shared_user" "$scratch/pkg_user"; do
    out=$(LD_LIBRARY_PATH=$libdir "$user")
    [ "$out" = "$version cabca 21" ] || { echo "$user said: $out" >&2; exit 1; }
done
for user in "$scratch/outside/threads_user" "$scratch/outside/threads_shared_user" \
    "$scratch/threads_pkg"; do
    out=$(LD_LIBRARY_PATH=$libdir "$user")
    [ "$out" = "2 2 2" ] || { echo "$user said: $out" >&2; exit 1; }
done
# Pad for 24 types of elements, each with two types of axes, in two domains; once, though it is called twice.
wanted="96 2 Another;Pad_Fusion
1 tensorpad needs ONNX Runtime 1.17 or newer"
plugin=$(PKG_CONFIG_PATH=$pc pkg-config --variable=plugin tensorpad-ort)
for user in "$scratch/outside/ort_user" "$scratch/ort_pkg" "$scratch/ort_pkg $plugin"; do
    # shellcheck disable=SC2086
    out=$(LD_LIBRARY_PATH=$libdir $user)
    [ "$out" = "$wanted" ] || { echo "$user said: $out" >&2; exit 1; }
done
[ "$("$scratch/outside/mli_user")" = "1.1 0 012034" ]
[ "$("$scratch/outside/mli_1_0_user")" = "1.0 0 012034" ]
[ -x "$scratch/prefix/bin/tensorpad" ]
cmp "$here/../../LICENSE" "$scratch/prefix/share/doc/tensorpad/LICENSE"
grep -q "^\.SH TENSORPAD PAD" "$scratch/prefix/share/man/man1/tensorpad.1"
echo "installed and used by find_package and pkg-config"
