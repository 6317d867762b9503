#!/bin/sh
# Runs every checker of a shared corpus over the program and prints a table.
# usage: corpus.sh FOLDER     (exit status: 0 where all passed)
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/lib.sh"
AITRACE=$BUILD_DIR/aitrace
shared=$1
case $shared in /*) ;; *) shared=$root/$shared ;; esac
[ -d "$shared/corpus" ] || { echo "no corpus at $1"; exit 0; }
command -v python3 >/dev/null 2>&1 || {
    echo "the checkers need python3, which is not installed"
    exit 1
}
work=$BUILD_DIR/corpus
mkdir -p "$work"
tools=$shared/tools
corpus=$shared/corpus
table=$work/table
: >"$table"

# line NAME COMMAND…: the checker's last line is its result; the rest is kept.
line() {
    name=$1
    shift
    log=$work/$(echo "$name" | tr ' /' '__').log
    "$@" >"$log" 2>&1
    rc=$?
    printf '%-44s %s %s\n' "$name" "$([ $rc = 0 ] && echo ok || echo FAILED)" \
        "$(tail -n 1 "$log")" | tee -a "$table"
}

line "sse conformance" "$BUILD_DIR/tools/sse_conformance" \
    "$corpus/sse_conformance.jsonl"
line "cases" python3 "$tools/check_cases.py" "$AITRACE" "$corpus/cases"
streams() { # mode [seed]
    line "streams $1 ${2:-}" python3 "$tools/check_streams.py" "$AITRACE" \
        "$corpus/streams/EXPECTED.jsonl" "$corpus" --mode "$1" \
        --seed "${2:-1}"
}
streams event
streams byte
for seed in 1 2 3 4 5; do
    streams random $seed
done
line "captures native" python3 "$tools/check_captures.py" "$AITRACE" \
    "$corpus/captures" --only native/
line "captures all" python3 "$tools/check_captures.py" "$AITRACE" \
    "$corpus/captures"
line "gateway native" python3 "$tools/check_gateway.py" "$AITRACE" \
    "$corpus/gateway_logs" --only native_seed/
line "gateway all" python3 "$tools/check_gateway.py" "$AITRACE" \
    "$corpus/gateway_logs"
line "logs" python3 "$tools/check_logs.py" "$AITRACE" "$corpus/cases"

# A generated capture with its truth: traces and reports.
gen=$shared/bench/gen_capture.py
[ -s "$work/c10.jsonl" ] || python3 "$gen" --requests 100 --seed 3 \
    --out "$work/c10.jsonl" >/dev/null
rm -f "$work/c10.db"
"$AITRACE" --db "$work/c10.db" import -q "$work/c10.jsonl"
"$AITRACE" --db "$work/c10.db" list -q --json --limit 0 >"$work/c10.json"
line "traces of a generated capture" python3 "$shared/bench/check_traces.py" \
    -v "$work/c10.jsonl.truth" "$work/c10.json"
for method in nearest_rank linear; do
    line "report $method" python3 "$tools/check_report.py" "$AITRACE" \
        "$work/c10.db" --method $method
done

bad=$(grep -c ' FAILED ' "$table")
echo "$(wc -l <"$table") checks, $bad with failures; details in $work"
[ "$bad" = 0 ]
