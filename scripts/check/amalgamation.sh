#!/bin/sh
# The library as two files: compiles alone and without a warning, in every form; exports what the
# library exports; and passes tests of core, specs, fit and adjoint.
# Usage: amalgamation.sh BUILD_FOLDER COMPILER
set -eu
build=$1
cc=$2
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

scripts/amalgamate.py "$scratch"
source=$scratch/tensorpad.c
flags="-std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -ffreestanding"
for switches in "" -DTPAD_DIALECTS=0 -DTPAD_TABLE_BYTES=0 -DTPAD_SMALL \
    "-DTPAD_SMALL -DTPAD_MODES=1 -DTPAD_INTERIOR=0 -DTPAD_STRIDES=0 -DTPAD_MAX_RANK=4"; do
    for compiler in "$cc" $(command -v clang || true); do
        # shellcheck disable=SC2086
        "$compiler" $flags $switches -c "$source" -o "$scratch/alone.o"
    done
done
printf '#include "tensorpad.h"\n' > "$scratch/header.c"
$cc -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$scratch/header.c"
if command -v clang > /dev/null; then
    clang -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "$scratch/header.c"
else
    echo "without clang and C++: clang is missing"
fi

"$cc" -std=c11 -O1 -fPIC -c "$source" -o "$scratch/tensorpad.o"
exported=$(nm -g --defined-only "$scratch/tensorpad.o" | awk '{ print $3 }' | sort)
[ "$exported" = "$(nm -D --defined-only "$build/libtensorpad.so" | awk '{ print $3 }' | sort)" ] || {
    echo "tensorpad.c and libtensorpad.so export different names" >&2
    exit 1
}
support="tests/support/guard.c tests/support/oracle.c tests/support/random_main.c tests/support/random_problem.c"
for test in core/test_laws core/test_plan core/test_pad_2d specs/test_specs_refused specs/test_translation \
    fit/test_fit fit/test_batch adjoint/test_adjoint_random; do
    # shellcheck disable=SC2086
    "$cc" -std=c11 -O1 -D_GNU_SOURCE -I"$scratch" -I. "tests/c/$test.c" $support \
        "$scratch/tensorpad.o" $(pkg-config --cflags --libs cmocka) -lm -o "$scratch/test"
    options=
    case $test in *_random | *_laws) options="--cases 2000" ;; esac
    # shellcheck disable=SC2086
    "$scratch/test" $options > "$scratch/said" 2>&1 || {
        cat "$scratch/said" >&2
        exit 1
    }
done
echo "tensorpad.c compiles alone and passes the tests"
