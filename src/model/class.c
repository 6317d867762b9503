#include "model/class.h"

#include <string.h>

const ait_class_info ait_classes[AIT_C_COUNT] = {
    {"heartbeat", AIT_C_HEARTBEAT, "an event that says nothing"},
    {"envelope", AIT_C_ENVELOPE, "framing: roles, ids, starts and stops"},
    {"reasoning_opaque", AIT_C_REASONING_OPAQUE,
     "signed or encrypted reasoning: explains silence, shows nothing"},
    {"action_start", AIT_C_ACTION_START, "a call is announced"},
    {"tool_result", AIT_C_TOOL_RESULT,
     "the result of a tool run at the provider"},
    {"usage", AIT_C_USAGE, "token counts"},
    {"finish", AIT_C_FINISH, "a finish reason or a terminal event"},
    {"error", AIT_C_ERROR, "an error inside the stream"},
    {"reasoning", AIT_C_REASONING, "readable reasoning"},
    {"action", AIT_C_ACTION, "arguments of a call, or a whole call"},
    {"media", AIT_C_MEDIA, "audio or image output"},
    {"text", AIT_C_TEXT, "visible text"},
    {"refusal", AIT_C_REFUSAL, "refusal text, visible like any other"},
};

uint32_t ait_class_bit(const char *name, size_t len)
{
    for (int i = 0; i < AIT_C_COUNT; i++)
        if (strlen(ait_classes[i].name) == len &&
            memcmp(ait_classes[i].name, name, len) == 0)
            return ait_classes[i].bit;
    return 0;
}
