/* What is made of a trace before its turn: the rows are those of a trace that
 * is put at once, whatever was made meanwhile, and what requests have in
 * common is told by all of it. */
#include <stddef.h>

#include "store/private.h"
#include "unit/store_help.h"

enum { MANY = 300 };

/* ---- in two halves ------------------------------------------------- */

static void fill_many(ait_trace *t)
{
    for (int i = 0; i < MANY; i++) {
        ait_trace_init(&t[i]);
        dice_trace(&t[i]);
    }
}

static void put_at_once(const char *path, ait_trace *t)
{
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_error err;

    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < MANY; i++)
        CHECK_OK(ait_store_put(s, &t[i], NULL, &err));
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
    ait_store_close(s);
}

/* All are prepared, in another order, before the store is there. */
static void put_in_halves(const char *path, ait_trace *t)
{
    size_t size = ait_store_aside();
    char *kept = malloc(MANY * size);
    ait_store *s;
    ait_error err;

    if (!kept)
        abort();
    memset(kept, 0x5a, MANY * size);
    for (int i = MANY - 1; i >= 0; i--)
        ait_store_prepare(&t[i], NULL, kept + (size_t)i * size);
    s = must_open(path, AIT_STORE_WRITE);
    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < MANY; i++)
        CHECK_OK(ait_store_put_prepared(s, &t[i], kept + (size_t)i * size,
                                        &err));
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
    ait_store_close(s);
    free(kept);
}

static void two_halves_are_the_whole(void)
{
    ait_trace *t = malloc(MANY * sizeof *t);
    const char *once = scratch_file("once.db");
    const char *halves = scratch_file("halves.db");
    char *bytes;
    long n;

    if (!t)
        abort();
    fill_many(t);
    put_at_once(once, t);
    put_in_halves(halves, t);
    bytes = slurp(once, &n);
    CHECK(n > MANY * 100);
    CHECK(same_bytes(halves, bytes, n));
    for (int i = 0; i < MANY; i++)
        ait_trace_free(&t[i]);
    free(bytes);
    free(t);
}

static int take_it(void *ctx, ait_trace *t)
{
    CHECK_TEXT(differs(ctx, t), NULL);
    return AIT_OK;
}

/* Every text as long as it may be, every number as many bytes. */
static void the_largest_there_is(void)
{
    ait_store *s = must_open(NULL, AIT_STORE_MEMORY);
    ait_trace *t = plain(NULL, 1);
    char text[AIT_TEXT_MAX + 1];
    ait_selection sel;
    ait_error err;

    memset(text, 'x', AIT_TEXT_MAX);
    text[AIT_TEXT_MAX] = '\0';
    for (int i = 0; i < AIT_X_COUNT; i++)
        CHECK((t->text[i] = ait_trace_keep(t, text, AIT_TEXT_MAX)) != NULL);
    for (int i = 0; i < AIT_S_COUNT; i++)
        t->stat[i] = INT64_MIN + 1;
    for (int i = 0; i < AIT_P_COUNT; i++)
        t->point[i] = (ait_point){INT64_MIN + 1, 255};
    put_all(s, "a", &t, 1);
    ait_selection_init(&sel);
    CHECK_OK(ait_store_each(s, &sel, AIT_NEED_ALL | AIT_NEED_TEXTS, take_it,
                            t, &err));
    drop(t);
    ait_store_close(s);
}

/* ---- what requests have in common ---------------------------------- */

static ait_common_key key_of(const ait_trace *t)
{
    ait_common_key k;

    memset(&k, 0x5a, sizeof k);
    ait_common_make_key(t, &k);
    return k;
}

static bool same_key(const ait_common_key *a, const ait_common_key *b)
{
    size_t at = offsetof(ait_common_key, num);
    bool same = a->len == b->len && memcmp((const char *)a + at,
                                           (const char *)b + at, a->len) == 0;

    CHECK(!same || a->hash == b->hash);
    return same;
}

static void each_text_tells(void)
{
    ait_trace *t = plain("q", 1);
    ait_common_key was = key_of(t), now = key_of(t);

    CHECK(same_key(&was, &now));
    for (int i = 0; i < AIT_X_COUNT; i++) {
        const char *kept = t->text[i];
        t->text[i] = "other";
        now = key_of(t);
        CHECK(same_key(&was, &now) == (i == AIT_X_REQUEST_ID));
        t->text[i] = kept ? NULL : "";
        now = key_of(t);
        CHECK(same_key(&was, &now) == (i == AIT_X_REQUEST_ID));
        t->text[i] = kept;
    }
    drop(t);
}

static void each_number_tells(void)
{
    static const ait_num_field nums[] = {AIT_N_STATUS,      AIT_N_RETRIES,
                                         AIT_N_RESOLUTION,  AIT_N_TOOLS,
                                         AIT_N_TEMPERATURE, AIT_N_TOP_P};
    ait_trace *t = plain("q", 1);
    ait_common_key was = key_of(t), now;

    for (size_t i = 0; i < sizeof nums / sizeof *nums; i++) {
        int64_t kept = t->num[nums[i]];
        t->num[nums[i]] = 17;
        now = key_of(t);
        CHECK(!same_key(&was, &now));
        t->num[nums[i]] = kept;
    }
    t->stat[AIT_S_SEEN] = 1;
    now = key_of(t);
    CHECK(!same_key(&was, &now));
    drop(t);
}

/* The same characters, parted elsewhere. */
static void borders_of_texts_tell(void)
{
    ait_trace *t = plain("q", 1);
    ait_common_key one, other;

    t->text[AIT_X_MODEL] = "ab";
    t->text[AIT_X_PROVIDER] = "c";
    one = key_of(t);
    t->text[AIT_X_MODEL] = "a";
    t->text[AIT_X_PROVIDER] = "bc";
    other = key_of(t);
    CHECK(!same_key(&one, &other));
    t->text[AIT_X_PROVIDER] = NULL;
    t->text[AIT_X_GROUP] = "bc";
    one = key_of(t);
    CHECK(!same_key(&one, &other));
    drop(t);
}

enum { KINDS = 3 * AIT_COMMON_RECENT, ROUNDS = 2 };

/* More than are kept by what they say, each of them twice and far apart: none
 * is written again. */
static void more_in_common_than_is_recent(void)
{
    const char *path = scratch_file("common.db");
    ait_store *s = must_open(path, AIT_STORE_WRITE);
    ait_trace *t = plain(NULL, 1);
    char wanted[24];
    ait_error err;

    CHECK_OK(ait_store_begin(s, "a", "native", &err));
    for (int i = 0; i < ROUNDS * KINDS; i++) {
        t->num[AIT_N_TIME] = i;
        t->num[AIT_N_STATUS] = i % KINDS;
        t->identity = 0;
        CHECK_OK(ait_store_put(s, t, NULL, &err));
    }
    CHECK_OK(ait_store_commit(s, NULL, NULL, NULL, &err));
    ait_store_close(s);
    snprintf(wanted, sizeof wanted, "%d", KINDS);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_common"), wanted);
    CHECK_TEXT(ask_sql(path, "SELECT count(*) FROM raw_request r JOIN"
                             " raw_common c ON c.row = r.common"
                             " WHERE c.status <> r.time % 24576"),
               "0");
    drop(t);
}

int main(void)
{
    RUN(two_halves_are_the_whole);
    RUN(the_largest_there_is);
    RUN(each_text_tells);
    RUN(each_number_tells);
    RUN(borders_of_texts_tell);
    RUN(more_in_common_than_is_recent);
    return scratch_done();
}
