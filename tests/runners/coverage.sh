#!/bin/sh
# Usage: coverage.sh [library]
# Which lines and branches the C tests and the tests of the command reach; with `library` the C tests alone,
# which must reach all of src. Status 1 where it is less than all of core, kernels, specs, fit, adjoint, gpu and
# firmware, all lines of plugins/onnxruntime, or less than 95 % of the lines of the readers and rewriters of
# files, of drawing or of command. Kernels that this
# processor cannot run are not counted; the output names them. pytest_formats would double the time for
# few lines more.
set -eu
cd "$(dirname "$0")/../.."
folder=build/coverage
left_out='^pytest_formats' command=ON
[ "${1:-}" != library ] || left_out='^(pytest_|test_random_facts$)' command=OFF
jobs=$(nproc)
cmake --preset coverage -DTENSORPAD_TESTS=ON -DTENSORPAD_COMMAND=$command -Wno-dev > build/configure-coverage.log ||
    { cat build/configure-coverage.log; exit 1; }
cmake --build $folder --target all full_tests -- --quiet
# What files that are gone left behind, and the last counts
[ ! -e $folder/build.ninja ] || ninja -C $folder -t cleandead > build/coverage.log
find $folder -name '*.gcda' -delete
find $folder -name '*.gcno' | while read -r notes; do
    [ -e "${notes%.gcno}.o" ] || rm "$notes"
done
ctest --test-dir $folder --output-on-failure -j "$jobs" -E "$left_out" > build/coverage.log ||
    { cat build/coverage.log; exit 1; }

gcovr() {
    build/venv/bin/gcovr --root . "$@"
}
# What only a build without that mode would reach, and it refuses the mode, is no gap either.
collect() {
    gcovr --exclude src/threads/ --merge-mode-functions separate --gcov-suspicious-hits-threshold 0 \
        --exclude-lines-by-pattern ' *if \(!(HAS\(TPAD_[A-Z]+\)|TPAD_EXTENDS)\) break;$' -j "$jobs" "$@"
}
tests/runners/not_run.py $folder/tests/test_kernels $folder
# The copy of the engine inside the MLI libraries is not measured: what they do not reach is no gap.
collect --object-directory $folder --exclude-directories '.*tensorpad_mli.*' --filter src/ \
    --filter command/ --filter formats/ --filter checker/ --filter drawing/ --filter plugins/ --json $folder/all.json
collect --object-directory $folder --filter src/firmware/ --json $folder/mli.json \
    $folder/CMakeFiles/tensorpad_mli*.dir
# The functions of small builds have their settings in their names (tensorpad.h); without, they are one.
sed -i -E 's/_rank[0-9]+_modes[0-9]+_interior[0-9]+_strides[0-9]+//g' $folder/all.json $folder/mli.json

# COUNTS FOLDERS LINES BRANCHES: prints both, and fails below so many per cent.
status=0
measure() {
    for metric in line branch; do
        gcovr -a $folder/"$1" --filter "$2" --txt-metric $metric --fail-under-line "$3" \
            --fail-under-branch "$4" || status=1
    done
}
measure all.json 'src/((core|specs|fit|adjoint|gpu|kernels)/|firmware/(small_build|cmsis_nn_pad|tflm_pad))' 100 100
measure mli.json src/firmware/mli_functions 100 100
measure all.json plugins/onnxruntime/ 100 90
[ $command = ON ] || exit $status
measure all.json '(formats|checker/(models|protobuf))/' 95 0
measure all.json drawing/ 95 0
measure all.json '(checker/)?command/' 95 0
exit $status
