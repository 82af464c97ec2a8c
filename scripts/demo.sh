#!/bin/sh
# Pads real models and a photograph, and says what came out.  SPDX-License-Identifier: MIT
#
#     scripts/demo.sh COMMAND DATA OUT PYTHON
#
# DATA is what scripts/setup/fetch-data.sh made. Everything written goes to the folder OUT, and is
# overwritten by the next demo. PYTHON (with numpy) makes one input; it takes no part in the rest.
set -eu

if [ $# -ne 4 ]; then
    echo "usage: scripts/demo.sh COMMAND DATA OUT PYTHON" >&2
    exit 2
fi
command=$1
data=$2
out=$3
python=$4
mkdir -p "$out"

tell() {
    printf '\n== %s\n\n' "$1"
}

# Shows a command line, then runs it.
show() {
    printf '$ %s' "$command"
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9_./=,:+-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$command" "$@"
}

# ---- A model from the real world ----------------------------------------------------------------

model=$data/basic_pitch/saved_models/icassp_2022/nmp.onnx
node='model_1/cq_t2010v2_1/reflection_pad1d/MirrorPad;model_1/cq_t2010v2_1/reflection_pad1d/MirrorPad'

tell "basic-pitch turns music into notes. Its model, and what it pads:"
"$command" inspect "$model" >"$out/inspect.txt"
printf '$ %s inspect %s\n' "$command" "$model"
head -n 12 "$out/inspect.txt"
echo "..."
"$command" inspect --json "$model" >"$out/inspect.json"
count=$(grep -o '"spec"' "$out/inspect.json" | wc -l)
echo "$count Pad nodes; all of them in $out/inspect.txt and $out/inspect.json"

tell "The first of them, run alone on two seconds of a tone: 128 samples reflected at both ends"
"$python" - "$out/tone.npy" <<'TONE'
import sys
import numpy
seconds = numpy.arange(43844) / 22050
tone = numpy.sin(2 * numpy.pi * 440 * seconds) * numpy.exp(-seconds)
numpy.save(sys.argv[1], tone.astype(numpy.float32).reshape(1, 1, -1))
TONE
show run "$model" --node "$node" --input "$out/tone.npy" --output "$out/tone-padded.npy" -f

# ---- The official test cases --------------------------------------------------------------------

tell "The official ONNX test models of Pad, each with its own input:"
cases="
    node/test_constant_pad                 x pads value
    node/test_constant_pad_axes            x pads value axes
    node/test_constant_pad_negative_axes   x pads value axes
    node/test_edge_pad                     x pads
    node/test_reflect_pad                  x pads
    node/test_wrap_pad                     x pads
    pytorch-converted/test_ConstantPad2d   0
    pytorch-converted/test_ReflectionPad2d 0
    pytorch-converted/test_ReplicationPad2d 0
    pytorch-converted/test_ZeroPad2d       0
    pytorch-operator/test_operator_pad     0
"
total=0
equal=0
while read -r case names; do
    [ -n "$case" ] || continue
    folder=$data/onnx/backend/test/data/$case
    found=$out/$(basename "$case").npy
    expected=$out/$(basename "$case")-expected.npy
    total=$((total + 1))
    set --
    for name in $names; do
        set -- "$@" "--input=$name=$folder/test_data_set_0/input_$#.pb"
    done
    "$command" run "$folder/model.onnx" "$@" --output "$found" -f
    # A pad by nothing turns the expected tensor into the same format, so that cmp can tell.
    "$command" pad --axes 0 --pads 0,0 -f "$folder/test_data_set_0/output_0.pb" "$expected"
    if cmp -s "$found" "$expected"; then
        equal=$((equal + 1))
        echo "equal    $case"
    else
        echo "DIFFERS  $case: compare $found with $expected"
    fi
done <<CASES
$cases
CASES
echo "$equal of $total official ONNX Pad cases equal bit by bit"

# ---- A photograph -------------------------------------------------------------------------------

tell "A photograph of 300 x 451 pixels, 150 more on every side, in all five modes:"
set --
for mode in constant edge reflect symmetric wrap; do
    show pad --spec plain --mode "$mode" --axes 0,1 --pads 150,150,150,150 -f \
        "$data/skimage/data/chelsea.png" "$out/chelsea-$mode.png"
    # The same pixels as an array, with 20 white ones to the right of them.
    "$command" pad --axes 1 --pads 0,20 --value 255 -f "$out/chelsea-$mode.png" "$out/column-$mode.npy"
    set -- "$@" "$out/column-$mode.npy"
done
"$python" -c 'import sys, numpy
numpy.save(sys.argv[1], numpy.concatenate([numpy.load(name) for name in sys.argv[2:]], axis=1))' \
    "$out/five-modes.npy" "$@"
"$command" pad --axes 1 --pads 0,-20 -f "$out/five-modes.npy" "$out/five-modes.png"
rm "$@" "$out/five-modes.npy"

tell "Look at:"
echo "$out/five-modes.png   the cat, padded by constant, edge, reflect, symmetric and wrap"
echo "$out/inspect.txt      every Pad node of basic-pitch"
echo "$out/tone-padded.npy  the padded tone, for numpy.load"
[ "$equal" = "$total" ]
