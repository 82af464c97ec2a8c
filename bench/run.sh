#!/bin/sh
# The benchmarks (docs/development/measurements.md); options go to the program after the name.
# Usage: bench/run.sh NAME [OPTION]...
#   check      instructions of ten workloads against the record; --update writes it
#   variants   the workloads with each variant of the kernels, forced, and without tables; --sweep: short rows
#   rivals     the workloads beside six other libraries (6 GB); --threads N, --kernels avx2
#   new        calls from Python whose output is new, beside NumPy, OpenCV and torch; --one-thread
#   calls      small calls from Python, beside numpy.pad
#   chunks     pads and overlaps of arrays in chunks, beside dask's: half an hour; --rounds 1 for a first look
# --write PAGE puts the table of variants, rivals and new into its page.
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

# The package in a folder of its own, for the Python of a virtual environment
package() {
    "$1" -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target build/python-bench .
    export PYTHONPATH=$PWD/build/python-bench
}

rivals() {
    scripts/setup/packages.sh packages-pip
    scripts/setup/venv.sh build/venv-rivals bench/requirements.txt --each
    python=build/venv-rivals/bin/python
}

scripts/setup/packages.sh packages-bench
case $name in
check)
    make
    cmake --build build --target instructions
    bench/instructions.py build/instructions "$@"
    ;;
variants)
    forced
    bench/variants.py --tableless build/tableless "$@"
    ;;
rivals)
    rivals
    build=build
    case " $* " in *" --kernels "*) forced && build=build/variants ;; *) make ;; esac
    cmake --build $build --target tensorpad_threads_shared
    $python bench/rivals.py --build $build --json build/rivals.json "$@"
    ;;
new | calls)
    rivals
    package $python
    [ $name = new ] && program=new_outputs || program=python_calls
    $python bench/$program.py "$@"
    ;;
chunks)
    make build/venv/test
    package build/venv/bin/python
    build/venv/bin/python bench/chunks.py "$@"
    ;;
*)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
