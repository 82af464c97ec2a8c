#!/bin/sh
# The source distribution into build/wheels, and a wheel from nothing but it: in a new environment,
# without the clone, and without a network.
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/wheels-work
sdist=$work/sdist
rm -rf "$sdist"
mkdir -p "$sdist/packages" "$sdist/clone" build/wheels
# Of what Git has alone: scikit-build-core looks into all folders, and Wine's in build leads to the whole machine.
git ls-files -z | tar -c --null -T - | tar -x -C "$sdist/clone"
"$work/venv/bin/python" -m build --sdist --no-isolation -o "$sdist" "$sdist/clone" > "$sdist/log" 2>&1 || {
    tail -n 20 "$sdist/log" >&2
    exit 1
}
"$work/venv/bin/python" -m pip download --quiet --disable-pip-version-check -d "$sdist/packages" \
    scikit-build-core numpy==2.4.6
python3 -m venv "$sdist/venv"
cd "$sdist"
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index \
    --find-links packages tensorpad-*.tar.gz
said=$(venv/bin/python -c 'import tensorpad; print(*tensorpad.pad([1, 2], 1, "edge"))')
[ "$said" = "1 1 2 2" ] || {
    echo "sdist.sh: what was built from the source distribution says $said" >&2
    exit 1
}
venv/bin/tensorpad --version
cp tensorpad-*.tar.gz "$work/../wheels/"
echo "$(echo tensorpad-*.tar.gz): builds from itself in a fresh environment"
