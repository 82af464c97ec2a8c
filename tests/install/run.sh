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
cmake -S "$here" -B "$scratch/outside" -Wno-dev -DCMAKE_PREFIX_PATH="$scratch/prefix" \
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
cc -DWITH_PLAN "$here/users.c" $flags -o "$scratch/pkg_user"
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tensorpad-threads)
cc -DWITH_THREADS "$here/users.c" $flags -o "$scratch/threads_pkg"
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tensorpad-ort)
cc -DWITH_ORT "$here/users.c" $flags -ldl -o "$scratch/ort_pkg"
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
wanted="tensorpad needs ONNX Runtime 1.17 or newer"
plugin=$(PKG_CONFIG_PATH=$pc pkg-config --variable=plugin tensorpad-ort)
for user in "$scratch/outside/ort_user" "$scratch/ort_pkg" "$scratch/ort_pkg $plugin"; do
    # shellcheck disable=SC2086
    out=$(LD_LIBRARY_PATH=$libdir $user)
    [ "$out" = "$wanted" ] || { echo "$user said: $out" >&2; exit 1; }
done
[ "$("$scratch/outside/mli_user")" = "1.1 0 012034" ]
[ "$("$scratch/outside/mli_1_0_user")" = "1.0 0 012034" ]
[ "$("$scratch/outside/gpu_user")" = "0 tpad_pad_w4_i32" ]
[ -x "$scratch/prefix/bin/tensorpad" ]
cmp "$here/../../LICENSE" "$scratch/prefix/share/doc/tensorpad/LICENSE"
grep -q "^\.SH TENSORPAD PAD" "$scratch/prefix/share/man/man1/tensorpad.1"
echo "installed and used by find_package and pkg-config"

# ---- Another project that contains it ------------------------------------------------------------

# Another project that contains tensorpad builds the library only and installs nothing of it, and all else if
# it asks for it.

# builds NAME OPTION...: what the build folder holds then of libraries and programs goes to `built`.
builds() {
    folder=$scratch/$1
    shift
    { cmake -S "$here" -B "$folder" -G Ninja -DSOURCE="$source" "$@" && cmake --build "$folder"; } \
        > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    built=$(find "$folder" -path '*/CMakeFiles' -prune -o \( -type f -perm -u+x -o -name '*.a' \) -printf '%f\n' |
        sed 's/\.so\..*/.so/' | sort | xargs)
    for user in threads_user threads_shared_user; do
        [ "$("$folder/$user")" = "2 2 2" ] || { echo "$folder/$user failed"; exit 1; }
    done
}

source=$(realpath "$here/../..")
library="libtensorpad.a libtensorpad.so libtensorpad_threads.a"
programs="shared_user static_user threads_shared_user threads_user"
for how in add_subdirectory FetchContent; do
    builds $how -DHOW=$how -DSKBUILD=2 # as in a Python package that contains it
    [ "$built" = "$library $programs" ] || { echo "$how builds: $built"; exit 1; }
    ! grep BUILD_TESTING "$folder/CMakeCache.txt" || { echo "$how sets it for other projects"; exit 1; }
    cmake --install "$folder" --prefix "$scratch/$how/prefix" > "$scratch/log"
    installed=$(find "$scratch/$how/prefix" -type f -printf '%P ')
    [ "$installed" = "share/doc/stranger/LICENSE " ] || { echo "$how installs: $installed"; exit 1; }
done
builds all -DHOW=add_subdirectory -DTENSORPAD_COMMAND=ON -DTENSORPAD_MLI=ON -DTENSORPAD_ORT=ON -DTENSORPAD_GPU=ON \
    -DTENSORPAD_INSTALL=ON
cmake --install "$folder" --prefix "$scratch/prefix" > "$scratch/log"
cmp "$here/CMakeLists.txt" "$scratch/prefix/share/doc/stranger/LICENSE"
cmp "$source/LICENSE" "$scratch/prefix/share/doc/tensorpad/LICENSE"
[ -x "$scratch/prefix/bin/tensorpad" ] || { echo "the command is not installed"; exit 1; }
for name in tensorpad libtensorpad_gpu.a libtensorpad_mli.a libtensorpad_mli_1_0.a libtensorpad_ort.a libtensorpad_ort.so; do
    case " $built " in *" $name "*) ;; *) echo "asked for $name, but it builds: $built"; exit 1 ;; esac
done
[ "$("$scratch/all/mli_user")" = "1.1 0 012034" ]
echo "a project that contains tensorpad builds what it asks for"
