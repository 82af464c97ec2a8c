#!/bin/sh
# The C tests on other processors: run by qemu, or, where that knows no such machine, compiled only.
# Usage: machines.sh [MACHINE...]    all of them
# Status 1 where a test fails, 77 where tools are missing. Files go to build/machines.
set -eu
cd "$(dirname "$0")/../.."
all="armv7 aarch64 s390x x86-32 x86-64 cortex-m3 cortex-m4 cortex-m7 cortex-m55 riscv32 riscv64 arc-hs"

# ---- Several machines at once -------------------------------------------------------------------

if [ "${1:-}" != --one ]; then
    # shellcheck disable=SC2086
    [ $# -gt 0 ] || set -- $all
    mkdir -p build/machines
    # What each machine came to stands in its file: xargs makes one status of all.
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME "$0" --one NAME || true
    worst=0
    for machine in "$@"; do
        status=$(cat "build/machines/$machine/status" 2> /dev/null || echo 1)
        case $status in
        0) echo "$machine: passed" ;;
        77) echo "$machine: not tested: $(cat "build/machines/$machine/missing")" ;;
        *) echo "$machine: failed" ;;
        esac
        [ "$worst" = 1 ] || [ "$status" = 0 ] || worst=$status
    done
    exit "$worst"
fi

# ---- Building and running -----------------------------------------------------------------------

machine=$2 label=$2
out=build/machines/$machine
rm -rf "$out"
mkdir -p "$out"
trap 'echo $? > "$out/status"' EXIT
warnings="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
kernels=plain io=
sources=$(echo src/core/*.c src/kernels/*.c src/specs/*.c src/sizing/*.c src/adjoint/*.c)
support="tests/support/guard.c tests/support/oracle.c tests/support/random_main.c tests/support/random_problem.c"

missing() {
    echo "$1 is missing" > "$out/missing"
    exit 77
}

# compile FILE...: to objects, whose names it says
compile() {
    for file in "$@"; do
        object=$out/$(echo "$file" | tr / _).o
        # shellcheck disable=SC2086
        $cc $warnings $flags -Iinclude -Itools -I. -c -o "$object" "$file"
        echo "$object"
    done
}

# build PROGRAM SOURCE [FILE OR FLAG...]: with what it needs besides the C library
build() {
    program=$out/$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    $cc $warnings $flags -isystem tests/machines -Iinclude -Itools -I. -o "$program" "$source" "$@" $link
}

# run PROGRAM [ARGUMENT...]: shows the last line of what it says, or all of it if it fails; 77 is a
# test that this machine cannot have, and the line says why
run() {
    name=$1 status=0
    shift
    start "$out/$name" "$@" > "$out/$name.log" 2>&1 || status=$?
    if [ $status != 0 ] && [ $status != 77 ]; then
        cat "$out/$name.log"
        echo "$label: $name $* ($kernels): status $status"
        exit 1
    fi
    echo "$label: $name $* ($kernels): $(tail -n 1 "$out/$name.log")"
}

# test_plain FOLDER/NAME [ARGUMENT...]: built where it is not yet, on top of the library
test_plain() {
    name=${1##*/} source=tests/c/$1.c
    shift
    # shellcheck disable=SC2086
    [ -e "$out/$name" ] || build "$name" "$source" $io "$out/library.a"
    run "$name" "$@"
}

# The same with each variant of the kernels
test_data() {
    for kernels in $variants; do test_plain "$@"; done
}

# chosen NAME: these kernels must be what the library chooses here by itself, so that the tests that
# follow cannot run others without a word.
chosen() {
    kernels=best
    test_plain kernels/test_kernels
    start "$out/test_kernels" --forced "$1" > "$out/chosen.log" 2>&1 || {
        cat "$out/chosen.log"
        echo "$label: the library does not choose the $1 kernels"
        exit 1
    }
}

# test_folder FOLDER LEFT_OUT: its tests with each variant, but those left out; random ones are cut
# to what an emulator does in a minute
test_folder() {
    for file in tests/c/"$1"/test_*.c; do
        test=$(basename "$file" .c) few=
        case " $2 " in *" $test "*) continue ;; esac
        case $test in
        test_random | test_adjoint_*) few="--cases $cases" ;;
        test_boxes) few="--cases $((cases / 10))" ;;
        test_short_rows) few="--cases $short_rows" ;;
        test_laws) few="--cases $((cases / 25))" ;;
        test_table_example) few=src/core/table.h ;;
        esac
        # shellcheck disable=SC2086
        test_data "$1/$test" $few
    done
}

# The library of MLI is one file, built for both versions of its tensors.
test_mli() {
    for file in tests/c/firmware/test_padding2d*.c; do
        test=$(basename "$file" .c)
        build "$test" "$file" src/firmware/mli_functions.c
        build "${test}_1_0" "$file" src/firmware/mli_functions.c -DTPAD_MLI_1_0
        run "$test"
        run "${test}_1_0"
    done
}

# test_small [ARGUMENT...]: the small build, whole and with parts left out (tests/c/firmware)
test_small() {
    if [ ! -e "$out/test_small" ]; then
        small="$cc $warnings $flags -Iinclude -I. -c tests/c/firmware/small_table.c"
        for number in 0 1 2 3; do $small -o "$out/small_$number.o" -DSMALL_BUILD=$number; done
        build test_small tests/c/firmware/test_small.c "$out"/small_[0-3].o "$out/library.a"
    fi
    run test_small "$@"
}

# prepare TOOLS: the library and what its tests share; TOOLS are missing unless they make a program
prepare() {
    printf '#include <errno.h>\nint main(void) { return errno; }\n' > "$out/probe.c"
    # shellcheck disable=SC2086
    if ! $cc $flags -o "$out/probe" "$out/probe.c" $link > "$out/probe.log" 2>&1 ||
        ! start "$out/probe" >> "$out/probe.log" 2>&1; then
        cat "$out/probe.log"
        missing "$1"
    fi
    # shellcheck disable=SC2086
    objects=$(compile $sources $support)
    # shellcheck disable=SC2086
    ar rcs "$out/library.a" $objects
}

# ---- Linux --------------------------------------------------------------------------------------

# Undefined behaviour ends a program, an unaligned access too. The short runs of `make test-full` do
# without: there the sanitizers look at the same tests on this processor.
undefined="-fsanitize=undefined -fsanitize-trap=undefined"

# linux TOOLS: with $cc and $emulator
linux() {
    flags="-O2 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DTPAD_KERNELS_ENV $undefined"
    link="-static -pthread -lm"
    start() {
        # shellcheck disable=SC2086
        TENSORPAD_KERNELS=$kernels $emulator "$@"
    }
    prepare "$1"
}

# Not gcc: Debian's for other processors cannot be installed beside gcc-multilib.
linux_clang() {
    triple=$1 emulator=$2 debian=$3
    cc="clang --target=$triple"
    linux "clang with libc6-dev-$debian-cross, libgcc-12-dev-$debian-cross and binutils-$triple, \
or qemu-user"
}

# linux_tests LEFT_OUT: large outputs are another matter where there are tables, and slow elsewhere
linux_tests() {
    cases=50000 short_rows=1000
    test_folder core "$1"
    test_folder specs ""
    test_folder sizing ""
    test_folder adjoint ""
    variants=best
    test_folder kernels ""
    kernels=best
    test_mli
    test_small --cases 10000
    # Without the libraries for pictures and models, which Debian has for the host alone
    io=$(compile tools/formats/*.c)
    for name in npy value output; do test_plain formats/test_$name; done
}

# short_tests NAME LEFT_OUT: a short run with these kernels, which the library must
# choose here. Two tests pretend kernels, so that every processor does the same in them.
short_tests() {
    variants=$1
    chosen "$1"
    cases=2500 short_rows=250
    test_folder core "$2"
    test_folder specs ""
    test_folder sizing test_batch_threads
    variants=best
    test_folder kernels "test_kernels test_tables test_written_once"
    test_small --cases 1000
}

# ---- Cortex-M -----------------------------------------------------------------------------------

# cortex_m BOARD RAM FLAG...: the board of qemu, where its largest memory lies
cortex_m() {
    board=$1 ram=$2
    shift 2
    # int32_t is a long there, which printf minds and the processor does not; Debian's newlib prints
    # 64 bits and does not say so.
    flags="-O2 -ffunction-sections -mthumb -Wno-format -DPRId64=\"lld\" -DPRIu64=\"llu\" $*"
    link="-lm --specs=rdimon.specs -nostartfiles -Wl,--gc-sections -Wl,--defsym=ram=$ram
        -Wl,-T,tests/machines/cortex_m.ld tests/machines/cortex_m.c"
    cc=arm-none-eabi-gcc
    start() {
        words=
        for word in "$@"; do words=$words,arg=$word; done
        timeout 300 qemu-system-arm -M "$board" -semihosting-config "enable=on,target=native$words" \
            -display none -monitor none -serial none -kernel "$1"
    }
    prepare "gcc-arm-none-eabi with libnewlib-arm-none-eabi, or qemu-system-arm"
    bare_tests
}

# bare_tests: on machines with some megabytes and no threads
bare_tests() {
    cases=20000 short_rows=400 variants=plain
    # These want gigabytes, large outputs, or room for tables.
    test_folder core "test_far test_large"
    test_folder specs ""
    test_folder sizing test_batch_threads # there are no threads
    test_folder adjoint test_adjoint_threads # there are no threads
    test_plain kernels/test_kernels
    test_mli
    test_small --cases 5000
}

# ---- RISC-V of 32 bits --------------------------------------------------------------------------

# As cheap microcontrollers have it: no floating point, no atomics.
riscv32() {
    flags="-O2 -ffunction-sections -march=rv32imc -mabi=ilp32 --specs=picolibc.specs -Wno-format"
    link="-lm --crt0=semihost --oslib=semihost -Wl,--gc-sections -Wl,--defsym=__flash=0x80000000
        -Wl,--defsym=__flash_size=0x400000 -Wl,--defsym=__ram=0x80400000 -Wl,--defsym=__ram_size=0x1000000
        -Wl,--defsym=__stack_size=0x100000"
    cc=riscv64-unknown-elf-gcc
    start() { # picolibc names the program itself
        program=$1 words=
        shift
        for word in "${@:-}"; do words=$words,arg=$word; done
        timeout 300 qemu-system-riscv32 -M virt -bios none -m 64M -display none -monitor none -serial none \
            -semihosting-config "enable=on,target=native$words" -kernel "$program"
    }
    prepare "gcc-riscv64-unknown-elf with picolibc-riscv64-unknown-elf, or qemu-system-riscv32"
    bare_tests
}

# ---- Compiled only ------------------------------------------------------------------------------

# freestanding COMPILER BINUTILS NAMES TOOLS: the library without a C library, its headers or any
# names but these
freestanding() {
    cc=$1 flags="-O2 -ffreestanding -nostdinc"
    # The compiler's own headers
    # shellcheck disable=SC2086
    include=$($cc -print-file-name=include 2> /dev/null) || missing "$4"
    command -v "$2-ld" > /dev/null || missing "$4"
    flags="$flags -isystem $include"
    # shellcheck disable=SC2086
    objects=$(compile $sources)
    # shellcheck disable=SC2086
    "$2-ld" -r -o "$out/library.o" $objects
    asks=$("$2-nm" -u "$out/library.o" | awk '{ print $2 }' | sort -u)
    if echo "$asks" | grep -qvxE "$3"; then
        echo "$machine: the library asks for more than $3: $(echo "$asks" | tr "\n" " ")"
        exit 1
    fi
    # shellcheck disable=SC2086
    echo "$machine: $(echo $objects | wc -w) files compile freestanding and ask for" $asks
}

case $machine in
x86-32)
    # gcc-multilib brings this one folder of headers, and excludes the cross compilers.
    cc="gcc -m32 -Wno-psabi -idirafter /usr/include/x86_64-linux-gnu"
    emulator='' variants=plain undefined="-fsanitize=undefined -fsanitize-undefined-trap-on-error"
    linux gcc-12-multilib
    linux_tests ""
    ;;
armv7)
    variants=plain
    linux_clang arm-linux-gnueabihf qemu-arm armhf
    linux_tests test_large
    ;;
s390x)
    variants=plain
    linux_clang s390x-linux-gnu qemu-s390x s390x
    linux_tests test_large
    ;;
aarch64)
    variants="neon plain"
    linux_clang aarch64-linux-gnu qemu-aarch64 arm64
    linux_tests test_large
    kernels=neon
    test_plain core/test_large
    ;;
# Processors of several ages, built for once. The emulator knows none with AVX-512. Large outputs
# take it minutes, and these kernels meet them natively in the other builds.
x86-64)
    cc="clang --target=x86_64-linux-gnu" emulator=qemu-x86_64 undefined=
    kernels=best
    linux "clang with libc6-dev for x86-64, or qemu-user"
    for processor in Haswell=avx2 Conroe=ssse3 qemu64=plain; do
        label="$machine ${processor%=*}" emulator="qemu-x86_64 -cpu ${processor%=*}"
        short_tests "${processor#*=}" test_large
    done
    ;;
# Here an access to an unaligned address faults, as on processors that know no other; elsewhere the
# compiler may rely on its being allowed.
cortex-m3) cortex_m mps2-an385 0x21000000 -mcpu=cortex-m3 -mno-unaligned-access -DTRAP_UNALIGNED ;;
cortex-m4) cortex_m mps2-an386 0x21000000 -mcpu=cortex-m4 -mfloat-abi=hard ;;
cortex-m7) cortex_m mps2-an500 0x60000000 -mcpu=cortex-m7 -mfloat-abi=hard ;;
cortex-m55) cortex_m mps3-an547 0x70000000 -mcpu=cortex-m55 -mfloat-abi=hard ;;
riscv32) riscv32 ;;
# Where words have to be aligned clang makes a memmove of what moves cells of 12 or 16 bytes.
riscv64)
    freestanding "clang --target=riscv64-unknown-elf -march=rv64gc -mabi=lp64d" riscv64-unknown-elf \
        "memcpy|memset|memmove" "clang or binutils-riscv64-unknown-elf"
    ;;
# Arithmetic of 64 bits and of floats comes with every GCC.
arc-hs)
    freestanding "arc-linux-gnu-gcc -mcpu=hs38" arc-linux-gnu \
        "memcpy|memset|__[a-z]+(di|df|sf)[23]?" gcc-arc-linux-gnu
    ;;
*) missing "a machine of that name among $all" ;;
esac
