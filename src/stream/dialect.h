#ifndef AIT_STREAM_DIALECT_H
#define AIT_STREAM_DIALECT_H
/*
 * The language of the dialect tables. A dialect is one file in dialects/
 * with one ait_dialect; the engine (engine.h) reads each event by it.
 *
 * A shape says what matters in a JSON object: one rule a member. A shape may
 * choose a kind by the value of one member (its first rule is then SELECT):
 * the kind adds classes and a shape for the same object. Rules are applied
 * in the order of the table, whatever the order in the text.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/json.h"
#include "model/trace.h"
#include "stream/stream.h"

typedef struct ait_engine ait_engine;
typedef struct ait_shape ait_shape;

/* JSON types a rule looks at, as a set. A member of another type, null above
 * all, says nothing. */
enum {
    J_FALSE = 1 << AIT_J_FALSE,
    J_TRUE = 1 << AIT_J_TRUE,
    J_NUM = 1 << AIT_J_NUMBER,
    J_STR = 1 << AIT_J_STRING,
    J_ARR = 1 << AIT_J_ARRAY,
    J_OBJ = 1 << AIT_J_OBJECT
};

typedef enum ait_act {
    ACT_NONE,    /* only looked at by SELECT */
    ACT_SAYS,    /* non-empty value: the classes in bits */
    ACT_IN,      /* object: read by `more`, an ait_shape */
    ACT_EACH,    /* array: its objects read by `more`, strings by SAYS */
    ACT_INDEX,   /* number of the output (block, call) spoken of */
    ACT_CHOICE,  /* number of the choice, and of its output */
    ACT_CALL,    /* number of a call inside the output */
    ACT_FINISH,  /* finish reason; `more` is a prefix for the word */
    ACT_ENDS_AS, /* the member is there: `more` is the finish reason */
    ACT_NUMBER,  /* usage: bits is the offset in ait_usage */
    ACT_TIME,    /* server-side timing; `more` is an ait_clock */
    ACT_ERROR,   /* error object or text; `more` is its kind, NULL: it says
                    so itself */
    ACT_END,     /* terminal marker */
    ACT_INSTEAD, /* the object is read by `more`, further rows are not */
    ACT_ALSO,    /* the object is read by `more`, too */
    ACT_SKIP,    /* further rows are not read */
    ACT_GROWS,   /* text that repeats what came before: only growth says */
    ACT_OPENS,   /* non-empty: a new call is announced */
    ACT_COUNT
} ait_act;

/* Flags of rules. */
enum {
    R_ELSE = 1,   /* only where the row above (and its ELSEs) found nothing */
    R_REPEAT = 2, /* says nothing where it was said already */
    R_PLACE = 4   /* EACH: the place in the array is the output's number */
};

typedef struct ait_rule {
    const char *key;
    uint8_t len;
    uint8_t types;
    uint8_t act;
    uint8_t flags;
    uint32_t bits;
    const void *more;
} ait_rule;

/* A server-side timing: where it stands, what it is called. */
typedef struct ait_clock {
    const char *name;   /* "queue", "prefill", "decode", … */
    const char *field;  /* JSON Pointer in the event */
    int64_t unit;       /* ns of one */
    ait_boundary boundary;
} ait_clock;

/* Flags of kinds. */
enum {
    K_END = 1,     /* terminal marker */
    K_ERROR = 2,   /* the object is an error, or holds one */
    K_CLOSE = 4,   /* closes the call of this output */
    K_REPEAT = 8,  /* a snapshot: says it once, and not where deltas did */
    K_RESET = 16   /* a new message: outputs are numbered anew */
};

/* What the value of the selecting member means. A value that starts or ends
 * with '*' matches by its other part. No match: envelope. */
typedef struct ait_kind {
    const char *value;
    uint8_t len;
    uint8_t flags;
    uint32_t bits;
    const ait_shape *shape; /* NULL: nothing in it matters */
} ait_kind;

#define AIT_RULES_MAX 32

struct ait_shape {
    const ait_rule *rules;
    const ait_kind *kinds; /* chosen by the first rule; NULL: none */
    uint8_t rule_count, kind_count;
    bool by_name; /* without the member the event's name chooses */
    bool closes;  /* once it is read, the call it speaks of is whole */
};

/* How a dialect is recognised. */
enum {
    S_WEAK = 1,  /* a hint: a strong signature overrides it */
    S_WHOLE = 2, /* of a whole, non-streamed body */
    S_NAME = 4   /* the value is matched against the event's name */
};

typedef struct ait_signature {
    const char *at;    /* JSON Pointer; "" with S_NAME */
    uint32_t types;    /* of the value there */
    const char *value; /* NULL: any; may start or end with '*' */
    uint32_t flags;
} ait_signature;

#define AIT_SIGNATURES_MAX 12
#define AIT_MODELS_MAX 3

typedef struct ait_dialect {
    ait_dialect_info info;
    ait_signature signature[AIT_SIGNATURES_MAX]; /* ends with at == NULL */
    const char *model[AIT_MODELS_MAX]; /* JSON Pointers, NULL: no more */
    const ait_shape *event;
    const ait_shape *whole;  /* a whole body; NULL: as an event */
    bool beside;             /* reasoning is never inside the completion */
    const ait_kind *plain;   /* data is text, not JSON: kinds by event name,
                                bits for the data, up to value == NULL */
} ait_dialect;

/* ---- rows ----------------------------------------------------------- */
#define AIT_ROW(key, types, act, flags, bits, more) \
    {(key), sizeof(key) - 1, (types), (act), (flags), (bits), (more)}

#define SELECT(key) AIT_ROW(key, J_STR, ACT_NONE, 0, 0, NULL)
/* A non-empty string, or with HAS any value that is not empty. */
#define SAYS(key, bits) AIT_ROW(key, J_STR, ACT_SAYS, 0, bits, NULL)
#define SAYS_ELSE(key, bits) AIT_ROW(key, J_STR, ACT_SAYS, R_ELSE, bits, NULL)
#define HAS(key, bits) \
    AIT_ROW(key, J_STR | J_ARR | J_OBJ, ACT_SAYS, 0, bits, NULL)
#define IN(key, shape) AIT_ROW(key, J_OBJ, ACT_IN, 0, 0, shape)
#define IN_FLAGS(key, shape, flags) \
    AIT_ROW(key, J_OBJ, ACT_IN, flags, 0, shape)
#define EACH(key, shape) AIT_ROW(key, J_ARR, ACT_EACH, 0, 0, shape)
#define EACH_FLAGS(key, shape, flags, bits) \
    AIT_ROW(key, J_ARR, ACT_EACH, flags, bits, shape)
#define INDEX(key) AIT_ROW(key, J_NUM, ACT_INDEX, 0, 0, NULL)
#define CHOICE(key) AIT_ROW(key, J_NUM, ACT_CHOICE, 0, 0, NULL)
#define CALL(key) AIT_ROW(key, J_NUM, ACT_CALL, 0, 0, NULL)
#define FINISH(key) AIT_ROW(key, J_STR | J_NUM, ACT_FINISH, 0, 0, NULL)
#define FINISH_ELSE(key) \
    AIT_ROW(key, J_STR | J_NUM, ACT_FINISH, R_ELSE, 0, NULL)
#define FINISH_AS(key, prefix) \
    AIT_ROW(key, J_STR, ACT_FINISH, 0, 0, prefix)
#define ENDS_AS(key, word) AIT_ROW(key, J_STR, ACT_ENDS_AS, 0, 0, word)
#define NUMBER(key, field) \
    AIT_ROW(key, J_NUM, ACT_NUMBER, 0, offsetof(ait_usage, field), NULL)
#define NUMBER_ELSE(key, field) \
    AIT_ROW(key, J_NUM, ACT_NUMBER, R_ELSE, offsetof(ait_usage, field), NULL)
#define NUMBER_AGAIN(key, field) \
    AIT_ROW(key, J_NUM, ACT_NUMBER, R_REPEAT, offsetof(ait_usage, field), \
            NULL)
#define TIME(key, name, field, unit, boundary) \
    AIT_ROW(key, J_NUM, ACT_TIME, 0, 0, \
            (&(const ait_clock){name, field, unit, boundary}))
#define ERROR_IN(key) AIT_ROW(key, J_STR | J_OBJ, ACT_ERROR, 0, 0, NULL)
#define ERRORS_IN(key) AIT_ROW(key, J_ARR, ACT_ERROR, 0, 0, NULL)
#define ERROR_AS(key) AIT_ROW(key, J_OBJ, ACT_ERROR, 0, 0, key)
#define END_IF(key) AIT_ROW(key, J_TRUE, ACT_END, 0, 0, NULL)
#define INSTEAD_IF(key, shape) AIT_ROW(key, J_TRUE, ACT_INSTEAD, 0, 0, shape)
#define SKIP_IF(key) AIT_ROW(key, J_TRUE, ACT_SKIP, 0, 0, NULL)
#define GROWS(key, bits) AIT_ROW(key, J_STR, ACT_GROWS, 0, bits, NULL)
#define ALSO_IF(key, shape) AIT_ROW(key, J_TRUE, ACT_ALSO, 0, 0, shape)
#define OPENS(key) AIT_ROW(key, J_STR, ACT_OPENS, 0, AIT_C_ACTION_START, NULL)

#define KIND(value, bits, flags, shape) \
    {(value), sizeof(value) - 1, (flags), (bits), (shape)}

#define AIT_LEN(a) ((uint8_t)(sizeof(a) / sizeof *(a)))
#define SHAPE(rules) {rules, NULL, AIT_LEN(rules), 0, false, false}
#define CLOSES(rules) {rules, NULL, AIT_LEN(rules), 0, false, true}
#define CHOOSES(rules, kinds) \
    {rules, kinds, AIT_LEN(rules), AIT_LEN(kinds), false, false}
#define CHOOSES_BY_NAME(rules, kinds) \
    {rules, kinds, AIT_LEN(rules), AIT_LEN(kinds), true, false}

#define AIT_MS_UNIT INT64_C(1000000)
#define AIT_SEC_UNIT INT64_C(1000000000)

/* ---- parts that several dialects share ------------------------------ */
extern const ait_shape ait_error_shape;    /* errors of any dialect */
extern const ait_shape ait_openai_usage;   /* prompt_tokens, … */
extern const ait_shape ait_invocation;     /* Bedrock invocation metrics */
extern const ait_shape ait_ollama_done;    /* Ollama's last line */

/* ---- registry ------------------------------------------------------- */
extern const ait_dialect ait_openai_chat, ait_openai_completions,
    ait_openai_responses, ait_openai_assistants, ait_openai_transcription,
    ait_anthropic_messages, ait_anthropic_complete, ait_gemini,
    ait_gemini_interactions, ait_bedrock_converse, ait_bedrock_titan,
    ait_cohere_v1, ait_cohere_v2, ait_ollama_chat, ait_ollama_generate,
    ait_tgi, ait_sglang, ait_watsonx, ait_replicate;

/* All of them, in the order their signatures are tried; ends with NULL. */
extern const ait_dialect *const ait_dialect_table[];

/* Does a value match a pattern that may start or end with '*'? */
bool ait_pattern(const char *pattern, size_t len, const char *s, size_t n);

#endif
