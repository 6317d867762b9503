/* Replicate: the data of its events is text, not JSON. */
#include "stream/dialect.h"

static const ait_kind plain_kinds[] = {
    KIND("output", AIT_C_TEXT, 0, NULL),
    KIND("done", AIT_C_FINISH, K_END, NULL),
    KIND("error", 0, K_ERROR, NULL),
    {NULL, 0, 0, 0, NULL},
};

const ait_dialect ait_replicate = {
    .info = {"replicate", "Replicate",
             "first event named output whose data is not empty",
             "the same event", "no usage is reported"},
    .signature = {
        {"", 0, "output", S_NAME},
    },
    .plain = plain_kinds,
};
