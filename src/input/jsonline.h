#ifndef AIT_INPUT_JSONLINE_H
#define AIT_INPUT_JSONLINE_H
/*
 * A line that should be one JSON value. What is wrong with it is counted
 * with its place; a whole record behind a torn one on the same line (a
 * crash, then the next writer) is found and used.
 */
#include "base/json.h"
#include "input/lines.h"

/* Values in one line; more is no log line but a document. */
#define AIT_LINE_NODES (2u << 20)

/* How a good line began: `{"key":`. */
typedef struct ait_opening {
    char text[48];
    size_t len; /* 0: none */
} ait_opening;

enum { AIT_OPENINGS = 4 };

typedef struct ait_jsonline {
    ait_json json;
    ait_opening opening[AIT_OPENINGS]; /* the last different ones */
    unsigned next_opening;
} ait_jsonline;

/* Allocates nothing; free in any case. */
void ait_jsonline_init(ait_jsonline *j);
void ait_jsonline_free(ait_jsonline *j);

/* A line that was found good without being parsed: how it begins is
 * remembered. */
void ait_jsonline_good(ait_jsonline *j, const ait_line *line);

/* AIT_OK with *usable: json holds a value. AIT_OK without: the line was
 * counted. AIT_ENOMEM: out of memory. */
ait_code ait_jsonline_parse(ait_jsonline *j, ait_file_report *r,
                            const ait_line *line, bool *usable);

#endif
