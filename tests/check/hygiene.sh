#!/bin/sh
# Offline means offline: no network call, no other program but the manual's
# reader. Results depend on neither time zone nor locale.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "$root" || exit 1

calls='socket|connect|bind|listen|accept|getaddrinfo|gethostbyname|sendto'
is "no network call in the sources" \
    "$(grep -nE "(^|[^a-z_])($calls) *\\(" -r src --include='*.c' |
        grep -vE ':[0-9]+: *(\*|/[*/])')" ""
if command -v nm >/dev/null 2>&1; then
    is "no network call in the program" \
        "$(nm -u "$BUILD_DIR/aitrace" | sed 's/.* //; s/@.*//' |
            grep -xE "$calls")" ""
fi
is "other programs are started in one place only" \
    "$(grep -lE '(^|[^a-z_])(system|popen|exec[lv]p?e?|fork|posix_spawnp?) *\(' \
        -r src --include='*.c' | grep -v '^src/cli/' )" ""

cd "${T:?is the scratch folder}" || exit 1
"$AITRACE" --db a.db import "$D"/trace-c.aicap.jsonl "$D"/morning.log.jsonl \
    2>/dev/null
show() {
    "$AITRACE" --db a.db diagnose --request-id req-7f3a --json
    "$AITRACE" --db a.db report --by channel
    "$AITRACE" --db a.db list --since 2026-10-03T07:00:00Z --limit 5
}
show >utc 2>&1
for zone in Asia/Kathmandu EST5EDT '<+1245>-12:45'; do
    TZ=$zone show >other 2>&1
    check "the same under TZ=$zone" cmp utc other
done
"$AITRACE" --db a.db show --request-id req-7f3a --local >utc 2>&1
TZ='<+1245>-12:45' "$AITRACE" --db a.db show --request-id req-7f3a --local \
    >other 2>&1
is "--local follows the time zone" "$(cmp -s utc other; echo $?)" 1
for l in $(locale -a 2>/dev/null | grep -iE '^(de|fr|tr)_' | head -n 2); do
    LC_ALL=$l "$AITRACE" --db a.db report --by channel --json >other 2>&1
    "$AITRACE" --db a.db report --by channel --json >utc 2>&1
    check "the same numbers under LC_ALL=$l" cmp utc other
done
done_testing
