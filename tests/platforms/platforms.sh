#!/bin/sh
# Builds for Windows with zig, and runs under Wine what can run: the C tests of the library, and the command
# beside the one of this machine, which `make` built. Then links both for macOS.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
target=x86_64-windows-gnu
command=build/platforms/windows/command
scripts/setup/platforms.sh cmocka nanopb expat libpng1.6 zlib
scripts/setup/platform_libraries.sh $target
mkdir -p $command
cmake -S . -B $command --toolchain cmake/zig.cmake -Wno-dev -DZIG_TARGET=$target -DTENSORPAD_TESTS=OFF \
    -DTENSORPAD_ORT=OFF -DTENSORPAD_MLI=OFF -DTENSORPAD_WITH_CAIRO=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    > $command/log || { cat $command/log; exit 1; }
cmake --build $command --target tensorpad_command > $command/log || { cat $command/log; exit 1; }
tests/platforms/command.py "$PWD/$command/tensorpad.exe" "$PWD/build/tensorpad"
tests/platforms/windows.py
tests/platforms/macos.sh
