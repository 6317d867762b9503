#!/bin/sh
# The whole way once: captures and logs in, three diagnoses and a report out.
# usage: demo.sh DATABASE (made anew)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
db=$1
d=testdata

say() {
    printf '\n$ aitrace --db %s %s\n' "$db" "$*"
    "$AITRACE" --db "$db" "$@" 2>&1
}

rm -f "$db" "$db-journal"
echo "Import: recordings of streams and a gateway's own log."
say import $d/trace-a.aicap.jsonl $d/trace-b.aicap.jsonl \
    $d/trace-c.aicap.jsonl $d/traces.log.jsonl $d/interleaved.aicap.jsonl \
    $d/retry-429.aicap.jsonl $d/members.aicap.jsonl.gz $d/morning.log.jsonl

echo
echo "Trace A: the headers took six seconds."
say diagnose --request-id req-1a2b
echo
echo "Trace B: the model worked on something else before the first text."
say diagnose --request-id req-4c5d
echo
echo "Trace C: the answer began early and was written slowly."
say diagnose --request-id req-7f3a
echo
echo "Trace C again, as the gateway logged it: the same verdict, and what"
echo "the log cannot tell."
say diagnose --request-id gw-c

echo
echo "Report: the morning's requests by channel."
say report --source $d/morning.log.jsonl --by channel
