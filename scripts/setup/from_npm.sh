#!/bin/sh
# Puts a package of npm that needs no other one into FOLDER/node_modules, for the tests that use it: prettier, which
# formats JavaScript, pyright and typescript, which check types, axe-core, which finds what hinders people with a
# screen reader, and the schema of SARIF. Where npm or the network is missing it says so, with status 0: then these
# tests are skipped.
# Usage: from_npm.sh PACKAGE VERSION FOLDER
set -eu
package=$1 version=$2 folder=$3
place=$folder/node_modules/$package

[ ! -e "$folder/$version" ] || exit 0
if ! command -v npm > /dev/null || ! command -v node > /dev/null; then
    echo "$package: npm or node is missing; going on without it" >&2
    exit 0
fi
rm -rf "$folder"
mkdir -p "$place"
if npm pack --silent --pack-destination "$folder" "$package@$version" > /dev/null 2>&1 &&
    tar -xzf "$folder"/*.tgz --strip-components=1 -C "$place"; then
    rm "$folder"/*.tgz
    touch "$folder/$version"
else
    rm -rf "$folder"
    echo "$package: npm could not fetch it; going on without it" >&2
fi
