#!/bin/sh
# The library as one file, compiled at several levels of optimisation and with several sizes of
# tables, with gcc and clang.
# Usage: levels.sh short|all BUILD_FOLDER
#   short  one short program, whose compiler sees the library's sources: as one file and by -flto
#   all    also tests of core, specs, sizing and the small build, at every level with every size
set -eu
how=$1
build=$(realpath "$2")
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scripts/amalgamate.py "$scratch"
include="-std=c11 -D_GNU_SOURCE -I$scratch -I."
whole=$scratch/tensorpad.c
programs=0

# A program of its name, from a compiler and its words; it must pass.
passes() {
    name=$1
    shift
    # shellcheck disable=SC2086
    "$@" -o "$scratch/$name" && "$scratch/$name" $options > "$scratch/said" 2>&1 || {
        cat "$scratch/said"
        echo "failed: $*"
        exit 1
    } >&2
    programs=$((programs + 1))
}

# The short program, for which every function of the library is one of the same file.
copied() {
    passes copied_plan "$@" $include "-DTPAD_API=static __attribute__((unused))" -include "$whole" \
        tests/one_file/copied_plan.c
}

# The same, and the library beside it.
linked() {
    passes copied_plan "$@" $include -flto tests/one_file/copied_plan.c "$whole"
}

# The tests of core, specs and sizing, and those of the small build, whose elements are the oracle's.
cmocka=$(pkg-config --cflags --libs cmocka)
support="tests/support/guard.c tests/support/oracle.c tests/support/random_main.c tests/support/random_problem.c"
tests() {
    for test in core/test_random core/test_plan core/test_boxes specs/test_onnx sizing/test_batch; do
        [ $test != core/test_random ] || options="--cases 1000"
        passes test "$@" -w $include $flto "tests/c/$test.c" $support "$whole" $cmocka -lm
        options=
    done
}
tests_small() {
    "$@" -w -std=c11 -Iinclude $flto -DSMALL_NAME=small_all -c tests/c/firmware/small_table.c \
        -o "$scratch/small_all.o"
    "$@" -w -std=c11 -Iinclude $flto -DSMALL_NAME=small_constant -DTPAD_MAX_RANK=5 -DTPAD_MODES=1 \
        -DTPAD_INTERIOR=0 -DTPAD_STRIDES=0 -c tests/c/firmware/small_table.c \
        -o "$scratch/small_constant.o"
    options="--cases 3000"
    passes test "$@" -w -std=c11 -D_GNU_SOURCE -Iinclude $flto tests/c/firmware/test_small.c $support \
        "$scratch/small_all.o" "$scratch/small_constant.o" "$build/libtensorpad.a" $cmocka -lm
    options=
}

options= flto=
sizes="0 1024 2048 4096 8192 16384"
compilers=gcc
if command -v clang > /dev/null; then compilers="gcc clang"; else echo "without clang: clang is missing"; fi

for cc in $compilers; do
    for level in -O1 -Os -O2 -O3; do
        copied $cc $level -DTPAD_SMALL
        [ "$how$level" = short-O1 ] || copied $cc $level
    done
    linked $cc -O2 -DTPAD_SMALL
    linked $cc -O2
done
if [ "$how" = short ]; then
    for size in $sizes; do copied gcc -O1 -DTPAD_TABLE_BYTES="$size"; done
else
    for cc in $compilers; do
        for level in -O1 -Os -O2 -O3 "-O2 -flto"; do
            case $level in *-flto) flto=-flto ;; *) flto= ;; esac
            tests_small $cc ${level% -flto}
            for size in $sizes; do
                copied $cc ${level% -flto} -DTPAD_TABLE_BYTES="$size"
                tests $cc ${level% -flto} -DTPAD_TABLE_BYTES="$size"
            done
            echo "$cc $level: passed"
        done
    done
fi
echo "$programs programs pass"
