#!/bin/sh
# Installs into an empty folder and builds a small project against it, by find_package and pkg-config.
# Usage: run.sh BUILD_FOLDER
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" > /dev/null
cmake -S "$here" -B "$scratch/outside" -DCMAKE_PREFIX_PATH="$scratch/prefix" > /dev/null
cmake --build "$scratch/outside" > /dev/null
pc=$(dirname "$(find "$scratch/prefix" -name tensorpad.pc)")
# The prefix is given again, as for a folder that was moved.
flags=$(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$scratch/prefix" --cflags --libs tensorpad)
cc "$here/main.c" $flags -o "$scratch/pkg_user"
flags=$(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$scratch/prefix" --cflags --libs \
    tensorpad-threads)
cc "$here/threads.c" $flags -o "$scratch/threads_pkg"

libdir=$(dirname "$(find "$scratch/prefix" -name libtensorpad.so)")
for user in "$scratch/outside/static_user" "$scratch/outside/shared_user" "$scratch/pkg_user"; do
    out=$(LD_LIBRARY_PATH=$libdir "$user")
    [ "$out" = "0.1.0 cabca 21" ] || { echo "$user said: $out" >&2; exit 1; }
done
for user in "$scratch/outside/threads_tensorpad" "$scratch/outside/threads_shared" \
    "$scratch/threads_pkg"; do
    out=$(LD_LIBRARY_PATH=$libdir "$user")
    [ "$out" = "2 2 2" ] || { echo "$user said: $out" >&2; exit 1; }
done
[ "$("$scratch/outside/mli_user")" = "1.1 0 012034" ]
[ "$("$scratch/outside/mli_1_0_user")" = "1.0 0 012034" ]
[ -x "$scratch/prefix/bin/tensorpad" ]
echo "installed and used by find_package and pkg-config"
