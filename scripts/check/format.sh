#!/bin/sh
# Whether all sources have the form that clang-format, ruff and prettier give them, and what ruff's linter finds.
# Usage: format.sh [--write]
# Needs build/venv and build/prettier (`make test` makes them); without prettier JavaScript is not looked at.
set -eu
cd "$(dirname "$0")/../.."
bin=build/venv/bin
if [ "${1:-}" = --write ]; then
    c=-i python= script=--write
else
    c="--dry-run --Werror" python=--check script=--check
fi
# Every folder but build, hidden ones and what a tool put beside the sources.
ours() {
    find . -mindepth 1 \( -name 'build*' -o -name node_modules -o -path './.*' \) -prune -o -type f "$@" -print
}
status=0
# shellcheck disable=SC2086
ours \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' \) | xargs $bin/clang-format $c || status=1
$bin/ruff format --quiet $python . || { echo "scripts/check/format.sh --write formats it"; status=1; }
$bin/ruff check --quiet . || status=1
prettier=build/prettier/node_modules/prettier/bin/prettier.cjs
if [ -e $prettier ]; then
    ours \( -name '*.js' -o -name '*.mjs' -o -name '*.ts' \) |
        xargs node $prettier --print-width 100 --tab-width 4 --log-level warn $script || status=1
else
    echo "prettier is missing: the form of JavaScript was not looked at"
fi
exit $status
