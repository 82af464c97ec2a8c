#!/bin/sh
# Fetches a Python 3.12 that runs from any folder, with glibc 2.29 or later, and prints the folder.
# Debian has no package of 3.12. This one is what JavaCPP Presets carry, so Maven brings it.
# SPDX-License-Identifier: MIT
# Usage: portable_python.sh FOLDER      FOLDER: where it goes; nothing is fetched if it is there
set -eu
artifact=org.bytedeco:cpython:3.12.1-1.5.10:jar:linux-x86_64
copy=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy
if [ ! -e "$1/made" ]; then
    command -v mvn > /dev/null || {
        echo "Python 3.12 comes by Maven, and there is no mvn: apt-get install maven" >&2
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
    mv "$1"/jar/org/bytedeco/cpython/linux-x86_64 "$1/python"
    rm -r "$1/jar" "$1/python/include"
    # jars keep neither links nor the right to run
    chmod +x "$1"/python/bin/*
    touch "$1/made"
fi
echo "$1/python"
