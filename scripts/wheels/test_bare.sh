#!/bin/sh
# Installs a wheel where there is nothing but Python, and runs the package's tests there: in a bare
# Debian without compiler, headers and network. The first time fetches that Debian and the tests'
# packages into build/wheels-work. Needs root and debootstrap.
# SPDX-License-Identifier: MIT
# Usage: test_bare.sh WHEEL SUITE VERSION [FOLDER]
#     SUITE: of Debian; VERSION: of Python, of which SUITE has a package
#     FOLDER: where SUITE has none, a Python that runs from any place, with bin/pythonVERSION in it
set -eu
fail() {
    echo "test_bare.sh: $*" >&2
    exit 1
}
if [ "$1" != --inside ]; then
    [ "$(id -u)" = 0 ] || fail "must be run as root: debootstrap and chroot need it"
    command -v debootstrap > /dev/null || fail "needs debootstrap: apt-get install debootstrap"
    # Mounts live in a namespace of their own, which ends with this script even if it is killed.
    exec unshare --mount --propagation private "$0" --inside "$@"
fi
wheel=$2 suite=$3 version=$4 portable=${5:-}
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
name=$suite-python$version
root=$work/clean/$name
packages=$work/packages/$version
mkdir -p "$work/clean" "$packages"

if [ ! -e "$root.made" ]; then
    rm -rf --one-file-system "$root"
    include=python$version
    if [ -n "$portable" ]; then
        include=libsqlite3-0,zlib1g,libbz2-1.0,liblzma5,libffi7
    fi
    debootstrap --variant=minbase --include="$include" "$suite" "$root" \
        "$(scripts/setup/mirror.sh)" > "$root.log" 2>&1 ||
        fail "debootstrap of $suite failed: $root.log"
    if [ -n "$portable" ]; then
        cp -r "$portable" "$root/opt/python"
    fi
    rm -rf "$root"/var/cache/apt/archives/*.deb
    touch "$root.made"
fi
python=/usr/bin/python$version
if [ -n "$portable" ]; then
    python=/opt/python/bin/python$version
fi

# What the tests of the package need. A package that has no wheel for this Python is left out.
numpy=numpy==2.5.5
[ "$version" != 3.11 ] || numpy=numpy==2.4.6
wanted="pip $numpy ml_dtypes==0.6.0 hypothesis==6.170.15 pytest==9.2.0 onnx==1.23.2 onnxruntime==1.32.0"
if [ "$(cat "$packages/fetched" 2> /dev/null)" != "$wanted" ]; then
    rm -rf "$packages"
    mkdir "$packages"
    for package in $wanted; do
        "$work/venv/bin/python" -m pip download --quiet --disable-pip-version-check \
            --python-version "$version" --only-binary=:all: --platform manylinux_2_28_x86_64 \
            --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 \
            -d "$packages" "$package" > "$packages/log" 2>&1 ||
            echo "$name: no wheel of $package: its tests are skipped"
    done
    echo "$wanted" > "$packages/fetched"
fi

place=$root/root/tests
rm -rf "$place" "$root/root/wheels"
mkdir -p "$place" "$root/root/wheels"
git ls-files -z | tar -c --null -T - | tar -x -C "$place"
cp "$packages"/*.whl "$wheel" "$root/root/wheels"
rm -rf "$root/root/data"
cp -r build/data "$root/root/data"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

inside() {
    unshare --net chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
        PATH=/root/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin TENSORPAD_DATA=/root/data \
        COLUMNS=100 /bin/sh -ec "$1" < /dev/null
}
inside "! command -v cc gcc clang tcc cmake
    ! find /usr/include /opt -name Python.h 2> /dev/null | grep ." ||
    fail "$name has a compiler or Python's headers"
inside "rm -rf /root/venv && $python -m venv --without-pip /root/venv && cd /root
    PYTHONPATH=\$(echo wheels/pip-*.whl) python -m pip install --quiet --disable-pip-version-check \
        --no-index wheels/*.whl"
echo "$name: $(inside 'python -V && ldd --version | head -n 1' | paste -s -d ' ')"
inside "command -v tensorpad && tensorpad --version"
# -P: so that no folder of the clone is taken for a package.
inside "cd /root/tests && python -P -m pytest -q -rs -p no:cacheprovider python/tests"
