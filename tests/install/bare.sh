#!/bin/sh
# The command without nanopb, expat, libpng, cairo and threads still pads .npy files and draws .svg
# pictures, and says what it cannot read or write. A build that is to have no tests, or lacks what they need,
# is configured all the same. The Python package without Python's headers says where they are.
# Usage: bare.sh SOURCE_FOLDER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# without_tests FOLDER WORDS FLAG...: WORDS are what it says
without_tests() {
    folder=$scratch/$1 words=$2
    shift 2
    cmake -S "$source" -B "$folder" -G Ninja -Wno-dev "$@" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
    grep -q -e "$words" "$scratch/log" || { echo "$*: does not say '$words'"; exit 1; }
    ! grep -q -e 'tests/' "$folder/build.ninja" || { echo "$*: builds tests"; exit 1; }
}
source=$1
without_tests off 'Build files' -DBUILD_TESTING=OFF
(
    export PKG_CONFIG_LIBDIR=/nonexistent
    without_tests no_cmocka 'without tests: pkg-config or cmocka is missing'
)
without_tests no_python 'without tests: Python 3 is missing' -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON
! cmake -S "$1" -B "$scratch/python" -G Ninja -DSKBUILD=ON -DPython_INCLUDE_DIR=/nonexistent > "$scratch/log" 2>&1
grep -q 'Python.h.*python3-dev' "$scratch/log" || { cat "$scratch/log"; exit 1; }

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
