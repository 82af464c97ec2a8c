#!/bin/sh
# What has changed in the interface of the shared library since the last release: functions, structs
# and their fields, by abidiff. Status 1 if a program of the last release would no longer run, and the
# version does not say so (while MAJOR is 0: a new MINOR).
# Usage: interface.sh [COMMIT]     COMMIT: of the last release; default: as releases.txt has it
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
fail() {
    echo "interface: $*" >&2
    exit 1
}
releases=scripts/release/releases.txt
if [ $# -gt 0 ]; then
    before=$1 commit=$1
else
    last=$(grep -v '^#' $releases | tail -n 1)
    [ -n "$last" ] || fail "there is no release to compare with: $releases names none"
    before=${last%% *}
    commit=$(echo "$last" | cut -d ' ' -f 2)
fi
git cat-file -e "$commit^{commit}" 2> /dev/null ||
    fail "there is no commit $commit to compare with in this clone ($before in $releases);" \
        "git fetch --unshallow gets it where the clone is shallow"
command -v abidiff > /dev/null || fail "needs abidiff: apt-get install abigail-tools"
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

git worktree add --quiet --detach "$scratch/old" "$commit"
built "$scratch/old" "$scratch/old-build"
built . "$scratch/new-build"
status=0
abidiff --headers-dir1 "$scratch/old/include" --headers-dir2 include \
    "$scratch/old-build/libtensorpad.so" "$scratch/new-build/libtensorpad.so" || status=$?

# abidiff's status is a sum: 1 and 2 errors of its own, 4 a change, 8 a change that breaks programs.
if [ $((status & 3)) != 0 ]; then
    fail "abidiff could not compare (status $status)"
fi
old=$(numbers "$scratch/old")
new=$(numbers .)
if [ $((status & 12)) = 0 ]; then
    echo "the interface is that of $before"
elif [ $((status & 8)) = 0 ]; then
    echo "the interface of $before has changed, as listed; look whether its programs still run"
elif [ "$old" = "$new" ] || { [ "${old% *}" != 0 ] && [ "${old% *}" = "${new% *}" ]; }; then
    fail "programs of $before would break, as listed, but the version says they do not"
else
    echo "programs of $before would break, as listed; the version says so (docs/development/versions.md)"
fi
