#!/bin/sh
# Shows that `git clone`, `make demo` and `make test` are all that a fresh Debian 12 machine needs.
# SPDX-License-Identifier: MIT
#
#     tests/runners/fresh_machine.sh [FOLDER]        as root; FOLDER (default: in /tmp) must not exist yet
#
# Makes a bare Debian 12 in FOLDER with debootstrap: git, make, nothing else. Into it go this
# machine's own settings for apt, pip and npm (sources, proxies, certificates), from which the mirror is
# taken too, and a clone of what is committed here. FOLDER is removed at the end, mounts and all,
# however the end comes. Needs debootstrap; about 3 GB of disk; not part of `make test`.
set -eu

fail() {
    echo "fresh-machine: $*" >&2
    exit 1
}

# Mounts live in a namespace of their own, which ends with this script even if it is killed.
if [ "${1:-}" != --inside ]; then
    [ "$(id -u)" = 0 ] || fail "must be run as root: debootstrap and chroot need it"
    command -v debootstrap >/dev/null || fail "needs debootstrap: apt-get install debootstrap"
    folder=${1:-$(mktemp -u /tmp/fresh-machine.XXXXXX)}
    [ ! -e "$folder" ] || fail "$folder exists; name a folder that does not"
    exec unshare --mount --propagation private "$0" --inside "$folder"
fi
folder=$2
repository=$(cd "$(dirname "$0")/../.." && pwd)

cleanup() {
    for mounted in dev proc; do
        if mountpoint -q "$folder/$mounted"; then
            umount --recursive "$folder/$mounted" || exit 1 # never remove what is still mounted
        fi
    done
    rm -rf --one-file-system "$folder" "$folder.log"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

[ -z "$(git -C "$repository" status --porcelain)" ] ||
    echo "fresh-machine: the working tree has changes; only what is committed is shown"

mirror=$(apt-get indextargets --format '$(SITE)' 'Release: bookworm' | head -n 1)
[ -n "$mirror" ] || fail "found no Debian 12 (bookworm) source in /etc/apt"

timed() {
    what=$1
    shift
    echo "== $what"
    began=$(date +%s)
    "$@" || fail "$what failed (status $?), after: $summary"
    took=$(($(date +%s) - began))
    summary="$summary
$(printf '  %5d s  %s' "$took" "$what")"
}
summary=

bare() {
    debootstrap --variant=minbase --include=ca-certificates,git,make bookworm "$folder" "$mirror" \
        >"$folder.log" 2>&1 || { tail -n 20 "$folder.log" >&2; return 1; }
}
timed "a bare Debian 12 with git and make" bare
rm -f "$folder.log"

# What tells this machine where packages come from, and whom to trust. Sources of other systems
# than Debian itself stay behind.
rm -f "$folder/etc/apt/sources.list"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    if [ -f "$file" ] && grep -q "$mirror" "$file"; then
        cp "$file" "$folder/etc/apt/${file#/etc/apt/}"
    fi
done
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy* /etc/apt/auth.conf /etc/apt/auth.conf.d \
    /etc/pip.conf /root/.config/pip /root/.pip /etc/npmrc /root/.npmrc /etc/hosts \
    /etc/resolv.conf /etc/ssl/certs /usr/local/share/ca-certificates; do
    if [ -e "$file" ]; then
        mkdir -p "$folder$(dirname "$file")"
        rm -rf "${folder:?}$file"
        cp -rL "$file" "$folder$file"
    fi
done

mount -t proc proc "$folder/proc"
mount --rbind /dev "$folder/dev"

# Of this environment only the settings that are about fetching packages go along.
names='https?_proxy|no_proxy|pip_[a-z_]*|npm_config_[a-z_]*|ssl_cert_[a-z]*|requests_ca_bundle|node_extra_ca_certs'
settings=$(env | grep -iE "^($names)=" |
    grep -v '[[:space:]]' || true)

# Runs a command without a network. This machine's own address stays, as it does where a cable is pulled.
offline() {
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"
}

# Runs a shell command in the new machine.
inside() {
    # shellcheck disable=SC2086 # one word per setting
    $network chroot "$folder" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $settings \
        /bin/sh -ec "$1" </dev/null
}
network=

git clone -q --bare "$repository" "$folder/root/tensorpad.git"
timed "git clone" inside "cd /root && git clone -q tensorpad.git tensorpad && rm -rf tensorpad.git"
timed "make demo" inside "cd /root/tensorpad && make demo"
timed "make test" inside "cd /root/tensorpad && make test"
network=offline
timed "make demo, again and without a network" inside "cd /root/tensorpad && make demo"
timed "make test, again and without a network" inside "cd /root/tensorpad && make test"

echo
echo "On a bare Debian 12 with git and make only, at $(git -C "$repository" rev-parse --short HEAD):"
echo "$summary" | sed 1d
