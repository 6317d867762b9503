/* The packed columns: what goes in comes out, and damaged bytes do no
 * harm. */
#include <stddef.h>

#include "store/private.h"
#include "unit/store_help.h"

enum { ROUNDS = 2000 };

static void counters(void)
{
    int64_t in[AIT_S_COUNT], out[AIT_S_COUNT];
    ait_buf b;

    ait_buf_init(&b, 4096);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < AIT_S_COUNT; i++) {
            in[i] = dice_number();
            out[i] = AIT_ABSENT;
        }
        /* these have columns of their own */
        in[AIT_S_EVENTS] = in[AIT_S_LONGEST_GAP] = AIT_ABSENT;
        in[AIT_S_LONGEST_GAP_AT] = in[AIT_S_SEEN] = AIT_ABSENT;
        ait_buf_clear(&b);
        CHECK(ait_pack_stats(&b, in));
        CHECK(ait_unpack_stats((uint8_t *)b.data, b.len, out));
        CHECK(memcmp(in, out, sizeof in) == 0);
    }
    ait_buf_free(&b);
}

static void no_counters_take_no_room(void)
{
    int64_t in[AIT_S_COUNT];
    ait_buf b;

    ait_buf_init(&b, 64);
    for (int i = 0; i < AIT_S_COUNT; i++)
        in[i] = AIT_ABSENT;
    in[AIT_S_EVENTS] = 7;
    CHECK(ait_pack_stats(&b, in));
    CHECK_INT(b.len, 0);
    ait_buf_free(&b);
}

static void points(void)
{
    ait_point in[AIT_P_COUNT], usual[AIT_P_COUNT], out[AIT_P_COUNT];
    ait_buf b;

    ait_buf_init(&b, 4096);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < AIT_P_COUNT; i++) {
            in[i] = (ait_point){dice_number(), (uint8_t)dice(256)};
            usual[i] = dice(2) ? in[i] : (ait_point){dice_number(), 0};
            out[i] = usual[i];
        }
        ait_buf_clear(&b);
        CHECK(ait_pack_points(&b, in, usual));
        CHECK(ait_unpack_points((uint8_t *)b.data, b.len, out));
        for (int i = 0; i < AIT_P_COUNT; i++)
            CHECK(in[i].ns == out[i].ns && in[i].axis == out[i].axis);
    }
    ait_buf_clear(&b);
    CHECK(ait_pack_points(&b, usual, usual));
    CHECK_INT(b.len, 0);
    ait_buf_free(&b);
}

/* Whatever the bytes: an answer, and no access beyond them (the sanitizer
 * watches an exact copy). */
static void damaged_bytes(void)
{
    int64_t stat[AIT_S_COUNT];
    ait_point point[AIT_P_COUNT];
    int refused = 0;

    for (int round = 0; round < 10 * ROUNDS; round++) {
        size_t n = dice(40);
        uint8_t *p = malloc(n ? n : 1);
        for (size_t i = 0; i < n; i++)
            p[i] = (uint8_t)dice(dice(2) ? 256 : 4);
        refused += !ait_unpack_stats(p, n, stat);
        refused += !ait_unpack_points(p, n, point);
        free(p);
    }
    CHECK(refused > ROUNDS);
}

/* A blob that claims more than it holds, or more than there may be. */
static void lying_lengths(void)
{
    static const uint8_t counters_cut[] = {3, 2};
    static const uint8_t no_such_counter[] = {0x80, 0x80, 0x80, 0x80, 8};
    static const uint8_t no_such_point[] = {AIT_P_COUNT, 0, 0};
    int64_t stat[AIT_S_COUNT];
    ait_point point[AIT_P_COUNT];

    CHECK(!ait_unpack_stats(counters_cut, 2, stat));
    CHECK(!ait_unpack_stats(no_such_counter, 5, stat));
    CHECK(!ait_unpack_points(no_such_point, 3, point));
    CHECK(!ait_unpack_points(no_such_point, 1, point));
}

/* Every field of the row's image has its column, and only one: in the row
 * itself, within its facts, or in what requests have in common. */
static void the_table_of_columns(void)
{
    static const int own[] = {AIT_S_EVENTS, AIT_S_LONGEST_GAP,
                              AIT_S_LONGEST_GAP_AT};
    static const int common[AIT_COMMON_NUMS] = {AIT_N_STATUS, AIT_N_RETRIES,
                                                AIT_N_RESOLUTION,
                                                AIT_N_TEMPERATURE,
                                                AIT_N_TOP_P, AIT_N_TOOLS};
    ait_row r;
    int64_t *all = (int64_t *)(void *)&r;
    int wanted = 4 + AIT_T_COUNT + AIT_RATE_COUNT +
                 (AIT_N_COUNT - AIT_COMMON_NUMS) + 3;

    memset(&r, 0, sizeof r);
    CHECK_INT(AIT_COLUMNS, wanted);
    CHECK_INT(ait_row_columns[AIT_COLUMN_COMMON].at,
              offsetof(ait_row, common));
    for (int i = 0; i < AIT_COLUMNS; i++)
        ++*ait_row_at(&r, &ait_row_columns[i]);
    for (size_t i = 0; i < sizeof r / sizeof *all; i++)
        CHECK(all[i] <= 1);
    for (int i = 0; i < 3; i++)
        CHECK_INT(r.stat[own[i]], 1);
    for (int i = 0; i < AIT_COMMON_NUMS; i++)
        CHECK_INT(r.num[common[i]], 0);
    for (int i = 0; i < AIT_F_COUNT; i++)
        CHECK_INT(r.fact[i], 0);
}

/* The largest and the smallest of each fact come back, absent ones absent,
 * whatever the others are. */
static void facts_come_back(void)
{
    static const struct {
        ait_fact fact;
        int64_t most;
        bool optional;
    } facts[AIT_F_COUNT] = {
        {AIT_F_MORE, 31, false},
        {AIT_F_ORIGIN, AIT_O_COUNT - 1, false},
        {AIT_F_VANTAGE, AIT_V_COUNT - 1, false},
        {AIT_F_OUTCOME, AIT_OUT_COUNT - 1, false},
        {AIT_F_STREAM, 1, true},
        {AIT_F_ASKED_STREAM, 1, true},
        {AIT_F_TOKENS_SOURCE, 1, true},
        {AIT_F_ESTIMATED, 1, false},
        {AIT_F_WINDOW_END, 2, true},
        {AIT_F_VISIBLE_IS, AIT_IS_COUNT - 1, true},
        {AIT_F_PRIMARY, AIT_R_NONE, true},
        {AIT_F_ATTEMPTS, AIT_PART_MAX + 1, false},
    };

    for (int round = 0; round < ROUNDS; round++) {
        ait_row in = {.facts = 0}, out = {.facts = 0};
        for (int i = 0; i < AIT_F_COUNT; i++) {
            bool absent = facts[i].optional && dice(3) == 0;
            in.fact[facts[i].fact] = absent      ? AIT_ABSENT
                                     : dice(2) ? facts[i].most
                                               : 0;
        }
        ait_row_pack(&in);
        CHECK(in.facts >= 0);
        out.facts = in.facts;
        ait_row_unpack(&out);
        CHECK(memcmp(out.fact, in.fact, sizeof in.fact) == 0);
    }
}

int main(void)
{
    RUN(counters);
    RUN(no_counters_take_no_room);
    RUN(points);
    RUN(damaged_bytes);
    RUN(lying_lengths);
    RUN(the_table_of_columns);
    RUN(facts_come_back);
    return scratch_done();
}
