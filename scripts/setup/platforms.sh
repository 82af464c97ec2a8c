#!/bin/sh
# What compiles for Windows and macOS, into build/platforms: zig, programs zig-TARGET-TOOL that call it,
# and the sources of C libraries (of Debian's source packages). Needs a network once.
# Usage: platforms.sh SOURCE_PACKAGE...
# SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/../.."
to=$PWD/build/platforms
mkdir -p "$to/bin" "$to/sources"

if ! cmp -s tests/platforms/requirements.txt "$to/installed.txt"; then
    python3 -m venv "$to/venv"
    "$to/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        -r tests/platforms/requirements.txt
    cp tests/platforms/requirements.txt "$to/installed.txt"
fi
for target in x86_64-windows-gnu aarch64-windows-gnu x86_64-macos.11.0 aarch64-macos.11.0; do
    for tool in cc ar ranlib rc; do
        options=
        [ $tool != cc ] || options="-target $target"
        printf '#!/bin/sh\nexec "%s" -m ziglang %s %s "$@"\n' "$to/venv/bin/python" $tool "$options" \
            > "$to/bin/zig-$target-$tool"
        chmod +x "$to/bin/zig-$target-$tool"
    done
done

cd "$to/sources"
missing=
for package; do
    [ -d "$package" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
mirror=$("$OLDPWD/scripts/setup/mirror.sh")
apt=$to/apt
mkdir -p "$apt/lists/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" \
    > "$apt/sources.list"
apt_get() {
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$apt/lists" -o APT::Sandbox::User=root "$@"
}
apt_get update
for package in $missing; do
    apt_get source --download-only "$package"
    dpkg-source --no-check -x "$package"_*.dsc "$package" > /dev/null
done
