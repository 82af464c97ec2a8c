#!/bin/sh
# Runs the package's tests for 64-bit ARM on this machine: Debian 12's Python for ARM, under QEMU.
# Needs root, debootstrap, and a kernel (6.7 or later) on which a namespace has binary formats of
# its own: those of this machine are not touched.
# SPDX-License-Identifier: MIT
# Usage: emulated.sh WHEEL
set -eu
fail() {
    echo "emulated.sh: $*" >&2
    exit 1
}
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
root=$work/clean/bookworm-arm64
packages=$work/packages/arm64
if [ "$1" != --inside ]; then
    [ "$(id -u)" = 0 ] || fail "must be run as root: debootstrap and chroot need it"
    command -v debootstrap > /dev/null || fail "needs debootstrap: apt-get install debootstrap"
    mkdir -p "$work/clean" "$packages"
    if [ ! -e "$root.made" ]; then
        rm -rf --one-file-system "$root" "$work/qemu"
        mkdir "$work/qemu"
        (cd "$work/qemu" && apt-get -q download qemu-user-static > log 2>&1 &&
            dpkg-deb -x ./*.deb .) ||
            fail "apt-get download qemu-user-static failed: $work/qemu/log"
        debootstrap --foreign --arch=arm64 --variant=minbase --include=python3.11 bookworm "$root" \
            "$(scripts/setup/mirror.sh)" > "$root.log" 2>&1 || fail "debootstrap failed: $root.log"
        # Unpacked is enough for Python: no package's script has to run.
        for package in "$root"/var/cache/apt/archives/*.deb; do
            dpkg-deb -x "$package" "$root"
        done
        touch "$root.made"
    fi
    if [ ! -e "$packages/fetched" ]; then
        "$work/venv/bin/python" -m pip download --quiet --disable-pip-version-check \
            --python-version 3.11 --only-binary=:all: --platform manylinux_2_28_aarch64 \
            --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 -d "$packages" \
            numpy==2.4.6 ml_dtypes==0.6.0 hypothesis==6.170.15 pytest==9.2.0
        touch "$packages/fetched"
    fi
    site=$root/usr/lib/python3/dist-packages
    rm -rf "$root/root" "$site"
    mkdir -p "$root/root" "$site" "$root/tmp"
    git ls-files -z | tar -c --null -T - | tar -x -C "$root/root"
    "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --no-index --python-version 3.11 --only-binary=:all: --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 --target "$site" \
        "$packages"/*.whl "$1"
    exec unshare --user --map-root-user --mount --propagation private "$0" --inside
fi

mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$work/qemu/formats"
mount -t binfmt_misc none "$work/qemu/formats" ||
    fail "this kernel keeps binary formats for the whole machine; a namespace needs Linux 6.7"
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
printf '%s' ":arm64:M::$magic:$mask:$work/qemu/usr/bin/qemu-aarch64-static:F" \
    > "$work/qemu/formats/register"

# -P: so that no folder of the clone is taken for a package.
chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
    PATH=/usr/lib/python3/dist-packages/bin:/usr/bin:/bin /bin/sh -ec '
        cd /root
        echo "arm64: $(uname -m), $(python3.11 -V)"
        tensorpad --version
        python3.11 -P -m pytest -q -rs -p no:cacheprovider python/tests
    ' < /dev/null
