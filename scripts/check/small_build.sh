#!/bin/sh
# The small build with a user's programs: a header of settings that TPAD_CONFIG_FILE names, examples that
# both builds have, and the linker's refusal where library and program have different settings.
# Usage: small_build.sh COMPILER
set -eu
cc="$1 -std=c11 -O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
library="src/core/axis.c src/core/problem.c src/firmware/small_build.c"

fail() {
    echo "$1" >&2
    exit 1
}

# settings NAME RANK MODES INTERIOR STRIDES: a header for TPAD_CONFIG_FILE
settings() {
    printf '#define TPAD_SMALL\n#define TPAD_MAX_RANK %s\n#define TPAD_MODES %s\n' "$2" "$3" > "$scratch/$1"
    printf '#define TPAD_INTERIOR %s\n#define TPAD_STRIDES %s\n' "$4" "$5" >> "$scratch/$1"
}

# program SETTINGS SOURCE [SETTINGS OF THE LIBRARY]: compiles and links
program() {
    mkdir -p "$scratch/library"
    for file in $library; do
        # shellcheck disable=SC2086
        $cc -Iinclude -I"$scratch" "-DTPAD_CONFIG_FILE=\"${3:-$1}\"" -c "$file" \
            -o "$scratch/library/$(basename "$file" .c).o"
    done
    user=
    [ "$1" = none ] || user="-DTPAD_CONFIG_FILE=\"$1\""
    # shellcheck disable=SC2086
    $cc -Iinclude -I"$scratch" $user "$2" "$scratch"/library/*.o -o "$scratch/program"
}

# The examples whose functions the small build has.
settings all.h 4 31 1 1
for name in 01_quickstart 03_axis 05_plan 07_views; do
    program all.h "examples/$name.c"
    tests/support/example.sh "$scratch/program" $name
done
settings constant.h 3 1 0 0
program constant.h examples/14_firmware.c
printf '#!/bin/sh\n%s | sed "s/^a plan of [0-9]* bytes/a plan of 128 bytes/"\n' "$scratch/program" > "$scratch/told"
chmod +x "$scratch/told"
tests/support/example.sh "$scratch/told" 14_firmware

# What the library leaves out is refused when the program runs, with the same settings on both sides.
program constant.h examples/01_quickstart.c
! "$scratch/program" > /dev/null || fail "reflect is computed by a build without it"

# One setting after the other differs. The linker says the name that it lacks, and this name has the settings.
while read -r name rank modes interior strides; do
    settings "$name.h" "$rank" "$modes" "$interior" "$strides"
    ! program "$name.h" examples/05_plan.c constant.h 2> "$scratch/said" ||
        fail "a program with another $name links"
    lacking="tpad_plan_init_rank${rank}_modes${modes}_interior${interior}_strides${strides}"
    grep -q "$lacking" "$scratch/said" || fail "the linker does not say $lacking: $(cat "$scratch/said")"
done << END
rank 4 1 0 0
modes 3 3 0 0
interior 3 1 1 0
strides 3 1 0 1
END
! program none examples/05_plan.c constant.h 2> "$scratch/said" || fail "a program of the ordinary build links"

# A setting out of its range does not compile.
settings wrong.h 4 32 1 1
! program wrong.h examples/01_quickstart.c 2> "$scratch/said" || fail "TPAD_MODES 32 compiles"
grep -q "TPAD_MODES is not 1 to 31" "$scratch/said" || fail "the compiler says: $(cat "$scratch/said")"
echo "the small build takes its settings from a header, and links with no others"
