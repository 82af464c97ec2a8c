#!/bin/sh
# The library for Windows on x86-64, by MinGW's cross compiler: exports what the headers declare, imports
# the C library alone, and links with a user's program, shared and static.
# Nothing is run.
set -eu
cd "$(dirname "$0")/../.."
prefix=x86_64-w64-mingw32
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

cmake -S . -B "$scratch/build" -G Ninja -Wno-dev -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_SYSTEM_PROCESSOR=AMD64 -DCMAKE_C_COMPILER=$prefix-gcc -DTENSORPAD_TESTS=OFF \
    -DTENSORPAD_COMMAND=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=ON \
    > "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
cmake --build "$scratch/build" > "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
cmake --install "$scratch/build" --prefix "$scratch/prefix" > /dev/null
dll=$scratch/prefix/bin/libtensorpad.dll

# The table of exported names ends with an empty line.
exports() {
    $prefix-objdump -p "$1" | sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/p' | awk '/\[ *[0-9]+\]/ { print $NF }' |
        sort
}
imports() {
    $prefix-objdump -p "$1" | awk '/DLL Name:/ { print $3 }' | sort | xargs
}
declared=$(cat $(ls include/tensorpad/*.h | grep -v /onnxruntime) | sed -n 's/^TPAD_API .*[ *]\(tpad_[a-z0-9_]*\)(.*/\1/p' | sort)
[ "$(exports "$dll")" = "$declared" ] || fail "the DLL exports: $(exports "$dll" | xargs)
the headers declare: $(echo "$declared" | xargs)"
[ "$(imports "$dll")" = "KERNEL32.dll msvcrt.dll" ] || fail "the DLL imports $(imports "$dll")"
if $prefix-nm "$scratch/prefix/lib/libtensorpad.a" | grep -q __imp_tpad; then
    fail "the static library imports its own functions"
fi
if strings "$scratch/prefix/lib/libtensorpad.a" | grep -q -e '-export:'; then
    fail "the static library exports its functions"
fi

# A user's programs.
cat > "$scratch/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(tensorpad REQUIRED)
foreach(kind tensorpad shared)
  add_executable(${kind}_user main.c)
  target_link_libraries(${kind}_user PRIVATE tensorpad::${kind})
endforeach()
END
cp tests/install/main.c "$scratch"
cmake -S "$scratch" -B "$scratch/user" -G Ninja -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_C_COMPILER=$prefix-gcc -DCMAKE_PREFIX_PATH="$scratch/prefix" \
    -DCMAKE_FIND_ROOT_PATH="$scratch/prefix" > "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
cmake --build "$scratch/user" > "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
imports "$scratch/user/shared_user.exe" | grep -q libtensorpad.dll ||
    fail "the program does not import libtensorpad.dll"
if imports "$scratch/user/tensorpad_user.exe" | grep -q tensorpad; then
    fail "the program with the static library imports a shared one"
fi
$prefix-nm "$scratch/user/CMakeFiles/shared_user.dir/main.c.obj" | grep -q __imp_tpad_run ||
    fail "the program calls tpad_run, which is not declared as imported"
echo "tensorpad for Windows exports $(echo "$declared" | wc -l) functions and imports $(imports "$dll")"
