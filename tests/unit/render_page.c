/* Columns, figures, CSV cells and shell words. */
#include "harness.h"
#include "render/csv.h"
#include "render/page.h"
#include "render_hand.h"

static char cell[AIT_CELL];

static void milliseconds(void)
{
    CHECK_TEXT(ait_cell_ms(20425 * AIT_MS, cell), "20,425 ms");
    CHECK_TEXT(ait_cell_ms(0, cell), "0 ms");
    CHECK_TEXT(ait_cell_ms(1200000, cell), "1.2 ms");
    CHECK_TEXT(ait_cell_ms(999499999, cell), "999 ms");
    CHECK_TEXT(ait_cell_ms(999500000, cell), "1,000 ms");
    CHECK_TEXT(ait_cell_ms(1234567 * AIT_MS, cell), "1,234,567 ms");
    CHECK_TEXT(ait_cell_ms(-20 * AIT_MS, cell), "-20 ms");
    CHECK_TEXT(ait_cell_ms(AIT_ABSENT, cell), "-");
    CHECK_TEXT(ait_cell_ms(INT64_MAX, cell), "9,223,372,036,855 ms");
}

static void seconds(void)
{
    CHECK_TEXT(ait_cell_s(19995 * AIT_MS, cell), "20.0 s");
    CHECK_TEXT(ait_cell_s(430 * AIT_MS, cell), "0.43 s");
    CHECK_TEXT(ait_cell_s(1949 * AIT_MS, cell), "1.9 s");
    CHECK_TEXT(ait_cell_s(1950 * AIT_MS, cell), "2.0 s");
    CHECK_TEXT(ait_cell_s(AIT_ABSENT, cell), "-");
}

static void counts_rates_shares(void)
{
    CHECK_TEXT(ait_cell_int(1234567, cell), "1,234,567");
    CHECK_TEXT(ait_cell_int(-999, cell), "-999");
    CHECK_TEXT(ait_cell_int(AIT_ABSENT, cell), "-");
    CHECK_TEXT(ait_cell_rate(9802, cell), "9.8");
    CHECK_TEXT(ait_cell_rate(42000, cell), "42");
    CHECK_TEXT(ait_cell_rate(AIT_ABSENT, cell), "-");
    CHECK_TEXT(ait_cell_share(798, cell), "79.8 %");
    CHECK_TEXT(ait_cell_share(1000, cell), "100 %");
    CHECK_TEXT(ait_cell_share(AIT_ABSENT, cell), "-");
}

static void named_figures(void)
{
    ait_figure f = {"x", AIT_U_RATE, 15000, NULL};
    CHECK_TEXT(ait_cell_figure(&f, cell), "15 tokens/s");
    f = (ait_figure){"x", AIT_U_WORD, 0, "reasoning"};
    CHECK_TEXT(ait_cell_figure(&f, cell), "reasoning");
    f = (ait_figure){"x", AIT_U_WORD, 0, NULL};
    CHECK_TEXT(ait_cell_figure(&f, cell), "-");
    f = (ait_figure){"x", AIT_U_MS, AIT_ABSENT, NULL};
    CHECK_TEXT(ait_cell_figure(&f, cell), "-");
}

static void columns_of_characters(void)
{
    CHECK_INT(ait_text_columns("abc"), 3);
    CHECK_INT(ait_text_columns("\xc3\xa9t\xc3\xa9"), 3);
    CHECK_INT(ait_text_columns("e\xcc\x81"), 1); /* combining accent */
    CHECK_INT(ait_text_columns("\xe6\xa8\xa1\xe5\x9e\x8b"), 4);
    CHECK_INT(ait_text_columns("\xf0\x9f\x98\x80"), 2);
    CHECK_INT(ait_text_columns(""), 0);
}

static void check_cell(const char *text, int width, const ait_style *style,
                       const char *want)
{
    ait_buf b;
    ait_page p;
    ait_buf_init(&b, 4096);
    ait_page_init(&p, &b, style);
    ait_page_cell(&p, text, width);
    CHECK(!p.failed);
    CHECK_TEXT(hand_out(&b), want);
    ait_buf_free(&b);
}

static void cells_are_filled_not_cut(void)
{
    check_cell("ab", 4, &hand_utf8, "ab  ");
    check_cell("ab", -4, &hand_utf8, "  ab");
    check_cell("abcdef", 4, &hand_utf8, "abcdef");
    check_cell(NULL, 3, &hand_utf8, "-  ");
    check_cell("\xe6\xa8\xa1", 4, &hand_utf8, "\xe6\xa8\xa1  ");
    check_cell("\xe6\xa8\xa1", 4, &hand_style, "?   ");
}

/* An id may hold any character; none of them may drive the terminal. */
static void values_cannot_drive_the_terminal(void)
{
    check_cell("a\033[31mb", 1, &hand_utf8, "a?[31mb");
    check_cell("a\xc2\x9b" "b", 1, &hand_utf8, "a?b");      /* C1 CSI */
    check_cell("a\xe2\x80\xae" "b", 1, &hand_utf8, "a?b");  /* turns text */
    check_cell("a\xff" "b", 1, &hand_utf8, "a?b");          /* stray byte */
    check_cell("a\xe2\x80", 1, &hand_utf8, "a??");          /* cut short */
}

static void check_block(int width, const char *text, const char *want)
{
    ait_style style = {.width = width};
    ait_buf b;
    ait_page p;
    ait_buf_init(&b, 4096);
    ait_page_init(&p, &b, &style);
    ait_page_block(&p, "why", 6, text);
    CHECK_TEXT(hand_out(&b), want);
    ait_buf_free(&b);
}

static void blocks_wrap_under_their_text(void)
{
    check_block(40, "one two", "why   one two\n");
    check_block(14, "one two three", "why   one two\n      three\n");
    check_block(10, "unbreakable", "why   unbreakable\n");
    check_block(40, "", "why   \n");
    check_block(12, "one 25 %, two", "why   one\n      25 %,\n      two\n");
    check_block(12, "one 9 msx", "why   one 9\n      msx\n");
}

static void colour_only_where_asked(void)
{
    ait_style style = {.width = 80, .colour = true};
    ait_buf b;
    ait_page p;
    ait_buf_init(&b, 4096);
    ait_page_init(&p, &b, &style);
    ait_page_ink(&p, AIT_INK_BOLD);
    CHECK_TEXT(hand_out(&b), "\033[1m");
    ait_buf_clear(&b);
    ait_page_init(&p, &b, &hand_style);
    ait_page_ink(&p, AIT_INK_BOLD);
    CHECK_INT(b.len, 0);
    ait_buf_free(&b);
}

static void a_full_buffer_is_remembered(void)
{
    ait_buf b;
    ait_page p;
    ait_buf_init(&b, 8);
    ait_page_init(&p, &b, &hand_style);
    ait_page_add(&p, "0123456789abcdef0123456789abcdef");
    CHECK(p.failed);
    ait_page_add(&p, "x");
    CHECK(p.failed);
    ait_buf_free(&b);
}

static void check_csv(const char *text, const char *want)
{
    ait_buf b;
    ait_csv c;
    ait_buf_init(&b, 4096);
    ait_csv_init(&c, &b);
    ait_csv_text(&c, text);
    ait_csv_row(&c);
    CHECK_TEXT(hand_out(&b), want);
    ait_buf_free(&b);
}

static void csv_texts(void)
{
    check_csv("plain", "plain\r\n");
    check_csv("a,b", "\"a,b\"\r\n");
    check_csv("say \"x\"", "\"say \"\"x\"\"\"\r\n");
    check_csv("two\nlines", "\"two\nlines\"\r\n");
    check_csv(NULL, "\r\n");
    check_csv("", "\r\n");
}

static void csv_runs_no_formula(void)
{
    check_csv("=1+1", "'=1+1\r\n");
    check_csv("+1", "'+1\r\n");
    check_csv("-1", "'-1\r\n");
    check_csv("@x", "'@x\r\n");
    check_csv("=a,b", "\"'=a,b\"\r\n");
}

static void csv_numbers(void)
{
    ait_buf b;
    ait_csv c;
    ait_buf_init(&b, 4096);
    ait_csv_init(&c, &b);
    ait_csv_number(&c, 1249500000, AIT_MS, 3);
    ait_csv_number(&c, AIT_ABSENT, AIT_MS, 3);
    ait_csv_number(&c, -5, 1, 0);
    ait_csv_tri(&c, -1);
    ait_csv_tri(&c, 0);
    ait_csv_tri(&c, 1);
    ait_csv_row(&c);
    ait_csv_number(&c, 0, 1, 0);
    CHECK_TEXT(hand_out(&b), "1249.5,,-5,,false,true\r\n0");
    ait_buf_free(&b);
}

static void check_word(const char *word, const char *want)
{
    ait_buf b;
    ait_buf_init(&b, 4096);
    CHECK(ait_shell_word(&b, word));
    CHECK_TEXT(hand_out(&b), want);
    ait_buf_free(&b);
}

static void shell_words(void)
{
    check_word("m-large_1.5:x/y", "m-large_1.5:x/y");
    check_word("two words", "'two words'");
    check_word("a'b", "'a'\\''b'");
    check_word("$(rm -r x)", "'$(rm -r x)'");
    check_word("", "''");
    check_word("a\033[1m\n", "'a'*'[1m'*''");
    check_word("a\xc2\x9b\xc2\xa0", "'a'*'\xc2\xa0'");
    check_word("a\xe2\x80\xae" "b", "'a'*'b'");
}

int main(void)
{
    RUN(milliseconds);
    RUN(seconds);
    RUN(counts_rates_shares);
    RUN(named_figures);
    RUN(columns_of_characters);
    RUN(cells_are_filled_not_cut);
    RUN(values_cannot_drive_the_terminal);
    RUN(blocks_wrap_under_their_text);
    RUN(colour_only_where_asked);
    RUN(a_full_buffer_is_remembered);
    RUN(csv_texts);
    RUN(csv_runs_no_formula);
    RUN(csv_numbers);
    RUN(shell_words);
    return t_done();
}
