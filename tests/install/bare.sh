#!/bin/sh
# The command without nanopb, expat, libpng and threads still pads .npy files and draws .svg
# pictures, and says what it cannot read or write. A build that is to have no tests, or lacks what they need,
# is configured all the same. The Python package without Python's headers says where they are.
# Then the same for the targets of the Makefile.
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
source=$(realpath "$1")
without_tests off 'Build files' -DBUILD_TESTING=OFF
(
    export PKG_CONFIG_LIBDIR=/nonexistent
    without_tests no_cmocka 'without tests: pkg-config or cmocka is missing'
)
without_tests no_python 'without tests: Python 3 is missing' -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON
! cmake -S "$source" -B "$scratch/python" -G Ninja -DSKBUILD=ON -DPython_INCLUDE_DIR=/nonexistent > "$scratch/log" 2>&1
grep -q 'Python.h.*python3-dev' "$scratch/log" || { cat "$scratch/log"; exit 1; }

# Headers that are installed here may not be needed either.
mkdir "$scratch/absent"
for header in pb pb_decode pb_encode expat png zlib; do
    echo "#error $header.h is absent" > "$scratch/absent/$header.h"
done
cmake -S "$source" -B "$scratch/build" -G Ninja -DTENSORPAD_TESTS=OFF -DTENSORPAD_WITH_NANOPB=OFF \
    -DTENSORPAD_WITH_EXPAT=OFF -DTENSORPAD_WITH_PNG=OFF \
    -DTENSORPAD_WITH_THREADS=OFF -DCMAKE_C_FLAGS="-Werror -I$scratch/absent" > "$scratch/log"
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
# The library's side alone: it knows no models.
cmake -S "$source" -B build -DTENSORPAD_CHECKER=OFF > log && cmake --build build >> log || { cat log; exit 1; }
! grep -q 'checker/' build/build.ninja || { echo "a build without the checker compiles it"; exit 1; }
build/tensorpad pad -f --mode edge --pads 1,1 in.npy out.npy
[ "$(tail -c 5 out.npy | od -An -tu1 | tr -d ' \n')" = 11233 ]
fails_with 2 TENSORPAD_CHECKER check x.onnx
fails_with 2 TENSORPAD_CHECKER show x.onnx
echo "a bare build pads .npy files"

# ---- The Makefile --------------------------------------------------------------------------------

# What the targets of the Makefile do on a machine that has only make and a shell. `make demo`, `make test`,
# `make test-full` and `make test-all` install Debian packages and say which. All other targets say in one go
# what is missing and how to get it, and stop; with cmake and a compiler `make` goes on. In a copy of the
# Makefile and of what it calls first; apt-get, cmake and the like only write down that they ran.
mkdir -p "$scratch/copy/scripts/setup" "$scratch/bare" "$scratch/more"
cp "$source/Makefile" "$scratch/copy"
cp "$source/scripts/setup/packages.sh" "$scratch/copy/scripts/setup"
cd "$scratch/copy"
for program in make sh env cat date dirname grep id mkdir nproc rm sed sort touch; do
    ln -s "$(command -v $program)" "$scratch/bare"
done
# It knows the packages in `installed`.
printf '#!/bin/sh\ngrep -qx -e "$4" "%s/installed" && echo install ok installed\n' "$scratch" > "$scratch/bare/dpkg-query"
for program in bare/apt-get bare/sudo more/cmake more/cc more/clang more/python3; do
    # What sudo is asked to run is what matters.
    printf '#!/bin/sh\necho "${0##*/} $*" >> "%s/ran"\n[ "${0##*/}" != sudo ] || exec "$@"\n' \
        "$scratch" > "$scratch/$program"
done
chmod +x "$scratch"/bare/* "$scratch"/more/*

# try TARGET PATH [PACKAGE...]: what make says goes to `said`, what it ran to `ran`. The environment of an
# outer make is not its own.
try() {
    rm -rf build
    : > "$scratch/ran"
    target=$1 path=$2 status=0
    shift 2
    printf '%s\n' "$@" > "$scratch/installed"
    env -u CC -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PATH="$path" make "$target" > "$scratch/said" 2>&1 || status=$?
}

wrong() {
    cat "$scratch/said" "$scratch/ran"
    echo "make $target: $1"
    exit 1
}

bare=$scratch/bare more=$scratch/more:$scratch/bare
checked=0
for target in $(sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile | sort -u); do
    case $target in help | demo | test | test-full | test-all | clean) continue ;; esac
    try "$target" "$bare"
    [ $status != 0 ] || wrong "went on without its packages"
    [ ! -s "$scratch/ran" ] || wrong "ran something"
    [ "$(grep -c 'packages are missing.*as root: apt-get install' "$scratch/said")" = 1 ] ||
        wrong "does not say once what is missing and how to get it"
    try "$target" "$more" $(sed -n 's/.*apt-get install --no-install-recommends//p' "$scratch/said")
    ! grep -q 'packages are missing' "$scratch/said" || wrong "did not say all that is missing in one go"
    checked=$((checked + 1))
done
[ $checked -ge 7 ] || { echo "only $checked targets were found in the Makefile"; exit 1; }

for target in demo test test-full test-all; do
    try $target "$more"
    grep -q '^apt-get install.* libpng-dev' "$scratch/ran" || wrong "installs nothing"
    grep -q '^Installing.* libpng-dev' "$scratch/said" || wrong "does not say what it installs"
done
for target in all install bench; do
    try $target "$more"
    grep -q 'going on with what is there.*apt-get install.* libpng-dev' "$scratch/said" || wrong "is silent"
    grep -q '^cmake --build' "$scratch/ran" || wrong "does not go on"
    ! grep -q '^apt-get' "$scratch/ran" || wrong "installs"
done
# CMake keeps the compiler of the first build in its cache. CC asks for another one.
mkdir build
for words in "all kept" "CC=clang gone" "CC=clang kept" "all kept" "CC=cc gone"; do
    target=${words% *} wanted=${words#* }
    touch build/CMakeCache.txt
    env -u CC -u MAKEFLAGS -u MAKEOVERRIDES PATH="$more" make $target > "$scratch/said" 2>&1 || wrong "fails"
    [ "$(test -e build/CMakeCache.txt && echo kept || echo gone)" = $wanted ] || wrong "the cache is not $wanted"
done
echo "$checked targets ask for packages, four install them"
