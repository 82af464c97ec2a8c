#!/bin/sh
# Puts a package of npm into FOLDER, for the tests that use it: prettier, which formats JavaScript, pyright and
# typescript, which check types, and axe-core, which finds what hinders people with a screen reader. Where npm or the network is missing
# it says so, with status 0: then these tests are skipped.
# Usage: from_npm.sh PACKAGE VERSION FOLDER
set -eu
package=$1 version=$2 folder=$3

[ ! -e "$folder/$version" ] || exit 0
if ! command -v npm > /dev/null || ! command -v node > /dev/null; then
    echo "$package: npm or node is missing; going on without it" >&2
    exit 0
fi
rm -rf "$folder"
if npm install --silent --no-audit --no-fund --prefix "$folder" "$package@$version" > /dev/null 2>&1; then
    touch "$folder/$version"
else
    rm -rf "$folder"
    echo "$package: npm could not install it; going on without it" >&2
fi
