#!/bin/sh
# The core and its kernels for 64-bit ARM, tested under qemu on any other machine. Status 77, and the
# reason, where the tools for that are missing.
set -eu
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Not gcc: Debian's for ARM cannot be installed beside gcc-multilib.
cc="clang --target=aarch64-linux-gnu -static -pthread"
echo "int main(void) { return 0; }" > "$scratch/main.c"
if ! $cc -o "$scratch/main" "$scratch/main.c" 2> "$scratch/said" || ! qemu-aarch64 "$scratch/main"; then
    echo "skipped: the NEON kernels were not tested. clang with libc6-dev-arm64-cross,"
    echo "libgcc-12-dev-arm64-cross and binutils-aarch64-linux-gnu, or qemu-aarch64, is missing"
    exit 77
fi

support="tests/core/guard.c tests/core/oracle.c tests/core/random_main.c tests/core/random_problem.c"

# build FOLDER NAME
build() {
    # shellcheck disable=SC2086
    $cc -std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -D_GNU_SOURCE \
        -DTPAD_KERNELS_ENV -Iinclude -o "$scratch/$2" "tests/$1/$2.c" $support \
        src/core/*.c src/kernels/*.c
}
# run KERNELS NAME ARGUMENT...
run() {
    kernels=$1 name=$2
    shift 2
    qemu-aarch64 -E TENSORPAD_KERNELS="$kernels" "$scratch/$name" "$@" > "$scratch/said" 2>&1 || {
        cat "$scratch/said"
        echo "$name failed with the $kernels kernels"
        exit 1
    }
    echo "$name, $kernels kernels: $(tail -n 1 "$scratch/said")"
}

for name in test_random test_laws test_boxes test_large; do build core $name; done
for name in test_kernels test_tiles; do build kernels $name; done
run neon test_kernels --forced neon
run neon test_kernels
run neon test_tiles
run neon test_large
for kernels in neon plain; do
    run $kernels test_random --cases 20000
    run $kernels test_laws --cases 500
    run $kernels test_boxes --cases 1000
done
