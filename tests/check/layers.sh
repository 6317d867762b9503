#!/bin/sh
# A stage includes only itself and the stages above it; nothing includes in a
# circle. The order is the one the Makefile links by.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1

stages=$(sed -n 's/^STAGES *:= *//p' Makefile)
# "FILE INCLUDED" for every include of a project header
includes() {
    find src include -name '*.[ch]' | sort | while read -r f; do
        sed -n 's/^ *# *include *"\([^"]*\)".*/\1/p' "$f" |
            sed "s|^|${f#src/} |"
    done
}
includes >"$T/includes"

wrong=$(awk -v stages="$stages" '
    BEGIN {
        n = split(stages, s, " ")
        for (i = 1; i <= n; i++) rank[s[i]] = i
        public["cli"] = public["api"] = 1
    }
    { from = $1; sub(/\/.*/, "", from); to = $2; sub(/\/.*/, "", to) }
    from == "include" { print $1 " includes " $2; next }
    $2 == "aitrace.h" { if (!(from in public)) print $1 " includes " $2; next }
    $2 !~ /\//        { next }                 # generated, or the same folder
    !(from in rank)   { print $1 ": not in a stage"; next }
    !(to in rank) || rank[to] > rank[from] { print $1 " includes " $2 }
' "$T/includes")
is "each stage includes only what stands above it" "$wrong" ""

unknown=$(find src -name '*.[ch]' | sed 's|^src/||; s|/.*||' | sort -u |
    while read -r s; do
        case " $stages " in *" $s "*) ;; *) echo "$s" ;; esac
    done)
is "every folder is a stage" "$unknown" ""

# Headers only: a source file is included by nobody.
awk '$1 ~ /\.h$/ && $2 ~ /\.h$/ { print $1, $2 }' "$T/includes" >"$T/graph"
check "headers do not include in a circle" tsort "$T/graph"

prints=$(grep -nE '(^|[^a-z_])(printf|puts|putchar|exit|getenv|perror) *\(' \
    -r src --include='*.c' | grep -v '^src/cli/' |
    grep -v 'ait_bug\|src/base/error.c' | grep -vE ':[0-9]+: *(\*|/[*/])')
is "only cli prints, exits or reads the environment" "$prints" ""
done_testing
