#!/bin/sh
# Fetches a Python 3.11 of another system that lies in any folder, with its headers, and prints the
# folder. It is what JavaCPP Presets carry, so Maven brings it. macOS's headers are the same for
# both processors.
# SPDX-License-Identifier: MIT
# Usage: portable_python.sh SYSTEM FOLDER
#     SYSTEM: windows or macosx; FOLDER: where it goes; nothing is fetched if it is there
set -eu
version=3.11.3-1.5.9
system=$1-x86_64
artifact=org.bytedeco:cpython:$version:jar:$system
shift
copy=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy
if [ ! -e "$1/made" ]; then
    command -v mvn > /dev/null || {
        echo "this Python comes by Maven, and there is no mvn: apt-get install maven" >&2
        exit 1
    }
    rm -rf "$1"
    mkdir -p "$1/jar"
    mvn -q -B "$copy" -Dartifact="$artifact" -DoutputDirectory="$1/jar" > "$1/log" 2>&1 || {
        grep -m 1 ERROR "$1/log" >&2
        echo "Maven does not bring $artifact" >&2
        exit 1
    }
    python3 -m zipfile -e "$1"/jar/*.jar "$1/jar"
    mv "$1/jar/org/bytedeco/cpython/$system" "$1/python"
    rm -r "$1/jar"
    # jars keep neither links nor the right to run
    chmod +x "$1"/python/bin/*
    touch "$1/made"
fi
echo "$1/python"
