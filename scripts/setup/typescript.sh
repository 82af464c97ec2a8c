#!/bin/sh
# Puts TypeScript's compiler into FOLDER, from npm, for tests/javascript/test_types.py. Where npm or the
# network is missing it says so, with status 0: then that test is skipped.
# Usage: typescript.sh FOLDER
set -eu
version=5.9.3
folder=$1

[ ! -e "$folder/$version" ] || exit 0
if ! command -v npm > /dev/null || ! command -v node > /dev/null; then
    echo "typescript: npm or node is missing; going on without it" >&2
    exit 0
fi
rm -rf "$folder"
if npm install --silent --no-audit --no-fund --prefix "$folder" "typescript@$version" > /dev/null 2>&1; then
    touch "$folder/$version"
else
    rm -rf "$folder"
    echo "typescript: npm could not install it; going on without it" >&2
fi
