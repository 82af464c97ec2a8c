#!/bin/sh
# What the libraries export and import, those of MLI too; that they build by hand and freestanding, in one line,
# and as docs/embedding.md says; that each header compiles alone, and that those of another MLI than the library's
# do not.
# Usage: symbols.sh BUILD_FOLDER COMPILER
set -eu
build=$1
cc=$2
cd "$(dirname "$0")/../.."
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow"
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
    (cd "$scratch" && $cc -std=c11 -O2 $flags $warnings -Werror -I"$OLDPWD/include" \
        -c "$OLDPWD"/src/core/*.c "$OLDPWD"/src/kernels/*.c \
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

# "As source" of docs/embedding.md, in a folder that has only what the sentence names.
sentence=$(sed -n '/^- \*\*As source/,/^- \*\*Installed/p' docs/embedding.md | tr '\n' ' ')
mkdir "$scratch/tree"
# shellcheck disable=SC2046
cp --parents -r $(echo "${sentence%%into your tree*}" | grep -o '`[a-z/]*`' | tr -d '`') "$scratch/tree"
(cd "$scratch/tree" && sh -c "$cc $(echo "$sentence" | sed 's/.*`cc \([^`]*\)`.*/\1/')") ||
    fail "docs/embedding.md, As source: does not compile"

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
# The MLI libraries.
wanted="mli_krn_padding2d_chw_fx16
mli_krn_padding2d_chw_fx8
mli_krn_padding2d_hwc_fx16
mli_krn_padding2d_hwc_fx8"

# look FILE ALLOWED: ALLOWED is what may be imported, as alternatives of a regular expression.
look() {
    exported=$(nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort)
    [ "$exported" = "$wanted" ] || fail "$1 exports: $exported"
    imported=$(nm -u "$1" | awk '$1 == "U" { print $2 }' | grep -Evx "$2" || true)
    [ -z "$imported" ] || fail "$1 imports: $imported"
}

memory="memcpy|memset|memmove"
look "$build/libtensorpad_mli.a" "$memory"
look "$build/libtensorpad_mli_1_0.a" "$memory"

# By hand, in one line, as docs/specs/mli.md says. On 32 bits a compiler brings its own 64-bit division
# and, by the rules of ARM, its own names for the memory functions. Neither is our doing.
flags="-std=c11 $warnings -Werror -Iinclude"
division="__u?divmod[sd]i4|__u?(div|mod)di3|__aeabi_u?ldivmod"
for version in "" -DTPAD_MLI_1_0; do
    for level in -O0 -Os -O3; do
        # shellcheck disable=SC2086
        $cc $flags $version $level -ffreestanding -c src/firmware/mli_functions.c -o "$scratch/host.o"
        look "$scratch/host.o" "$memory"
    done
    if command -v clang > /dev/null; then
        for target in thumbv7em-none-eabi riscv32-unknown-elf; do
            # shellcheck disable=SC2086
            clang --target=$target $flags $version -Os -ffreestanding -c src/firmware/mli_functions.c \
                -o "$scratch/bare.o"
            look "$scratch/bare.o" "$memory|__aeabi_mem(cpy|set|move|clr)[48]?|$division"
        done
    else
        echo "without the bare machines: clang is missing"
    fi
done

# A user's headers of the other version are told apart.
printf '#include "users_mli.h"\n#undef TPAD_MLI_1_0\n#include <tensorpad/mli_padding2d.h>\n' \
    > "$scratch/user.c"
$cc -std=c11 -Iinclude -Itests/c/firmware -fsyntax-only "$scratch/user.c"
if $cc -std=c11 -DTPAD_MLI_1_0 -Iinclude -Itests/c/firmware -fsyntax-only "$scratch/user.c" \
    2> "$scratch/said"; then
    fail "headers of MLI 1.0 are taken for those of 1.1"
fi
grep -q "not the layout that tensorpad was told" "$scratch/said" || fail "$(cat "$scratch/said")"
echo "exports, imports and headers as documented"
