#!/bin/sh
# The proofs. Frama-C's WP turns the contracts of src/core and src/adjoint (ACSL, in comments that begin with an @)
# into goals, and Z3 and CVC4 prove them. Prints for each claim how many of its goals were proved;
# status 1 unless that is all of them. Log: build/prove/log. Five to eight minutes on two cores; the time
# limit of a goal is by the clock, so a busy machine may need a longer one.
#
# What is proved: docs/development/verification.md. Where to read it:
#   src/core/*.h     a contract stands after the prose of a function that several files use
#   axis_words.h     words: modes in closed form, what a run says, which axes are valid
#   run_lemmas.h     axis.c: lemmas on division, contracts of its static functions
#   size_lemmas.h    problem.c: the same
#   stride_lemmas.h  make_plan.c: the same
#   share_lemmas.h   run.c: the same
# The files of src/core include these for the prover only. In the functions there are the invariants of
# loops, and few assertions: steps that the provers do not find alone.
set -eu
cd "$(dirname "$0")/../../.."
out=build/prove
mkdir -p "$out"
# The provers' paths: kept here, not in the home of whoever runs this.
WHY3CONFIG=$PWD/$out/why3.conf
export WHY3CONFIG
rm -f "$WHY3CONFIG"
why3 config detect > "$out/why3.log" 2>&1
: > "$out/log"
begun=$(date +%s)
proved=0
goals=0

# prove CLAIM MACROS FILE OPTION...: one run of WP, its goals added to the sums.
prove() {
    claim=$1 macros=$2 file=$3
    shift 3
    # Not __GNUC__: port.h then names memcpy, which Frama-C knows. Nobody's cache: every goal is
    # proved in this very run.
    frama-c -c11 -machdep gcc_x86_64 \
        -cpp-extra-args="-Iinclude -U__GNUC__ -D_Alignof=__alignof__ $macros" "$file" \
        -wp -wp-rte -wp-prover z3,cvc4 -wp-timeout 120 -wp-par 2 -wp-cache none \
        "$@" > "$out/run" 2>&1 || { cat "$out/run"; exit 1; }
    cat "$out/run" >> "$out/log"
    # "[wp] Proved goals:   82 / 86"
    counts=$(sed -n 's|^\[wp\] Proved goals: *\([0-9]*\) */ *\([0-9]*\).*|\1 \2|p' "$out/run")
    if [ -z "$counts" ]; then
        cat "$out/run"
        echo "$claim: Frama-C names no goals"
        exit 1
    fi
    grep -A 2 '^\[wp\] \[Failed\]' "$out/run" || true
    echo "$claim: ${counts% *} of ${counts#* }"
    proved=$((proved + ${counts% *}))
    goals=$((goals + ${counts#* }))
}

code="-wp-prop=-@lemma"
core=src/core
prove "lemmas on axes" "-DPROVE_LEMMAS -DPROVE_DIVISION" $core/axis.c \
    -wp-prop="@lemma,-last_element_up,-last_element_down,-last_element_inside"
prove "lemmas on the last element" -DPROVE_DIVISION $core/axis.c \
    -wp-prop=last_element_up,last_element_down,last_element_inside
prove "the runs of an axis" -DPROVE_DIVISION $core/axis.c $code -wp-split \
    -wp-fct tpad_axis_run,dilated_run,fill_run,floor_mod
prove "plain axes" "" $core/axis.c $code -wp-split -wp-fct tpad_axis_simplify,tpad_axis_is_plain
prove "checked arithmetic" "" $core/axis.c $code \
    -wp-fct tpad_mul_fits,tpad_add_fits,tpad_min,tpad_max,tpad_magnitude,tpad_quotient,tpad_remainder
prove "checking an axis" "" $core/problem.c $code \
    -wp-fct out_of_range,axis_error,tpad_axis_check,tpad_axis_check_source
prove "lemmas on sizes" "" $core/problem.c \
    -wp-prop=longer_than_spacing,made_canonical,made_within,some_elements
prove "the size of an output" "" $core/problem.c $code -wp-split -wp-fct output_size
prove "lemmas on strides" "" $core/make_plan.c -wp-prop=factor,within_one,within_scaled
prove "strides" "" $core/make_plan.c $code -wp-fct tpad_add_reach,reach_error,scale_side,dense_side
prove "lemmas on shares" "" $core/run.c -wp-prop=no_more,lines_in_order,zeroth_line,all_lines,\
lines_fit,share_fits,shares_begin,shares_end,shares_in_order
prove "shares" "" $core/run.c $code -wp-split -wp-fct share_begin,first_line
prove "the elements that a run names" "" src/adjoint/sums.c $code -wp-fct elements_between
prove "errors" "" $core/error.c $code -wp-fct tpad_fail

echo "$proved of $goals goals proved, in $(($(date +%s) - begun)) s ($out/log)"
[ "$proved" = "$goals" ]
