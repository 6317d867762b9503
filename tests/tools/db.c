/*
 * Just enough of an SQL shell for the tests.
 *
 *   db FILE SQL             prints rows, columns joined by '|'
 *   db --hold FILE SQL      then says "holding" and waits for the end of
 *                           standard input, to keep locks
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static int row(void *ctx, int n, char **value, char **name)
{
    (void)ctx, (void)name;
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? "|" : "", value[i] ? value[i] : "");
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    int hold = argc > 1 && !strcmp(argv[1], "--hold");
    sqlite3 *db = NULL;
    char *said = NULL;
    int rc;

    if (argc != 3 + hold) {
        fprintf(stderr, "usage: db [--hold] FILE SQL\n");
        return 2;
    }
    rc = sqlite3_open(argv[1 + hold], &db);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, argv[2 + hold], row, NULL, &said);
    if (rc != SQLITE_OK)
        fprintf(stderr, "db: %s\n", said ? said : sqlite3_errmsg(db));
    if (rc == SQLITE_OK && hold) {
        puts("holding");
        fflush(stdout);
        while (getchar() != EOF)
            continue;
    }
    sqlite3_free(said);
    sqlite3_close(db);
    return rc == SQLITE_OK ? 0 : 1;
}
