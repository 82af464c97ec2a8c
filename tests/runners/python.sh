#!/bin/sh
# Builds the wheel, looks at it and at its object files, installs it into build/python-package and runs
# its tests.
# Usage: python.sh [--sanitize] [PYTEST'S ARGUMENTS]
#     --sanitize: with the address and undefined behaviour sanitizers, in build/python-sanitized. The
#     interpreter and NumPy are not built with them, so memory is taken from malloc, and leaks are not
#     looked for.
#
# Needs build/venv (`make test` makes it), and no network. The build folder is kept, so that a second
# run compiles only what has changed.
set -eu
cd "$(dirname "$0")/../.."
python=$PWD/build/venv/bin/python
built=$PWD/build/wheel
wheels=$PWD/build/wheel-to-test
package=$PWD/build/python-package
sanitizers=
preload=
if [ "${1:-}" = --sanitize ]; then
    shift
    built=$PWD/build/wheel-sanitized
    wheels=$PWD/build/wheel-to-test-sanitized
    package=$PWD/build/python-sanitized
    sanitizers=address,undefined
    preload="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
fi

rm -rf "$wheels" "$package"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation \
    --config-settings=build-dir="$built" \
    --config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON \
    --config-settings=cmake.define.TENSORPAD_SANITIZE="$sanitizers" -w "$wheels" .
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index \
    --target "$package" "$wheels"/tensorpad-*.whl
if [ -n "$preload" ]; then
    export LD_PRELOAD="$preload" PYTHONMALLOC=malloc UBSAN_OPTIONS=print_stacktrace=1
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fi
TENSORPAD_WHEEL=$(echo "$wheels"/tensorpad-*.whl) TENSORPAD_DATA=$PWD/build/data \
    PYTHONPATH=$package \
    "$python" -m pytest -q -rs -p no:cacheprovider "$@" python/tests
