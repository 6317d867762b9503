#!/bin/sh
# Installs what the build needs and is missing, through the system's package
# manager, saying what it does. `--check` only names what is missing.
set -eu

missing() {
    command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 \
        || command -v clang >/dev/null 2>&1 || echo compiler
    command -v make >/dev/null 2>&1 || echo make
    if command -v pkg-config >/dev/null 2>&1; then
        pkg-config --exists sqlite3 || echo sqlite3
        pkg-config --exists libcjson || echo libcjson
        pkg-config --exists zlib || echo zlib
    else
        echo pkg-config sqlite3 libcjson zlib
    fi
}

want=$(missing | tr '\n' ' ' | sed 's/ *$//')
[ -n "$want" ] || exit 0
if [ "${1:-}" = --check ]; then
    echo "missing: $want (make deps installs them)" >&2
    exit 1
fi

sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 && sudo=sudo
fi
run() {
    echo "+ $sudo $*" >&2
    $sudo "$@"
}

echo "aitrace: missing: $want" >&2
if command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    run apt-get update -q
    run apt-get install -y -q --no-install-recommends gcc libc6-dev make pkg-config \
        libsqlite3-dev libcjson-dev zlib1g-dev
elif command -v dnf >/dev/null 2>&1; then
    run dnf install -y gcc make pkgconf-pkg-config sqlite-devel cjson-devel \
        zlib-devel
elif command -v apk >/dev/null 2>&1; then
    run apk add build-base pkgconf sqlite-dev cjson-dev zlib-dev
elif command -v pacman >/dev/null 2>&1; then
    run pacman -S --needed --noconfirm base-devel pkgconf sqlite cjson zlib
elif command -v brew >/dev/null 2>&1; then
    sudo=
    run brew install pkg-config sqlite cjson zlib
else
    echo "no known package manager; please install: $want" >&2
    exit 1
fi
want=$(missing | tr '\n' ' ' | sed 's/ *$//')
[ -z "$want" ] || { echo "still missing: $want" >&2; exit 1; }
