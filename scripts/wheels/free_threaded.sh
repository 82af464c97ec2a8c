#!/bin/sh
# The wheel for a Python without the GIL (free-threaded) into build/wheels. That Python is built,
# because Debian has none, and the package's tests run with it on this machine.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
platform=manylinux_2_28_x86_64
base=$(scripts/wheels/free_python.sh "$work/sources" "$work/python3.13t")
venv=$work/venv-3.13t
python=$venv/bin/python

# The newest versions that have wheels for this Python: it cannot load abi3 modules.
if [ ! -e "$venv/done" ]; then
    rm -rf "$venv"
    "$base" -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
        scikit_build_core==1.1.2 numpy==2.4.6 ml_dtypes==0.5.4 hypothesis==6.152.0 pytest==9.2.0 \
        onnx==1.20.1
    touch "$venv/done"
fi
scripts/setup/fetch-data.sh build/data "$work/venv/bin/python"
scripts/wheels/build.sh "$platform" "$python"
wheel=$(echo build/wheels/tensorpad-*-cp313t-"$platform".whl)
"$work/venv/bin/python" scripts/wheels/check.py "$wheel"
"$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
    --force-reinstall "$wheel"
echo "free-threaded: $("$python" -VV)"
# -X gil=0: Python would turn the GIL on for a module of another package that does not declare that
# it needs none. -P: so that no folder of the clone is taken for a package.
TENSORPAD_DATA=$PWD/build/data "$python" -X gil=0 -P -m pytest -q -rs -p no:cacheprovider python/tests
