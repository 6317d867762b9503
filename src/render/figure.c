/* Figures of a trace as people and programs read them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "render/page.h"

const ait_unit_scale ait_unit_scales[AIT_U_WORD + 1] = {
    [AIT_U_MS] = {AIT_MS, 3},  [AIT_U_COUNT] = {1, 0},
    [AIT_U_RATE] = {1000, 3},  [AIT_U_SHARE] = {1000, 3},
    [AIT_U_WORD] = {0, 0},
};

static const char *absent(char *out)
{
    strcpy(out, "-");
    return out;
}

/* Rounded half up, the sign aside. */
static uint64_t rounded(uint64_t v, uint64_t unit)
{
    return v / unit + (v % unit >= unit / 2 && unit > 1 ? 1 : 0);
}

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? UINT64_C(0) - (uint64_t)v : (uint64_t)v;
}

/* Digits in groups of three; `out` has room for 27 bytes. */
static void grouped(uint64_t v, char *out)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    char *to = out;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
}

const char *ait_cell_int(int64_t n, char *out)
{
    char digits[32];
    if (!ait_has(n))
        return absent(out);
    grouped(magnitude(n), digits);
    snprintf(out, AIT_CELL, "%s%s", n < 0 ? "-" : "", digits);
    return out;
}

const char *ait_cell_msn(int64_t ns, char *out)
{
    char digits[32];
    if (!ait_has(ns))
        return absent(out);
    if (magnitude(ns) < 10 * (uint64_t)AIT_MS) {
        ait_decimal_text(ns, AIT_MS, 1, out);
        return out;
    }
    grouped(rounded(magnitude(ns), AIT_MS), digits);
    snprintf(out, AIT_CELL, "%s%s", ns < 0 ? "-" : "", digits);
    return out;
}

const char *ait_cell_ms(int64_t ns, char *out)
{
    ait_cell_msn(ns, out);
    if (ait_has(ns))
        strcat(out, " ms");
    return out;
}

/* Tenths of a second from one second on, hundredths below. */
const char *ait_cell_s(int64_t ns, char *out)
{
    if (!ait_has(ns))
        return absent(out);
    bool fine = magnitude(ns) < (uint64_t)AIT_SEC;
    uint64_t unit = (uint64_t)AIT_SEC / (fine ? 100 : 10);
    uint64_t v = rounded(magnitude(ns), unit), part = fine ? 100 : 10;
    char digits[32];
    grouped(v / part, digits);
    snprintf(out, AIT_CELL, "%s%s.%0*" PRIu64 " s", ns < 0 ? "-" : "",
             digits, fine ? 2 : 1, v % part);
    return out;
}

/* `v` thousandths with one decimal, none where it is 0. */
static void tenths(int64_t v, int64_t unit, char *out)
{
    uint64_t t = rounded(magnitude(v), (uint64_t)unit);
    char digits[32];
    grouped(t / 10, digits);
    if (t % 10 == 0)
        snprintf(out, AIT_CELL, "%s%s", v < 0 ? "-" : "", digits);
    else
        snprintf(out, AIT_CELL, "%s%s.%" PRIu64, v < 0 ? "-" : "", digits,
                 t % 10);
}

const char *ait_cell_rate(int64_t thousandths, char *out)
{
    if (!ait_has(thousandths))
        return absent(out);
    tenths(thousandths, 100, out);
    return out;
}

const char *ait_cell_share(int64_t thousandths, char *out)
{
    if (!ait_has(thousandths))
        return absent(out);
    tenths(thousandths, 1, out); /* thousandths are tenths of a percent */
    strcat(out, " %");
    return out;
}

static const char *rate_with_unit(int64_t v, char *out)
{
    ait_cell_rate(v, out);
    if (ait_has(v))
        strcat(out, " tokens/s");
    return out;
}

const char *ait_cell_figure(const ait_figure *f, char *out)
{
    static const char *(*const form[AIT_U_WORD])(int64_t, char *) = {
        [AIT_U_MS] = ait_cell_ms,
        [AIT_U_COUNT] = ait_cell_int,
        [AIT_U_RATE] = rate_with_unit,
        [AIT_U_SHARE] = ait_cell_share,
    };
    if (f->unit != AIT_U_WORD)
        return form[f->unit](f->value, out);
    snprintf(out, AIT_CELL, "%s", f->word ? f->word : "-");
    return out;
}

const char *ait_cell_time(int64_t ns, int places, bool local, char *out)
{
    if (!ait_has(ns))
        return absent(out);
    ait_time_text(ns, ns % AIT_SEC == 0 ? 0 : places, local, out);
    char *t = strchr(out, 'T');
    if (t)
        *t = ' ';
    return out;
}

void ait_figure_json(ait_jsonw *w, const ait_figure *f)
{
    const ait_unit_scale *u = &ait_unit_scales[f->unit];
    ait_jsonw_key(w, f->name);
    if (u->scale)
        ait_jsonw_decimal(w, f->value, u->scale, u->places);
    else
        ait_jsonw_text(w, f->word);
}

static ait_figure limit_figure(const ait_thresholds *limits, int i)
{
    return (ait_figure){.name = ait_limits[i].name,
                        .unit = ait_limits[i].unit,
                        .value = limits->value[i]};
}

void ait_limits_json(ait_jsonw *w, const ait_thresholds *limits)
{
    ait_jsonw_key(w, "limits");
    ait_jsonw_object(w);
    for (int i = 0; i < AIT_L_COUNT; i++) {
        ait_figure f = limit_figure(limits, i);
        ait_figure_json(w, &f);
    }
    ait_jsonw_end(w, '}');
}

void ait_page_limits(ait_page *p, const ait_thresholds *limits, int indent)
{
    char cell[AIT_CELL];
    ait_buf line;
    ait_buf_init(&line, 4096);
    for (int i = 0; i < AIT_L_COUNT; i++) {
        ait_figure f = limit_figure(limits, i);
        if (!ait_buf_addf(&line, "%s%s %s", i ? ", " : "", f.name,
                          ait_cell_figure(&f, cell)))
            p->failed = true;
    }
    if (!p->failed)
        ait_page_block(p, "limits", indent, line.data);
    ait_buf_free(&line);
}
