#!/bin/sh
# fuzz.sh SECONDS [TARGET...]
#     Runs every fuzz target for some seconds, two at a time, and says what came of it. Inputs that fail are
#     left in build/fuzz/failed/TARGET, and then the status is 1. New inputs of use stay in build/fuzz/found.
# fuzz.sh merge [NAME...]
#     Takes those of build/fuzz/found (and tests/fuzz/seeds.py fills it) into NAME of tests/fuzz/corpus.tar.gz:
#     of all inputs the fewest that together reach as much as all of them, in each target that reads such files.
#     What is in build/fuzz/regressions/TARGET, under a name that says what was wrong, is added as it is.
#     The same inputs give the same archive, byte by byte.
set -eu
cd "$(dirname "$0")/../.."
archive=$PWD/tests/fuzz/corpus.tar.gz

# Which folder of the archive a target reads
files_of() {
    case $1 in folding) echo onnx ;; folding_ir) echo ir ;; *) echo "$1" ;; esac
}

# One target. A finding ends its run; libFuzzer writes it as crash-, leak-, oom- or timeout-HASH. Seconds are no
# finding: a model of 150 bytes may ask for 24 MB of 2-bit elements between two nodes.
one() {
    found=$PWD/build/fuzz/found/$2 failed=$PWD/build/fuzz/failed/$2 words=$PWD/build/fuzz/$2.dict
    mkdir -p "$found" "$failed"
    files=$(files_of "$2")
    case $files in lower) section=onnx ;; lower_ir) section=ir ;; *) section=$files ;; esac
    sed -n "/^# $section\$/,/^\$/p" tests/fuzz/words.dict > "$words"
    case $2 in png) longest=1024 ;; core) longest=256 ;; *) longest=4096 ;; esac
    "$PWD/build/fuzz/tests/fuzz/fuzz_$2" "$found" "$PWD/build/fuzz/tests/fuzz/corpus/$files" -max_total_time="$1" \
        -max_len=$longest -timeout=120 -report_slow_units=120 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$failed/" $([ ! -s "$words" ] || echo "-dict=$words") \
        > "build/fuzz/$2.log" 2>&1 || echo "$2: status $?" >> "build/fuzz/$2.log"
}
if [ "${FUZZ_ONE:-}" ]; then
    one "$1" "$2"
    exit
fi

TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" tensorpad-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM
task=$1
shift

if [ "$task" = merge ]; then
    [ $# -gt 0 ] || set -- onnx lower ir lower_ir command core proto npy png
    kept=$TMPDIR/kept
    mkdir "$kept"
    tar -xzf "$archive" -C "$kept"
    for name; do
        had=$TMPDIR/had
        rm -rf "$had"
        mv "$kept/$name" "$had"
        mkdir "$kept/$name"
        case $name in onnx) targets="folding onnx" ;; ir) targets="folding_ir ir" ;; *) targets=$name ;; esac
        for target in $targets; do
            mkdir -p "build/fuzz/found/$target"
            cp -r "build/fuzz/found/$target/." "$had"
        done
        for target in $targets; do
            "$PWD/build/fuzz/tests/fuzz/fuzz_$target" -set_cover_merge=1 -use_counters=0 -max_len=4096 \
                "$kept/$name" "$had" > "build/fuzz/merge-$target.log" 2>&1 ||
                { tail -n 20 "build/fuzz/merge-$target.log"; exit 1; }
        done
        echo "$name: $(find "$kept/$name" -type f | wc -l) inputs, $(du -sbk "$kept/$name" | cut -f 1) kB"
    done
    [ ! -d build/fuzz/regressions ] || cp -r build/fuzz/regressions "$kept"
    (cd "$kept" && find . -type f -printf '%P\n' | LC_ALL=C sort > "$TMPDIR/names"
        tar -c --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 -T "$TMPDIR/names" \
            -f "$TMPDIR/corpus.tar")
    gzip -9nc "$TMPDIR/corpus.tar" > "$TMPDIR/corpus.tar.gz"
    mv "$TMPDIR/corpus.tar.gz" "$archive"
    exit
fi

[ $# -gt 0 ] || set -- onnx folding lower ir folding_ir lower_ir command core proto npy png
cmake --preset fuzz -Wno-dev > build/configure-fuzz.log || { cat build/configure-fuzz.log; exit 1; }
cmake --build build/fuzz -- --quiet
for target; do rm -rf "build/fuzz/$target.log" "build/fuzz/failed/$target"; done
printf '%s\n' "$@" | FUZZ_ONE=1 xargs -P 2 -I '{}' tests/fuzz/fuzz.sh "$task" '{}'

printf '%-10s %12s %10s %9s\n' target executions coverage findings
status=0
for target; do
    log=build/fuzz/$target.log
    ended=$(grep -c "^$target: status" "$log" || true)
    printf '%-10s %12s %10s %9s\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
        "$(grep -ao 'cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2)" "$ended"
    [ "$ended" = 0 ] || status=1
    find "build/fuzz/failed/$target" -type f -printf 'found: %p\n'
done
exit $status
