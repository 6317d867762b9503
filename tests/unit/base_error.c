/* Errors: what is set, what is forgotten, what may not pass through. */
#include "base/error.h"

#include "harness.h"

static void clear_says_nothing(void)
{
    ait_error e;

    memset(&e, 'x', sizeof e);
    ait_error_clear(&e);
    CHECK_INT(e.code, AIT_OK);
    CHECK_INT(e.line, 0);
    CHECK_INT(e.column, 0);
    CHECK_INT(e.offset, -1);
    CHECK_TEXT(e.source, "");
    CHECK_TEXT(e.message, "");
    CHECK_TEXT(e.reason, "");
    CHECK_TEXT(e.hint, "");
}

static void fail_returns_its_code_and_forgets(void)
{
    ait_error e;

    ait_error_clear(&e);
    CHECK_INT(ait_fail(&e, AIT_EDB, "first"), AIT_EDB);
    ait_error_place(&e, "a.jsonl", 3, 4, 50);
    ait_error_reason(&e, "locked");
    ait_error_hint(&e, "wait %d s", 5);
    CHECK_TEXT(e.source, "a.jsonl");
    CHECK_INT(e.line, 3);
    CHECK_INT(e.column, 4);
    CHECK_INT(e.offset, 50);
    CHECK_TEXT(e.reason, "locked");
    CHECK_TEXT(e.hint, "wait 5 s");
    CHECK_INT(ait_fail(&e, AIT_EINPUT, "key %s", "data"), AIT_EINPUT);
    CHECK_TEXT(e.message, "key data");
    CHECK_TEXT(e.reason, "");
    CHECK_TEXT(e.source, "");
    CHECK_INT(e.offset, -1);
}

static void no_error_structure_is_allowed(void)
{
    CHECK_INT(ait_fail(NULL, AIT_ENOMEM, "out of memory"), AIT_ENOMEM);
    ait_error_clear(NULL);
    ait_error_place(NULL, "x", 1, 1, 1);
    ait_error_reason(NULL, "x");
    ait_error_hint(NULL, "x");
}

static void control_characters_become_marks(void)
{
    ait_error e;

    ait_fail(&e, AIT_EINPUT, "%s", "a\x1b[31mb\n\x7f");
    CHECK_TEXT(e.message, "a?[31mb??");
    ait_error_place(&e, "n\tame", 0, 0, -1);
    CHECK_TEXT(e.source, "n?ame");
    ait_error_reason(&e, "%s", "\r");
    CHECK_TEXT(e.reason, "?");
    /* C1; right to left and back; a line separator; an isolate */
    ait_error_reason(&e, "%s", "\xC2\x9B" "\xE2\x80\xAE" "a\xE2\x80\xA8"
                     "\xE2\x81\xA6");
    CHECK_TEXT(e.reason, "?????a??????");
    /* a dash, a bullet, a no-break space are none */
    ait_error_reason(&e, "%s", "\xE2\x80\x94\xE2\x80\xA2\xC2\xA0");
    CHECK_TEXT(e.reason, "\xE2\x80\x94\xE2\x80\xA2\xC2\xA0");
}

static void long_text_is_cut_at_a_character(void)
{
    char text[400];
    ait_error e;

    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    ait_fail(&e, AIT_EINPUT, "%s", text);
    CHECK_INT(strlen(e.message), sizeof e.message - 1);
    memcpy(text + 253, "\xE4\xBD\xA0", 3); /* two of three bytes fit */
    ait_fail(&e, AIT_EINPUT, "%s", text);
    CHECK_INT(strlen(e.message), 253);
    ait_error_place(&e, text, 1, 0, -1);
    CHECK_INT(strlen(e.source), 253);
    memcpy(text + 252, "\xE4\xBD\xA0", 3); /* all of it fits */
    ait_fail(&e, AIT_EINPUT, "%s", text);
    CHECK_INT(strlen(e.message), 255);
}

static void line_joins_what_there_is(void)
{
    char out[600];
    ait_error e;

    ait_fail(&e, AIT_EINPUT, "bad line");
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "bad line");
    ait_error_reason(&e, "not JSON");
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "bad line: not JSON");
    ait_error_place(&e, "c.jsonl", 7, 0, -1);
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "bad line: not JSON (c.jsonl, line 7)");
    ait_error_place(&e, "c.jsonl", 0, 0, -1);
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "bad line: not JSON (c.jsonl)");
    ait_error_place(&e, "", 9, 0, -1);
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "bad line: not JSON (line 9)");
}

static void line_is_cut_to_its_room(void)
{
    char out[10];
    ait_error e;

    ait_fail(&e, AIT_EINPUT, "a long message");
    ait_error_line(&e, out, sizeof out);
    CHECK_TEXT(out, "a long me");
    ait_error_line(&e, out, 1);
    CHECK_TEXT(out, "");
    out[0] = 'z';
    ait_error_line(&e, out, 0);
    CHECK_INT(out[0], 'z');
}

int main(void)
{
    RUN(clear_says_nothing);
    RUN(fail_returns_its_code_and_forgets);
    RUN(no_error_structure_is_allowed);
    RUN(control_characters_become_marks);
    RUN(long_text_is_cut_at_a_character);
    RUN(line_joins_what_there_is);
    RUN(line_is_cut_to_its_room);
    return t_done();
}
