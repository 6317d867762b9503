/* Wrappers: two tables. */
#include "input/wrap.h"

static const struct {
    const char *text, *with[3]; /* the text's key, and one key beside it */
    bool pieces;
} wrappers[] = {
    {"log", {"stream", "time", "kubernetes"}, true},
    {"MESSAGE", {"__REALTIME_TIMESTAMP", "_HOSTNAME", "PRIORITY"}, false},
    {"@message", {"@timestamp", "@ptr", "@log"}, false},
    {"message", {"ingestionTime", "eventId", "logStreamName"}, false},
};

ait_jref ait_wrapped_text(ait_json *j, ait_jref r, bool *pieces, int *stream)
{
    size_t i, k;

    for (i = 0; i < sizeof wrappers / sizeof *wrappers; i++) {
        ait_jref text = ait_json_get(j, r, wrappers[i].text);

        if (ait_json_type(j, text) != AIT_J_STRING)
            continue;
        for (k = 0; k < 3; k++)
            if (ait_json_get(j, r, wrappers[i].with[k]) != AIT_JNONE) {
                *pieces = wrappers[i].pieces;
                *stream =
                    ait_json_is(j, ait_json_get(j, r, "stream"), "stderr");
                return text;
            }
    }
    return AIT_JNONE;
}

ait_jref ait_wrapped_records(ait_json *j, ait_jref r)
{
    static const char *const lists[] = {
        "/data/items", "/data/logs", "/data",   "/result",
        "/items",      "/logs",      "/events", "/logEvents",
    };
    size_t i;

    for (i = 0; i < sizeof lists / sizeof *lists; i++) {
        ait_jref at = ait_json_at(j, r, lists[i]);
        ait_jtype type = ait_json_type(j, at);

        if (type == AIT_J_ARRAY || (type == AIT_J_OBJECT && i == 2))
            return at;
    }
    return AIT_JNONE;
}
