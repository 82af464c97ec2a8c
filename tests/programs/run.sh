#!/bin/sh
# Programs as a user writes them: in C99, C11 and C++17, with gcc and clang and every warning, against
# the static library; and in C with tcc and MinGW, against the library as two files. What is built for
# this machine is run. TPAD_PROBLEM_OF must not compile for a pointer, and the pieces of C in the documents
# must compile. A compiler that is missing is named, and left out.
# Usage: run.sh BUILD_FOLDER
set -eu
library=$(realpath "$1")/libtensorpad.a
cd "$(dirname "$0")"
root=$(realpath ../..)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
programs="first.c plan.c image.c mistakes.c"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror"
count=0

fail() {
    echo "$*" >&2
    exit 1
}

# has COMPILER: whether it is there; if not, says so.
has() {
    command -v "$1" > /dev/null || { echo "without $1: it is missing"; return 1; }
}

# built COMMAND...: makes a program, and runs it unless `foreign` says for which system it is.
foreign=
built() {
    "$@" -o "$scratch/program" || fail "does not compile: $*"
    count=$((count + 1))
    [ -z "$foreign" ] || return 0
    "$scratch/program" > "$scratch/said" 2>&1 || { cat "$scratch/said"; fail "failed: $*"; }
}

# refused COMMAND...: does not compile pointer.c, but compiles what is good of it.
refused() {
    "$@" -DGOOD -c pointer.c -o "$scratch/object" || fail "does not compile: $* -DGOOD"
    for parameter in "" -DPARAMETER; do
        # shellcheck disable=SC2086
        if "$@" $parameter -w -c pointer.c -o "$scratch/object" 2> "$scratch/said"; then
            fail "compiles, but must not: $* $parameter"
        fi
        grep -Eqi "negative|narrowing|array size" "$scratch/said" ||
            { cat "$scratch/said"; fail "is refused for another reason: $* $parameter"; }
    done
    count=$((count + 1))
}

for compiler in gcc clang; do
    has $compiler || continue
    ./snippets.py $compiler
    for standard in c99 c11; do
        for program in $programs; do
            # shellcheck disable=SC2086
            built $compiler -std=$standard $warnings -I"$root/include" $program "$library"
        done
        refused $compiler -std=$standard -I"$root/include"
    done
done
for compiler in g++ clang++; do
    has $compiler || continue
    # shellcheck disable=SC2086
    built $compiler -std=c++17 $warnings -I"$root/include" vectors.cpp "$library"
    refused $compiler -x c++ -std=c++11 -I"$root/include"
    refused $compiler -x c++ -std=c++17 -I"$root/include"
done
if [ "$(uname -m)" = x86_64 ] && echo 'int main(void){return 0;}' |
    gcc -m32 -x c - -o "$scratch/program" 2> /dev/null; then
    refused gcc -m32 -std=c99 -I"$root/include" # where a pointer has 4 bytes
else
    echo "without pointers of 4 bytes: gcc -m32 does not work"
fi

# The library as two files, whose headers are found as the installed ones are.
"$root/scripts/amalgamate.py" "$scratch"
for compiler in tcc x86_64-w64-mingw32-gcc; do
    has $compiler || continue
    [ $compiler = tcc ] || foreign=Windows
    $compiler -I"$scratch" -c "$scratch/tensorpad.c" -o "$scratch/tensorpad.o"
    for program in $programs; do
        built $compiler -I"$scratch" $program "$scratch/tensorpad.o"
    done
    refused $compiler -I"$scratch"
done
echo "$count programs compile and run as they should"
