#!/bin/sh
# Measures speed, instructions, memory, bytes stored and growth, on inputs of
# its own whose truth is known: a fast wrong figure does not count.
# BENCH_REQUESTS (1200: about 100 MB), BENCH_BIG=0 leaves the tenfold file out.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
AITRACE=$BUILD_DIR/aitrace
work=$BUILD_DIR/bench
n=${BENCH_REQUESTS:-1200}
cd "$work"
c=c$n.jsonl
ten=ten$n.jsonl
log=log$n.jsonl
few_open=few$n.jsonl
many_open=many$n.jsonl
big=big$n.jsonl

newer() { [ -n "$(find "$1" -newer "$2" 2>/dev/null)" ]; }
made() { # name arguments…
    name=$1
    shift
    newer "$name" gen || ./gen "$@" "$name"
}
size() { wc -c <"$1" | tr -d ' '; }
row() { printf '| %s | %s |\n' "$1" "$2"; }
ratio() { awk -v a="$1" -v b="$2" -v d="$3" 'BEGIN { printf "%.*f", d, a / b }'; }

# measured FILE [OPTIONS]: an import into a fresh database; sets wall peak rate
measured() {
    file=$1
    shift
    # shellcheck disable=SC2016,SC2046
    set -- $(./runner 3 sh -c 'rm -f m.db; f=$1; t=$2; shift 2
        exec "$t" --db m.db import "$@" "$f"' sh "$file" "$AITRACE" "$@")
    wall=$1
    peak=$3
    rate=$(ratio "$(size "$file")" "$((wall * 1000))" 0)
}
exact() { # file: the database against the truth
    "$BUILD_DIR/tools/db" m.db "SELECT request_id, outcome,
        printf('%.3f', upstream_headers_ms), first_sse_event_ms,
        first_response_ms, first_text_delta_ms, final_response_ms,
        upstream_done_ms, total_handler_ms, output_tokens, sse_events
        FROM request ORDER BY request_id" >got
    sort "$1.truth" >want
    awk -F'|' '
        function same(a, b, i) {
            if (i < 3 || i > 9 || a == "" || b == "") return a == b
            return a - b < 0.0011 && b - a < 0.0011
        }
        FNR == NR { want[$1] = $0; n++; next }
        { m = split(want[$1], w, "|"); good = m == NF
          for (i = 1; i <= NF; i++) good = good && same($i, w[i], i)
          right += good }
        END { printf "%d of %d", right, n }' want got
}

made "$c" capture "$n" 40
made "$log" log $((n * 200))
newer "$c.gz" "$c" || gzip -kf "$c"

echo "| what | figure |"
echo "|---|---|"
measured "$c"
base_wall=$wall
row "capture, $(ratio "$(size "$c")" 1000000 0) MB, $n requests: import" \
    "$wall ms, $rate MB/s"
row "peak memory" "$(ratio "$peak" 1024 1) MiB"
row "traces equal to the truth" "$(exact "$c")"
measured "$c" --threads 1
row "the same with one thread" "$wall ms, $rate MB/s"
events=$(awk -F'|' '{ s += $11 } END { print s }' "$c.truth")
row "database bytes per request, all" "$(ratio "$(size m.db)" "$n" 0)"
row "timeline bytes per event" "$("$BUILD_DIR/tools/db" m.db \
    "SELECT printf('%.2f', sum(length(timeline)) / $events.0)
     FROM raw_attempt")"
measured "$c.gz"
row "the same under gzip" "$wall ms, $(ratio "$base_wall" "$wall" 2) of the speed"
if command -v valgrind >/dev/null 2>&1; then
    made "$ten" capture $((n / 10)) 40
    rm -f v.db
    count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$AITRACE" --db v.db import --threads 1 "$ten" 2>&1 |
        sed -n 's/.*Collected *: *//p')
    row "instructions per input byte, one thread" "$(ratio "$count" "$(size "$ten")" 1)"
else
    row "instructions per input byte" "not measured: no valgrind"
fi
measured "$log"
row "native log, $((n * 200)) lines: import" \
    "$wall ms, $rate MB/s, $(ratio "$peak" 1024 1) MiB"
row "database bytes per log line" "$(ratio "$(size m.db)" $((n * 200)) 0)"
# shellcheck disable=SC2046
set -- $(./runner 3 "$AITRACE" --db m.db report --by model --json)
row "report over them, ten metrics and more by model" \
    "$1 ms, $(ratio "$3" 1024 1) MiB"
# shellcheck disable=SC2046
set -- $(./runner 3 "$AITRACE" report --by model --json --from "$log")
row "report straight from the log" "$1 ms, $(ratio "$3" 1024 1) MiB"
# shellcheck disable=SC2046
set -- $(./runner 9 "$AITRACE" --db m.db diagnose --request-id g-00000123)
row "diagnose one of them" "$1 ms"

made "$few_open" capture "$n" 4
made "$many_open" capture $((n * 4)) 2400
measured "$few_open"
few=$peak
measured "$many_open"
row "peak memory, 4 and 2,400 requests open" \
    "$(ratio "$few" 1024 1) and $(ratio "$peak" 1024 1) MiB"
row "traces equal to the truth, 2,400 open" "$(exact "$many_open")"
if [ "${BENCH_BIG:-1}" != 0 ]; then
    made "$big" capture $((n * 10)) 40
    measured "$big"
    row "ten times the capture" "$(ratio "$wall" "$base_wall" 1) times the \
time, $(ratio "$(size "$big")" "$(size "$c")" 1) times the bytes, \
$(ratio "$peak" 1024 1) MiB"
    rm -f "$big" "$big.truth"
fi
rm -f m.db v.db
