#!/bin/sh
# Builds a Python without the GIL (free-threaded) into FOLDER, and prints its program. Debian has no
# package of one, but it has the source. This takes some minutes; nothing is done if it is there.
# It is for tests: compiled quickly, and not to be fast. Needs a C compiler and the headers of
# libffi, OpenSSL and zlib.
# SPDX-License-Identifier: MIT
# Usage: free_python.sh SOURCES FOLDER      SOURCES: as for sources.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sources=$1 folder=$2
version=3.13
python=$folder/bin/python${version}t
failed() {
    tail -n 20 "$folder/log" >&2
    echo "free_python.sh: $1 failed; all of it is in $folder/log" >&2
    exit 1
}
if [ ! -e "$folder/made" ]; then
    "$here/sources.sh" "$sources" trixie "python$version"
    rm -rf "$folder"
    mkdir -p "$folder/build"
    cd "$folder/build"
    "$sources/python$version/configure" --prefix="$folder" --disable-gil --without-ensurepip \
        --disable-test-modules > "$folder/log" 2>&1 || failed configure
    make -j "$(nproc)" OPT="-DNDEBUG -O1" >> "$folder/log" 2>&1 || failed make
    make install >> "$folder/log" 2>&1 || failed "make install"
    "$python" -c 'import ctypes, ssl, zlib' >> "$folder/log" 2>&1 ||
        failed "import (apt-get install libffi-dev libssl-dev zlib1g-dev)"
    cd "$folder"
    rm -r build
    touch made
fi
echo "$python"
