#!/bin/sh
# Shows, case by case, how golden outputs differ from what the program prints
# now, and asks before taking the new ones over.
# usage: accept.sh [--yes] [PATTERN]
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/lib.sh"
yes=
if [ "${1:-}" = --yes ]; then
    yes=1
    shift
fi
only=${1:-${ONLY:-}}

take() { # case result
    for part in stdout stderr status; do
        cp "$2/$part" "$1/$part"
    done
    [ -s "$1/stderr" ] || rm "$1/stderr"
    [ -s "$1/stdout" ] || rm "$1/stdout"
    [ "$(cat "$1/status")" != 0 ] || rm "$1/status"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
changed=0
for d in "$root"/tests/golden/*/; do
    d=${d%/}
    n=$(basename "$d")
    case $n in *"$only"*) ;; *) continue ;; esac
    golden_run "$d" "$work/$n"
    if golden_diff "$d" "$work/$n" >"$work/diff"; then
        continue
    fi
    changed=$((changed + 1))
    echo "== $n: $(cat "$d/why")"
    cat "$work/diff"
    answer=y
    if [ -z "$yes" ]; then
        printf 'accept %s? [y/N] ' "$n"
        read -r answer || answer=n
    fi
    case $answer in
    y*)
        take "$d" "$work/$n"
        echo "accepted $n"
        ;;
    esac
done
echo "$changed differed"
