#!/bin/sh
# Looks for the Debian packages that `make TARGET` needs. Where some are missing it says which and how
# to get them, status 1; with --install it says which and installs them; with --optional it says which,
# status 0 if cmake and a compiler are there. Does nothing, and needs no network, if none is missing.
# Usage: packages.sh [--install|--optional] packages-NAME    NAME: one of the lists below
set -eu
# The tiers: each contains the one before. COMMAND=PACKAGE: only where there is no such command.
build="gcc libc6-dev cmake ninja-build pkg-config nanopb libnanopb-dev libexpat1-dev libpng-dev"
demo="$build python3 python3-venv"
test="$demo clang lld libcmocka-dev mandoc python3-dev node=nodejs npm=npm chromium=chromium
wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev"
full="$test libclang-rt-14-dev gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-arc-linux-gnu gcc-riscv64-unknown-elf
qemu-system-arm qemu-system-misc gcc-avr avr-libc gcc-mingw-w64-x86-64 valgrind
tcc pocl-opencl-icd ocl-icd-libopencl1"
# Of single targets
bench="$build valgrind python3"
prove="frama-c-base why3 z3 cvc4"
size="gcc-avr avr-libc gcc-arm-none-eabi libnewlib-arm-none-eabi gcc-arc-linux-gnu gcc-riscv64-unknown-elf python3"
machines="gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user qemu-system-arm gcc-arc-linux-gnu
picolibc-riscv64-unknown-elf binutils-riscv64-unknown-elf binutils-arm-linux-gnueabihf libc6-dev-armhf-cross
libgcc-12-dev-armhf-cross binutils-s390x-linux-gnu libc6-dev-s390x-cross libgcc-12-dev-s390x-cross"
platforms="$demo wine64 dpkg-dev gcc-mingw-w64-x86-64 maven"
script="python3=python3"
python="python3 python3-venv"
pip="$demo python3-dev"
javascript="clang lld cmake ninja-build python3"
site="$javascript $python"
npm="$javascript node=nodejs npm=npm wasi-libc libclang-rt-14-dev-wasm32 nanopb dpkg-dev"
node="$build $npm"
hosts="$npm chromium=chromium firefox-esr"
wheels="$demo clang maven libclang-rt-14-dev python3-dev dpkg-dev"
# Programs of 32 bits, and of 64-bit ARM: only x86-64 has packages for both. Not gcc-multilib, which
# is the same but excludes all cross compilers.
if [ "$(dpkg --print-architecture 2> /dev/null || true)" = amd64 ]; then
    full="$full gcc-12-multilib qemu-user binutils-aarch64-linux-gnu libc6-dev-arm64-cross
libgcc-12-dev-arm64-cross"
fi
machines="$full $machines"
release="$full $wheels debootstrap"
all="$machines $size $platforms $prove $release $hosts"

how=
case ${1:-} in
--install | --optional)
    how=$1
    shift
    ;;
esac
wanted=
case ${1:-} in packages-*[!a-z]*) ;; packages-?*) eval "wanted=\${${1#packages-}:-}" ;; esac
if [ -z "$wanted" ]; then
    echo "usage: $0 [--install|--optional] packages-NAME, where NAME is one of the lists in this file" >&2
    exit 2
fi

if ! command -v dpkg-query > /dev/null; then
    echo "This is not Debian. Install by hand what these packages hold:" $wanted >&2
    exit 0
fi
missing=
for package in $(printf '%s\n' $wanted | sort -u); do
    case $package in
    *=*)
        ! command -v "${package%%=*}" > /dev/null || continue
        package=${package#*=}
        ;;
    esac
    case $(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true) in
    *"ok installed"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
fi
get="apt-get install --no-install-recommends$missing"
compiler=${CC:-cc}
if [ "$how" = --optional ] && command -v cmake > /dev/null && command -v "${compiler%% *}" > /dev/null; then
    echo "Debian packages are missing; going on with what is there. To install them, as root: $get" >&2
    exit 0
fi
if [ "$how" != --install ] || ! command -v ${as_root:-env} > /dev/null; then
    echo "Debian packages are missing. To install them, as root: $get" >&2
    exit 1
fi
echo "Installing Debian packages that are missing:$missing"
$as_root apt-get update -q
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
