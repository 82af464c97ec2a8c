#!/bin/sh
# Builds the library for Windows with MinGW's gcc. Then builds with zig, and runs under Wine what can run: the
# command beside the one of this machine, which `make` built, the C tests of the library, and the package's
# tests with the wheel. Then links library and command for macOS.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
target=x86_64-windows-gnu
command=build/platforms/windows/command
tests/platforms/mingw.sh
scripts/setup/platforms.sh
mkdir -p $command
cmake -S . -B $command --toolchain cmake/zig.cmake -Wno-dev -DZIG_TARGET=$target -DTENSORPAD_TESTS=OFF \
    -DTENSORPAD_ORT=OFF -DTENSORPAD_MLI=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    > $command/log || { cat $command/log; exit 1; }
cmake --build $command --target tensorpad_command > $command/log || { cat $command/log; exit 1; }
cp build/platforms/$target/bin/libcairo-2.dll $command
tests/platforms/command.py "$PWD/$command/tensorpad.exe" "$PWD/build/tensorpad"
tests/platforms/windows.py
scripts/wheels/build.sh win_amd64
scripts/setup/fetch-data.sh build/data build/wheels-work/venv/bin/python
tests/platforms/python.py build/wheels/tensorpad-*-win_amd64.whl
tests/platforms/macos.sh
