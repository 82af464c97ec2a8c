#!/bin/sh
# The benchmarks (docs/development/measurements.md); options go to the program after the name.
# Usage: bench/run.sh NAME [OPTION]...
#   check      instructions of eleven workloads against the record; --update writes it
#   variants   the workloads with each variant of the kernels, forced, and without tables
#   rivals     the workloads beside six other libraries (6 GB); --threads N, --kernels avx2
#   new        calls from Python whose output is new, beside NumPy, OpenCV and torch; --one-thread
#   calls      small calls from Python, beside numpy.pad
#   chunks     pads and overlaps of arrays in chunks, beside dask's: half an hour; --rounds 1 for a first look
#   cmsis_nn   instructions on an emulated Cortex-M4 beside CMSIS-NN's arm_pad_s8; CMSIS_NN=folder of its checkout
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
    cmake --build build --target instructions instructions_small
    bench/instructions.py build/instructions build/instructions_small "$@"
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
cmsis_nn)
    scripts/setup/packages.sh packages-full
    mkdir -p build/cmsis-nn
    arm-none-eabi-gcc -mthumb -mcpu=cortex-m4 -std=c11 -O2 -ffunction-sections -fdata-sections -Wall -Wextra -DTPAD_SMALL \
        -DTPAD_MAX_RANK=4 -DTPAD_MODES=1 -DTPAD_INTERIOR=0 -DTPAD_STRIDES=0 -Iinclude -I"$CMSIS_NN/Include" \
        -nostartfiles -Wl,--gc-sections -Wl,-T,examples/firmware/board.ld -o build/cmsis-nn/bench.elf bench/cmsis_nn.c \
        examples/firmware/board.c src/core/axis.c src/core/problem.c src/firmware/small_build.c \
        src/firmware/cmsis_nn_pad.c "$CMSIS_NN/Source/PadFunctions/arm_pad_s8.c" --specs=nosys.specs
    timeout 200 qemu-system-arm -M mps2-an386 -semihosting-config enable=on,target=native -icount shift=10 \
        -display none -monitor none -serial stdio -kernel build/cmsis-nn/bench.elf
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
