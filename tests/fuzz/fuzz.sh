#!/bin/sh
# Runs every fuzz target for some seconds, two at a time, and says what came of it. What is found is
# kept as tests/fuzz/regressions/TARGET/NAME, and then the status is 1. New inputs of use stay in
# build/fuzz/found until tests/fuzz/fuzz_merge.sh takes them into tests/fuzz/corpus.
# Usage: fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/../.."
seconds=$1
shift
[ $# -gt 0 ] || set -- onnx folding lower ir folding_ir lower_ir command core proto npy png

# One target. A finding ends its run; libFuzzer writes it as crash-, leak-, oom- or timeout-HASH. Seconds are no
# finding: a model of 150 bytes may ask for 24 MB of 2-bit elements between two nodes.
one() {
    found=$PWD/build/fuzz/found/$2
    mkdir -p "$found" "tests/fuzz/regressions/$2"
    case $2 in folding) files=onnx ;; folding_ir) files=ir ;; *) files=$2 ;; esac
    dictionary=tests/fuzz/dictionaries/$files.dict
    case $2 in png) longest=1024 ;; core) longest=256 ;; *) longest=4096 ;; esac
    "$PWD/build/fuzz/tests/fuzz/fuzz_$2" "$found" "$PWD/build/fuzz/tests/fuzz/corpus/$files" -max_total_time="$1" \
        -max_len=$longest -timeout=120 -report_slow_units=120 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$PWD/tests/fuzz/regressions/$2/" \
        $([ ! -f "$dictionary" ] || echo "-dict=$PWD/$dictionary") \
        > "build/fuzz/$2.log" 2>&1 || echo "$2: status $?" >> "build/fuzz/$2.log"
}
if [ "${FUZZ_ONE:-}" ]; then
    one "$seconds" "$1"
    exit
fi

cmake --preset fuzz -Wno-dev > build/configure-fuzz.log || { cat build/configure-fuzz.log; exit 1; }
cmake --build build/fuzz -- --quiet

TMPDIR=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)" tensorpad-XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 1' INT TERM

before=$(find tests/fuzz/regressions -type f 2> /dev/null | sort)
for target; do rm -f "build/fuzz/$target.log"; done
printf '%s\n' "$@" | FUZZ_ONE=1 xargs -P 2 -I '{}' tests/fuzz/fuzz.sh "$seconds" '{}'

printf '%-10s %12s %10s %9s\n' target executions coverage findings
status=0
for target; do
    log=build/fuzz/$target.log
    ended=$(grep -c "^$target: status" "$log" || true)
    printf '%-10s %12s %10s %9s\n' "$target" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
        "$(grep -ao 'cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2)" "$ended"
    [ "$ended" = 0 ] || status=1
done
find tests/fuzz/regressions -type f | sort | while read -r file; do
    case $before in *"$file"*) ;; *) echo "found: $file" ;; esac
done
exit $status
