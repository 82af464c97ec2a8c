#!/bin/sh
# The library and the command for macOS 11, by zig: they link, need the system's library alone, and are
# signed where they must be. Nothing is run.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
objdump=$(command -v llvm-objdump || command -v llvm-objdump-14)
fail() {
    echo "$1" >&2
    exit 1
}
for processor in aarch64 x86_64; do
    target=$processor-macos.11.0
    build=build/platforms/macos/$processor
    mkdir -p $build
    cmake -S . -B $build --toolchain cmake/zig.cmake -Wno-dev -DZIG_TARGET=$target -DTENSORPAD_TESTS=OFF \
        -DTENSORPAD_ORT=OFF -DTENSORPAD_MLI=OFF -DTENSORPAD_WITH_CAIRO=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
        > $build/log || { cat $build/log; exit 1; }
    cmake --build $build --target tensorpad_command tensorpad_shared > $build/log || { cat $build/log; exit 1; }
    for file in $build/tensorpad $build/libtensorpad.dylib; do
        says=$($objdump --macho --private-headers $file)
        echo "$says" | grep -q 'minos 11.0' || fail "$file: is not for macOS 11.0"
        others=$(echo "$says" | awk '/cmd LC_LOAD_DYLIB/ { next_name = 1 } next_name && $1 == "name" { print $2; next_name = 0 }' |
            grep -v '^/usr/lib/libSystem' || true)
        [ -z "$others" ] || fail "$file: loads $others"
        [ $processor = x86_64 ] || echo "$says" | grep -q LC_CODE_SIGNATURE || fail "$file: is not signed"
    done
done
echo "macOS 11.0: library and command link for aarch64 and x86_64"
