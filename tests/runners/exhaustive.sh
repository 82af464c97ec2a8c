#!/bin/sh
# Every small problem on one axis, then CASES (100,000,000) random ones of several axes, on every
# variant of the kernels that this machine has, against the oracle; all processors work.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset default -DTENSORPAD_TESTS=ON -Wno-dev > build/configure-default.log ||
    { cat build/configure-default.log; exit 1; }
cmake --build build --target exhaustive test_laws_selectable -- --quiet
each() { xargs -P "$(nproc)" -I '{}' sh -c "$1 > /dev/null"; }
seq 0 1000 77000 | each 'build/tests/exhaustive axis --first {} --cases 1000'
share=$((${CASES:-100000000} / 6 / 100))
for variant in plain ssse3 avx2 avx512bw avx512 any; do # a name that is none: the library chooses
    export TENSORPAD_KERNELS=$variant
    seq 0 $share $((99 * share)) |
        each "build/tests/test_laws_selectable --law oracle --seed ${SEED:-1} --first {} --cases $share"
done
echo "all as they should be"
