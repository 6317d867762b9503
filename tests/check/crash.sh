#!/bin/sh
# An import that is killed, interrupted or runs out of disk leaves the
# database as it was; the next import goes through.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1
dbtool=$BUILD_DIR/tools/db

# A capture of 2,000 requests.
awk -v n=2000 '
    NR == 1 { print; next }
    /"close"/ { next }
    { line[++lines] = $0 }
    END {
        for (i = 1; i <= n; i++)
            for (k = 1; k <= lines; k++) {
                s = line[k]
                gsub(/"req-4c5d"/, "\"q-" i "\"", s)
                if (k <= 4 || k > lines - 6)
                    print s
            }
    }' "$D/trace-b.aicap.jsonl" >many.aicap.jsonl

state() { # of a database: whole or not, and how many requests
    "$dbtool" "$1" 'PRAGMA integrity_check; PRAGMA foreign_key_check;
        SELECT count(*) FROM request' 2>&1 | tr '\n' ' '
}
"$AITRACE" --db whole.db import many.aicap.jsonl 2>/dev/null
is "the long capture is whole" "$(state whole.db)" "ok 2000 "

"$AITRACE" --db a.db import "$D/trace-a.aicap.jsonl" 2>/dev/null
cp a.db before.db
mkfifo slow
for signal in KILL INT TERM; do
    "$AITRACE" --db a.db import - <slow >/dev/null 2>"err.$signal" &
    pid=$!
    exec 9>slow
    head -n 9000 many.aicap.jsonl >&9
    kill -s $signal $pid
    exec 9>&-
    wait $pid 2>/dev/null
    is "whole after SIG$signal, nothing of the cut file kept" \
        "$(state a.db)" "ok 1 "
done
is "an interrupt says that it rolled back" \
    "$(grep -ciE 'interrupt|rolled back|roll' err.INT)" 1

"$AITRACE" --db a.db import many.aicap.jsonl 2>/dev/null
is "the next import goes through" "$(state a.db)" "ok 2001 "

# The disk is full: the limit of a file's size stands for it.
cp before.db full.db
(
    trap '' XFSZ
    ulimit -f 200
    "$AITRACE" --db full.db import many.aicap.jsonl >out 2>err
)
is "4: the disk is full" $? 4
is "whole after a full disk" "$(state full.db)" "ok 1 "

# A reading that fails half way: a folder cannot be read at all.
mkdir folder
"$AITRACE" --db a.db import folder 2>err
is "3: a folder is no file" $? 3
done_testing
