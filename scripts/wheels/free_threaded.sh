#!/bin/sh
# The wheel for a Python without the GIL (free-threaded) into build/wheels. Debian has no package of such a Python,
# but it has the source: it is built once, which takes some minutes; for tests, and not to be fast. The
# package's tests run with it on this machine. Needs a C compiler and the headers of libffi, OpenSSL and zlib.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
platform=manylinux_2_28_x86_64
version=3.13
sources=$work/sources folder=$work/python${version}t
base=$folder/bin/python${version}t
venv=$work/venv-3.13t
python=$venv/bin/python
failed() {
    tail -n 20 "$folder/log" >&2
    echo "free_threaded.sh: $1 failed; all of it is in $folder/log" >&2
    exit 1
}
if [ ! -e "$folder/made" ]; then
    scripts/wheels/sources.sh "$sources" trixie "python$version"
    rm -rf "$folder"
    mkdir -p "$folder/build"
    (cd "$folder/build" && "$sources/python$version/configure" --prefix="$folder" --disable-gil --without-ensurepip \
        --disable-test-modules) > "$folder/log" 2>&1 || failed configure
    make -C "$folder/build" -j "$(nproc)" OPT="-DNDEBUG -O1" >> "$folder/log" 2>&1 || failed make
    make -C "$folder/build" install >> "$folder/log" 2>&1 || failed "make install"
    "$base" -c 'import ctypes, ssl, zlib' >> "$folder/log" 2>&1 ||
        failed "import (apt-get install libffi-dev libssl-dev zlib1g-dev)"
    rm -r "$folder/build"
    touch "$folder/made"
fi

# The newest versions that have wheels for this Python: it cannot load abi3 modules.
if [ ! -e "$venv/done" ]; then
    rm -rf "$venv"
    "$base" -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
        scikit_build_core==1.1.2 numpy==2.4.6 ml_dtypes==0.5.4 hypothesis==6.152.0 pytest==9.2.0 \
        onnx==1.20.1
    touch "$venv/done"
fi
scripts/setup/fetch-data.sh build/data "$work/venv/bin/python"
scripts/wheels/build.sh "$platform" "$python"
wheel=$(echo build/wheels/tensorpad-*-cp313t-"$platform".whl)
"$work/venv/bin/python" scripts/wheels/check.py "$wheel"
"$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
    --force-reinstall "$wheel"
echo "free-threaded: $("$python" -VV)"
# -X gil=0: Python would turn the GIL on for a module of another package that does not declare that
# it needs none. -P: so that no folder of the clone is taken for a package.
TENSORPAD_DATA=$PWD/build/data "$python" -X gil=0 -P -m pytest -q -rs -p no:cacheprovider python/tests
