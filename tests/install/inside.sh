#!/bin/sh
# Another project that contains tensorpad builds the library only and installs nothing of it, and all else if
# it asks for it.
# Usage: inside.sh SOURCE_FOLDER
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# builds NAME OPTION...: what the build folder holds then of libraries and programs goes to `built`.
builds() {
    folder=$scratch/$1
    shift
    { cmake -S "$here" -B "$folder" -G Ninja -DSOURCE="$source" "$@" && cmake --build "$folder"; } \
        > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    built=$(find "$folder" -path '*/CMakeFiles' -prune -o \( -type f -perm -u+x -o -name '*.a' \) -printf '%f\n' |
        sed 's/\.so\..*/.so/' | sort | xargs)
    for user in threads_user threads_shared_user; do
        [ "$("$folder/$user")" = "2 2 2" ] || { echo "$folder/$user failed"; exit 1; }
    done
}

source=$(cd "$1" && pwd)
here=$source/tests/install/inside
library="libtensorpad.a libtensorpad.so libtensorpad_threads.a"
programs="threads_shared_user threads_user"
for how in add_subdirectory FetchContent; do
    builds $how -DHOW=$how -DSKBUILD=2 # as in a Python package that contains it
    [ "$built" = "$library $programs" ] || { echo "$how builds: $built"; exit 1; }
    ! grep BUILD_TESTING "$folder/CMakeCache.txt" || { echo "$how sets it for other projects"; exit 1; }
    cmake --install "$folder" --prefix "$scratch/$how/prefix" > "$scratch/log"
    installed=$(find "$scratch/$how/prefix" -type f -printf '%P ')
    [ "$installed" = "share/doc/parent/LICENSE " ] || { echo "$how installs: $installed"; exit 1; }
done
builds all -DHOW=add_subdirectory -DTENSORPAD_COMMAND=ON -DTENSORPAD_MLI=ON -DTENSORPAD_ORT=ON -DTENSORPAD_INSTALL=ON
cmake --install "$folder" --prefix "$scratch/prefix" > "$scratch/log"
cmp "$here/CMakeLists.txt" "$scratch/prefix/share/doc/parent/LICENSE"
cmp "$source/LICENSE" "$scratch/prefix/share/doc/tensorpad/LICENSE"
[ -x "$scratch/prefix/bin/tensorpad" ] || { echo "the command is not installed"; exit 1; }
for name in tensorpad libtensorpad_mli.a libtensorpad_mli_1_0.a libtensorpad_ort.a libtensorpad_ort.so; do
    case " $built " in *" $name "*) ;; *) echo "asked for $name, but it builds: $built"; exit 1 ;; esac
done
[ "$("$scratch/all/mli_user")" = "1.1 0 012034" ]
echo "a project that contains tensorpad builds what it asks for"
