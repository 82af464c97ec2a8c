#!/bin/sh
# Builds and runs every test: as released, with counters of lines and branches, and under address and
# undefined behaviour sanitizers, with gcc; and a build with clang that must give no warning. The
# longest, pytest_formats, runs once, under the sanitizers. The last lines say what this machine
# could not run.
set -eu
cd "$(dirname "$0")/../.."
jobs=$(nproc)

build() {
    echo "== $1"
    cmake --preset "$1" -DTENSORPAD_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON -Wno-dev \
        > "build/configure-$1.log" || { cat "build/configure-$1.log"; exit 1; }
    grep -e '-- without' -e 'is missing' "build/configure-$1.log" || true
    cmake --build "$2" -- --quiet
}

build clang build/clang
build default build
build sanitize build/sanitize
ctest --test-dir build -j "$jobs" --output-on-failure -E '^pytest_formats'
scripts/test/python.sh
moves='hostile or arrays or pad or plan or specs or batch or fit or show'
scripts/test/python.sh --sanitize -k "($moves) and not (dask or zarr or xarray or dropin)" -x
scripts/test/javascript.sh
scripts/test/coverage.sh
ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir build/sanitize -j "$jobs" --output-on-failure

echo "== all passed"
scripts/test/not_run.py build/sanitize/tests/test_kernels
[ "${TENSORPAD_KILLS:-3}" -ge 20 ] ||
    echo "workers of dask: ${TENSORPAD_KILLS:-3} were killed; make test-all kills 20"
for machine in x86-64 neon; do
    [ ! -s build/machines/$machine/missing ] ||
        echo "$machine, emulated: not run: $(cat build/machines/$machine/missing)"
done
