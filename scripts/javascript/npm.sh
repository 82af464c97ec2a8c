#!/bin/sh
# Makes the npm package, ready to publish: build/npm/tensorpad-VERSION.tgz. Needs clang, lld and npm,
# and no network. Fails if the package is larger than its limit.
set -eu
cd "$(dirname "$0")/../.."
limit=200000

header=include/tensorpad/tensorpad.h
version=$(sed -n 's/^#define TPAD_VERSION_[A-Z]* //p' $header | paste -sd .)
scripts/javascript/modules.sh

rm -rf build/npm
scripts/javascript/package.py build/javascript "$version" build/npm/package
(cd build/npm && npm pack --silent --offline ./package > /dev/null)

made=build/npm/tensorpad-$version.tgz
bytes=$(wc -c < "$made")
if [ "$bytes" -gt "$limit" ]; then
    echo "$made has $bytes bytes, more than the limit of $limit" >&2
    exit 1
fi
echo "$made: $bytes bytes"
