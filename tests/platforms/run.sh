#!/bin/sh
# The wheel for Windows, its command and the package's tests under Wine; what links for macOS.
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/packages.sh packages-platforms
make all
scripts/wheels/make.sh win_amd64
scripts/setup/fetch-data.sh build/data build/wheels-work/venv/bin/python
tests/platforms/wine.py build/wheels/tensorpad-*-win_amd64.whl
scripts/wheels/make.sh macosx_11_0_arm64

# The library, the command, the plug-in and the C tests for macOS 11 on ARM, by zig: they link, and nothing is run.
# A header stands for cmocka. The compiler and the libraries are those of the wheel; scripts/wheels/check.py looks
# at what the wheel's files need and at their signatures.
build=build/platforms/macos
export TENSORPAD_WORK=$PWD/build/wheels-work/macosx_11_0_arm64 TENSORPAD_TARGET=aarch64-macos.11.0
TENSORPAD_ZIG=$(echo "$PWD"/build/wheels-work/venv/lib/python3*/site-packages/ziglang/zig)
export TENSORPAD_ZIG
# The compilers of the other builds do not have these warnings.
export CFLAGS="-Wno-error=enum-float-conversion -Wno-error=unterminated-string-initialization"
mkdir -p $build
printf 'Name: cmocka\nDescription: one header\nVersion: 1\nCflags: -I%s/tests/machines\n' "$PWD" > $build/cmocka.pc
PKG_CONFIG_LIBDIR=$PWD/$build cmake -S . -B $build --toolchain scripts/wheels/toolchain.cmake -Wno-dev \
    -DTENSORPAD_TESTS=ON -DTENSORPAD_HAS_32_BITS=OFF \
    -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -DTENSORPAD_HOST_COMMAND="$PWD/build/tensorpad" > $build/log || { cat $build/log; exit 1; }
cmake --build $build --target all full_tests > $build/log || { tail -n 40 $build/log; exit 1; }
echo "macOS 11.0: library, command, plug-in and tests link for ARM"
