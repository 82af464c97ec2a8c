#!/bin/sh
# Line and branch coverage of core, kernels and dialects by the C tests; status 1 below 100 %.
set -eu
cd "$(dirname "$0")/.."
cmake --preset coverage -DTENSORPAD_TESTS=ON -DTENSORPAD_COMMAND=OFF -Wno-dev > build/configure-coverage.log
cmake --build build/coverage -- --quiet
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure --quiet
build/venv/bin/gcovr --root . --object-directory build/coverage --filter src/ \
    --exclude-throw-branches --branches --txt-metric branch --print-summary --merge-mode-functions separate
build/venv/bin/gcovr --root . --object-directory build/coverage --filter src/ \
    --fail-under-line 100 --fail-under-branch 100 > build/coverage.txt
cat build/coverage.txt
