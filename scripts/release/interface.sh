#!/bin/sh
# What has changed in the interface of the shared library since the last release: functions, structs
# and their fields, by abidiff. Status 1 if a program of the last release would no longer run, and the
# version does not say so (while MAJOR is 0: a new MINOR).
# Usage: interface.sh [TAG]        TAG: the last release; default: the newest tag v*
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
before=${1:-$(git tag --list 'v*' --sort=-version:refname | head -n 1)}
if [ -z "$before" ]; then
    echo "there is no earlier release (no tag v*) to compare with"
    exit 0
fi
scratch=$(mktemp -d)
trap 'git worktree remove --force "$scratch/old" 2> /dev/null || true; rm -rf "$scratch"' EXIT

# numbers FOLDER: "MAJOR MINOR" of the version there.
numbers() {
    sed -n 's/^#define TPAD_VERSION_\(MAJOR\|MINOR\) //p' "$1/include/tensorpad/tensorpad.h" | xargs
}

# built SOURCE BUILD: the shared library with what debuggers need, which abidiff reads.
built() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTENSORPAD_TESTS=OFF -Wno-dev \
        > "$2.log" 2>&1 || { cat "$2.log" >&2; exit 2; }
    cmake --build "$2" --target tensorpad_shared >> "$2.log" 2>&1 || { cat "$2.log" >&2; exit 2; }
}

git worktree add --quiet --detach "$scratch/old" "$before"
built "$scratch/old" "$scratch/old-build"
built . "$scratch/new-build"
status=0
abidiff --headers-dir1 "$scratch/old/include" --headers-dir2 include \
    "$scratch/old-build/libtensorpad.so" "$scratch/new-build/libtensorpad.so" || status=$?

# abidiff's status is a sum: 1 and 2 errors of its own, 4 a change, 8 a change that breaks programs.
if [ $((status & 3)) != 0 ]; then
    echo "interface: abidiff could not compare (status $status)" >&2
    exit 1
fi
old=$(numbers "$scratch/old")
new=$(numbers .)
if [ $((status & 12)) = 0 ]; then
    echo "the interface is that of $before"
elif [ $((status & 8)) = 0 ]; then
    echo "the interface of $before has changed, as listed; look whether its programs still run"
elif [ "$old" = "$new" ] || { [ "${old% *}" != 0 ] && [ "${old% *}" = "${new% *}" ]; }; then
    echo "interface: programs of $before would break, as listed, but the version says they do not" >&2
    exit 1
else
    echo "programs of $before would break, as listed; the version says so (docs/versions.md)"
fi
