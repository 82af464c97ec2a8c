#!/bin/sh
# The library, the command and the C tests for macOS 11, by zig: they link. Library and command need the
# system's library alone, and are signed where they must be. Nothing is run. A header stands for cmocka.
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
    printf 'Name: cmocka\nDescription: one header\nVersion: 1\nCflags: -I%s/tests/machines\n' "$PWD" > $build/cmocka.pc
    PKG_CONFIG_LIBDIR=$PWD/$build \
    cmake -S . -B $build --toolchain cmake/zig.cmake -Wno-dev -DZIG_TARGET=$target -DTENSORPAD_TESTS=ON \
        -DTENSORPAD_HAS_32_BITS=OFF -DCMAKE_MODULE_LINKER_FLAGS=-dynamiclib -DTENSORPAD_WITH_CAIRO=OFF \
        -DCMAKE_COMPILE_WARNING_AS_ERROR=ON > $build/log || { cat $build/log; exit 1; }
    cmake --build $build > $build/log || { cat $build/log; exit 1; }
    for file in $build/tensorpad $build/libtensorpad.dylib; do
        says=$($objdump --macho --private-headers $file)
        echo "$says" | grep -q 'minos 11.0' || fail "$file: is not for macOS 11.0"
        others=$(echo "$says" | awk '/cmd LC_LOAD_DYLIB/ { next_name = 1 } next_name && $1 == "name" { print $2; next_name = 0 }' |
            grep -v '^/usr/lib/libSystem' || true)
        [ -z "$others" ] || fail "$file: loads $others"
        [ $processor = x86_64 ] || echo "$says" | grep -q LC_CODE_SIGNATURE || fail "$file: is not signed"
    done
done
echo "macOS 11.0: library, command and tests link for aarch64 and x86_64"
