#!/bin/sh
# Inputs planted with a marker word wherever content, keys, cookies or
# addresses may stand: it must be in no output of any command, and in no file
# that was written.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1
planted="$D/planted.aicap.jsonl $D/planted.log.jsonl"

# shellcheck disable=SC2086
is "the marker is in what goes in" \
    "$(grep -c MARKER $planted | sed 's/.*://' | awk '$1 < 2')" ""

said() { "$AITRACE" --db p.db "$@" >>all.out 2>>all.err </dev/null; }
# shellcheck disable=SC2086
said import $planted
said import --json "$D/planted.aicap.jsonl"
gzip -c "$D/planted.aicap.jsonl" >packed.gz
said import packed.gz
# forced into the wrong format, and as garbage
said import --format native "$D/planted.aicap.jsonl"
said import --format capture "$D/planted.log.jsonl"
sed 's/^/MARKER /' "$D/planted.log.jsonl" >garbage.jsonl
said import garbage.jsonl
said list
said list --json
said list --csv
for id in planted-2 planted-3 planted-log; do
    said show --request-id $id
    said show --request-id $id --events
    said diagnose --request-id $id
    said diagnose --request-id $id --json
done
said show --request-id "$("$AITRACE" --db p.db list --csv 2>/dev/null |
    sed -n 's/.*\(masked-[0-9a-f]*\).*/\1/p' | head -n 1)"
said diagnose --slowest 9
said report --by model
said report --by model,channel --json
said report --csv
# shellcheck disable=SC2086
for f in $planted; do
    said list --from "$f" --json
    said diagnose --from "$f" --slowest 9
done

requests=$("$AITRACE" --db p.db list --csv 2>/dev/null | sed 1d | wc -l)
if [ "$requests" -ge 4 ]; then
    ok "the planted requests are there"
else
    not_ok "the planted requests are there" "$requests requests"
fi
is "no marker on standard output" "$(grep -n MARKER all.out | head -n 5)" ""
is "no marker on standard error" "$(grep -n MARKER all.err | head -n 5)" ""
is "no marker in any file" "$(grep -l MARKER p.db* 2>/dev/null)" ""
is "a masked id is found by what it was" \
    "$("$AITRACE" --db p.db list --request-id sk-MARKER0123456789abcdef \
        --csv 2>/dev/null | grep -c masked-)" 2

# Every gateway's log with all that it may hold of content, secrets and
# identities: read as it is, forced to be its neighbour in the list, torn in
# the middle, and by a mapping that knows it not.
logs() { "$AITRACE" --db l.db "$@" >>logs.out 2>>logs.err </dev/null; }
before=native
for f in "$D"/planted/*.jsonl; do
    n=$(basename "$f" .jsonl)
    logs import "$f"
    logs import --json --format "$before" "$f"
    logs import --map "$D/maps/acme.json" "$f"
    head -c "$(($(wc -c <"$f") / 2))" "$f" >"torn-$n.jsonl"
    echo >>"torn-$n.jsonl"
    logs import "torn-$n.jsonl"
    [ "$n" = wrapped ] || before=$n
done
logs list --json
logs list --csv
logs diagnose --slowest 99
logs diagnose --slowest 99 --json
logs report --by model,channel,route --json
for id in $("$AITRACE" --db l.db list --csv 2>/dev/null | sed 1d |
    cut -d, -f1 | sort -u | head -n 8); do
    logs show --request-id "$id"
done
missed=$(for f in "$D"/planted/*.jsonl; do
    n=$(basename "$f" .jsonl)
    grep -q MARKER "$f" || echo "$n holds no marker"
    [ "$n" = wrapped ] || grep -q "\"$n\"" logs.out || echo "$n was not read"
done)
is "every format's planted lines are read" "$missed" ""
is "no marker of any gateway's log on standard output" \
    "$(grep -n MARKER logs.out | head -n 5)" ""
is "none on standard error" "$(grep -n MARKER logs.err | head -n 5)" ""
is "none in any file" "$(grep -l MARKER l.db* 2>/dev/null)" ""
missed=$(for f in "$root"/schema/formats/*.json; do
    [ -f "$D/planted/$(basename "$f")l" ] || basename "$f"
done)
is "every format has its planted lines" "$missed" ""

# What a killed import leaves beside the database holds none, either.
awk '{ print } NR == 1 { first = $0 }
    END { for (i = 0; i < 3000; i++) print "{\"type\":\"recv\",\"ns\":" i \
        ",\"req\":\"k" i "\",\"prompt\":\"MARKER\"}" }' \
    "$D/planted.aicap.jsonl" >long.aicap.jsonl
mkfifo slow
"$AITRACE" --db k.db import - <slow >/dev/null 2>&1 &
pid=$!
exec 9>slow
cat long.aicap.jsonl >&9
kill -9 $pid
exec 9>&-
wait $pid 2>/dev/null
is "no marker in what a killed import leaves" \
    "$(grep -l MARKER k.db* 2>/dev/null)" ""
done_testing
