#!/bin/sh
# All that a release needs (CONTRIBUTING.md): every check runs, also after one has failed; the last
# lines say which passed. Status 1 if one did not.
# Usage: check.sh          as root, for the bare machine; needs a network and 6 GB of disk
# SPDX-License-Identifier: MIT
set -u
cd "$(dirname "$0")/../.."
summary=
failed=0

check() {
    what=$1
    shift
    echo "== $what"
    began=$(date +%s)
    result=passed
    "$@" || { result=FAILED failed=1; }
    summary="$summary
$(printf '  %-6s %5d s  %s' "$result" $(($(date +%s) - began)) "$what")"
}

all_is_committed() {
    changed=$(git status --porcelain)
    [ -z "$changed" ] || { echo "$changed"; return 1; }
}

the_versions_agree() {
    build/venv/bin/python scripts/release/versions.py build build/wheels/*.whl build/wheels/*.tar.gz \
        build/npm/*.tgz
}

the_examples_of_the_documents() {
    build/venv/bin/python scripts/check/readme.py && tests/runners/python.sh -k docs
}

scripts/setup/packages.sh packages-release && make all build/downloads || exit 1
check "everything is committed" all_is_committed
check "the wheels and the source distribution build, install and pass the tests" scripts/wheels/make.sh --all
check "the npm package is made" make npm
check "the versions agree" the_versions_agree
check "the library as two files" scripts/check/amalgamation.sh build gcc
check "the examples of the documents" the_examples_of_the_documents
check "make demo and make test on a bare machine" tests/runners/fresh_machine.sh

echo
echo "At $(git rev-parse --short HEAD):$summary"
exit $failed
