#!/bin/sh
# Puts axe-core, which finds what is wrong for people who use a screen reader, into FOLDER, from npm,
# for tests/javascript/test_page_access.py. Where npm or the network is missing it says so, with status
# 0: then the tests with axe-core are skipped.
# Usage: axe.sh FOLDER
set -eu
version=4.14.1
folder=$1

[ ! -e "$folder/$version" ] || exit 0
if ! command -v npm > /dev/null; then
    echo "axe-core: npm is missing; going on without it" >&2
    exit 0
fi
rm -rf "$folder"
if npm install --silent --no-audit --no-fund --prefix "$folder" "axe-core@$version" > /dev/null 2>&1; then
    touch "$folder/$version"
else
    rm -rf "$folder"
    echo "axe-core: npm could not install it; going on without it" >&2
fi
