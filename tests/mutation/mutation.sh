#!/bin/sh
# Puts every fault of tests/mutation/library_mutants.jsonl into the library and runs the C tests: prints how
# many are found, status 1 below 95 %.
# Usage: mutation.sh [--jobs N] [--only TEXT] [--count N]
#        mutation.sh tools [--jobs N] [--only TEXT] [--again]     the same for tools_mutants.jsonl: the
#                                                                 command, formats, models, rules
#        mutation.sh draw library|tools [COUNT [SEED]]     makes a list anew, with universalmutator
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-}" = tools ]; then
    shift
    exec python3 tests/mutation/replay_tools.py "$@"
fi
if [ "${1:-}" != draw ]; then
    exec python3 tests/mutation/replay_library.py "$@"
fi
shift
python3 -m venv build/venv-mutation
build/venv-mutation/bin/python -m pip install --quiet --disable-pip-version-check \
    -r tests/mutation/requirements.txt
exec build/venv-mutation/bin/python tests/mutation/draw.py "$@"
