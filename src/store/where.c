/*
 * `--where`: an expression over the request view and nothing else. SQLite
 * itself is asked, with an authorizer that knows what is allowed.
 */
#include <string.h>

#include "store/private.h"

/* Without side effects, bounded, the same every time. */
static const char *const functions[] = {
    "abs", "coalesce", "date", "datetime", "glob", "ifnull", "iif",
    "instr", "julianday", "length", "like", "likely", "lower", "ltrim",
    "max", "min", "nullif", "replace", "round", "rtrim", "sign", "strftime",
    "substr", "substring", "time", "trim", "typeof", "unicode", "unlikely",
    "upper",
};

static bool allowed_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (name && sqlite3_stricmp(functions[i], name) == 0)
            return true;
    return false;
}

/* `within` is the view on whose behalf something is read. Of a table that the
 * view joins and of which no column is asked for SQLite speaks without it. */
static bool allowed_read(const char *table, const char *column,
                         const char *within)
{
    if (within)
        return strcmp(within, "request") == 0;
    return table && (sqlite3_stricmp(table, "request") == 0 ||
                     (column && *column == '\0' &&
                      strcmp(table, "raw_common") == 0));
}

static int authorize(void *ctx, int action, const char *a, const char *b,
                     const char *database, const char *within)
{
    bool ok = action == SQLITE_SELECT ||
              (action == SQLITE_READ && allowed_read(a, b, within)) ||
              (action == SQLITE_FUNCTION && allowed_function(b));

    (void)ctx;
    (void)database;
    return ok ? SQLITE_OK : SQLITE_DENY;
}

static ait_code refuse(const char *reason, ait_error *err)
{
    ait_fail(err, AIT_EUSAGE,
             "the condition is no expression over the request view");
    ait_error_reason(err, "%s", reason);
    ait_error_hint(err, "aitrace schema shows the columns; write texts in "
                        "'single quotes', and \"group\" and \"primary\" in "
                        "double quotes");
    return AIT_EUSAGE;
}

/* Compiles one form of it. The message names words of the expression, never
 * what a row holds: nothing has run. */
static ait_code compile(ait_store *s, const char *sql, ait_error *err)
{
    sqlite3_stmt *st = NULL;
    ait_code code = AIT_OK;
    int rc = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);

    if ((rc & 0xff) == SQLITE_ERROR || rc == SQLITE_AUTH ||
        rc == SQLITE_TOOBIG)
        code = refuse(sqlite3_errmsg(s->db), err);
    else if (rc != SQLITE_OK)
        code = ait_db_fail(s, rc, "the condition cannot be read", err);
    else if (sqlite3_bind_parameter_count(st) > 0)
        code = refuse("it has a parameter that nobody fills", err);
    sqlite3_finalize(st);
    return code;
}

/*
 * In one pair of parentheses and in two: what leaves the inner pair on
 * purpose ("1) LIMIT (5") compiles in only one of the two forms. A column
 * besides the row is read, else SQLite asks for the table below the view.
 */
static ait_code compile_both(ait_store *s, const char *where, ait_buf *sql,
                             ait_error *err)
{
    static const char *const forms[][2] = {
        {"SELECT line FROM request WHERE (", "\n)"},
        {"SELECT line FROM request WHERE ((", "\n))"},
    };
    ait_code rc = AIT_OK;

    for (int i = 0; rc == AIT_OK && i < 2; i++) {
        ait_buf_clear(sql);
        if (!ait_buf_adds(sql, forms[i][0]) || !ait_buf_adds(sql, where) ||
            !ait_buf_adds(sql, forms[i][1]))
            return ait_db_nomem(err);
        rc = compile(s, sql->data, err);
    }
    return rc;
}

ait_code ait_where_check(ait_store *s, const char *where, ait_error *err)
{
    ait_buf sql;
    ait_code rc;

    ait_buf_init(&sql, 1 << 20);
    sqlite3_set_authorizer(s->db, authorize, NULL);
    rc = compile_both(s, where, &sql, err);
    sqlite3_set_authorizer(s->db, NULL, NULL);
    ait_buf_free(&sql);
    return rc;
}
