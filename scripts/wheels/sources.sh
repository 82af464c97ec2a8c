#!/bin/sh
# Fetches the sources of the libraries that a wheel holds, from Debian's source packages, into
# FOLDER/NAME, with Debian's patches, and their licences into FOLDER/licenses. apt checks every
# file against Debian's signed lists. Lists and settings are in FOLDER/apt: those of this machine
# are not touched. Does nothing if all are there. With SUITE and PACKAGE it fetches nothing but
# this package, as its authors published it.
# SPDX-License-Identifier: MIT
# Usage: sources.sh FOLDER [SUITE PACKAGE]
set -eu
mkdir -p "$1"
cd "$1"

# apt-get for the source packages of SUITE, or of SUITE+security, with the machine's own mirror.
apt_in() {
    suite=$1
    shift
    mkdir -p "apt/$suite/lists/partial" "apt/$suite/cache/archives/partial"
    from="deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror"
    echo "$from ${suite%+security} main" > "apt/$suite/sources.list"
    [ "$suite" = "${suite%+security}" ] ||
        echo "$from-security ${suite%+security}-security main" >> "apt/$suite/sources.list"
    apt-get -q -o Dir::Etc::sourcelist="$PWD/apt/$suite/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$PWD/apt/$suite/lists" -o Dir::Cache="$PWD/apt/$suite/cache" \
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@" > "apt/$suite/log" 2>&1
}

failed() {
    echo "sources.sh: Debian's source package $1 cannot be fetched or unpacked:" >&2
    tail -n 3 "$2" >&2
    exit 1
}

# PACKAGE with Debian's patches: security fixes are among them.
patched() {
    [ ! -e "$2/fetched" ] || return 0
    rm -rf "$2" "$2"_*
    if ! apt_in "$1+security" source --download-only "$2"; then
        echo "sources.sh: the mirror does not hand out the newest security update of $2; its last" \
            "stable release is taken" >&2
        rm -f "$2"_*
        apt_in "$1" source --download-only "$2" || failed "$2" "apt/$1/log"
    fi
    dpkg-source --no-check -x "$2"_*.dsc "$2" > apt/log 2>&1 || failed "$2" apt/log
    touch "$2/fetched"
}

# PACKAGE as its authors published it: Debian's patches concern only how Debian builds it.
pristine() {
    [ ! -e "$2/fetched" ] || return 0
    rm -rf "$2" "$2"_*
    apt_in "$1" source --download-only --tar-only "$2" || failed "$2" "apt/$1/log"
    mkdir "$2"
    tar -xf "$2"_*.orig.tar.* -C "$2" --strip-components=1
    touch "$2/fetched"
}

# The lists of the suites that are named.
update() {
    mirror=$(apt-get indextargets --format '$(SITE)' 'Release: bookworm' | head -n 1)
    [ -n "$mirror" ] || {
        echo "sources.sh: found no Debian 12 (bookworm) source in /etc/apt" >&2
        exit 1
    }
    for suite in "$@"; do
        apt_in "$suite" update || failed list "apt/$suite/log"
    done
}

if [ $# = 3 ]; then
    [ -e "$3/fetched" ] || update "$2"
    pristine "$2" "$3"
    exit
fi
for package in expat libpng1.6 zlib nanopb; do
    if [ ! -e "$package/fetched" ]; then
        update bookworm bookworm+security
        break
    fi
done
patched bookworm expat
patched bookworm libpng1.6
patched bookworm zlib
pristine bookworm nanopb
mkdir -p licenses
for licence in expat/COPYING libpng1.6/LICENSE zlib/LICENSE nanopb/LICENSE.txt; do
    cp "$licence" "licenses/LICENSE.${licence%%/*}"
done
