#!/bin/sh
# Only `make demo`, `make test`, `make test-full` and `make test-all` may install system packages, and they say
# which. `make` says what is missing and goes on; every other target says what is missing and how to get it,
# and stops. In a copy of the Makefile and of what it calls first; dpkg-query knows no package, and apt-get,
# cmake and the like only write down that they ran.
# Usage: packages.sh SOURCE_FOLDER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/copy/scripts/setup" "$scratch/bin"
cp "$1/Makefile" "$scratch/copy"
cp "$1/scripts/setup/packages.sh" "$scratch/copy/scripts/setup"
cd "$scratch/copy"
printf '#!/bin/sh\nexit 1\n' > "$scratch/bin/dpkg-query"
for program in apt-get cmake sudo python3; do
    # What sudo is asked to run is what matters.
    printf '#!/bin/sh\necho "%s $*" >> "%s/ran"\n[ %s != sudo ] || exec "$@"\nexit 0\n' \
        $program "$scratch" $program > "$scratch/bin/$program"
done
chmod +x "$scratch"/bin/*

# try TARGET: what make says goes to `said`, what it ran to `ran`. The environment of an outer make
# is not its own.
try() {
    rm -rf build
    : > "$scratch/ran"
    status=0
    env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL PATH="$scratch/bin:$PATH" \
        make "$1" > "$scratch/said" 2>&1 || status=$?
}

wrong() {
    cat "$scratch/said" "$scratch/ran"
    echo "make $target: $1"
    exit 1
}

targets=$(sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile | sort -u)
checked=0
for target in $targets; do
    case $target in all | help | install | bench | demo | test | test-full | test-all | amalgamation | firmware | clean | distclean)
        continue ;;
    esac
    try "$target"
    [ $status != 0 ] || wrong "went on without its packages"
    [ ! -s "$scratch/ran" ] || wrong "ran something"
    [ "$(grep -c 'packages are missing.*as root: apt-get install' "$scratch/said")" = 1 ] ||
        wrong "does not say once what is missing and how to get it"
    checked=$((checked + 1))
done
[ $checked -ge 13 ] || { echo "only $checked targets were found in the Makefile"; exit 1; }

for target in demo test test-full test-all; do
    try $target
    grep -q '^apt-get install.* libpng-dev' "$scratch/ran" || wrong "installs nothing"
    grep -q '^Installing.* libpng-dev' "$scratch/said" || wrong "does not say what it installs"
done
for target in all install bench; do
    try $target
    grep -q 'going on with what is there.*apt-get install.* libpng-dev' "$scratch/said" || wrong "is silent"
    grep -q '^cmake --build' "$scratch/ran" || wrong "does not go on"
    ! grep -q '^apt-get' "$scratch/ran" || wrong "installs"
done
echo "$checked targets ask for packages, four install them"
