#!/bin/sh
# The exit statuses, one by one: 0 done, 1 no, 2 usage, 3 input, 4 database,
# 5 output. And what must stay as it was after each.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/lib.sh"
cd "${T:?is the scratch folder}" || exit 1
dbtool=$BUILD_DIR/tools/db
if [ ! -x "$dbtool" ]; then # what waits for it would wait for ever
    not_ok "make tools was run"
    done_testing
fi

# exits WANTED NAME ARGUMENTS…
exits() {
    want=$1
    name=$2
    shift 2
    "$AITRACE" "$@" >out 2>err </dev/null
    got=$?
    if [ $got = "$want" ]; then
        ok "$want: $name"
    else
        not_ok "$want: $name" "got $got" "$(head -n 5 err)"
    fi
}

exits 0 "import" --db a.db import "$D/trace-a.aicap.jsonl"
# shellcheck disable=SC2012
is "a database is for its owner only" "$(ls -l a.db | cut -c1-10)" "-rw-------"
exits 0 "import again" --db a.db import "$D/trace-a.aicap.jsonl"
exits 0 "list" --db a.db list
exits 0 "show" --db a.db show --request-id req-1a2b
exits 0 "diagnose" --db a.db diagnose --request-id req-1a2b
exits 0 "report" --db a.db report
exits 0 "schema" schema
exits 0 "formats" formats
exits 0 "a mapping file that holds" formats check "$D/maps/acme.json"
exits 0 "help" --help
exits 0 "version" --version
exits 0 "an unfinished last line alone is no fault" \
    --db b.db import "$D/no-last-newline.log.jsonl"
exits 0 "a file without a database" list --from "$D/trace-a.aicap.jsonl"

exits 3 "a mapping file that does not" formats check "$D/acme.jsonl"
exits 3 "one of several" formats check "$D/maps/acme.json" nowhere.json
exits 2 "formats check of nothing" formats check

exits 1 "an id that is not there" --db a.db show --request-id nobody
exits 1 "nothing selected" --db a.db diagnose --model nothing
cp "$D/segments.aicap.jsonl" two.aicap.jsonl
sed 's/seg-req-3/seg-req-1/' two.aicap.jsonl >same.aicap.jsonl
exits 0 "two requests of one id" --db same.db import same.aicap.jsonl
exits 1 "an id that is ambiguous" --db same.db show --request-id seg-req-1
exits 1 "a finding, where asked" --db a.db diagnose --request-id req-1a2b \
    --exit-finding

exits 2 "no command"
exits 2 "an unknown command" imprt
exits 2 "an unknown option" list --jsn
exits 2 "an abbreviated option" list --jso
exits 2 "an option without its value" list --model
exits 2 "a value that is none" list --limit many
exits 2 "an unknown outcome" --db a.db list --outcome fine
exits 2 "an unknown field to group by" --db a.db report --by colour
exits 2 "a condition that is no SQL" --db a.db list --where 'model ='
exits 2 "a condition that does more than read" \
    --db a.db list --where '1); DROP TABLE x; --'
printf '{"headers_slow": 1}' >bad.json
exits 2 "an unknown limit" --db a.db diagnose --request-id req-1a2b \
    --thresholds bad.json

exits 3 "no such file" --db c.db import nothing.jsonl
exits 3 "no capture and no log" --db c.db import "$D/other.jsonl"
exits 3 "not even text" --db c.db import "$D/other.bin"
exits 3 "an empty file" --db c.db import "$D/empty.jsonl"
exits 3 "bad lines" --db c.db import "$D/bad-lines.aicap.jsonl"
exits 3 "a cut file" --db c.db import "$D/cut.aicap.jsonl.gz"
exits 3 "the same without a database" list --from "$D/other.jsonl"

exits 4 "no database" --db none.db list
echo 'not a database, but a letter to a friend' >letter.db
cp letter.db letter
exits 4 "no SQLite file" --db letter.db import "$D/trace-a.aicap.jsonl"
check "it is untouched" cmp letter letter.db
"$dbtool" foreign.db 'CREATE TABLE mine(a); INSERT INTO mine VALUES(7)'
cp foreign.db foreign
exits 4 "another program's database" --db foreign.db import \
    "$D/trace-a.aicap.jsonl"
exits 4 "another program's database, read" --db foreign.db list
check "it is untouched, too" cmp foreign foreign.db
cp a.db newer.db
"$dbtool" newer.db 'PRAGMA user_version = 9999'
cp newer.db newer
exits 4 "a newer version's database" --db newer.db import \
    "$D/trace-b.aicap.jsonl"
exits 4 "a newer version's database, read" --db newer.db list
check "and that one is" cmp newer newer.db
mkfifo hold
"$dbtool" --hold a.db 'BEGIN EXCLUSIVE' <hold >held &
exec 9>hold
while ! grep -q holding held; do :; done
exits 4 "a database another program holds" --db a.db import \
    "$D/trace-b.aicap.jsonl"
exec 9>&-
wait

if [ -w /dev/full ]; then
    "$AITRACE" --db a.db list --json >/dev/full 2>err
    is "5: standard output is full" $? 5
fi
exits 5 "an output file that cannot be" --db a.db list --json \
    -o no/such/folder/x
(
    ulimit -f 1 2>/dev/null || exit 5
    trap '' XFSZ
    "$AITRACE" --db a.db diagnose --request-id req-1a2b --json -o big.json \
        2>err
    "$AITRACE" --db a.db list --json --from "$D/morning.log.jsonl" \
        -o big.json 2>err
)
is "5: an output file that grows too large" $? 5
"$AITRACE" list --json --from "$D/morning.log.jsonl" 2>err | head -c 1 >/dev/null
is "a closed pipe ends quietly" "$(cat err)" ""

for page in "$root"/man/aitrace.1 "$root"/man/aitrace-*.1; do
    stated=$(awk '/^\.Sh EXIT STATUS/ { on = 1; next } /^\.Sh/ { on = 0 } on' \
        "$page" | tr -cs '0-9' ' ')
    is "exit statuses stated in ${page##*/}" "$(for n in 0 1 2 3 4 5; do
        case " $stated " in *" $n "*) printf %s $n ;; esac
    done)" 012345
done
done_testing
