#!/bin/sh
# The command without nanopb, expat, libpng, cairo and threads still pads .npy files and draws .svg
# pictures, and says what it cannot read or write.
# Usage: bare.sh SOURCE_FOLDER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake -S "$1" -B "$scratch/build" -G Ninja -DTENSORPAD_TESTS=OFF -DTENSORPAD_WITH_NANOPB=OFF \
    -DTENSORPAD_WITH_EXPAT=OFF -DTENSORPAD_WITH_PNG=OFF -DTENSORPAD_WITH_CAIRO=OFF \
    -DTENSORPAD_WITH_THREADS=OFF -DCMAKE_C_FLAGS=-Werror > "$scratch/log"
cmake --build "$scratch/build" >> "$scratch/log" || { cat "$scratch/log"; exit 1; }
cd "$scratch"

fails_with() {
    status=$1 words=$2
    shift 2
    got=0
    said=$(build/tensorpad "$@" 2>&1) || got=$?
    [ "$got" = "$status" ] || { echo "$*: status $got, not $status"; exit 1; }
    case $said in *"$words"*) ;; *) echo "$*: said '$said'"; exit 1 ;; esac
}

# A .npy of the bytes 1 2 3: magic, version 1.0, length of the header, the header, the data.
printf '\223NUMPY\001\000\066\000%-53s\n\001\002\003' \
    "{'descr':'|u1','fortran_order':False,'shape':(3,)}" > in.npy
build/tensorpad pad --mode edge --pads 1,1 in.npy out.npy
[ "$(tail -c 5 out.npy | od -An -tu1 | tr -d ' \n')" = 11233 ]
build/tensorpad pad -f --threads 1 --mode edge --pads 1,1 in.npy out.npy
build/tensorpad --version | grep -qx "threads: none"
fails_with 2 'without threads' pad --threads 2 --pads 1,1 in.npy y.npy
touch x.pb x.png x.onnx x.xml
fails_with 3 nanopb pad --pads 1,1 x.pb y.npy
fails_with 3 libpng pad --pads 1,1 x.png y.npy
fails_with 3 nanopb inspect x.onnx
fails_with 3 expat inspect x.xml
fails_with 3 libpng pad --pads 1,1 in.npy y.png
build/tensorpad show --pads 1,1 in.npy -o y.svg
grep -q "</svg>" y.svg
fails_with 2 cairo show --pads 1,1 in.npy -o y.png
echo "a bare build pads .npy files"
