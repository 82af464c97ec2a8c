#!/bin/sh
# What the MLI libraries export and import; that one line builds them, for a bare machine too; that
# headers which do not match the library do not compile.
# Usage: mli.sh BUILD_FOLDER COMPILER
set -eu
build=$1
cc=$2
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

wanted="mli_krn_padding2d_chw_fx16
mli_krn_padding2d_chw_fx8
mli_krn_padding2d_hwc_fx16
mli_krn_padding2d_hwc_fx8"

# look FILE ALLOWED: ALLOWED is what may be imported, as alternatives of a regular expression.
look() {
    exported=$(nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort)
    [ "$exported" = "$wanted" ] || fail "$1 exports: $exported"
    imported=$(nm -u "$1" | awk '$1 == "U" { print $2 }' | grep -Evx "$2" || true)
    [ -z "$imported" ] || fail "$1 imports: $imported"
}

memory="memcpy|memset|memmove"
look "$build/libtensorpad_mli.a" "$memory"
look "$build/libtensorpad_mli_1_0.a" "$memory"

# By hand, in one line, as docs/specs/mli.md says. On 32 bits a compiler brings its own 64-bit division
# and, by the rules of ARM, its own names for the memory functions. Neither is our doing.
flags="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Iinclude"
division="__u?divmod[sd]i4|__u?(div|mod)di3|__aeabi_u?ldivmod"
for version in "" -DTPAD_MLI_1_0; do
    for level in -O0 -Os -O3; do
        # shellcheck disable=SC2086
        $cc $flags $version $level -ffreestanding -c src/firmware/mli_functions.c -o "$scratch/host.o"
        look "$scratch/host.o" "$memory"
    done
    if command -v clang > /dev/null; then
        for target in thumbv7em-none-eabi riscv32-unknown-elf; do
            # shellcheck disable=SC2086
            clang --target=$target $flags $version -Os -ffreestanding -c src/firmware/mli_functions.c \
                -o "$scratch/bare.o"
            look "$scratch/bare.o" "$memory|__aeabi_mem(cpy|set|move|clr)[48]?|$division"
        done
    else
        echo "without the bare machines: clang is missing"
    fi
done

# A user's headers of the other version are told apart.
printf '#include "users_mli.h"\n#undef TPAD_MLI_1_0\n#include <tensorpad/mli_padding2d.h>\n' \
    > "$scratch/user.c"
$cc -std=c11 -Iinclude -Itests/c/firmware -fsyntax-only "$scratch/user.c"
if $cc -std=c11 -DTPAD_MLI_1_0 -Iinclude -Itests/c/firmware -fsyntax-only "$scratch/user.c" \
    2> "$scratch/said"; then
    fail "headers of MLI 1.0 are taken for those of 1.1"
fi
grep -q "not the layout that tensorpad was told" "$scratch/said" || fail "$(cat "$scratch/said")"
echo "the MLI libraries export and import what is documented"
