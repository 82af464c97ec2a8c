#!/bin/sh
# Runtimes beside the kit and random models (conformance/README.md). Runtimes come into build/runtimes: 4 GB.
# Usage: conformance/run.sh NAME
#   survey [TARGET]   the kit in every runtime that can be installed, or in one: writes conformance/outcomes.zip.
#                Then the operators that `tensorpad lower` may use, Conv and pools with pads, and their tables
#   models       2,000 random graphs and 400 IRs of a new seed in every runtime, beside what `check` and `lower`
#                say. Status 1 if more than 1 % of the verdicts are wrong, or a model that was lowered
set -eu
cd "$(dirname "$0")/.."
name=${1:-} argument=${2:-}
seed=${SEED:-$(date +%s)}
python=build/venv/bin/python
recorded="onnx-reference-1.23 ort-1.17 ort-1.20 ort-1.23 ort-1.31 ort-1.32 openvino-2024.6 openvino-2025.4
openvino-2026.4 opencv-4.6 opencv-4.10 opencv-4.14 opencv-5.0 tract-0.21 tract-0.22 tract-0.23"
newest="ort-1.31 opencv-5.0 openvino-2026.4 tract-0.23"

case $name in
survey)
    make all kit build/venv/test
    for of in kit operators windows answers; do
        $python conformance/kit.py survey "${argument:-all}" --of $of --install
    done
    $python conformance/kit.py page
    ;;
models)
    make all build/venv/test
    random_models() {
        $python conformance/random_models.py "$@"
    }
    random_models random build/random-graphs "$seed" 2000
    random_models run build/random-graphs $recorded
    random_models lower build/random-graphs build/tensorpad $recorded
    random_models fold build/random-graphs build/tensorpad $newest
    random_models table build/random-graphs build/tensorpad
    random_models random build/random-irs "$seed" 400 ir
    random_models run build/random-irs openvino-2026.4
    random_models table build/random-irs build/tensorpad
    ;;
*)
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
