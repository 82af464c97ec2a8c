#!/bin/sh
# Runs an example and compares what it prints with its part of examples/outputs.txt.
# Usage: example.sh PROGRAM NAME     e.g. build/tests/example_modes 02_modes
set -eu
cd "$(dirname "$0")/../.."
printed=$(mktemp)
trap 'rm -f "$printed" "$printed.wanted"' EXIT
"$1" > "$printed"
awk -v name="$2" '/^== / { on = $2 == name; next } on' examples/outputs.txt > "$printed.wanted"
test -s "$printed.wanted"
diff "$printed.wanted" "$printed"
