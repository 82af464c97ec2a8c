#!/bin/sh
# `make wheels`: wheels for x86-64 in build/wheels, looked at (check.py) and tested in bare Debians
# with several versions of Python (test_bare.sh). --all: also for 64-bit ARM, Windows,
# macOS and a Python without the GIL, and the source distribution. What cannot be had here is said at the
# end, with the reason.
# SPDX-License-Identifier: MIT
# Usage: make.sh [--all]
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
wheels=$PWD/build/wheels
python=$work/venv/bin/python
mkdir -p "$work"
rm -rf "$wheels"
missing=
lacking() {
    echo "NOT TESTED: $1"
    missing="$missing
NOT TESTED: $1"
}

# The source distribution, and a wheel from nothing but it: without the clone and without a network.
make_sdist() {
    sdist=$work/sdist
    rm -rf "$sdist"
    mkdir -p "$sdist/packages" "$sdist/clone" "$wheels"
    # Of what Git has alone: scikit-build-core looks into all folders, and Wine's in build leads to the whole machine.
    git ls-files -z | tar -c --null -T - | tar -x -C "$sdist/clone"
    "$work/venv/bin/python" -m build --sdist --no-isolation -o "$sdist" "$sdist/clone" > "$sdist/log" 2>&1 || {
        tail -n 20 "$sdist/log" >&2
        exit 1
    }
    "$work/venv/bin/python" -m pip download --quiet --disable-pip-version-check -d "$sdist/packages" \
        scikit-build-core numpy==2.4.6
    python3 -m venv "$sdist/venv"
    "$sdist/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index \
        --find-links "$sdist/packages" "$sdist"/tensorpad-*.tar.gz
    said=$(cd "$sdist" && venv/bin/python -c 'import tensorpad; print(*tensorpad.pad([1, 2], 1, "edge"))')
    [ "$said" = "1 1 2 2" ] || {
        echo "make.sh: what was built from the source distribution says $said" >&2
        exit 1
    }
    cp "$sdist"/tensorpad-*.tar.gz "$wheels/"
    echo "the source distribution builds a wheel in a fresh environment"
}

make_wheel() {
    scripts/wheels/build.sh "$1"
    "$python" scripts/wheels/check.py "$wheels"/tensorpad-*-abi3-"$1".whl
}
make_wheel manylinux_2_28_x86_64
make_wheel musllinux_1_2_x86_64

# The oldest Debian on the mirror, the stable ones, and the newest Python of the next one.
glibc=$(echo "$wheels"/tensorpad-*-abi3-manylinux_2_28_x86_64.whl)
if [ "$(id -u)" != 0 ] || ! command -v debootstrap > /dev/null; then
    lacking "bare Debians: they need root and debootstrap (apt-get install debootstrap)"
else
    scripts/setup/fetch-data.sh build/data "$python"
    if portable=$(scripts/wheels/portable_python.sh linux "$work/python3.12"); then
        scripts/wheels/test_bare.sh "$glibc" bullseye 3.12 "$portable"
    else
        lacking "Python 3.12 on Debian 11 (glibc 2.31): there is no such Python here, see above"
    fi
    scripts/wheels/test_bare.sh "$glibc" bookworm 3.11
    scripts/wheels/test_bare.sh "$glibc" trixie 3.13
    scripts/wheels/test_bare.sh "$glibc" sid 3.15
fi
lacking "glibc 2.28 to 2.30: Debian 10 is no longer on Debian's mirrors; Debian 11 has glibc 2.31"
lacking "the modules of the musllinux wheels: Debian has no Python for musl; their command ran"

if [ "${1:-}" = --all ]; then
    make_wheel manylinux_2_28_aarch64
    make_wheel musllinux_1_2_aarch64
    make_wheel win_amd64
    make_wheel macosx_11_0_arm64
    make_wheel macosx_11_0_x86_64
    make_sdist
    lacking "manylinux_2_28_aarch64: built and looked at; CI runs the package's tests on ARM"
    lacking "musllinux_1_2_aarch64: built and looked at, and nothing else"
    lacking "win_amd64: here its command said its version under Wine; tests/platforms/run.sh runs the package's tests"
    lacking "macosx_11_0_arm64, macosx_11_0_x86_64: built and looked at; nothing runs them here"
    scripts/wheels/free_threaded.sh
fi
echo
ls -l "$wheels"
echo "$missing"
