#!/bin/sh
# Builds the net for boards of QEMU and runs it there. Needs arm-none-eabi-gcc and qemu-system-arm.
# Usage: run.sh BOARD    BOARD: mps2-an385 (Cortex-M3), mps2-an386 (M4), mps2-an500 (M7)
# SPDX-License-Identifier: MIT
set -eu
here=$(dirname "$0")
root=$here/../..
board=${1:-}
case $board in
mps2-an385) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m3" ;;
mps2-an386) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard" ;;
mps2-an500) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m7 -mfloat-abi=hard" ;;
*)
    echo "usage: $0 mps2-an385|mps2-an386|mps2-an500" >&2
    exit 2
    ;;
esac

mkdir -p "$root/build/keywords"
program=$root/build/keywords/$board.elf
# shellcheck disable=SC2086
$cc -std=c11 -O2 -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
    -Werror -DTPAD_SMALL -DTPAD_MAX_RANK=3 -DTPAD_MODES=1 -DTPAD_INTERIOR=0 -DTPAD_STRIDES=0 -I"$root/include" \
    -nostartfiles -Wl,--gc-sections -Wl,-T,"$here/board.ld" -o "$program" "$here/keywords.c" "$here/board.c" \
    "$root/src/core/axis.c" "$root/src/core/problem.c" "$root/src/firmware/small_build.c"
exec timeout 120 qemu-system-arm -M "$board" -semihosting-config enable=on,target=native -icount shift=10 \
    -display none -monitor none -serial stdio -kernel "$program"
