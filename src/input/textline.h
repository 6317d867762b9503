#ifndef AIT_INPUT_TEXTLINE_H
#define AIT_INPUT_TEXTLINE_H
/*
 * Log lines that are text with a JSON object in them. A pattern has literal
 * text, %{name} for what stands up to the next literal, %{*} for what is not
 * wanted, and %{json} at its end.
 */
#include "base/mem.h"

/* Does the line fit the pattern? Then `out` holds it as one JSON object:
 * {"line": {"name": "…"}, "json": …}. Out of memory is no fit. */
bool ait_text_line(const char *pattern, const char *s, size_t n,
                   ait_buf *out);

#endif
