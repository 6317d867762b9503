#!/bin/sh
# Every JSON document among the golden outputs holds against its schema; the
# validator itself refuses what is wrong.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1
js=$BUILD_DIR/tools/jsonschema

for f in tests/golden/*/stdout; do
    head -c 12 "$f" | tr -d ' \n' | grep -q '^{"schema"' || continue
    check "schema: $(basename "$(dirname "$f")")" "$js" schema/output "$f"
done

# A document that differs in one thing must not hold.
base=$(grep -l '"aitrace.diagnose/1"' tests/golden/*/stdout | head -n 1)
broken() { # name sed-script
    sed "$2" "$base" >"$T/broken.json"
    if cmp -s "$base" "$T/broken.json"; then
        not_ok "schema refuses: $1" "the example has nothing to break"
    elif "$js" schema/output "$T/broken.json" >"$T/said" 2>&1; then
        not_ok "schema refuses: $1"
    else
        ok "schema refuses: $1"
    fi
}
broken "a missing key" 's/"outcome":/"outcame":/'
broken "an unknown outcome" 's/"outcome": *"[a-z_]*"/"outcome":"fine"/'
broken "a text where a number belongs" \
    's/"upstream_headers_ms": *[0-9.]*/"upstream_headers_ms":"1"/'
broken "an unknown schema version" 's|aitrace.diagnose/1|aitrace.diagnose/2|'

keys=$(for f in schema/output/*.json; do
    sed -n 's/.*"\([a-z_0-9]*\)": *{.*/\1/p' "$f"
done | sort -u | grep -vx 'properties\|items\|additionalProperties\|defs')
missing=$(for k in $keys; do
    grep -qwF -- "$k" man/*.[1-8] || echo "$k"
done)
is "every key of every schema is in the manual" "$missing" ""
done_testing
