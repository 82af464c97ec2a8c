#!/bin/sh
# Runs an example and compares what it prints with the text beside it. Usage: example.sh PROGRAM TEXT
set -eu
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$1" > "$printed"
diff "$2" "$printed"
