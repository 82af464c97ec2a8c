#!/bin/sh
# Makes the npm package and the playground and runs the tests of all that is JavaScript. What is missing
# here (clang, lld, Node.js, npm, Chromium) is said, and the tests that need it are skipped.
# Usage: javascript.sh [PYTEST'S ARGUMENTS]
#
# Needs build/venv (`make test` makes it), and no network. Errors are compared with those of the Python
# package, which tests/runners/python.sh puts into build/python-package.
set -eu
cd "$(dirname "$0")/../.."
missing=
for tool in clang wasm-ld node npm; do
    command -v $tool > /dev/null || missing="$missing $tool"
done
if [ -z "$missing" ]; then
    scripts/javascript/npm.py
else
    echo "javascript: not made, because these are missing:$missing" >&2
    rm -rf build/npm
fi
rm -f build/playground/index.html build/playground/with-models.html build/playground/check.wasm
case $missing in
*clang* | *wasm-ld*) echo "playground: not made, because these are missing:$missing" >&2 ;;
*) scripts/javascript/playground.py ;;
esac
TENSORPAD_MISSING="$missing" PYTHONPATH=$PWD/build/python-package \
    build/venv/bin/python -m pytest -q -rs -p no:cacheprovider -n 2 --dist loadfile "$@" \
    javascript/tests
