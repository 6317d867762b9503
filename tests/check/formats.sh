#!/bin/sh
# Whose log is it? Every built-in format is recognised by its own lines and by
# no other's; lines of two formats in one file are refused with what was
# counted, in either order; what is nobody's is taken for nothing.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$T" || exit 1
# many small runs: the program without sanitizers
AITRACE=$BUILD_DIR/aitrace

names=native
cp "$D/traces.log.jsonl" native.lines
for f in "$root"/schema/formats/*.json; do
    n=$(basename "$f" .json)
    "$BUILD_DIR/tools/samples" "$f" >"$n.lines"
    names="$names $n"
done

missed=
for n in $names; do
    "$AITRACE" --db "$n.db" import "$n.lines" 2>said ||
        missed="$missed $n(failed)"
    grep -q "^$n.lines: $n (recognised by content" said ||
        missed="$missed $n($(head -n 1 said))"
done
is "each format is recognised by its own lines" "$missed" ""

# Two counts, each with its name, and a way to force one.
refused() { # file one other
    "$AITRACE" --db mixed.db import "$1" >said 2>&1
    rc=$?
    [ $rc = 3 ] && [ ! -e mixed.db ] && grep -q "$2 [0-9]" said &&
        grep -q "$3 [0-9]" said && grep -q -e '--format NAME' said ||
        echo "$2+$3 ($rc)"
}
missed=$(for one in $names; do
    for other in $names; do
        [ "$one" != "$other" ] || continue
        head -n 2 "$one.lines" | cat - "$other.lines" >mixed
        refused mixed "$one" "$other"
    done
done)
is "lines of two formats are refused, in either order" "$missed" ""

# One stray line among many is enough, and a forced format reads what is its.
missed=$(for other in $names; do
    [ "$other" != nginx ] || continue
    for i in 1 2 3 4 5 6 7 8 9 10; do
        cat nginx.lines
    done >mixed
    head -n 1 "$other.lines" >>mixed
    refused mixed nginx "$other"
    "$AITRACE" --db forced.db import --format nginx mixed >said 2>&1
    rc=$?
    { [ $rc = 0 ] || [ $rc = 3 ]; } &&
        grep -q 'nginx (recognised by option): [1-9]' said &&
        grep -qE 'unrecognised_line 1|1 bad line' said || echo "nginx forced over $other"
    rm -f forced.db
done)
is "one line of another format among many is refused" "$missed" ""

# What is nobody's: alone, together, and before enough of a known log.
total=$(wc -l <"$D/negatives.jsonl")
missed=$(i=0; while [ $i -lt "$total" ]; do
    i=$((i + 1))
    sed -n "${i}p" "$D/negatives.jsonl" >one
    "$AITRACE" --db none.db import one >said 2>&1
    rc=$?
    [ $rc = 3 ] && [ ! -e none.db ] && grep -q 'of a known form' said &&
        grep -q 'aitrace formats' said || echo "line $i ($rc)"
    ! grep -q MARKER said || echo "line $i is quoted"
done)
is "what is nobody's is refused, line by line" "$missed" ""
"$AITRACE" --db none.db import "$D/negatives.jsonl" >said 2>&1
is "and all of it together" "$?" 3
check "the refusal names who is closest" grep -q 'closest is [a-z]' said
cat "$D/negatives.jsonl" nginx.lines >few
"$AITRACE" --db none.db import few >said 2>&1
is "less than half of the lines is not enough" "$?" 3
check "which is said with the count" grep -q 'nginx 3' said
for i in 1 2 3 4 5 6; do
    cat nginx.lines
done >many
cat "$D/negatives.jsonl" >>many
check "half is, and the rest is counted" "$AITRACE" --db none.db import many
done_testing
