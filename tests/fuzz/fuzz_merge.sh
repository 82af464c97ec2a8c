#!/bin/sh
# Takes what fuzzing (and tests/fuzz/seeds.py, into build/fuzz/found) left into tests/fuzz/corpus/NAME.tar.gz: of
# all inputs the fewest that together reach as much as all of them, in each target that reads such files. The
# same inputs give the same archive, byte by byte.
# Usage: fuzz_merge.sh [NAME...]     after tests/fuzz/fuzz.sh
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- onnx lower ir lower_ir command core proto npy png
TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" tensorpad-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
for name; do
    kept=$PWD/build/fuzz/kept/$name
    archive=$PWD/tests/fuzz/corpus/$name.tar.gz
    had=$TMPDIR/$name
    case $name in onnx) targets="folding onnx" ;; ir) targets="folding_ir ir" ;; *) targets=$name ;; esac
    rm -rf "$kept"
    mkdir -p "$kept" "$had"
    tar -xzf "$archive" -C "$had"
    for target in $targets; do
        mkdir -p "build/fuzz/found/$target"
        cp -r "build/fuzz/found/$target/." "$had"
    done
    for target in $targets; do
        "$PWD/build/fuzz/tests/fuzz/fuzz_$target" -set_cover_merge=1 -use_counters=0 -max_len=4096 \
            "$kept" "$had" > "build/fuzz/merge-$target.log" 2>&1 ||
            { tail -n 20 "build/fuzz/merge-$target.log"; exit 1; }
    done
    (cd "$kept" && find . -type f -printf '%P\n' | LC_ALL=C sort > "$had.names"
        tar -c --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -T "$had.names" \
            -f "$had.tar")
    gzip -9nc "$had.tar" > "$archive.new"
    mv "$archive.new" "$archive"
    echo "$name: $(find "$kept" -type f | wc -l) inputs, $(du -sbk "$kept" | cut -f 1) kB"
done
