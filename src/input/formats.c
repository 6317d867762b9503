/*
 * The table of formats: what can be read, and what is recognised only to be
 * refused with a way to something readable.
 */
#include "input/reader.h"

#include <string.h>

const ait_format_row *const ait_format_rows[] = {
    &ait_capture_row,
    &ait_log_format_row,
    NULL,
};

#define BEGINS(bytes) .begin = bytes, .begin_len = sizeof(bytes) - 1
#define REFUSED(number, id, words)                            \
    .info = {id, words, "", false, NULL}, .priority = number, \
    .sniff = ait_sniff_signature

#define STREAM_HINT                                                      \
    "what can be read is a capture of aitrace's own form or the JSON log " \
    "of a gateway: aitrace-formats(5)"
#define TSHARK_HINT "recordings of packets are not read; " STREAM_HINT

const ait_format_row ait_refused_rows[] = {
    {REFUSED(20, "zstd", "zstd-compressed data"), BEGINS("\x28\xb5\x2f\xfd"),
     .hint = "zstd -dc FILE | aitrace import -"},
    {REFUSED(21, "bzip2", "bzip2-compressed data"), BEGINS("BZh"),
     .hint = "bzip2 -dc FILE | aitrace import -"},
    {REFUSED(22, "xz", "xz-compressed data"),
     BEGINS("\xfd"
            "7zXZ\0"),
     .hint = "xz -dc FILE | aitrace import -"},
    {REFUSED(23, "lz4", "lz4-compressed data"), BEGINS("\x04\x22\x4d\x18"),
     .hint = "lz4 -dc FILE | aitrace import -"},
    {REFUSED(24, "compress", "data of compress(1)"), BEGINS("\x1f\x9d"),
     .hint = "gzip -dc FILE | aitrace import -"},
    {REFUSED(25, "gzip-in-gzip", "gzip data inside gzip data"),
     BEGINS("\x1f\x8b"), .hint = "gzip -dc FILE | aitrace import -"},
    {REFUSED(26, "zip", "a zip archive (SAZ, Charles, Playwright trace)"),
     BEGINS("PK\3\4"),
     .hint = "unzip -p FILE MEMBER | aitrace import - for a log in it; "
             "session archives hold no event times"},
    {REFUSED(27, "pcap", "a packet capture"), BEGINS("\xd4\xc3\xb2\xa1"),
     .hint = TSHARK_HINT},
    {REFUSED(28, "pcap", "a packet capture"), BEGINS("\xa1\xb2\xc3\xd4"),
     .hint = TSHARK_HINT},
    {REFUSED(29, "pcap", "a packet capture"), BEGINS("\x4d\x3c\xb2\xa1"),
     .hint = TSHARK_HINT},
    {REFUSED(30, "pcap", "a packet capture"), BEGINS("\xa1\xb2\x3c\x4d"),
     .hint = TSHARK_HINT},
    {REFUSED(31, "pcapng", "a packet capture"), BEGINS("\n\r\r\n"),
     .hint = TSHARK_HINT},
    {REFUSED(32, "sqlite", "an SQLite database"), BEGINS("SQLite format 3"),
     .hint = "aitrace --db FILE list, if it is one of aitrace's"},
    {REFUSED(33, "parquet", "a Parquet file"), BEGINS("PAR1"),
     .hint = "export the rows as JSON lines first"},
    {REFUSED(34, "utf16", "UTF-16 text"), BEGINS("\xff\xfe"),
     .hint = "iconv -f UTF-16 -t UTF-8 FILE | aitrace import -"},
    {REFUSED(35, "utf16", "UTF-16 text"), BEGINS("\xfe\xff"),
     .hint = "iconv -f UTF-16 -t UTF-8 FILE | aitrace import -"},
    {REFUSED(40, "curl-trace", "a curl trace"),
     BEGINS("##:##:##.###### == Info: "), .hint = STREAM_HINT},
    {REFUSED(41, "curl-trace", "a curl trace"),
     BEGINS("##:##:##.###### => Send "), .hint = STREAM_HINT},
    {REFUSED(42, "curl-trace", "a curl trace"),
     BEGINS("##:##:##.###### <= Recv "), .hint = STREAM_HINT},
    {REFUSED(43, "curl-trace", "a curl trace with transfer ids"),
     BEGINS("##:##:##.###### ["), .hint = STREAM_HINT},
    {REFUSED(44, "curl-verbose", "curl -v output with times"),
     BEGINS("##:##:##.###### "), .hint = STREAM_HINT},
    {REFUSED(45, "curl-trace", "a curl trace without times"),
     BEGINS("== Info: "),
     .hint = "nothing in it has a time: trace again with --trace-time"},
    {REFUSED(46, "curl-trace", "a curl trace without times"),
     BEGINS("=> Send "),
     .hint = "nothing in it has a time: trace again with --trace-time"},
    {REFUSED(47, "stamped-lines", "lines stamped by ts"),
     BEGINS("##########.###### "), .hint = STREAM_HINT},
    {REFUSED(48, "har", "an HTTP archive (HAR)"), BEGINS("{"),
     .holds = {"\"log\"", "\"entries\""}, .hint = STREAM_HINT},
    {REFUSED(49, "netlog", "a Chrome net log"), BEGINS("{\"constants\":"),
     .hint = STREAM_HINT},
    {REFUSED(50, "asciicast", "an asciinema recording"),
     BEGINS("{\"version\""), .holds = {"\"width\""}, .hint = STREAM_HINT},
    {REFUSED(51, "asciicast", "an asciinema recording"),
     BEGINS("{\"version\""), .holds = {"\"term\""}, .hint = STREAM_HINT},
    {REFUSED(52, "aiperf", "an AIPerf record export"), BEGINS("{"),
     .holds = {"\"session_num\"", "\"metadata\""}, .hint = STREAM_HINT},
    {REFUSED(53, "tshark", "tshark output"), BEGINS("frame.time_epoch\t"),
     .hint = TSHARK_HINT},
    {REFUSED(54, "tshark", "tshark output"), BEGINS("{\"index\""),
     .holds = {"\"packets-"}, .hint = TSHARK_HINT},
    {REFUSED(55, "tshark", "tshark output"), BEGINS("["),
     .holds = {"\"_index\": \"packets-"}, .hint = TSHARK_HINT},
    {REFUSED(56, "cdp", "a log of browser network events"),
     BEGINS("{\"method\":\"Network."), .hint = STREAM_HINT},
    {REFUSED(57, "envoy-tap", "an Envoy tap"),
     BEGINS("{\"http_streamed_trace_segment\""),
     .hint = "its segments carry no time; log duration and "
             "x-envoy-upstream-service-time as a JSON access log"},
    {REFUSED(58, "envoy-tap", "an Envoy tap"),
     BEGINS("{\"http_buffered_trace\""),
     .hint = "its bodies carry no time; log duration and "
             "x-envoy-upstream-service-time as a JSON access log"},
    {REFUSED(59, "mitmproxy", "a mitmproxy flow file"), BEGINS("#"),
     .holds = {":version;", ":type;"},
     .hint = "flows hold no chunk times; stamp the chunks in an addon that "
             "sets flow.response.stream"},
    {REFUSED(60, "claude-trace", "a claude-trace log"),
     BEGINS("{\"request\":{\"timestamp\":"), .holds = {"\"body_raw\""},
     .hint = "it knows only when requests began and ended; " STREAM_HINT},
    {REFUSED(61, "bare-sse", "a bare event stream"), BEGINS("data:"),
     .hint = "no timestamps in this file; " STREAM_HINT},
    {REFUSED(62, "bare-sse", "a bare event stream"), BEGINS("event:"),
     .hint = "no timestamps in this file; " STREAM_HINT},
    {REFUSED(63, "bare-sse", "a bare event stream"), BEGINS(": "),
     .hint = "no timestamps in this file; " STREAM_HINT},
    {REFUSED(64, "bare-sse", "a bare HTTP response"), BEGINS("HTTP/#"),
     .hint = "no timestamps in this file; " STREAM_HINT},
};
const size_t ait_refused_count =
    sizeof ait_refused_rows / sizeof *ait_refused_rows;

enum { LOOK_INTO = 4096 };

static bool begins(const ait_format_row *row, const char *head, size_t n)
{
    size_t i;

    if (n < row->begin_len)
        return false;
    for (i = 0; i < row->begin_len; i++) {
        bool digit = head[i] >= '0' && head[i] <= '9';

        if (row->begin[i] == '#' ? !digit : row->begin[i] != head[i])
            return false;
    }
    return true;
}

static bool holds(const char *head, size_t n, const char *word)
{
    size_t len = strlen(word), i;

    for (i = 0; i + len <= n; i++)
        if (head[i] == word[0] && memcmp(head + i, word, len) == 0)
            return true;
    return false;
}

bool ait_sniff_signature(const ait_format_row *row, const char *head, size_t n)
{
    int i;

    if (!begins(row, head, n))
        return false;
    if (n > LOOK_INTO)
        n = LOOK_INTO;
    for (i = 0; i < 2 && row->holds[i]; i++)
        if (!holds(head, n, row->holds[i]))
            return false;
    return true;
}

const ait_format_row *ait_format_by_name(const char *name)
{
    size_t i;

    for (i = 0; ait_format_rows[i]; i++)
        if (strcmp(ait_format_rows[i]->info.name, name) == 0)
            return ait_format_rows[i];
    return NULL;
}

static const ait_format_row *better(const ait_format_row *best,
                                    const ait_format_row *row,
                                    const char *head, size_t n)
{
    if (best && best->priority < row->priority)
        return best;
    return row->sniff(row, head, n) ? row : best;
}

const ait_format_row *ait_format_by_content(const char *head, size_t n)
{
    const ait_format_row *best = NULL;
    size_t i;

    if (n > AIT_SNIFF_MAX)
        n = AIT_SNIFF_MAX;
    for (i = 0; ait_format_rows[i]; i++)
        best = better(best, ait_format_rows[i], head, n);
    for (i = 0; i < ait_refused_count; i++)
        best = better(best, &ait_refused_rows[i], head, n);
    return best;
}
