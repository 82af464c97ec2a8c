#!/bin/sh
# The lines of C and C++ in docs/onnxruntime.md compile with the headers of ONNX Runtime.
# Usage: ort_examples.sh SOURCE_FOLDER [FOLDER_OF_HEADERS]      Status 77 without headers
set -eu
source=$1
headers=${2:-}
if [ -z "$headers" ]; then
    echo "skipped: TENSORPAD_ORT_INCLUDE names no folder with ONNX Runtime's headers"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# blocks LANGUAGE: its blocks of the page, each as a function of its own; includes stand before it.
blocks() {
    awk -v start="\`\`\`$1" '
        $0 == "```" && inside { inside = 0; print before "void example" ++count "(" given ")\n{" lines "\n}" }
        inside { if (/^#include/) before = before $0 "\n"; else lines = lines "\n    " $0 }
        $0 == start { inside = 1; before = lines = "" }' given="$2" "$source/docs/onnxruntime.md"
}

{
    echo '#include <onnxruntime_c_api.h>'
    blocks c 'const OrtApi *api, OrtSessionOptions *options'
} > "$scratch/examples.c"
{
    echo '#include <onnxruntime_cxx_api.h>'
    blocks cpp 'Ort::Env &env'
} > "$scratch/examples.cpp"
[ "$(grep -c '^void example' "$scratch/examples.c")" = 2 ]
[ "$(grep -c '^void example' "$scratch/examples.cpp")" = 1 ]
flags="-Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter -I$source/include -isystem $headers"
# shellcheck disable=SC2086
cc -std=c11 $flags -fsyntax-only "$scratch/examples.c"
# shellcheck disable=SC2086
c++ -std=c++17 $flags -fsyntax-only "$scratch/examples.cpp"
echo "the examples compile"
