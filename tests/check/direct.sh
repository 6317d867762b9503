#!/bin/sh
# A report straight from files is the report over the same files in a
# database, whatever is selected, however often a request comes.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$T" || exit 1

report() { # out arguments…
    out=$1
    shift
    "$AITRACE" -q "$@" >"$out" 2>/dev/null
}

same() { # name files -- options
    name=$1
    shift
    from=
    rm -f a.db
    while [ "$1" != -- ]; do
        from="$from --from $1"
        "$AITRACE" -q --db a.db import "$1" >/dev/null 2>&1
        shift
    done
    shift
    # shellcheck disable=SC2086
    report direct report $from "$@" --json
    report stored --db a.db report "$@" --json
    if [ -f a.db ] && cmp -s direct stored; then
        ok "$name"
    else
        not_ok "$name" "$(diff direct stored | cut -c 1-300 | head -n 10)"
    fi
}

log=$D/morning.log.jsonl
for f in "$D"/trace-?.aicap.jsonl "$D"/retry*.jsonl "$D"/*.log.jsonl \
    "$D"/members*.gz; do
    same "${f##*/}" "$f" --
done
same "by fields of every kind" "$log" -- \
    --by model,status,outcome,stream,day,file
model=$("$AITRACE" list --from "$log" --json 2>/dev/null |
    sed 's/.*"model":"\([^"]*\)".*/\1/')
for option in "--model $model" "--outcome complete" "--outcome error" \
    "--finding headers_slow" "--source morning.log.jsonl" \
    "--since 2026-10-03T08:05:00Z" "--until 2026-10-03T08:05:00Z" \
    "--channel ch-1" "--provider nobody" "--limit 5" "--sort -time" \
    "--where status=200" "--request-id nobody"; do
    # shellcheck disable=SC2086
    same "report $option" "$log" -- $option
done
same "two files" "$log" "$D/traces.log.jsonl" --
same "the same file twice" "$log" "$log" --

cat "$log" "$log" >twice.jsonl
sed 's/"request_id": *"[^"]*"/"request_id":""/' "$log" >anonymous.jsonl
cat anonymous.jsonl anonymous.jsonl >anonymous-twice.jsonl
head -n 60 "$D/trace-b.aicap.jsonl" >begun.aicap.jsonl
same "every record twice" twice.jsonl --
same "records without an id" anonymous-twice.jsonl --
same "records without an id in two files" anonymous.jsonl \
    anonymous-twice.jsonl --
same "a request that goes on in another file" begun.aicap.jsonl \
    "$D/trace-b.aicap.jsonl" --
same "the same in the other order" "$D/trace-b.aicap.jsonl" \
    begun.aicap.jsonl --

"$AITRACE" -q report --from - --json <"$log" >stdin 2>/dev/null
"$AITRACE" -q report --from "$log" --json >file 2>/dev/null
check "standard input as well" cmp stdin file
"$AITRACE" report --from "$D/bad-lines.aicap.jsonl" >out 2>err
is "3: lines were lost" $? 3
is "what was lost is told once" "$(grep -c 'bad lines' err)" 1
"$AITRACE" report --from "$D/bad-lines.aicap.jsonl" --from begun.aicap.jsonl \
    --from "$D/bad-lines.aicap.jsonl" >out 2>err
is "also where a database is needed after all" \
    "$(grep -c 'bad lines' err)" 2
"$AITRACE" report --from begun.aicap.jsonl --from no-such.jsonl >out 2>err
is "3: one file is not there" $? 3
"$AITRACE" report --from "$log" --model nobody >out 2>err
is "1: nothing selected" $? 1
"$AITRACE" report --from "$log" --outcome complet >out 2>err
is "2: no such outcome" $? 2

# One group more than a report may have.
awk 'BEGIN {
    for (i = 0; i <= 10000; i++)
        printf "{\"time\":\"2026-10-01T00:00:00Z\",\"request_id\":\"r%d\"," \
            "\"model\":\"m%d\",\"status\":200,\"upstream_headers_ms\":9," \
            "\"total_handler_ms\":20}\n", i, i
}' >models.log.jsonl
"$AITRACE" -q --db models.db import models.log.jsonl
for from in "--from models.log.jsonl" "--db models.db"; do
    "$AITRACE" report $from --by model >out 2>err
    is "2: too many groups, $from" $? 2
    is "which says how many" "$(cat err)" \
        "aitrace: more than 10000 groups in one report
aitrace: group by something coarser, or select fewer requests"
done
done_testing
