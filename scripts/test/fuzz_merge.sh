#!/bin/sh
# Takes what fuzzing (and fuzz/seeds.py, into build/fuzz/found) left into fuzz/corpus: of all inputs
# the few small ones that reach as much as all of them.
# Usage: fuzz_merge.sh [TARGET...]     after scripts/test/fuzz.sh
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- onnx ir command core proto npy png
TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" tensorpad-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
for target; do
    kept=$PWD/build/fuzz/kept/$target
    rm -rf "$kept"
    mkdir -p "$kept" "fuzz/corpus/$target" "build/fuzz/found/$target"
    "$PWD/build/fuzz/fuzz/fuzz_$target" -merge=1 -use_counters=0 -max_len=4096 \
        "$kept" "$PWD/fuzz/corpus/$target" \
        "$PWD/build/fuzz/found/$target" > "build/fuzz/merge-$target.log" 2>&1 ||
        { tail -n 20 "build/fuzz/merge-$target.log"; exit 1; }
    rm -rf "fuzz/corpus/$target"
    cp -r "$kept" "fuzz/corpus/$target"
    echo "$target: $(find "$kept" -type f | wc -l) inputs, $(du -sbk "$kept" | cut -f 1) kB"
done
