#!/bin/sh
# Installs the Debian packages that are missing. Does nothing, and needs no network, if none is.
# Usage: packages.sh packages-NAME, NAME one of build test bench prove machines size
set -eu
build="gcc libc6-dev cmake ninja-build pkg-config nanopb libnanopb-dev libexpat1-dev libpng-dev
libpthreadpool-dev"
test="$build clang libclang-rt-14-dev libcmocka-dev python3 python3-venv gcc-arm-none-eabi"
bench="$build valgrind python3"
prove="frama-c-base why3 z3 cvc4"
size="gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-arc-linux-gnu python3"
machines="gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user qemu-system-arm gcc-arc-linux-gnu
binutils-riscv64-unknown-elf binutils-arm-linux-gnueabihf libc6-dev-armhf-cross libgcc-12-dev-armhf-cross
binutils-s390x-linux-gnu libc6-dev-s390x-cross libgcc-12-dev-s390x-cross"
# Programs of 32 bits, and of 64-bit ARM: only x86-64 has packages for both. Not gcc-multilib, which
# is the same but excludes all cross compilers.
if [ "$(dpkg --print-architecture 2> /dev/null || true)" = amd64 ]; then
    test="$test gcc-12-multilib qemu-user binutils-aarch64-linux-gnu libc6-dev-arm64-cross
libgcc-12-dev-arm64-cross"
fi
case ${1:-} in
packages-build) wanted=$build ;;
packages-test) wanted=$test ;;
packages-bench) wanted=$bench ;;
packages-prove) wanted=$prove ;;
packages-machines) wanted="$test $machines" ;;
packages-size) wanted=$size ;;
*)
    echo "usage: $0 packages-(build|test|bench|prove|machines|size)" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query > /dev/null; then
    echo "This is not Debian. Install by hand what these packages hold: $wanted" >&2
    exit 0
fi
missing=
for package in $wanted; do
    case $(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true) in
    *"ok installed"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null; then
        echo "Missing packages, to be installed as root: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
