/* SGLang /generate: each event repeats the text so far, unless the server
 * was told to send only what is new. */
#include "stream/dialect.h"

static const ait_rule reason_rules[] = {
    FINISH("type"),
};
static const ait_shape reason = SHAPE(reason_rules);

static const ait_rule meta_rules[] = {
    NUMBER("prompt_tokens", prompt),
    NUMBER("completion_tokens", completion),
    NUMBER("cached_tokens", cached),
    IN("finish_reason", &reason),
    FINISH("finish_reason"),
    TIME("e2e_latency", "total", "/meta_info/e2e_latency", AIT_SEC_UNIT,
         AIT_B_BODY_END),
};
static const ait_shape meta = SHAPE(meta_rules);

static const ait_rule event_rules[] = {
    CHOICE("index"),
    GROWS("text", AIT_C_TEXT),
    IN("meta_info", &meta),
    ERROR_IN("error"),
};
static const ait_shape event = SHAPE(event_rules);

const ait_dialect ait_sglang = {
    .info = {"sglang", "SGLang /generate",
             "first event whose text is longer than before",
             "the same event", "none is reported"},
    .signature = {
        {"/meta_info", J_OBJ, NULL, 0},
        {"/meta_info", J_OBJ, NULL, S_WHOLE},
    },
    .model = {NULL},
    .event = &event,
};
