#!/bin/sh
# Builds the wheel, looks at it and at its object files, installs it into build/python-package and runs
# its tests.
#
# Needs build/venv (`make test` makes it), and no network. The build folder is kept, so that a second
# run compiles only what has changed.
set -eu
cd "$(dirname "$0")/../.."
python=$PWD/build/venv/bin/python
wheels=$PWD/build/wheels
package=$PWD/build/python-package

rm -rf "$wheels" "$package"
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation \
    --config-settings=build-dir=build/wheel \
    --config-settings=cmake.define.CMAKE_COMPILE_WARNING_AS_ERROR=ON -w "$wheels" .
"$python" scripts/check/walls.py build/wheel
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index \
    --target "$package" "$wheels"/tensorpad-*.whl
TENSORPAD_WHEEL=$(echo "$wheels"/tensorpad-*.whl) TENSORPAD_DATA=$PWD/build/data \
    PYTHONPATH=$package PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m pytest -q -rs -p no:cacheprovider "$@" tests/python
