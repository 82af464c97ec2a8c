#!/bin/sh
# Line and branch coverage of core, kernels and dialects by the C tests; status 1 below 100 %.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage -DTENSORPAD_TESTS=ON -DTENSORPAD_COMMAND=OFF -Wno-dev \
    > build/configure-coverage.log
cmake --build build/coverage -- --quiet
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure --quiet

measure() {
    build/venv/bin/gcovr --root . --object-directory build/coverage --filter src/ --exclude src/threads/ \
        --merge-mode-functions separate "$@"
}
echo "Lines:"
measure
echo "Branches:"
measure --txt-metric branch --fail-under-line 100 --fail-under-branch 100
