#!/bin/sh
# Puts every fault of tests/mutation/mutants.jsonl into the library and runs the C tests: prints how
# many are found, status 1 below 95 %.
# Usage: mutation.sh [--jobs N] [--only TEXT]
#        mutation.sh draw [COUNT [SEED]]      makes the list anew, with universalmutator
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-}" != draw ]; then
    exec python3 tests/mutation/replay.py "$@"
fi
shift
python3 -m venv build/mutation/venv
build/mutation/venv/bin/python -m pip install --quiet --disable-pip-version-check \
    -r tests/mutation/requirements.txt
exec build/mutation/venv/bin/python tests/mutation/draw.py "$@"
