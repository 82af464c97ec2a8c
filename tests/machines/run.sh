#!/bin/sh
# The C tests on other processors, most of them emulated. Usage: run.sh [MACHINE...]; without words: all
set -eu
cd "$(dirname "$0")/../.."
scripts/setup/packages.sh packages-machines
[ $# != 0 ] || set -- armv7 aarch64 s390x x86-32 x86-64-Haswell x86-64-Conroe x86-64-qemu64 cortex-m3 cortex-m4 \
    cortex-m7 cortex-m55 riscv32 riscv64 arc-hs
for machine; do
    cmake -S tests/machines -B build/machines/"$machine" -DMACHINE="$machine"
    cmake --build build/machines/"$machine"
    ctest --test-dir build/machines/"$machine" --output-on-failure -j "$(nproc)"
done
