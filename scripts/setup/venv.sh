#!/bin/sh
# Makes a virtual environment with the packages of a file of requirements, once: FOLDER/done is newer than
# that file then. --each: a package that cannot be installed here is left out, with a word.
# Usage: venv.sh FOLDER REQUIREMENTS [--each]
set -eu
folder=$1 wanted=$2
[ ! -e "$folder/done" ] || [ -n "$(find "$wanted" -newer "$folder/done")" ] || exit 0
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
pip="$folder/bin/python -m pip install --quiet --disable-pip-version-check"
if [ "${3:-}" = --each ]; then
    grep -v '^#' "$wanted" | while read -r package; do
        $pip -c "$wanted" "$package" || echo "$package cannot be installed: going on without it" >&2
    done
else
    $pip -r "$wanted"
fi
touch "$folder/done"
