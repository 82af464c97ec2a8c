#!/bin/sh
# What the corpora of the fuzz targets reach: lines and branches of tools, core, specs, fit and adjoint.
set -eu
cd "$(dirname "$0")/../.."
cmake --preset coverage -B build/fuzz-coverage -DTENSORPAD_TESTS=ON -Wno-dev \
    > build/configure-fuzz-coverage.log
targets="npy proto png onnx folding lower ir folding_ir lower_ir command core"
cmake --build build/fuzz-coverage --target $(printf 'replay_%s ' $targets) -- --quiet
find build/fuzz-coverage -name '*.gcda' -delete
for target in $targets; do
    case $target in folding) files=onnx ;; folding_ir) files=ir ;; *) files=$target ;; esac
    "$PWD/build/fuzz-coverage/tests/fuzz/replay_$target" "$PWD/build/fuzz-coverage/tests/fuzz/corpus/$files" \
        "$PWD/tests/fuzz/regressions/$target" > /dev/null
done
for folder in formats models models/folding models/lowering drawing cli src/core src/specs src/fit src/adjoint; do
    echo "== $folder"
    build/venv/bin/gcovr --root . --object-directory build/fuzz-coverage --filter "$folder/" \
        --exclude-directories '.*tensorpad_mli.*' --merge-mode-functions separate \
        --gcov-suspicious-hits-threshold 0 --txt-metric "${1:-line}"
done
