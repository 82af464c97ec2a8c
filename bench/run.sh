#!/bin/sh
# The benchmarks (docs/development/measurements.md); options go to the program after the name.
# Usage: bench/run.sh NAME [OPTION]...
#   check      instructions of eleven workloads against the record; --update writes it
#   variants   the workloads with each variant of the kernels, forced, and without tables
#   rivals     the workloads beside six other libraries (6 GB); --threads N, --kernels avx2; --new: calls from
#              Python whose output is a new array, with --threads 1 the processor time
# --write PAGE puts the table of variants or rivals into its page.
set -eu
cd "$(dirname "$0")/.."
name=${1:-}
[ $# = 0 ] || shift

# In these two builds TENSORPAD_KERNELS in the environment names the kernels.
forced() {
    for kind in variants tableless; do
        flags=
        [ $kind = variants ] || flags=-DTPAD_TABLE_BYTES=0
        cmake -S . -B build/$kind -DCMAKE_BUILD_TYPE=Release -DTENSORPAD_TESTS=OFF \
            -DTENSORPAD_KERNELS_ENV=ON -DCMAKE_C_FLAGS=$flags -Wno-dev
        cmake --build build/$kind --target tensorpad_command tensorpad_shared tensorpad_threads_shared
    done
}

scripts/setup/packages.sh packages-bench
case $name in
check)
    make
    cmake --build build --target instructions instructions_small
    bench/instructions.py build/instructions build/instructions_small "$@"
    ;;
variants)
    forced
    bench/variants.py --tableless build/tableless "$@"
    ;;
rivals)
    scripts/setup/packages.sh packages-pip
    scripts/setup/venv.sh build/venv-rivals bench/requirements.txt --each
    python=build/venv-rivals/bin/python
    build=build
    case " $* " in
    *" --kernels "*) forced && build=build/variants ;;
    *) make ;;
    esac
    cmake --build $build --target tensorpad_threads_shared
    case " $* " in
    *" --new "*) # the package in a folder of its own
        $python -m pip install --quiet --no-deps --upgrade --target build/python-bench .
        export PYTHONPATH=$PWD/build/python-bench
        ;;
    esac
    $python bench/rivals.py --build $build "$@"
    ;;
*)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
