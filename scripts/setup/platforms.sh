#!/bin/sh
# What compiles for Windows and macOS, into build/platforms: zig, programs zig-TARGET-TOOL that call it, and
# nanopb, expat, zlib and libpng for the command, for Windows cairo as a DLL, and Wine's files. Needs a network once.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
to=$PWD/build/platforms
sources=$PWD/build/wheels-work/sources
mkdir -p "$to/bin"

if ! cmp -s tests/platforms/requirements.txt "$to/installed.txt"; then
    python3 -m venv "$to/venv"
    "$to/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        -r tests/platforms/requirements.txt
    cp tests/platforms/requirements.txt "$to/installed.txt"
fi
scripts/wheels/sources.sh "$sources"
for package in cmocka cairo pixman; do
    scripts/wheels/sources.sh "$sources" bookworm $package
done

# Builds the project in folder $1 for $target, as $2, and installs it into $libraries.
install() {
    {
        cmake -S "$1" -B "$libraries/build/$2" --toolchain "$PWD/cmake/zig.cmake" -Wno-dev \
            -DZIG_TARGET=$target -DSOURCES="$sources" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
            -DCMAKE_INSTALL_PREFIX="$libraries" &&
            cmake --build "$libraries/build/$2" &&
            cmake --install "$libraries/build/$2"
    } > "$libraries/log" 2>&1 || { cat "$libraries/log"; exit 1; }
}

for target in x86_64-windows-gnu aarch64-windows-gnu x86_64-macos.11.0 aarch64-macos.11.0; do
    for tool in cc ar ranlib rc; do
        options=
        [ $tool != cc ] || options="-target $target"
        printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$to/venv/bin/python" $tool "$options" \
            > "$to/bin/zig-$target-$tool"
        chmod +x "$to/bin/zig-$target-$tool"
    done
    libraries=$to/$target
    [ $target != aarch64-windows-gnu ] || continue # of which only the library is built
    [ ! -e "$libraries/done" ] || continue
    mkdir -p "$libraries"
    install scripts/wheels/libraries libraries
    touch "$libraries/done"
done
target=x86_64-windows-gnu
libraries=$to/$target
[ -e "$libraries/bin/libcairo-2.dll" ] || install tests/platforms/cairo cairo

# Wine's own files. The first program makes them, and Wine writes of it to that program's standard error.
[ -e "$to/wine/system.reg" ] || WINEPREFIX=$to/wine WINEDEBUG=-all /usr/lib/wine/wine64 wineboot > "$to/wine.log" 2>&1
