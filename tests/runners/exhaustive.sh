#!/bin/sh
# Every small problem on one axis, then CASES (100,000,000) random ones of several axes, on every
# variant of the kernels that this machine has, against the oracle; all processors work.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset default -DTENSORPAD_TESTS=ON -Wno-dev > build/configure-default.log ||
    { cat build/configure-default.log; exit 1; }
cmake --build build --target exhaustive -- --quiet
build/tests/exhaustive axis --jobs "$(nproc)"
build/tests/exhaustive random --cases "${CASES:-100000000}" --seed "${SEED:-1}" \
    --jobs "$(nproc)"
