#!/bin/sh
# Takes what fuzzing (and tests/fuzz/seeds.py, into build/fuzz/found) left into
# tests/fuzz/corpus/TARGET.tar.gz: of all inputs the few small ones that reach as much as all of them. The
# same inputs give the same archive, byte by byte.
# Usage: fuzz_merge.sh [TARGET...]     after tests/fuzz/fuzz.sh
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- onnx folding lower ir folding_ir lower_ir command core proto npy png
TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" tensorpad-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
for target; do
    kept=$PWD/build/fuzz/kept/$target
    archive=$PWD/tests/fuzz/corpus/$target.tar.gz
    had=$TMPDIR/$target
    rm -rf "$kept"
    mkdir -p "$kept" "$had" "build/fuzz/found/$target"
    tar -xzf "$archive" -C "$had"
    "$PWD/build/fuzz/tests/fuzz/fuzz_$target" -merge=1 -use_counters=0 -max_len=4096 \
        "$kept" "$had" "$PWD/build/fuzz/found/$target" > "build/fuzz/merge-$target.log" 2>&1 ||
        { tail -n 20 "build/fuzz/merge-$target.log"; exit 1; }
    (cd "$kept" && find . -type f -printf '%P\n' | LC_ALL=C sort > "$had.names"
        tar -c --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -T "$had.names" \
            -f "$had.tar")
    gzip -9nc "$had.tar" > "$archive.new"
    mv "$archive.new" "$archive"
    echo "$target: $(find "$kept" -type f | wc -l) inputs, $(du -sbk "$kept" | cut -f 1) kB"
done
