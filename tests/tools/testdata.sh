#!/bin/sh
# Writes testdata/ anew: testdata.awk for what is text, this for what is
# compressed, cut or damaged. The results are committed.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../testdata"
awk -v dir=. -f "$here/testdata.awk"

# ---- several gzip members, and one that was cut --------------------------
n=$(wc -l <interleaved.aicap.jsonl)
{
    sed -n '1,9p' interleaved.aicap.jsonl | gzip -n9
    sed -n '10,20p' interleaved.aicap.jsonl | gzip -n9
    sed -n "21,${n}p" interleaved.aicap.jsonl | gzip -n9
} >members.aicap.jsonl.gz
gzip -n9 <trace-b.aicap.jsonl >whole.gz
size=$(wc -c <whole.gz)
head -c $((size * 2 / 3)) whole.gz >cut.aicap.jsonl.gz
rm whole.gz

# ---- a line that breaks off; a last line without its end --------------------
size=$(wc -c <interleaved.aicap.jsonl)
head -c $((size * 3 / 5)) interleaved.aicap.jsonl >cut-line.aicap.jsonl
printf '%s' "$(cat traces.log.jsonl)" >no-last-newline.log.jsonl

# ---- byte order mark, CRLF, a run of NUL as a crashed machine leaves it -----
{
    printf '\357\273\277'
    sed -n '1,12p' interleaved.aicap.jsonl | sed 's/$/\r/'
    head -c 200 /dev/zero
    printf '\r\n'
    sed -n '13,$p' interleaved.aicap.jsonl | sed 's/$/\r/'
} >crlf-bom-nul.aicap.jsonl

# ---- a body under gzip, in reads of 30 bytes -------------------------------
record() { # type ms rest
    printf '{"type":"%s","ns":%s%s}\n' "$1" "$2" "$3"
}
compressed() { # encoding request: body on standard input
    record capture 0 ",\"v\":1,\"seg\":\"seg-$2\",\"wall\":\"2026-10-03T11:10:00Z\",\"clock\":\"mono\",\"vantage\":\"gateway\",\"unit\":\"read\",\"tool\":\"testdata\",\"t1\":\"exact\""
    record recv 0 ",\"req\":\"$2\",\"method\":\"POST\",\"path\":\"/v1/chat/completions\",\"ids\":{\"x-request-id\":\"$2\"},\"model\":\"m-small\",\"stream\":true"
    record send 4000000 ",\"req\":\"$2\",\"att\":1"
    record head 100000000 ",\"req\":\"$2\",\"att\":1,\"status\":200,\"headers\":{\"content-type\":\"text/event-stream\",\"content-encoding\":\"$1\"}"
    ms=200
    base64 -w 40 | while read -r piece; do
        record data ${ms}000000 ",\"req\":\"$2\",\"att\":1,\"data_base64\":\"$piece\""
        ms=$((ms + 50))
    done
    record end 3000000000 ",\"req\":\"$2\",\"att\":1,\"how\":\"eof\""
    record "done" 3001000000 ",\"req\":\"$2\""
}
body() {
    for w in The kettle sings while two grey geese walk; do
        printf 'data: {"choices":[{"index":0,"delta":{"content":"%s "},"finish_reason":null}]}\n\n' $w
    done
    printf 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
}
body | gzip -n9 | compressed gzip enc-1 >gzip-body.aicap.jsonl
body | compressed br enc-2 >br-body.aicap.jsonl

# ---- a log that holds totals only, from where the gateway began to relay ----
printf '%s\n' \
    '{"id":1,"created_at":1790000001,"type":2,"model_name":"m-small","prompt_tokens":80,"completion_tokens":24,"quota":1,"use_time":6,"is_stream":true,"channel":12,"group":"default","request_id":"tot-1","other":"{\"frt\":1830.0,\"admin_info\":{\"use_channel\":[\"12\"]}}"}' \
    '{"id":2,"created_at":1790000002,"type":2,"model_name":"m-small","prompt_tokens":80,"completion_tokens":24,"quota":1,"use_time":14,"is_stream":true,"channel":12,"group":"default","request_id":"tot-2","other":"{\"frt\":900.0,\"admin_info\":{\"use_channel\":[\"12\"]}}"}' \
    '{"id":3,"created_at":1790000003,"type":2,"model_name":"m-small","prompt_tokens":80,"completion_tokens":24,"quota":1,"use_time":3,"is_stream":true,"channel":12,"group":"default","request_id":"tot-3","other":"{\"frt\":410.5,\"admin_info\":{\"use_channel\":[\"12\"]}}"}' >totals.jsonl

# ---- what is no capture and no log ---------------------------------------------
printf '%s\n' '{"level":"info","msg":"listening","port":8080}' \
    '{"level":"warn","msg":"slow disk","ms":312}' >other.jsonl
printf 'PK\003\004 is not a capture\n' >other.bin
: >empty.jsonl
