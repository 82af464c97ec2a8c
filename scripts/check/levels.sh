#!/bin/sh
# The library as one file, compiled at several levels of optimisation and with several sizes of
# tables, with gcc and clang, both at once.
# Usage: levels.sh BUILD_FOLDER
# A short program, whose compiler sees the library's sources: as one file and by -flto; then tests of core,
# specs, fit, adjoint and the small build, at every level with every size.
set -eu
build=$(realpath "$1")
cd "$(dirname "$0")/../.."

# ---- Both compilers ------------------------------------------------------------------------------

if [ $# = 1 ]; then
    compilers=
    for cc in gcc clang; do
        if command -v $cc > /dev/null; then compilers="$compilers $cc"; else echo "without $cc: it is missing"; fi
    done
    [ -n "$compilers" ] || exit 1
    # shellcheck disable=SC2086
    printf '%s\n' $compilers | xargs -P 2 -I COMPILER scripts/check/levels.sh "$build" COMPILER
    exit
fi

# ---- One of them ---------------------------------------------------------------------------------

cc=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scripts/amalgamate.py "$scratch"
include="-std=c11 -D_GNU_SOURCE -I$scratch -I."
whole=$scratch/tensorpad.c
programs=0

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

# object FILE WORD...: compiled with $flags and the words, to a file of its name
object() {
    file=$1
    shift
    # shellcheck disable=SC2086
    $cc -w $include $cmocka_flags $flags "$@" -c "$file" -o "$scratch/$(basename "$file" .c).o"
}

# The tests of core, specs, fit and adjoint on the library of $flags; those of the small build, whose elements are
# the oracle's.
cmocka_flags=$(pkg-config --cflags cmocka)
cmocka=$(pkg-config --libs cmocka)
support="tests/support/guard.c tests/support/oracle.c tests/support/random_main.c tests/support/random_problem.c"
tests() {
    objects=
    for file in $support; do
        object "$file" "$@"
        objects="$objects $scratch/$(basename "$file" .c).o"
    done
    object "$whole" "$@"
    for test in core/test_laws core/test_plan specs/test_translation fit/test_batch \
        adjoint/test_adjoint_random; do
        object tests/c/$test.c "$@"
        case $test in *_random | *_laws) options="--cases 1000" ;; esac
        # shellcheck disable=SC2086
        program $flags "$scratch/${test#*/}.o" $objects "$scratch/tensorpad.o" $cmocka -lm
        options=
    done
}
tests_small() {
    small="$cc -w -std=c11 -Iinclude $flags -c tests/c/firmware/small_table.c"
    for number in 0 1 2 3; do $small -DSMALL_BUILD=$number -o "$scratch/small_$number.o"; done
    options="--cases 3000"
    # shellcheck disable=SC2086
    program -w -std=c11 -D_GNU_SOURCE -Iinclude $flags tests/c/firmware/test_small.c $support \
        "$scratch"/small_[0-3].o "$build/libtensorpad.a" $cmocka -lm
    options=
}

options=
sizes="0 1024 2048 4096 8192 16384"
for level in -O1 -Os -O2 -O3; do
    copied $level -DTPAD_SMALL
    copied $level
done
linked -O2 -DTPAD_SMALL
linked -O2
for flags in -O1 -Os -O2 -O3 "-O2 -flto"; do
    for size in $sizes; do
        copied ${flags% -flto} -DTPAD_TABLE_BYTES="$size"
        tests -DTPAD_TABLE_BYTES="$size"
    done
    tests_small
    echo "$cc $flags: passed"
done
echo "$cc: $programs programs pass"
