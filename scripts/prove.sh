#!/bin/sh
# Proves the contracts (ACSL) in src/core with Frama-C's WP, Z3 and CVC4: prints goals proved of goals;
# status 1 unless they are all. Files go to build/prove, why3's settings too.
set -eu
cd "$(dirname "$0")/.."
out=build/prove
mkdir -p $out
export WHY3CONFIG="$PWD/$out/why3.conf"
why3 config detect > $out/provers.log 2>&1

# wp NAME DEFINES FILE OPTION...: the goals of one file. __GNUC__ stands for what WP cannot read.
wp() {
    name=$1 defines=$2 file=$3
    shift 3
    frama-c -c11 -machdep gcc_x86_64 \
        "-cpp-extra-args=-Iinclude -U__GNUC__ -D_Alignof=__alignof__ $defines" "$file" \
        -wp -wp-rte -wp-prover z3,cvc4 -wp-timeout "${TIMEOUT:-60}" -wp-par "$(nproc)" \
        -wp-cache none -wp-out "$out/$name" "$@" > "$out/$name.log" 2>&1 || true
    line=$(sed -n 's|^\[wp\] Proved goals: *\([0-9]*\) / \([0-9]*\)$|\1 \2|p' "$out/$name.log")
    # shellcheck disable=SC2086
    count $name $line
}

proved=0 goals=0
count() {
    [ $# = 3 ] || { cat "$out/$1.log"; exit 1; }
    printf '%-10s %4s of %4s goals\n' "$1" "$2" "$3"
    [ "$2" = "$3" ] || grep -A3 -E '\[(Failed|Timeout|Unknown)\]' "$out/$1.log" || true
    proved=$((proved + $2)) goals=$((goals + $3))
}

# The lemmas about division are proved once, and from them everything else.
wp lemmas "-DPROVE_LEMMAS -DPROVE_DIVISION" src/core/axis.c -wp-prop=@lemma
wp axis -DPROVE_DIVISION src/core/axis.c -wp-prop=-@lemma \
    -wp-fct floor_mod,fill_run,dilated_run,tpad_axis_run,tpad_quotient,tpad_remainder,tpad_min
wp problem "" src/core/problem.c -wp-prop=-@lemma \
    -wp-fct out_of_range,axis_error,tpad_axis_check,tpad_axis_check_source,tpad_mul_fits,tpad_add_fits
echo "proved $proved of $goals goals"
[ "$proved" = "$goals" ]
