#!/bin/sh
# The library as two files: compiles alone and without a warning, in every form; exports what the
# library exports; and passes tests of core, specs, fit and adjoint.
# Usage: amalgamation.sh BUILD_FOLDER COMPILER [levels]
# With `levels` instead: a short program, whose compiler sees the library's sources, as one file and by -flto; then
# the tests, and those of the small build; at every level of optimisation, with several sizes of tables.
set -eu
build=$(realpath "$1") cc=$2
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scripts/amalgamate.py "$scratch"
include="-std=c11 -D_GNU_SOURCE -I$scratch -I."
whole=$scratch/tensorpad.c
cmocka_flags=$(pkg-config --cflags cmocka)
cmocka=$(pkg-config --libs cmocka)
support="tests/support/guard.c tests/support/oracle.c tests/support/random_main.c tests/support/random_problem.c"
programs=0 cases=2000 options= flags=

# program WORD...: what the compiler makes of the words must run; $options are the program's.
program() {
    # shellcheck disable=SC2086
    $cc "$@" -o "$scratch/program" && "$scratch/program" $options > "$scratch/said" 2>&1 || {
        cat "$scratch/said"
        echo "failed: $cc $*"
        exit 1
    } >&2
    programs=$((programs + 1))
}

# object FILE WORD...: compiled with $flags and the words, to a file of its name
object() {
    file=$1
    shift
    # shellcheck disable=SC2086
    $cc -w $include $cmocka_flags $flags "$@" -c "$file" -o "$scratch/$(basename "$file" .c).o"
}

# The tests that are named, on the library of $flags.
tests() {
    names=$1
    shift
    objects=
    for file in $support; do
        object "$file" "$@"
        objects="$objects $scratch/$(basename "$file" .c).o"
    done
    object "$whole" "$@"
    for test in $names; do
        object tests/c/$test.c "$@"
        case $test in *_random | *_laws) options="--cases $cases" ;; esac
        # shellcheck disable=SC2086
        program $flags "$scratch/${test#*/}.o" $objects "$scratch/tensorpad.o" $cmocka -lm
        options=
    done
}

# ---- As it is handed out -------------------------------------------------------------------------

if [ "${3:-}" != levels ]; then
    strict="-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -ffreestanding"
    for switches in "" -DTPAD_DIALECTS=0 -DTPAD_TABLE_BYTES=0 -DTPAD_SMALL \
        "-DTPAD_SMALL -DTPAD_MODES=1 -DTPAD_INTERIOR=0 -DTPAD_STRIDES=0 -DTPAD_MAX_RANK=4"; do
        for compiler in "$cc" $(command -v clang || true); do
            # shellcheck disable=SC2086
            "$compiler" $strict $switches -c "$whole" -o "$scratch/alone.o"
        done
    done
    printf '#include "tensorpad.h"\n' > "$scratch/header.c"
    $cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/header.c"
    if command -v clang > /dev/null; then
        clang -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "$scratch/header.c"
    else
        echo "without clang and C++: clang is missing"
    fi
    flags="-O1 -fPIC"
    tests "core/test_laws core/test_plan core/test_pad_2d specs/test_specs_refused specs/test_translation
        fit/test_fit fit/test_batch adjoint/test_adjoint_laws"
    exported=$(nm -g --defined-only "$scratch/tensorpad.o" | awk '{ print $3 }' | sort)
    [ "$exported" = "$(nm -D --defined-only "$build/libtensorpad.so" | awk '{ print $3 }' | sort)" ] || {
        echo "tensorpad.c and libtensorpad.so export different names" >&2
        exit 1
    }
    echo "tensorpad.c compiles alone and passes the tests"
    exit
fi

# ---- At every level of optimisation --------------------------------------------------------------

# The short program, for which every function of the library is one of the same file.
copied() {
    # shellcheck disable=SC2086
    program "$@" $include "-DTPAD_API=static __attribute__((unused))" -include "$whole" \
        -DWITH_COPY tests/install/users.c
}

# The same, and the library beside it.
linked() {
    # shellcheck disable=SC2086
    program "$@" $include -flto -DWITH_COPY tests/install/users.c "$whole"
}

# The tests of the small build, whose elements are the oracle's.
tests_small() {
    small="$cc -w -std=c11 -Iinclude $flags -c tests/c/firmware/small_table.c"
    for number in 0 1 2 3 4; do $small -DSMALL_BUILD=$number -o "$scratch/small_$number.o"; done
    options="--cases 3000"
    # shellcheck disable=SC2086
    program -w -std=c11 -D_GNU_SOURCE -Iinclude $flags tests/c/firmware/test_small.c $support \
        "$scratch"/small_[0-4].o "$build/libtensorpad.a" $cmocka -lm
    options=
}

command -v "$cc" > /dev/null || {
    echo "without $cc: it is missing"
    exit 0
}
cases=1000
for level in -O1 -Os -O2 -O3; do
    copied $level -DTPAD_SMALL
    copied $level
done
linked -O2 -DTPAD_SMALL
linked -O2
for flags in -O1 -Os -O2 -O3 "-O2 -flto"; do
    for size in 0 1024 2048 4096 8192 16384; do
        copied ${flags% -flto} -DTPAD_TABLE_BYTES="$size"
        tests "core/test_laws core/test_plan specs/test_translation fit/test_batch adjoint/test_adjoint_laws" \
            -DTPAD_TABLE_BYTES="$size"
    done
    tests_small
    echo "$cc $flags: passed"
done
echo "$cc: $programs programs pass"
