#!/bin/sh
# Puts the type checker pyright into FOLDER, from npm, for tests/python/test_types.py. Where npm or
# the network is missing it says so, with status 0: then the tests with pyright are skipped.
# Usage: pyright.sh FOLDER
set -eu
version=1.1.414
folder=$1

[ ! -e "$folder/$version" ] || exit 0
if ! command -v npm > /dev/null || ! command -v node > /dev/null; then
    echo "pyright: npm or node is missing; going on without it" >&2
    exit 0
fi
rm -rf "$folder"
if npm install --silent --no-audit --no-fund --prefix "$folder" "pyright@$version" > /dev/null 2>&1; then
    touch "$folder/$version"
else
    rm -rf "$folder"
    echo "pyright: npm could not install it; going on without it" >&2
fi
