#!/bin/sh
# Line and branch coverage of core, kernels and dialects by the C tests; status 1 below 100 %.
set -eu
cd "$(dirname "$0")/.."
rm -rf build/coverage # counts of files that are gone would stay
cmake --preset coverage -DTENSORPAD_TESTS=ON -DTENSORPAD_COMMAND=OFF -Wno-dev \
    > build/configure-coverage.log
cmake --build build/coverage -- --quiet
ctest --test-dir build/coverage -j "$(nproc)" --output-on-failure --quiet

# The copy of the engine inside the MLI libraries is not measured: what they do not reach is no gap.
measure() {
    build/venv/bin/gcovr --root . --object-directory build/coverage --filter "$1" --exclude src/threads/ \
        --exclude-directories "$2" --merge-mode-functions separate \
        --gcov-suspicious-hits-threshold 0 --txt-metric "$3" --fail-under-line 100 \
        --fail-under-branch 100
}
status=0
for metric in line branch; do
    measure 'src/(core|kernels|small|dialects)/' '.*tensorpad_mli.*' $metric || status=1
    measure src/mli/ nothing $metric || status=1
done
exit $status
