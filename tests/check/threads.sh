#!/bin/sh
# However many threads an import uses: the same database byte by byte, the
# same words, the same exit status; also where it fails or is interrupted.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1
dbtool=$BUILD_DIR/tools/db

# Test data are small, and what is read before a format is known is read by
# one thread: inputs of a few hundred kilobytes, damaged far behind.
awk '{ for (i = 0; i < 40; i++) {
        s = $0
        sub(/"request_id": *"/, "&" i "-", s)
        print s
    } }' "$D/morning.log.jsonl" >long.log.jsonl
# What the splitting of lines finds, and what the reading of them does, is
# told in the order of the lines.
awk '{ print } NR % 700 == 650 { print "{\"torn\": " }
    NR % 700 == 651 { print "zeros" }' long.log.jsonl |
    sed 's/^zeros$/\x0\x0\x0/' >torn.log.jsonl
# A log of every format, and one wrapped in a container's lines, some of them
# in pieces.
mkdir formats
for f in "$D"/planted/*.jsonl; do
    for i in 1 2 3 4 5 6 7 8 9 10; do cat "$f" "$f" "$f" "$f"; done \
        >"formats/${f##*/}"
done
awk '{
    gsub(/"/, "\\\"")
    half = index($0, ",")
    if (NR % 9 == 4)
        printf "{\"log\":\"%s\",\"stream\":\"stdout\",\"time\":\"t\"}\n",
            substr($0, 1, half)
    printf "{\"log\":\"%s\\n\",\"stream\":\"stdout\",\"time\":\"t\"}\n",
        NR % 9 == 4 ? substr($0, half + 1) : $0
}' long.log.jsonl >formats/pieces.jsonl
awk '{ line[NR] = $0 }
    END {
        for (i = 0; i < 12; i++)
            for (k = 1; k <= NR; k++) {
                s = line[k]
                gsub(/"req-4c5d"/, "\"q-" i "\"", s)
                if ((k > 1 || i == 0) && (k < NR || i == 11))
                    print s
            }
    }' "$D/trace-b.aicap.jsonl" >long.aicap.jsonl
awk '{ print } NR % 300 == 290 { print "no record" }' long.aicap.jsonl \
    >torn.aicap.jsonl
for name in long.log torn.log long.aicap torn.aicap; do
    gzip -n -c $name.jsonl >$name.jsonl.gz
done
size=$(wc -c <torn.aicap.jsonl.gz)
head -c $((size - 2000)) torn.aicap.jsonl.gz >cut.aicap.jsonl.gz
size=$(wc -c <torn.log.jsonl.gz)
head -c $((size - 2000)) torn.log.jsonl.gz >cut.log.jsonl.gz
{ cat long.aicap.jsonl.gz; echo behind; } >behind.aicap.jsonl.gz

import() { # threads file…
    mkdir t
    threads=$1
    shift
    "$AITRACE" --db t/a.db import --threads "$threads" "$@" >t/out 2>&1
    echo $? >t/status
}

same() { # name file…
    name=$1
    shift
    import 1 "$@"
    mv t one
    for n in 2 3 4; do
        import $n "$@"
        if diff -r one t >differs 2>&1; then
            ok "$name: $n threads"
        else
            not_ok "$name: $n threads" "$(head -n 20 differs)"
        fi
        rm -rf t
    done
    rm -rf one
}

for f in "$D"/*.jsonl "$D"/*.gz *.jsonl *.gz formats/*; do
    same "${f##*/}" "$f"
done
same "many files" "$D"/*.jsonl ./*.jsonl long.log.jsonl.gz
check "long inputs are read ahead" \
    test "$(wc -c <long.aicap.jsonl)" -gt 200000

state() { # of a database: whole or not, and how many requests
    "$dbtool" "$1" 'PRAGMA integrity_check; SELECT count(*) FROM request' \
        2>&1 | tr '\n' ' '
}
"$AITRACE" --db a.db import "$D/trace-a.aicap.jsonl" 2>/dev/null
for n in 1 2 3; do
    cp a.db full.db
    (
        trap '' XFSZ
        ulimit -f 200
        "$AITRACE" --db full.db import --threads $n long.log.jsonl \
            >out.$n 2>&1
    )
    is "4: the disk is full, $n threads" $? 4
    is "whole after a full disk, $n threads" "$(state full.db)" "ok 1 "
done
is "a full disk is said alike" "$(cat out.2 out.3)" "$(cat out.1 out.1)"

mkfifo slow
for signal in KILL INT; do
    "$AITRACE" --db a.db import --threads 4 - <slow >/dev/null 2>"err" &
    pid=$!
    exec 9>slow
    head -n 1500 long.log.jsonl >&9
    kill -s $signal $pid
    exec 9>&-
    wait $pid 2>/dev/null
    is "whole after SIG$signal, nothing of the log kept" "$(state a.db)" \
        "ok 1 "
done
is "an interrupt says that it rolled back" "$(grep -c 'rolled back' err)" 1
done_testing
