#!/bin/sh
# What the libraries export and import, and that the library builds by hand and freestanding.
# Usage: symbols.sh BUILD_FOLDER COMPILER
set -eu
build=$1
cc=$2
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

exported=$(nm -D --defined-only "$build/libtensorpad.so" | awk '{print $3}')
echo "$exported" | grep -q '^tpad_plan_init$' || fail "libtensorpad.so does not export tpad_plan_init"
foreign=$(echo "$exported" | grep -v '^tpad_' || true)
[ -z "$foreign" ] || fail "libtensorpad.so exports $foreign"

# Every public function is exported, and nothing that is not public.
declared=$(cat $(ls include/tensorpad/*.h | grep -v -e /onnxruntime -e /gpu.h) | sed -n 's/^TPAD_API .*[ *]\(tpad_[a-z0-9_]*\)(.*/\1/p' | sort)
[ "$declared" = "$(echo "$exported" | sort)" ] ||
    fail "exported and declared functions differ: $(echo "$declared" > "$scratch/a"
        echo "$exported" | sort | diff "$scratch/a" - || true)"

# The threads' library: the functions of its header, and nothing of the core, so that it goes with
# the static and with the shared library.
declared=$(sed -n 's/^[a-z].*[ *]\(tpad_threads_[a-z_]*\)(.*/\1/p' include/tensorpad/threads.h | sort)
defined=$(nm --defined-only "$build/libtensorpad_threads.a" | awk '$2 ~ /[A-Z]/ {print $3}' | sort)
[ "$declared" = "$defined" ] || fail "threads.h and libtensorpad_threads.a differ: $declared; $defined"
! nm -u "$build/libtensorpad_threads.a" | grep tpad_ || fail "libtensorpad_threads.a needs the core"

# The plug-in for ONNX Runtime: the functions of its header, and nothing but the C library.
plugin=$build/libtensorpad_ort.so
declared=$(sed -n 's/^TPAD_API .*[ *]\([A-Za-z_]*\)(.*/\1/p' include/tensorpad/onnxruntime.h | sort)
exported=$(nm -D --defined-only "$plugin" | awk '{print $3}' | sort)
[ "$declared" = "$exported" ] || fail "onnxruntime.h and libtensorpad_ort.so differ: $declared; $exported"
foreign=$(nm -D -u "$plugin" | awk '$1 == "U" && $2 !~ /@GLIBC_/ {print $2}')
[ -z "$foreign" ] || fail "libtensorpad_ort.so imports $foreign"
needed=$(objdump -p "$plugin" | awk '$1 == "NEEDED" {print $2}')
case $needed in libc.so.*) ;; *) fail "libtensorpad_ort.so needs $needed" ;; esac

# Built by hand, in one line, as docs/embedding.md says; with nothing but a compiler. Where there are
# vector instructions to choose from, the compiler's run-time library says which there are; without
# tables nothing is asked. For 32 bits it also divides.
by_hand() {
    flags=$1 allowed=$2
    rm -f "$scratch"/*.o
    # shellcheck disable=SC2086
    (cd "$scratch" && $cc -std=c11 -O2 $flags -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
        -I"$OLDPWD/include" -c "$OLDPWD"/src/core/*.c "$OLDPWD"/src/kernels/*.c \
        "$OLDPWD"/src/specs/*.c "$OLDPWD"/src/fit/*.c "$OLDPWD"/src/adjoint/*.c)
    defined=$(nm --defined-only "$scratch"/*.o | awk 'NF == 3 {print $3}' | sort -u)
    imported=$(nm -u "$scratch"/*.o | awk '$1 == "U" {print $2}' | sort -u)
    for symbol in $imported; do
        echo "$symbol" | grep -Eqx -- "$allowed" || echo "$defined" | grep -qx -- "$symbol" ||
            fail "imports $symbol (flags: $flags)"
    done
}
by_hand "" "memcpy|memset|__cpu_model|__cpu_features2|_GLOBAL_OFFSET_TABLE_"
by_hand "-ffreestanding" "memcpy|memset|__cpu_model|__cpu_features2|_GLOBAL_OFFSET_TABLE_"
by_hand "-DTPAD_TABLE_BYTES=0" "memcpy|memset"
by_hand "-DTPAD_TABLE_BYTES=0 -ffreestanding" "memcpy|memset"
if [ "$(uname -m)" = x86_64 ]; then
    by_hand "-m32 -ffreestanding" "memcpy|memset|__u?(div|mod|divmod)di[34]|_GLOBAL_OFFSET_TABLE_|__x86\.get_pc_thunk\..*"
fi

# Each public header alone, included as a user does, as strict C99 and as C++11, with every compiler
# that there is.
for header in include/tensorpad/*.h; do
    for compiler in "$cc" $(command -v clang || true); do
        echo "#include <tensorpad/${header##*/}>" | "$compiler" -std=c99 -Wall -Wextra -Wpedantic \
            -Werror -Iinclude -fsyntax-only -x c -
    done
    for compiler in $(command -v g++ || true) $(command -v clang++ || true); do
        echo "#include <tensorpad/${header##*/}>" | "$compiler" -std=c++11 -Wall -Wextra -Wpedantic \
            -Werror -Iinclude -fsyntax-only -x c++ -
    done
done
echo "exports, imports and headers as documented"
