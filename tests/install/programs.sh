#!/bin/sh
# Examples in C99, C11 and C++17, with gcc and clang and every warning, against the static library; and in C with
# tcc and MinGW, against the library as two files. What is built for this machine is run. TPAD_PROBLEM_OF must
# not compile for a pointer, and the pieces of C in the documents must compile. A compiler that is missing is
# named, and left out.
# Usage: programs.sh BUILD_FOLDER [COMPILER...]      all of them. Status 77 where each one is missing
set -eu
library=$(realpath "$1")/libtensorpad.a
shift
[ $# -gt 0 ] || set -- gcc clang g++ clang++ tcc x86_64-w64-mingw32-gcc
cd "$(dirname "$0")"
root=$(realpath ../..)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
programs=$(cd "$root/examples" && realpath 05_plan.c 07_views.c 12_tiles.c 04_image.c)
# A pointer knows no rank, nor does the array parameter of a function, which is a pointer.
cat > "$scratch/pointer.c" << 'END'
#include <tensorpad/tensorpad.h>
#if defined(PARAMETER)
tpad_problem made(const tpad_axis axes[2]);
tpad_problem made(const tpad_axis axes[2])
#else
tpad_problem made(const tpad_axis *axes);
tpad_problem made(const tpad_axis *axes)
#endif
{
#if defined(GOOD) /* what the compiler says is about the macro: this compiles */
    tpad_problem problem = TPAD_PROBLEM(32, 2, axes);
#else
    tpad_problem problem = TPAD_PROBLEM_OF(float, axes);
#endif
    return problem;
}
END
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
count=0

fail() {
    echo "$*" >&2
    exit 1
}

# built SOURCE LIBRARY COMMAND...: makes an example, and runs it unless `foreign` says for which system it is: it
# prints its part of examples/outputs.txt.
foreign=
built() {
    made=$1
    with=$2
    shift 2
    "$@" "$made" "$with" -o "$scratch/program" || fail "does not compile: $made, $*"
    count=$((count + 1))
    [ -z "$foreign" ] || return 0
    example=${made##*/}
    "$root/tests/support/example.sh" "$scratch/program" "${example%.c*}" || fail "failed: $made, $*"
}

# refused COMMAND...: does not compile pointer.c, but compiles what is good of it.
refused() {
    "$@" -DGOOD -c "$scratch/pointer.c" -o "$scratch/object" || fail "does not compile: $* -DGOOD"
    for parameter in "" -DPARAMETER; do
        # shellcheck disable=SC2086
        if "$@" $parameter -w -c "$scratch/pointer.c" -o "$scratch/object" 2> "$scratch/said"; then
            fail "compiles, but must not: $* $parameter"
        fi
        grep -Eqi "negative|narrowing|array size" "$scratch/said" ||
            { cat "$scratch/said"; fail "is refused for another reason: $* $parameter"; }
    done
    count=$((count + 1))
}

# with_c COMPILER, with_cpp COMPILER: the static library
with_c() {
    ./snippets.py "$1"
    for standard in c99 c11; do
        for program in $programs; do
            # shellcheck disable=SC2086
            built "$program" "$library" "$1" -std=$standard $warnings -I"$root/include"
        done
        refused "$1" -std=$standard -I"$root/include"
    done
}

with_cpp() {
    # shellcheck disable=SC2086
    built "$root/examples/06_cplusplus.cpp" "$library" "$1" -std=c++17 $warnings -Wold-style-cast -I"$root/include"
    refused "$1" -x c++ -std=c++11 -I"$root/include"
    refused "$1" -x c++ -std=c++17 -I"$root/include"
}

# where_pointers_have_4_bytes: with gcc
where_pointers_have_4_bytes() {
    if [ "$(uname -m)" = x86_64 ] && echo 'int main(void){return 0;}' |
        gcc -m32 -x c - -o "$scratch/program" 2> /dev/null; then
        refused gcc -m32 -std=c99 -I"$root/include"
    else
        echo "not tested: pointers of 4 bytes: gcc -m32 does not work"
    fi
}

# with_two_files COMPILER: the library as two files, whose headers are found as the installed ones are
with_two_files() {
    "$root/scripts/amalgamate.py" "$scratch"
    "$1" -I"$scratch" -c "$scratch/tensorpad.c" -o "$scratch/tensorpad.o"
    for program in $programs; do
        built "$program" "$scratch/tensorpad.o" "$1" -I"$scratch"
    done
    refused "$1" -I"$scratch"
}

for compiler in "$@"; do
    if ! command -v "$compiler" > /dev/null; then
        echo "not tested: $compiler is missing"
        continue
    fi
    case $compiler in
    gcc)
        with_c gcc
        where_pointers_have_4_bytes
        ;;
    clang) with_c clang ;;
    *++) with_cpp "$compiler" ;;
    tcc) with_two_files tcc ;;
    *-mingw32-gcc)
        foreign=Windows
        with_two_files "$compiler"
        foreign=
        ;;
    *) fail "no such compiler: $compiler" ;;
    esac
done
[ $count -gt 0 ] || exit 77
echo "$count programs compile and run as they should"
