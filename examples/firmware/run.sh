#!/bin/sh
# Builds the net for boards of QEMU and runs it there. Needs the cross compiler of the board, and qemu-system-arm
# or qemu-system-riscv32.
# Usage: run.sh BOARD    BOARD: mps2-an385 (Cortex-M3), mps2-an386 (M4), mps2-an500 (M7), virt (RV32IMC)
# SPDX-License-Identifier: MIT
set -eu
here=$(dirname "$0")
root=$here/../..
board=${1:-}
case $board in
mps2-an385) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m3" ;;
mps2-an386) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -mfloat-abi=hard" ;;
mps2-an500) cc="arm-none-eabi-gcc -mthumb -mcpu=cortex-m7 -mfloat-abi=hard" ;;
virt) cc="riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib" ;;
*)
    echo "usage: $0 mps2-an385|mps2-an386|mps2-an500|virt" >&2
    exit 2
    ;;
esac
case $board in
virt) startup=virt emulator="qemu-system-riscv32 -bios none -icount shift=0" libraries=-lgcc ;;
*) startup=mps2 emulator="qemu-system-arm -semihosting-config enable=on,target=native -icount shift=10" libraries= ;;
esac

mkdir -p "$root/build/keywords"
program=$root/build/keywords/$board.elf
# shellcheck disable=SC2086
$cc -std=c11 -O2 -ffreestanding -ffunction-sections -fdata-sections -Wall -Wextra -Wpedantic -Wconversion -Wshadow \
    -Werror \
    '-DTPAD_CONFIG_FILE="tensorpad_config.h"' -I"$root/include" -I"$here" -nostartfiles \
    -Wl,--gc-sections -Wl,-T,"$here/$startup.ld" -o "$program" \
    "$here/main.c" "$here/keywords.c" "$here/board.c" "$here/$startup.c" \
    "$root/src/core/axis.c" "$root/src/core/problem.c" "$root/src/firmware/small_build.c" $libraries
# shellcheck disable=SC2086
exec timeout 120 $emulator -M "$board" -display none -monitor none -serial stdio -kernel "$program"
