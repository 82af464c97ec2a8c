#!/bin/sh
# The C tests on other processors: run by qemu, or, where that knows no such machine, compiled only.
# Usage: test_machines.sh [MACHINE...]    all of them, or neon: the part of aarch64 that is in `make test`
# Status 1 where a test fails, 77 where tools are missing. Files go to build/machines.
set -eu
cd "$(dirname "$0")/.."
all="x86-32 armv7 s390x aarch64"

# ---- Several machines at once -------------------------------------------------------------------

if [ "${1:-}" != --one ]; then
    [ $# -gt 0 ] || set -- $all
    mkdir -p build/machines
    worst=0
    # xargs makes one status of all: what each machine came to stands in its file.
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME "$0" --one NAME || true
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

# ---- One machine --------------------------------------------------------------------------------

machine=$2
out=build/machines/$machine
rm -rf "$out"
mkdir -p "$out"
trap 'echo $? > "$out/status"' EXIT
warnings="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
kernels=plain

missing() {
    echo "$1 is missing" > "$out/missing"
    exit 77
}

# compile FILE...: to objects, whose names it says
compile() {
    for file in "$@"; do
        object=$out/$(echo "$file" | tr / _).o
        # shellcheck disable=SC2086
        $cc $warnings $flags -Iinclude -c -o "$object" "$file"
        echo "$object"
    done
}

# build PROGRAM SOURCE [FLAG...]
build() {
    program=$out/$1 source=$2
    shift 2
    # shellcheck disable=SC2086
    $cc $warnings $flags -isystem tests/machines -Iinclude -o "$program" "$source" "$@" $link
}

# run PROGRAM [ARGUMENT...]: shows the last line of what it says, or all of it if it fails; 77
# is a test that this machine cannot have, and the line says why
run() {
    log=$out/$1.log status=0
    start "$out/$@" > "$log" 2>&1 || status=$?
    if [ $status != 0 ] && [ $status != 77 ]; then
        cat "$log"
        echo "$machine: $* ($kernels): status $status"
        exit 1
    fi
    echo "$machine: $* ($kernels): $(tail -n 1 "$log")"
}

# test_plain FOLDER/NAME [ARGUMENT...]: built where it is not yet, on top of the library
test_plain() {
    name=${1##*/} source=tests/$1.c
    shift
    [ -e "$out/$name" ] || build "$name" "$source" ${io:-} "$out/library.a"
    run "$name" "$@"
}

# The same with each variant of the kernels
test_data() {
    for kernels in $variants; do test_plain "$@"; done
}

# The library of MLI is one file, built for both versions of its tensors.
test_mli() {
    for version in 1_1 1_0; do
        build test_padding2d_$version tests/mli/test_padding2d.c src/mli/padding2d.c \
            $([ $version = 1_1 ] || echo -DTPAD_MLI_1_0)
        run test_padding2d_$version
    done
}

linux() {
    # Undefined behaviour ends a program, access to an unaligned address among it.
    flags="-O2 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DTPAD_KERNELS_ENV -fsanitize=undefined $trapping"
    link="-static -pthread -lm"
    printf '#include <errno.h>\nint main(void) { return errno; }\n' > "$out/probe.c"
    # shellcheck disable=SC2086
    if ! $cc $flags -o "$out/probe" "$out/probe.c" $link > "$out/probe.log" 2>&1 ||
        ! start "$out/probe" >> "$out/probe.log" 2>&1; then
        cat "$out/probe.log"
        missing "$tools"
    fi
    objects=$(compile src/core/*.c src/kernels/*.c src/dialects/*.c tests/core/guard.c \
        tests/core/oracle.c tests/core/random_main.c tests/core/random_problem.c)
    # shellcheck disable=SC2086
    ar rcs "$out/library.a" $objects
}

start() {
    # shellcheck disable=SC2086
    TENSORPAD_KERNELS=$kernels $emulator "$@"
}

case $machine in
x86-32)
    # Debian's gcc-multilib brings this one folder of headers, and excludes the cross compilers.
    cc="gcc -m32 -Wno-psabi -idirafter /usr/include/x86_64-linux-gnu" emulator=
    trapping=-fsanitize-undefined-trap-on-error
    tools="gcc-12-multilib"
    ;;
*)
    # Not gcc: Debian's for other processors cannot be installed beside gcc-multilib.
    trapping=-fsanitize-trap=undefined
    case $machine in
    aarch64 | neon) triple=aarch64-linux-gnu emulator=qemu-aarch64 debian=arm64 ;;
    armv7) triple=arm-linux-gnueabihf emulator=qemu-arm debian=armhf ;;
    s390x) triple=s390x-linux-gnu emulator=qemu-s390x debian=s390x ;;
    *)
        missing "a machine of that name; there are: $all"
        ;;
    esac
    cc="clang --target=$triple"
    tools="clang with libc6-dev-$debian-cross, libgcc-12-dev-$debian-cross and binutils-$triple, \
or qemu-user"
    ;;
esac
case $machine in
neon | aarch64) variants="neon plain" ;;
*) variants=plain ;;
esac
linux

if [ "$machine" = neon ]; then
    kernels=neon
    test_plain kernels/test_kernels --forced neon
    test_plain kernels/test_kernels
    test_plain kernels/test_tiles
    test_plain core/test_large
    test_data core/test_random --cases 20000
    test_data core/test_laws --cases 500
    test_data core/test_boxes --cases 1000
    exit 0
fi

for name in calls errors plan limits far addresses; do test_data core/test_$name; done
test_data core/test_random --cases 50000
test_data core/test_laws --cases 2000
test_data core/test_boxes --cases 4000
test_data core/test_packed --cases 2000
for name in mli ngraph onnx openvino; do test_data dialects/test_$name; done

kernels=best
# Large outputs are a matter of tables, and these of 64 bits.
case $machine in aarch64) test_plain core/test_large ;; esac
for name in kernels tiles bit_tiles elsewhere machines written_once; do
    test_plain kernels/test_$name
done
test_mli
# Without the libraries for models and pictures, which Debian has for the host alone.
io=$(compile src/io/*.c src/io/model/*.c)
for name in npy value output; do
    test_plain io/test_$name
done
