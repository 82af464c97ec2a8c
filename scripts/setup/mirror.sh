#!/bin/sh
# Says which mirror of Debian this machine uses: from one-line or deb822 sources of apt.
# SPDX-License-Identifier: MIT
set -eu
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null |
    sed -n 's/^deb  *\(\[[^]]*\]  *\)\{0,1\}\([^ ]*\)  *bookworm .*/\2/p' | head -n 1)
[ -n "$mirror" ] || mirror=$(for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || { cat "$file" && echo; }
done | awk '
    /^URIs:/ { uri = $2 }
    /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == "bookworm") here = 1 }
    /^$/ { if (here && uri != "") { print uri; exit } uri = ""; here = 0 }')
[ -n "$mirror" ] || {
    echo "found no Debian 12 (bookworm) source in /etc/apt" >&2
    exit 1
}
echo "$mirror"
